"""Hostile connections by the thousand from a few addresses, while others play on undisturbed.

Every attack is one connection or a burst of them: heads and bodies that drip or stop, idlers,
garbage, halves, resets, pipelines, streams, answers that nobody reads. Two players at an address of
their own move all the while. What must hold: each of their moves is answered 200 and is there
afterwards; no answer to anybody is a 5xx other than 503, and every 429 and 503 says when to come
back; the server complains in few lines and without a stack trace, and has its files back in the
end.
"""

from __future__ import annotations

import re
import resource
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import httpx2 as httpx
import psutil

from tests.web.helpers import PATIENCE, Player, Server, Told, friends, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.campaign import Campaign

ATTACKERS, CROWD, PLAYER = ("127.0.0.2", "127.0.0.3"), "127.0.0.4", "127.0.0.5"
RULES = {"digits": "1-9", "target": 10**9 + 7}
MOST_HELD = 2_000  # connections that the attackers keep at a time
FILES = 10_000
SLOWEST = 20  # seconds for a move: a deadlock, not a busy machine
STATUS = re.compile(rb"HTTP/1\.1 (\d+)[^\r]*\r\n(.*?)\r\n\r\n", re.DOTALL)
PATHS = ["/", "/health", "/api/rulesets", "/api/games/x", "/live?watch=x", "/static/base.css", "//"]


class Bystander:
    """A game that goes on at an address of its own."""

    def __init__(self, url: str) -> None:
        transport = httpx.HTTPTransport(local_address=PLAYER)
        self._client = httpx.Client(base_url=url, timeout=PATIENCE, transport=transport)
        self.players = friends(self._client, "ends", rules=RULES)
        self.moves: list[str] = []
        self.fault: str | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def _play(self) -> None:
        try:
            while not self._stopped.wait(0.02) and not self.fault:
                self._move()
        except Exception as error:  # told by the thread that waits
            self.fault = repr(error)

    def _move(self) -> None:
        ply, began = len(self.moves), time.monotonic()
        move = f"{ply % 9 + 1}{'LR'[ply % 2]}"
        answer = self.players[ply % 2].move(move, ply=ply)
        self.moves.append(move)
        if answer.status_code != 200 or time.monotonic() - began > SLOWEST:
            self.fault = f"{answer.status_code} after {time.monotonic() - began:.1f} s"

    @property
    def over(self) -> bool:
        """Whether this game has seen nearly as many moves as a round may have."""
        return len(self.moves) > 1_900

    def stop(self) -> None:
        """Nothing went wrong, and every move is there."""
        self._stopped.set()
        self._thread.join()
        assert self.fault is None, self.fault
        assert self.players[0].state()["moves"] == self.moves
        self._client.close()


class Attack:
    """What comes from the attackers' addresses."""

    def __init__(self, campaign: Campaign, server: Server, game: Player) -> None:
        self._campaign, self._random, self._game = campaign, campaign.random, game
        self._port = server.port
        self._held: list[socket.socket] = []
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._most = min(MOST_HELD, files // 2)
        self.kinds: list[Callable[[], None]] = [
            *(self.idle, self.slow_head, self.slow_body, self.garbage, self.half, self.reset),
            *(self.pipeline, self.stream, self.unread, self.crowd, self.mutated),
        ]

    def strike(self) -> None:
        """One of them, by chance; and those held drip on, or are let go."""
        kind = self._random.choice(self.kinds)
        kind()
        self._campaign.count(kind.__name__)
        for connection in self._random.sample(self._held, min(20, len(self._held))):
            with suppress(OSError):
                connection.send(self._random.choice([b"a", b"\r", b"x: y\r\n"]))
        while len(self._held) > self._most:
            self._let_go(self._held.pop(self._random.randrange(len(self._held))))

    def end(self) -> None:
        """Hang up everywhere."""
        while self._held:
            self._let_go(self._held.pop())

    # --- Each in its own way. ---

    def idle(self) -> None:
        self._hold(b"")

    def slow_head(self) -> None:
        head = self._head()
        self._hold(head[: self._random.randrange(1, len(head))])

    def slow_body(self) -> None:
        length = self._random.randrange(2, 60_000)
        self._hold(self._head("POST", f"Content-Length: {length}") + b"{" * (length // 3))

    def half(self) -> None:
        connection = self._hold(self._head()[: self._random.choice([5, 1_000])])
        with suppress(OSError):
            connection.shutdown(self._random.choice([socket.SHUT_WR, socket.SHUT_RD]))

    def unread(self) -> None:
        self._hold(self._head(path="/api/openapi.json") * 50)

    def stream(self) -> None:
        path = self._random.choice(
            [f"/live?watch={self._game.id}", f"/api/games/{self._game.id}/stream"]
        )
        self._hold(self._head(self._random.choice(["GET", "GET", "HEAD"]), path=path))

    def crowd(self) -> None:
        for _ in range(self._random.randrange(self._most // 40, self._most // 4)):
            self._hold(b"", CROWD)
            self._campaign.count("connections")

    def reset(self) -> None:
        connection = self._hold(self._head()[: self._random.choice([7, 1_000])])
        self._held.remove(connection)
        linger = b"\1\0\0\0\0\0\0\0"
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._let_go(connection)

    def garbage(self) -> None:
        self._ask(self._random.randbytes(self._random.randrange(1, 3_000)) + b"\r\n\r\n")

    def pipeline(self) -> None:
        self._ask(b"".join(self._head() for _ in range(self._random.randrange(2, 30))))

    def mutated(self) -> None:
        """A good request with a few bytes changed."""
        body = b"2\r\n{}\r\n0\r\n\r\n"
        whole = bytearray(
            self._head("POST", "Transfer-Encoding: chunked", path="/api/solve")
            + body
            + self._head()
        )
        for _ in range(self._random.randrange(1, 6)):
            whole[self._random.randrange(len(whole))] = self._random.randrange(256)
        self._ask(bytes(whole))

    # --- How. ---

    def _head(self, method: str = "GET", *more: str, path: str = "") -> bytes:
        path = path or self._random.choice(PATHS)
        lines = [f"{method} {path} HTTP/1.1", "Host: x", "Content-Type: application/json", *more]
        return "\r\n".join([*lines, "", ""]).encode()

    def _hold(self, sent: bytes, address: str = "") -> socket.socket:
        """A connection that is kept, whatever comes of it."""
        connection = socket.socket()
        connection.bind((address or self._random.choice(ATTACKERS), 0))
        connection.settimeout(PATIENCE)
        connection.connect(("127.0.0.1", self._port))
        connection.setblocking(False)
        self._held.append(connection)
        with suppress(OSError):
            connection.send(sent)
        return connection

    def _ask(self, sent: bytes) -> None:
        """Something that gets answers, which are looked at."""
        connection = self._hold(sent)
        connection.settimeout(0.05)
        self._held.remove(connection)
        answers = b""
        with suppress(OSError):
            while data := connection.recv(65536):
                answers += data
        self._check(answers)
        connection.close()

    def _let_go(self, connection: socket.socket) -> None:
        with suppress(OSError):
            self._check(connection.recv(1 << 20))
        connection.close()

    def _check(self, answers: bytes) -> None:
        for status, headers in STATUS.findall(answers):
            assert int(status) < 500 or status == b"503", answers[:500]
            if status in (b"429", b"503"):
                assert b"retry-after: " in headers.lower(), answers[:500]
            self._campaign.count(f"answers {status.decode()}")


def run(campaign: Campaign, folder: Path) -> None:
    """Attack while others play; then everything is as it was."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    server = Told(folder, files=FILES)
    try:
        process = psutil.Process(server.process.pid)
        bystander, before = Bystander(server.url), process.num_fds()
        attack = Attack(campaign, server, bystander.players[0])
        while campaign.goes_on():
            attack.strike()
            assert bystander.fault is None, bystander.fault
            if bystander.over:
                bystander = _next(campaign, bystander, server)
        attack.end()
        _next(campaign, bystander, server).stop()
        wait_for(lambda: process.num_fds() <= before + 20)  # all files are given back
        assert server.is_up()
        assert server.process.poll() is None
    finally:
        server.kill()
    complaints = server.told.splitlines()
    assert not any("Traceback" in line or "Exception" in line for line in complaints), complaints
    campaign.count("complaints", len(complaints))
    assert len(complaints) < 100, complaints[:10]


def _next(campaign: Campaign, bystander: Bystander, server: Server) -> Bystander:
    """The game ends well, and another begins."""
    bystander.stop()
    campaign.count("moves of others", len(bystander.moves))
    return Bystander(server.url)
