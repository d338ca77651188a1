"""What the web tests share: a real server, a real PostgreSQL, a player over HTTP."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

from digitduel.web import server
from digitduel.web.app import create_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx2 as httpx

    from digitduel.web.settings import Settings

# A busy machine is no failure: whoever waits for something waits this many seconds for it.
PATIENCE = 60


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`digitduel serve` as a process of its own, on loopback."""

    def __init__(self, database: str, *flags: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "digitduel", "serve", "--port", str(self.port)]
        self._command += ["--database", database, "--create-rate", "100000"]
        self._command += ["--create-rate-per-address", "100000", *flags]
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        self._wait(self.process)

    def _wait(self, process: subprocess.Popen[Any]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.is_up():
            assert process.poll() is None, f"the server ended with {process.returncode}"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)

    def is_up(self) -> bool:
        """Whether it answers."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to stop; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


class QuickServer(Server):
    """The same server, forked from a process that has imported everything: for many restarts."""

    def __init__(self, database: str) -> None:
        port = free_port()
        command = [sys.executable, "-m", "tests.web.nursery", str(port), database]
        self._nursery = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._pid = 0
        super().__init__(database, port=port)

    def start(self) -> None:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write("start\n")
        self._nursery.stdin.flush()
        self._pid = int(self._nursery.stdout.readline())
        self._wait(self._nursery)

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process that forks."""
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.close()
        self._nursery.wait(timeout=PATIENCE)
        self._nursery.stdout.close()


class Told(Server):
    """A server that may open so many files, and whose complaints are kept."""

    def __init__(self, folder: Path, files: int = 1_000, code: str = "") -> None:
        self._told, self._files, self._code = folder / "told", files, code
        super().__init__(str(folder / "games.db"))

    def start(self) -> None:
        run = f"{self._code}\nimport sys; from digitduel.cli import main; sys.exit(main())"
        started = [sys.executable, "-c", run, *self._command[3:]]
        command = ["sh", "-c", f'ulimit -n {self._files}; exec "$@"', "sh", *started]
        with self._told.open("wb") as told:
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told)
        self._wait(self.process)

    def crowd(self, stack: ExitStack, count: int) -> list[socket.socket]:
        """So many connections."""
        target = ("127.0.0.1", self.port)
        opened = (socket.create_connection(target, timeout=PATIENCE) for _ in range(count))
        return [stack.enter_context(connection) for connection in opened]

    @property
    def told(self) -> str:
        return self._told.read_text()


@contextmanager
def serving(database: str, *flags: str, port: int | None = None) -> Iterator[Server]:
    """A server for the length of a test."""
    server = Server(database, *flags, port=port)
    try:
        yield server
    finally:
        server.kill()


class Clock:
    """A clock as right or wrong as a test wants it."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Here:
    """A server in a thread of this process, so that its times can be short."""

    def __init__(self, settings: Settings, proxies: str) -> None:
        listener = server.bind("127.0.0.1", 0)
        self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.server = server.server_for(create_app(settings), proxies)
        self._thread = threading.Thread(target=self.server.run, args=([listener],))
        self._thread.start()
        wait_for(lambda: self.server.started)

    def connect(self, address: str = "127.0.0.1") -> socket.socket:
        """A connection from an address."""
        target = ("127.0.0.1", self.port)
        return socket.create_connection(target, timeout=PATIENCE, source_address=(address, 0))

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join()


@contextmanager
def here(settings: Settings, proxies: str = "127.0.0.9") -> Iterator[Here]:
    running = Here(settings, proxies)
    try:
        yield running
    finally:
        running.stop()


def wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Player:
    """Somebody with a token, or a watcher without one, in one game."""

    def __init__(self, client: httpx.Client, game_id: str, token: str | None = None) -> None:
        self.client, self.id, self.token = client, game_id, token

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def post(self, what: str, **body: Any) -> httpx.Response:
        path = f"/api/games/{self.id}/{what}"
        return self.client.post(path, json=body, headers=self.headers)

    def move(self, move: str, ply: int | None = None, key: str | None = None) -> httpx.Response:
        """Play a move; without a ply, the one the game is at."""
        at = self.state()["ply"] if ply is None else ply
        return self.post("moves", move=move, ply=at, **({"key": key} if key else {}))

    def state(self) -> dict[str, Any]:
        answer = self.client.get(f"/api/games/{self.id}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


def create(client: httpx.Client, game: str = "pool", **options: Any) -> tuple[Player, str | None]:
    """A new game's first player and its invitation."""
    answer = client.post("/api/games", json={"game": game, **options})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Player(client, made["id"], made["token"]), made["links"]["invite"]


def friends(client: httpx.Client, game: str = "pool", **options: Any) -> tuple[Player, Player]:
    """Two players of one game."""
    ann, invite = create(client, game, **options)
    answer = client.post(f"/api/games/{ann.id}/join", json={"invite": invite})
    assert answer.status_code == 200, answer.text
    return ann, Player(client, ann.id, answer.json()["token"])


def events(response: httpx.Response) -> Iterator[tuple[int, dict[str, Any]]]:
    """The version and state of each server-sent event."""
    version, data = None, None
    for line in response.iter_lines():
        if line.startswith("id: "):
            version = int(line[4:])
        elif line.startswith("data: "):
            data = json.loads(line[6:])
        elif not line and data is not None and version is not None:
            yield version, data
            version, data = None, None


def postgres_programs() -> Path | None:
    """The folder with initdb and pg_ctl, if PostgreSQL is installed."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []  # where its other programs are too
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in folders if (each / "pg_ctl").exists()), None)


class Postgres:
    """A PostgreSQL of our own on loopback, in a temporary folder that it can reach."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._programs, self._data, self.port = programs, folder / "data", free_port()
        self._log = folder / "log"
        # PostgreSQL refuses to run as root.
        self._as = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as:
            shutil.chown(folder, "postgres", "postgres")
        self._run("initdb", "-D", str(self._data), "-U", "digitduel", "-A", "trust", "-N")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, str(self._programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=PATIENCE)

    def start(self) -> None:
        folder = self._data.parent
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {folder} -c max_connections=50"
        self._run(
            *("pg_ctl", "-D", str(self._data), "-l", str(self._log), "-o", options, "-w", "start")
        )

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self._data), "-m", mode, "-w", "stop")

    def processes(self) -> list[int]:
        """The server's own process, and those it has started."""
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        return [first, *_children(first)]

    def signal(self, number: signal.Signals) -> None:
        """Send all its processes a signal."""
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def pause(self) -> None:
        """Stop it in mid-sentence: connections stay, answers do not come."""
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        os.kill(self.processes()[0], signal.SIGSTOP)  # it starts no more
        ended = self.processes()
        self.signal(signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while any(map(_is_running, ended)):
            assert time.monotonic() < deadline, "the database does not end"
            time.sleep(0.02)
        # Nobody may have collected the process yet, and then it would be taken for a running one.
        for left in (self._data / "postmaster.pid", *self._data.parent.glob(".s.PGSQL.*")):
            left.unlink()

    def dump(self, name: str, file: Path) -> None:
        """A backup of a database, as docs/deploy.md says."""
        self._run("pg_dump", "-Fc", "-f", str(file), self._address(name))

    def restore(self, file: Path, address: str) -> None:
        self._run("pg_restore", "-d", address, str(file))

    def database(self, name: str) -> str:
        """The address of a new, empty database."""
        import psycopg

        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self._address(name)

    def _address(self, name: str) -> str:
        return f"postgresql://digitduel@127.0.0.1:{self.port}/{name}"


def _children(parent: int) -> list[int]:
    stats = [_stat(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [int(stat[0]) for stat in stats if stat and int(stat[2]) == parent]


def _is_running(pid: int) -> bool:
    stat = _stat(pid)
    return bool(stat) and stat[1] != "Z"


def _stat(pid: int) -> list[str]:
    """Id, state, parent and more of a process; nothing if there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="latin-1")
    except OSError:
        return []
    return [str(pid), *text.rpartition(")")[2].split()]
