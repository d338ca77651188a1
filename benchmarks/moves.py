"""How many moves a second can be acknowledged, beside what the disk and the framework can do?

    python -m benchmarks.moves [--players 64] [--seconds 15] [--folder DIR] [--slow MICROSECONDS]
                               [--before SRC] [--one-address] [--calls]

Each player has a game of their own on SQLite and sends the next move as soon as the last one was
acknowledged, on a connection that is kept, from an address of their own. Every answer is checked,
and at the end what is on disk. In the same run: the disk's own rate, small appends with fdatasync
to a file in the same folder, before and after; and the requests a second to a FastAPI route that
does nothing, asked in the same way. `--before` measures the server of another source folder, too.
`--slow` has strace hold up every sync of the server and of the probe alike by so much: a slower
disk. With `--calls` threads call the service itself, without HTTP, 32 as the server has of them:
what is left is the match and the store. Client and server share this machine's cores. The run is
bounded in count and time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.web_load import ROOM, RULES, Connection, processor_time
from tests.web.helpers import Server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

MOST_PLAYERS, MOST_SECONDS = 1_000, 300
LENGTH = 30  # moves, then a new game begins: answers grow with a game
WARM_SECONDS = 2.0
PROBE = """
import os, sys, time
file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
count, began = 0, time.perf_counter()
while time.perf_counter() < began + 2:
    os.write(file, bytes(4096))
    os.fdatasync(file)
    count += 1
print(count / (time.perf_counter() - began))
"""
CALLS = """
import sys, threading, time
from digitduel.web.models import MoveRequest, NewGame
from digitduel.web.service import Service
from digitduel.web.settings import Settings
from digitduel.web.store import open_store
length, seconds = int(sys.argv[2]), float(sys.argv[3])
settings = Settings(database=sys.argv[1], creations_per_address=10**6)
service = Service(open_store(settings), settings)
new = NewGame(game="ends", opponent="device", rules={"digits": "1-9", "target": 10**9 + 7})
end, counts = time.monotonic() + seconds, []
def play():
    count = 0
    while time.monotonic() < end:
        seat = service.create(new, "127.0.0.1")
        for ply in range(length):
            service.act("move", seat.duel.id, seat.token, MoveRequest(move="5R", ply=ply))
        count += length
    counts.append(count)
sys.setswitchinterval(0.001)
threads = [threading.Thread(target=play) for _ in range(32)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sum(counts) / (time.monotonic() - end + seconds))
"""
TRIVIAL = """
import sys, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.get("/health")
async def health():
    return {"status": "ok"}
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning", access_log=False)
"""


class Started(Server):
    """A server of any source folder, or any program that answers /health, on a slower disk."""

    def __init__(self, folder: Path, source: str = "", slow: int = 0, program: str = "") -> None:
        self._source, self._slow, self._program = source, slow, program
        super().__init__(str(folder / "games.db"), *ROOM)

    def start(self) -> None:
        """Start it and wait until it answers."""
        program = [sys.executable, "-c", self._program, str(self.port)]
        command = [*slowly(self._slow), *(program if self._program else self._command)]
        path = {"PYTHONPATH": self._source} if self._source else {}
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, env={**os.environ, **path}
        )
        self._wait(self.process)


@contextlib.contextmanager
def started(*arguments: Any, **options: Any) -> Iterator[Started]:
    """A server for as long as it is measured."""
    server = Started(*arguments, **options)
    try:
        yield server
    finally:
        server.stop()


def slowly(microseconds: int) -> list[str]:
    """What to write before a command so that each sync takes so much longer."""
    syncs = "fsync,fdatasync"
    held = ("-e", f"trace={syncs}", "-e", f"inject={syncs}:delay_exit={microseconds}")
    traced = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", os.devnull, *held]
    return traced if microseconds else []


def syncs_a_second(folder: Path, slow: int) -> float:
    """The disk's own rate: one small append after the other."""
    command = [*slowly(slow), sys.executable, "-c", PROBE, str(folder / "probe")]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    (folder / "probe").unlink()
    return float(ran.stdout)


class Mover:
    """One player, who plays one game after the other."""

    def __init__(self, port: int, number: int, one_address: bool) -> None:
        address = "127.0.0.1" if one_address else f"127.1.{number // 200}.{number % 200 + 1}"
        self._connection = Connection(port, address)
        self._chance = random.Random(number)
        self.games: dict[str, list[str]] = {}  # and what was acknowledged of each
        self._id, self._token = "", ""

    async def __call__(self) -> float | None:
        """A move, and when it was sent; None for a new game instead."""
        moves = self.games.get(self._id)
        if moves is None or len(moves) == LENGTH:
            asked = {"game": "ends", "opponent": "device", "rules": RULES}
            _, made = await self._connection.ask("POST", "/api/games", body=asked)
            self._id, self._token = made["id"], made["token"]
            self.games[self._id] = []
            return None
        move = f"{self._chance.randint(1, 9)}{self._chance.choice('LR')}"
        asked = {"move": move, "ply": len(moves), "key": f"k{len(moves)}"}
        began = time.perf_counter()
        path = f"/api/games/{self._id}/moves"
        status, answer = await self._connection.ask("POST", path, self._token, asked)
        moves.append(move)
        if status != 200 or answer["moves"] != moves:
            raise SystemExit(f"move {len(moves)} of {self._id} was answered {status}: {answer}")
        return began

    async def check(self) -> None:
        """Whether all that was acknowledged is there, once and in order."""
        for game, moves in self.games.items():
            _, state = await self._connection.ask("GET", f"/api/games/{game}")
            if state["moves"] != moves:
                raise SystemExit(f"the moves of {game} are not those acknowledged")
        self._connection.close()


async def rush(asks: list[Callable[[], Awaitable[float | None]]], seconds: float) -> list[float]:
    """All ask again as soon as they are answered; the time of each answer, after a while."""
    delays: list[float] = []
    counted = time.perf_counter() + WARM_SECONDS
    end = counted + seconds

    async def one(ask: Callable[[], Awaitable[float | None]]) -> None:
        while (now := time.perf_counter()) < end:
            began = await ask()
            if now >= counted and began is not None:
                delays.append(time.perf_counter() - began)

    await asyncio.gather(*map(one, asks))
    return sorted(delays)


async def play(port: int, options: argparse.Namespace) -> list[float]:
    """Moves, and whether they are on disk."""
    movers = [Mover(port, number, options.one_address) for number in range(options.players)]
    delays = await rush([*movers], options.seconds)
    await asyncio.gather(*(mover.check() for mover in movers))
    return delays


async def ask_nothing(port: int, options: argparse.Namespace) -> list[float]:
    """As many connections that ask for what costs nothing."""
    connections = [Connection(port) for _ in range(options.players)]

    def asks(connection: Connection) -> Callable[[], Awaitable[float]]:
        async def ask() -> float:
            began = time.perf_counter()
            await connection.ask("GET", "/health")
            return began

        return ask

    delays = await rush([asks(connection) for connection in connections], options.seconds / 3)
    for connection in connections:
        connection.close()
    return delays


def told(what: str, delays: list[float], seconds: float) -> float:
    """Say how it went; the rate."""
    middle, late = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    rate = len(delays) / seconds
    print(f"{what}: {rate:,.0f} a second, p50 {1000 * middle:.1f} ms, p99 {1000 * late:.1f} ms")
    return rate


def calls_a_second(source: str, folder: Path, options: argparse.Namespace) -> float:
    """Moves a second without HTTP."""
    arguments = [str(folder / "calls.db"), str(LENGTH), str(options.seconds)]
    command = [*slowly(options.slow), sys.executable, "-c", CALLS, *arguments]
    path = {"PYTHONPATH": source} if source else {}
    ran = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **path}
    )
    return float(ran.stdout)


def measure(name: str, source: str, folder: Path, options: argparse.Namespace) -> None:
    """One server, between two looks at the disk."""
    folder.mkdir()
    syncs = [syncs_a_second(folder, options.slow)]
    if options.calls:
        rate = calls_a_second(source, folder, options)
        print(f"{name}, without HTTP: {rate:,.0f} a second")
    else:
        with started(folder, source, options.slow) as server:
            delays = asyncio.run(play(server.port, options))
            spent = processor_time(server)
        rate = told(name, delays, options.seconds)
        print(f"  server's processor time: {spent:.0f} s")
    syncs.append(syncs_a_second(folder, options.slow))
    print(
        f"  the disk: {syncs[0]:,.0f} and {syncs[1]:,.0f} syncs a second, before and after; "
        f"moves for each sync: {2 * rate / sum(syncs):.2f}"
    )


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--folder", type=Path, help="on the disk that is to be measured")
    parser.add_argument("--slow", type=int, default=0, help="microseconds more for each sync")
    parser.add_argument("--before", default="", help="the source folder of another version")
    parser.add_argument("--one-address", action="store_true", help="all players come from one")
    parser.add_argument("--calls", action="store_true", help="call the service, without HTTP")
    options = parser.parse_args()
    options.players = min(options.players, MOST_PLAYERS)
    options.seconds = min(options.seconds, MOST_SECONDS)
    with TemporaryDirectory(prefix="digitduel-moves-", dir=options.folder) as place:
        folder = Path(place)
        if options.before:
            measure("moves, before", options.before, folder / "before", options)
        measure("moves", "", folder / "now", options)
        if options.calls:
            return 0
        with started(folder, program=TRIVIAL) as server:
            answers = asyncio.run(ask_nothing(server.port, options))
        told("a route that does nothing", answers, options.seconds / 3)
    return 0


if __name__ == "__main__":
    sys.exit(main())
