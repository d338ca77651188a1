"""Thousands watch one game that never rests: what do the players of other games notice?

    python -m benchmarks.watchers [--watchers 0 2000 5000] [--rate 10] [--seconds 20]

Watchers hold the live page of one game, whose two players move at a steady rate; a process of its
own reads what they are sent. Beside it twenty other games are played at 20 moves a second in all: a
move's time runs until it is answered. Watchers come from many addresses, as a proxy on this machine
tells them. Server, watchers and players share this machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
import resource
import selectors
import socket
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.web_load import RULES, Connection, Table, processor_time
from tests.web.helpers import serving

if TYPE_CHECKING:
    from multiprocessing.connection import Connection as Pipe

GAMES, RATE = 20, 20
MOST_WATCHERS, MOST_SECONDS = 5_000, 300


def watch(port: int, path: str, count: int, apart: bool, told: Pipe) -> None:
    """Open so many streams, read what comes until told to stop, and tell how much it was."""
    selector = selectors.DefaultSelector()
    for number in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        visitor = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        host = f"{number}.example" if apart else "127.0.0.1"
        head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {visitor}\r\n\r\n"
        connection.sendall(head.encode())
        if b" 200 " not in connection.recv(65536):
            raise SystemExit("a watcher was refused")
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
    told.send(0)
    received = 0
    while not told.poll():
        for key, _ in selector.select(0.1):
            received += len(key.fileobj.recv(1 << 18))  # type: ignore[union-attr]
    told.send(received)


async def make_table(connection: Connection, port: int) -> Table:
    """A game with both players seated."""
    _, made = await connection.ask("POST", "/api/games", body={"game": "ends", "rules": RULES})
    invite = {"invite": made["links"]["invite"]}
    _, joined = await connection.ask("POST", f"/api/games/{made['id']}/join", body=invite)
    return Table(made["id"], [made["token"], joined["token"]], [port, port])


async def play(tables: list[Table], port: int, rate: float, seconds: float) -> list[float]:
    """Moves at a steady rate, the games in turn: how long each was in the air."""
    connections, chance, times = {port: Connection(port)}, random.Random(1), []
    began = time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0, began + number / rate - time.perf_counter()))
        if time.perf_counter() > began + seconds:
            break
        sent = time.perf_counter()
        await tables[number % len(tables)].play(connections, chance)
        times.append(time.perf_counter() - sent)
    connections[port].close()
    return sorted(times)


async def run(port: int, watchers: int, apart: bool, rate: float, seconds: float) -> dict[str, Any]:
    """Let them watch and play."""
    maker = Connection(port)
    busy, *others = [await make_table(maker, port) for _ in range(GAMES + 1)]
    maker.close()
    ours, theirs = multiprocessing.Pipe()
    arguments = (port, f"/live?watch={busy.id}", watchers, apart, theirs)
    crowd = multiprocessing.Process(target=watch, args=arguments, daemon=True)
    crowd.start()
    await asyncio.to_thread(ours.recv)
    times, moves = await asyncio.gather(
        play(others, port, RATE, seconds), play([busy], port, rate, seconds)
    )
    ours.send("stop")
    received = await asyncio.to_thread(ours.recv)
    crowd.join()
    return {
        "watchers": watchers,
        "moves": len(times),
        "p50 ms": round(1000 * times[len(times) // 2], 1),
        "p99 ms": round(1000 * times[len(times) * 99 // 100], 1),
        "max ms": round(1000 * times[-1], 1),
        "moves watched": len(moves),
        "their p50 ms": round(1000 * moves[len(moves) // 2], 1),
        "MB sent": round(received / 1e6),
    }


def main() -> int:
    """Measure each number of watchers on a fresh server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, nargs="*", default=[0, 2_000, 5_000])
    parser.add_argument("--rate", type=float, default=10, help="moves a second in the game watched")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--apart", action="store_true", help="no two watchers see the same page")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    seconds = min(options.seconds, MOST_SECONDS)
    for asked in options.watchers:
        watchers = min(asked, MOST_WATCHERS)
        with (
            TemporaryDirectory(prefix="digitduel-watchers-") as folder,
            serving(str(Path(folder) / "games.db")) as server,
        ):
            found = asyncio.run(run(server.port, watchers, options.apart, options.rate, seconds))
            used = processor_time(server)
        print(", ".join(f"{key} {value:,}" for key, value in found.items()))
        print(f"  server processor time: {used:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
