"""Many games at once over real HTTP, on loopback: does every move arrive, once, in order, soon?

    python -m benchmarks.web_load [--store sqlite|postgres|both] [--rate 120] [--seconds 60]

500 games with both players watching are 1,000 open streams. Moves are sent at a steady rate to
whichever player's turn it is; a move's time runs from the moment it is sent until the *other*
player's stream shows it (a stream that cannot keep up goes straight to a newer version, which
holds the moves before it too). On PostgreSQL the two players of each game sit at two server
processes. Client and servers share this machine's cores. The run is bounded in count and time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import sys
import time
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from tests.web.helpers import Postgres, Server, postgres_programs, serving

RULES = {"digits": "1-9", "target": 1_000_000_007}  # nobody wins by accident
EVENT_ID = re.compile(rb"\nid: (\d+)\n")
POSTERS = 8
ROOM = ("--per-address", "100000")  # all of them come from one
MOST_GAMES, MOST_SECONDS, MOST_RATE = 2_000, 600, 1_000


class Connection:
    """A kept-alive HTTP connection: as little client as will do, since it shares the cores."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._port, self._address = port, address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """The status and the JSON answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._address, 0)
            )
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = await reader.readuntil(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", head)
        answer = await reader.readexactly(int(found[1]) if found else 0)
        return int(head[9:12]), json.loads(answer)

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()


class Stream(asyncio.Protocol):
    """One player's screen: notes when each version comes up."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._rest = b""
        self.versions: list[tuple[int, float]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        data = self._rest + data
        end = 0
        for match in EVENT_ID.finditer(data):
            self.versions.append((int(match[1]), now))
            end = match.end()
        self._rest = data[max(end, len(data) - 40) :]


class Table:
    """One game: its two players, where each of them is, and what was acknowledged."""

    def __init__(self, game_id: str, tokens: list[str], ports: list[int]) -> None:
        self.id, self.tokens, self.ports = game_id, tokens, ports
        self.moves: list[str] = []
        self.sent: dict[int, float] = {}  # when each version was asked for
        self.streams: list[Stream] = []
        self.turn = asyncio.Lock()

    async def play(self, connections: dict[int, Connection], chance: random.Random) -> None:
        """The next move, by whoever's turn it is."""
        ply = len(self.moves)
        move = f"{chance.randint(1, 9)}{chance.choice('LR')}"
        self.sent[ply + 3] = time.perf_counter()  # made and joined were versions 1 and 2
        status, answer = await connections[self.ports[ply % 2]].ask(
            "POST",
            f"/api/games/{self.id}/moves",
            self.tokens[ply % 2],
            {"move": move, "ply": ply, "key": f"k{ply}"},
        )
        if status != 200 or answer["version"] != ply + 3:
            raise SystemExit(f"move {ply} of {self.id} was answered {status}: {answer}")
        self.moves.append(move)

    def delays(self) -> list[float]:
        """How long each move took to the other player's screen: its version, or a newer one."""
        found = []
        for version, began in self.sent.items():
            shown = (now for seen, now in self.streams[version % 2].versions if seen >= version)
            found += [now - began for now in islice(shown, 1)]
        return found

    def skipped(self) -> int:
        """Versions that a screen did not show because a newer one was there already."""
        return sum(len(self.moves) + 1 - len(stream.versions) for stream in self.streams)

    def check(self, state: dict[str, Any]) -> list[str]:
        """What is wrong: a move lost, doubled or out of order, on disk or on a screen."""
        wrong = []
        if state["moves"] != self.moves or state["version"] != 2 + len(self.moves):
            wrong.append(f"{self.id}: the moves on disk are not those acknowledged")
        for stream in self.streams:
            versions = [version for version, _ in stream.versions]
            if versions != sorted(set(versions)) or versions[-1] != state["version"]:
                wrong.append(f"{self.id}: a stream showed versions {versions}")
        return wrong


async def make_table(connections: dict[int, Connection], ports: list[int]) -> Table:
    """A game with both players seated and watching."""
    asked = {"game": "ends", "rules": RULES}
    _, made = await connections[ports[0]].ask("POST", "/api/games", body=asked)
    invite = {"invite": made["links"]["invite"]}
    _, joined = await connections[ports[1]].ask(
        "POST", f"/api/games/{made['id']}/join", body=invite
    )
    table = Table(made["id"], [made["token"], joined["token"]], ports)
    loop = asyncio.get_running_loop()
    for port in ports:
        screen = partial(Stream, f"/api/games/{table.id}/stream")
        _, stream = await loop.create_connection(screen, "127.0.0.1", port)
        table.streams.append(stream)
    return table


async def run(ports: list[int], games: int, rate: float, seconds: float) -> dict[str, Any]:
    """Play, then count."""
    makers = [{port: Connection(port) for port in ports} for _ in range(POSTERS)]
    tables: list[Table] = []
    for start in range(0, games, POSTERS):
        batch = makers[: games - start]
        tables += await asyncio.gather(*(make_table(each, [ports[0], ports[-1]]) for each in batch))
    while any(not stream.versions for table in tables for stream in table.streams):
        await asyncio.sleep(0.05)
    began, cpu = time.perf_counter(), os.times()
    late = await play(tables, makers, rate, seconds)
    took, used = time.perf_counter() - began, os.times()
    await asyncio.sleep(2)  # what is on its way arrives
    wrong: list[str] = []
    for table in tables:
        _, state = await makers[0][ports[0]].ask("GET", f"/api/games/{table.id}")
        wrong += table.check(state)
    delays = sorted(delay for table in tables for delay in table.delays())
    for table in tables:
        for stream in table.streams:
            stream.transport.close()
    for maker in makers:
        for connection in maker.values():
            connection.close()
    moves = sum(len(table.moves) for table in tables)
    return {
        "games": games,
        "streams": 2 * games,
        "moves": moves,
        "a second": round(moves / took, 1),
        "p50 ms": round(1000 * delays[len(delays) // 2], 1),
        "p99 ms": round(1000 * delays[len(delays) * 99 // 100], 1),
        "max ms": round(1000 * delays[-1], 1),
        "seen": len(delays),
        "versions skipped": sum(table.skipped() for table in tables),
        "sent late": late,
        "client cpu %": round(100 * (used.user + used.system - cpu.user - cpu.system) / took),
        "wrong": wrong,
    }


async def play(
    tables: list[Table], makers: list[dict[int, Connection]], rate: float, seconds: float
) -> int:
    """Moves at a steady rate, the games in turn; how many had to wait for the move before."""
    chance, late = random.Random(1), 0
    free: asyncio.Queue[dict[int, Connection]] = asyncio.Queue()
    for maker in makers:
        free.put_nowait(maker)
    tasks: set[asyncio.Task[None]] = set()

    async def one(table: Table) -> None:
        async with table.turn:
            maker = await free.get()
            try:
                await table.play(maker, chance)
            finally:
                free.put_nowait(maker)

    began = time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0, began + number / rate - time.perf_counter()))
        table = tables[number % len(tables)]
        late += table.turn.locked()
        task = asyncio.create_task(one(table))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    return late


def processor_time(server: Server) -> float:
    """Seconds of processor time that a server has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(name: str, servers: list[Server], options: argparse.Namespace) -> bool:
    """One run; whether nothing was wrong."""
    before = [processor_time(server) for server in servers]
    ports = [server.port for server in servers]
    found = asyncio.run(run(ports, options.games, options.rate, options.seconds))
    used = [processor_time(server) - b for server, b in zip(servers, before, strict=True)]
    wrong = found.pop("wrong")
    print(f"{name}: " + ", ".join(f"{key} {value:,}" for key, value in found.items()))
    print(f"  server processor time: {', '.join(f'{each:.0f} s' for each in used)}")
    for line in wrong[:10]:
        print(f"  WRONG: {line}")
    if found["seen"] != found["moves"]:
        wrong.append("a move never came up")
    if not wrong:
        print("  no move lost, doubled or out of order")
    return not wrong and found["a second"] >= 0.95 * options.rate


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rate", type=float, default=120)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    options.games = min(options.games, MOST_GAMES)
    options.rate, options.seconds = min(options.rate, MOST_RATE), min(options.seconds, MOST_SECONDS)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    fine = True
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="digitduel-load-")))
        if options.store in ("sqlite", "both"):
            with serving(str(folder / "games.db"), *ROOM) as server:
                fine &= measure("SQLite, 1 process", [server], options)
        programs = postgres_programs()
        if options.store in ("postgres", "both") and programs is not None:
            home = Path(stack.enter_context(TemporaryDirectory(prefix="digitduel-load-")))
            postgres = Postgres(home, programs)
            stack.callback(postgres.stop, "immediate")
            address = postgres.database("load")
            with serving(address, *ROOM) as one, serving(address, *ROOM) as two:
                fine &= measure("PostgreSQL, 2 processes", [one, two], options)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
