"""A server with many clocks is killed again and again: how far off are they afterwards?

    python -m benchmarks.clocks [--games 50] [--kills 20] [--database postgresql://...]

Games with a clock are played all the time. Just before each kill -9 the playing time is asked for,
and after it what is on disk is read: the difference is what the kill gave back to whoever was
thinking. The server rests for a while before it is started again, which must cost nobody anything.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2 as httpx

from digitduel.web.settings import Settings
from digitduel.web.store import open_store
from tests.web.helpers import QuickServer

NEW = {"game": "ends", "rules": {"target": 10**9 + 7, "digits": "1-9"}, "opponent": "device"}
CLOCK = {"clock": "60+2"}
AWAY = 0.5  # seconds without a server
SOON = 0.01


class Table:
    """One game with a clock, both players at one device."""

    def __init__(self, client: httpx.Client) -> None:
        made = client.post("/api/games", json=NEW | CLOCK).json()
        self.path, self.ply = f"/api/games/{made['id']}", 0
        self._token = {"Authorization": f"Bearer {made['token']}"}

    def move(self, client: httpx.Client) -> None:
        """One more move."""
        body = {"move": f"{random.randint(1, 9)}R", "ply": self.ply}
        client.post(f"{self.path}/moves", json=body, headers=self._token).raise_for_status()
        self.ply += 1

    def clock(self, client: httpx.Client) -> dict[str, Any]:
        """What its clock shows."""
        found: dict[str, Any] = client.get(f"{self.path}/clock").json()
        return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        database = given.database or str(Path(folder) / "games.db")
        server = QuickServer(database)
        try:
            lost = measure(server, database, given.games, given.kills)
        finally:
            server.kill()
            server.close()
    print(f"{given.games} games with a clock, {given.kills} kills:")
    print(f"given back at most {max(lost):.0f} ms, at least {min(lost):.0f} ms,", end=" ")
    print(f"{sum(lost) / len(lost):.0f} ms on average")


def measure(server: QuickServer, database: str, games: int, kills: int) -> list[float]:
    """What each kill gave back, in milliseconds of thinking time."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        tables = [Table(client) for _ in range(games)]
        for table in tables:
            table.move(client)
    return [_kill(server, database, tables) for _ in range(kills)]


def _kill_now(server: QuickServer, table: Table, client: httpx.Client) -> float:
    """Kill the server; the playing time at that moment."""
    while True:  # until an answer comes so soon that it tells the time
        asked = time.monotonic()
        before: int = table.clock(client)["now"]
        if time.monotonic() - asked < SOON:
            server.kill()
            return before + 1000 * (time.monotonic() - asked)


def _kill(server: QuickServer, database: str, tables: list[Table]) -> float:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        until = time.monotonic() + random.uniform(0.3, 1.3)
        while time.monotonic() < until:
            random.choice(tables).move(client)
        at_kill = _kill_now(server, tables[0], client)
    time.sleep(AWAY)
    store = open_store(Settings(database=database))
    kept = store.keep_playing_time(0)
    ups = dict(store.running_clocks())
    store.close()
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for table in tables:  # each goes on from what was kept
            clock = table.clock(client)
            if clock["time_up_at"] != ups[table.path.rpartition("/")[2]] or clock["now"] < kept:
                raise SystemExit(f"a clock shows {clock}, and {kept} had been kept")
    return at_kill - kept


if __name__ == "__main__":
    main()
