"""The files of a SQLite store full, held, removed, replaced, moved or damaged while games are
played.

What was acknowledged is there when the files are; whatever cannot be done is refused in time.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import httpx2 as httpx

from tests.web.helpers import PATIENCE, Player, Server, create

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.campaign import Campaign

ANSWER_SECONDS = 5.0  # the promise of docs/deploy.md
SLACK_SECONDS = 1.0
GAMES = 3
GAME: dict[str, Any] = {
    "game": "ends",
    "opponent": "device",
    "rules": {"digits": "1-9", "target": 10**9 + 7},
}


def run(campaign: Campaign, folder: Path) -> None:
    """Each round has a fresh store, one fault at a random moment, and a restart after it."""
    faults = campaign.in_turn(FAULTS)
    while campaign.goes_on():
        shutil.rmtree(folder / "store", ignore_errors=True)
        name, fault = next(faults)
        table = Table(campaign, folder / "store" / "games.db")
        try:
            table.play(fault)
        finally:
            table.end()
        campaign.count(name)


class Table:
    """A server on a file, and players who move until they are told to stop."""

    def __init__(self, campaign: Campaign, file: Path) -> None:
        self.campaign, self.random, self.file = campaign, campaign.random, file
        self.server = Server(str(file))
        self.over = threading.Event()
        self.is_down = False  # the server is being started anew
        self.is_damaged = False  # anything may be read, but for an error of the server
        self._faults: list[BaseException] = []
        client = self.client()
        self.games = [create(client, **GAME)[0] for _ in range(GAMES)]
        self.acknowledged: list[list[str]] = [[] for _ in self.games]
        self.unsure: list[str | None] = [None] * GAMES  # sent, and not acknowledged

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.server.url, timeout=ANSWER_SECONDS + SLACK_SECONDS)

    def play(self, fault: Callable[[Table], bool]) -> None:
        """Play, meet the fault, play on; then see what a new server finds."""
        players = [threading.Thread(target=self._moves, args=(n,)) for n in range(GAMES)]
        for player in players:
            player.start()
        try:
            time.sleep(self.random.uniform(0, 0.5))
            is_whole = fault(self)
            if is_whole:
                self._await_moves()
        finally:
            self.over.set()
            for player in players:
                player.join(PATIENCE)
        for found in self._faults:
            raise found
        if is_whole:
            self.restart()
            self._check()

    def _moves(self, n: int) -> None:
        try:
            with self.client() as client:
                player = Player(client, self.games[n].id, self.games[n].token)
                while not self.over.is_set():
                    self._move(player, n)
        except BaseException as fault:  # told in the main thread
            self._faults.append(fault)

    def _move(self, player: Player, n: int) -> None:
        moves = self.acknowledged[n]
        move = self.unsure[n] = self.unsure[n] or f"{1 + len(moves) % 9}R"
        try:
            answer = player.move(move, ply=len(moves), key=f"move-{len(moves)}")
        except httpx.TransportError:
            assert self.is_down, "the server does not answer"
            self.over.wait(0.02)
            return
        if self.is_damaged:
            assert answer.status_code != 500, answer.text
            return
        assert answer.status_code in (200, 503), answer.text
        self.campaign.count(f"answers with {answer.status_code}")
        if answer.status_code == 200:
            moves.append(move)
            self.unsure[n] = None
            assert answer.json()["moves"] == moves
        else:
            assert int(answer.headers["Retry-After"]) > 0
            self.over.wait(0.02)

    def health(self) -> int:
        with self.client() as client:
            return client.get("/health").status_code

    def await_health(self, status: int) -> None:
        """Until /health says so."""
        deadline = time.monotonic() + PATIENCE
        while self.health() != status:
            assert time.monotonic() < deadline, f"/health does not come to {status}"
            time.sleep(0.05)

    def _await_moves(self) -> None:
        deadline, before = time.monotonic() + PATIENCE, list(map(len, self.acknowledged))
        while any(len(moves) <= n for moves, n in zip(self.acknowledged, before, strict=True)):
            assert not self._faults, self._faults
            assert time.monotonic() < deadline, "the games do not go on"
            time.sleep(0.02)

    def restart(self) -> None:
        """Kill the server, or ask it to stop; start a new one."""
        self.is_down = True
        self.server.kill() if self.random.random() < 0.5 else self.server.stop()
        self.server.start()
        self.is_down = False

    def _check(self) -> None:
        """Every acknowledged move is there, and after it at most the one that was on its way."""
        with self.client() as client:
            for game, moves, unsure in zip(self.games, self.acknowledged, self.unsure, strict=True):
                found = Player(client, game.id).state()["moves"]
                assert found in (moves, [*moves, unsure]), f"{found} for {moves}"
                self.campaign.count("acknowledged moves", len(moves))

    def end(self) -> None:
        self.server.kill()


# --- Faults; each returns whether all that was acknowledged must be found again. ---


def held(table: Table) -> bool:
    """Another program writes, and takes its time."""
    with closing(sqlite3.connect(table.file, isolation_level=None, timeout=PATIENCE)) as other:
        other.execute("BEGIN IMMEDIATE")
        table.await_health(503)
        time.sleep(table.random.uniform(0, 3))
        other.execute("ROLLBACK")
    table.await_health(200)
    return True


def full(table: Table) -> bool:
    """No room for one more byte, by the limit of the process, as `ulimit -f` sets it."""
    import resource

    pid = table.server.process.pid
    usual = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    wal = table.file.with_name(f"{table.file.name}-wal")
    least = min(table.file.stat().st_size, wal.stat().st_size)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (max(least // 2, 1), usual[1]))
    table.await_health(503)
    time.sleep(table.random.uniform(0, 1))
    resource.prlimit(pid, resource.RLIMIT_FSIZE, usual)
    table.await_health(200)
    return True


def moved(table: Table) -> bool:
    """One of the files is moved away, perhaps with another in its place, and comes back."""
    end = table.random.choice(("", "-wal", "-shm"))
    file = table.file.with_name(table.file.name + end)
    aside = file.rename(file.with_name("aside"))
    if table.random.random() < 0.5:
        shutil.copy(aside, file)
    table.await_health(503)
    aside.replace(file)
    assert table.health() == 503  # until it is started anew
    table.restart()
    return True


def removed(table: Table) -> bool:
    """The store is gone: nothing is acknowledged any more, and a new server begins anew."""
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            table.file.with_name(table.file.name + end).unlink()
    table.await_health(503)
    before = list(map(len, table.acknowledged))
    time.sleep(0.2)
    assert list(map(len, table.acknowledged)) == before
    return False


def damaged(table: Table) -> bool:
    """Bytes change on the disk: what cannot be read is refused, whatever else is answered."""
    table.is_damaged = True
    with table.file.open("r+b") as file:
        size = table.file.stat().st_size
        for _ in range(size // 50):
            file.seek(table.random.randrange(size))
            file.write(table.random.randbytes(1))
    with table.client() as client:
        for game in table.games * 3:
            assert client.get(f"/api/games/{game.id}").status_code != 500
            assert client.post("/api/games", json=GAME).status_code in (201, 503)
    return False


def stalled(table: Table) -> bool:
    """The server itself stops for a while, as a laptop does that is closed."""
    table.is_down = True
    os.kill(table.server.process.pid, signal.SIGSTOP)
    time.sleep(table.random.uniform(0, 1))
    os.kill(table.server.process.pid, signal.SIGCONT)
    table.is_down = False
    return True


FAULTS: list[tuple[str, Callable[[Table], bool]]] = [
    ("holds", held),
    ("full disks", full),
    ("moved files", moved),
    ("removed stores", removed),
    ("damaged files", damaged),
    ("stalls", stalled),
]
