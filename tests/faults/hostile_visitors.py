"""Twenty visitors who do the worst they can, while others play: these notice nothing.

Each hostile visitor has an address of their own and a thread that asks as fast as it is answered;
some ask the same over many connections at once. The figures are told; a fault is only what no slow
machine excuses: a player refused, or memory.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import psutil

from tests.faults.worst_request import CHANGES, TOKEN, long_games
from tests.web.helpers import PATIENCE, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.campaign import Campaign

HOSTILE = 20
FLOODS = {3: 390, 8: 50, 13: 30, 18: 20}  # who of them has so many connections
PLAYERS = 6
PAUSE = 0.1  # seconds between a player's moves
MOST_MEMORY = 2_500 * 10**6
SLOWEST = 3.0  # seconds for 99 of 100 moves, on whatever machine


def run(campaign: Campaign, folder: Path) -> None:
    """Play and attack until the budget is used up."""
    database = folder / "games.db"
    games = long_games(database)
    with serving(str(database)) as server:
        memory = Memory(server.process.pid)
        quiet = memory.now()
        stop = threading.Event()
        random = campaign.random
        hostile = [
            Hostile(server.port, number, Random(random.random()), games, stop)
            for number in range(HOSTILE)
        ]
        floods = [Flood(each, FLOODS[each.number]) for each in hostile if each.number in FLOODS]
        players = [Honest(server.port, number, stop) for number in range(PLAYERS)]
        for each in (*hostile, *floods, *players):
            each.start()
        while campaign.goes_on() and all(each.fault is None for each in players):
            time.sleep(0.25)
            memory.look()
        stop.set()
        for each in (*hostile, *floods, *players):
            each.join(PATIENCE)
        faults = [each.fault for each in players if each.fault]
        assert not faults, faults[0]
        rest = memory.settled()
    waits = sorted(wait for each in players for wait in each.waits)
    p50, p99 = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
    campaign.count("moves of players", len(waits))
    for counts in [each.counts for each in hostile] + [each.counts for each in floods]:
        for what, count in counts.items():
            campaign.count(what, count)
    campaign.notes.append(
        f"moves: half within {p50 * 1e3:.0f} ms, 99% within {p99 * 1e3:.0f} ms, "
        f"all within {waits[-1] * 1e3:.0f} ms"
    )
    before, most, after = (f"{size / 1e6:.0f} MB" for size in (quiet, memory.peak, rest))
    campaign.notes.append(f"memory of all: {before} before, {most} at most, {after} after")
    assert memory.peak < MOST_MEMORY, memory.peak
    assert p99 < SLOWEST, p99


class Memory:
    """What a server and its workers hold."""

    def __init__(self, pid: int) -> None:
        self._server, self.peak = psutil.Process(pid), 0

    def now(self) -> int:
        total = 0
        for process in (self._server, *self._server.children(recursive=True)):
            try:
                total += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return total

    def look(self) -> None:
        self.peak = max(self.peak, self.now())

    def settled(self) -> int:
        time.sleep(2)
        return self.now()


class Visitor(threading.Thread):
    """Somebody at an address of their own, with one connection."""

    def __init__(self, port: int, address: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.port, self.address, self.stop = port, address, stop
        self._connection: HTTPConnection | None = None
        self.fault: str | None = None

    def ask(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        headers = {"X-Forwarded-For": self.address}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None
        if body is not None:
            is_json = path.startswith("/api/")
            data = json.dumps(body) if is_json else urlencode(body)
            headers["Content-Type"] = f"application/{'json' if is_json else FORM}"
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


FORM = "x-www-form-urlencoded"
TAGS = """\
[Game "ends"]
[Target "1000000007"]
[Digits "1-9"]
[Player1 "a"]
[Player2 "b"]
[First "1"]
[Result "*"]"""


class Honest(Visitor):
    """Plays on one device, at a person's pace, and takes the time."""

    def __init__(self, port: int, number: int, stop: threading.Event) -> None:
        super().__init__(port, f"198.51.100.{number + 1}", stop)
        self.waits: list[float] = []

    def run(self) -> None:
        try:
            rules = {"digits": "1-9", "target": 10**9 + 7}
            new = {"game": "ends", "opponent": "device", "rules": rules}
            status, answer = self.ask("POST", "/api/games", new)
            assert status == 201, answer
            game = json.loads(answer)
            ply = 0
            while not self.stop.wait(PAUSE):
                began = time.monotonic()
                move = {"move": "5R", "ply": ply, "key": f"k{ply}"}
                path = f"/api/games/{game['id']}/moves"
                status, answer = self.ask("POST", path, move, game["token"])
                assert status == 200, (status, answer)
                self.waits.append(time.monotonic() - began)
                ply += 1
        except Exception as fault:
            self.fault = repr(fault)


class Hostile(Visitor):
    """Does what costs most, each for a while."""

    def __init__(
        self, port: int, number: int, random: Random, games: list[str], stop: threading.Event
    ) -> None:
        super().__init__(port, f"203.0.113.{number + 1}", stop)
        self.number = number
        self._random, self._games = random, games
        self.counts: dict[str, int] = {}

    def run(self) -> None:
        attacks: list[Callable[[], int]] = [
            *(self._solve, self._explain, self._note, self._home, self._read, self._analyse),
            *(self._play_the_computer, self._repeat, self._record, self._watch),
        ]
        attack, until = attacks[0], 0.0
        while not self.stop.is_set():
            if time.monotonic() > until:
                attack, until = self._random.choice(attacks), time.monotonic() + 3
            try:
                status = attack()
                kind = f"hostile requests answered {status}"
                self.counts[kind] = self.counts.get(kind, 0) + 1
            except (OSError, HTTPException):
                self.hang_up()

    def _rules(self) -> dict[str, Any]:
        """Large, and new each time."""
        return self._random.choice(
            [
                {"target": self._random.randrange(10**3, 10**5), "uses": 2, "digits": "1-8"},
                {"target": self._random.randrange(10**4, 10**6), "limit": 9, "digits": "1-9"},
                {"target": self._random.randrange(10**5, 10**6), "uses": None, "limit": 30},
                {"target": self._random.randrange(10**28, 10**29), "forbidden": [4, 6, 9]},
            ]
        )

    def _game(self) -> str:
        return self._random.choice(["pool", "ends", "conquest", "closest", "forbidden"])

    def _query(self, **more: str) -> str:
        rules = {name: str(value) for name, value in self._rules().items() if name != "uses"}
        rules["forbidden"] = "4,6,9"
        return urlencode({"game": self._game(), **rules, **more})

    def _solve(self) -> int:
        return self.ask("POST", "/api/solve", {"game": self._game(), "rules": self._rules()})[0]

    def _explain(self) -> int:
        body = {"game": self._game(), "rules": self._rules(), "move": "5R"}
        return self.ask("POST", "/api/explain", body)[0]

    def _note(self) -> int:
        return self.ask("GET", f"/note?{self._query()}")[0]

    def _home(self) -> int:
        return self.ask("GET", f"/?{self._query()}")[0]

    def _read(self) -> int:
        tags = (
            '[Game "ends"]\n[Target "1000000007"]\n[Digits "1-9"]\n[Player1 "a"]\n[Player2 "b"]\n'
        )
        moves = " ".join(["5R"] * self._random.choice([2_000, 10_000]))
        text = f'{tags}[First "1"]\n[Result "*"]\n\n{moves}\n'
        return self.ask("POST", "/analysis", {"record": text})[0]

    def _analyse(self) -> int:
        moves = "5 " * self._random.choice([200, 2_000])
        rules = {"game": "forbidden", "target": "1000000007", "forbidden": "none"}
        return self.ask("GET", f"/analysis?{urlencode(rules | {'moves': moves})}")[0]

    def _play_the_computer(self) -> int:
        new = {"game": "ends", "opponent": "perfect", "rules": self._rules(), "first": 2}
        return self.ask("POST", "/api/games", new)[0]

    def _repeat(self) -> int:
        body = {"move": "4R", "ply": 0, "key": f"k{self._random.randrange(2, CHANGES)}"}
        return self.ask("POST", f"/api/games/{self._games[0]}/moves", body, TOKEN)[0]

    def _record(self) -> int:
        game = self._random.choice(self._games)
        path = self._random.choice([f"/api/games/{game}/record", f"/games/{game}"])
        return self.ask("GET", path)[0]

    def _watch(self) -> int:
        """Open a stream and leave it: a new connection each time."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {"X-Forwarded-For": self.address}
            connection.request("GET", f"/live?watch={self._games[0]}", headers=headers)
            answer = connection.getresponse()
            answer.read(2_000)
            return answer.status
        finally:
            connection.close()

    def costly(self) -> str:
        """An address that costs much, whoever asks for it."""
        rules = {"game": "ends", "target": str(10**29 + 7), "digits": "1-9", "moves": "5R " * 2_000}
        game = self._random.choice(self._games)
        return self._random.choice(
            [
                f"/analysis?{urlencode(rules)}",
                f"/games/{game}",
                "/api/rulesets",
                f"/?{self._query()}",
            ]
        )


class Flood(threading.Thread):
    """The same visitor with many connections, each of which asks again once it is answered."""

    def __init__(self, visitor: Hostile, connections: int) -> None:
        super().__init__(daemon=True)
        self._visitor, self._connections = visitor, connections
        self.counts: dict[str, int] = {}

    def run(self) -> None:
        with selectors.DefaultSelector() as selector, contextlib.ExitStack() as opened:
            for _ in range(self._connections):
                self._connect(selector, opened)
            while not self._visitor.stop.is_set():
                for key, _ in selector.select(timeout=0.2):
                    self._hear(key.fileobj, selector, opened)  # type: ignore[arg-type]

    def _connect(self, selector: selectors.BaseSelector, opened: contextlib.ExitStack) -> None:
        with contextlib.suppress(OSError):
            address = ("127.0.0.1", self._visitor.port)
            connection = opened.enter_context(socket.create_connection(address, PATIENCE))
            selector.register(connection, selectors.EVENT_READ)
            self._ask(connection)

    def _ask(self, connection: socket.socket) -> None:
        head = (
            f"GET {self._visitor.costly()} HTTP/1.1\r\nHost: x\r\n"
            f"X-Forwarded-For: {self._visitor.address}\r\n\r\n"
        )
        connection.sendall(head.encode())

    def _hear(
        self,
        connection: socket.socket,
        selector: selectors.BaseSelector,
        opened: contextlib.ExitStack,
    ) -> None:
        """A piece of an answer: with its beginning the next is asked for, at its end a new one."""
        try:
            piece = connection.recv(2**18)
            if piece.startswith(b"HTTP/1.1 "):
                kind = f"flooding requests answered {piece[9:12].decode()}"
                self.counts[kind] = self.counts.get(kind, 0) + 1
                self._ask(connection)
        except OSError:
            piece = b""
        if not piece:
            selector.unregister(connection)
            connection.close()
            self._connect(selector, opened)
