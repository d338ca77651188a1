"""The costliest request: a search over routes, rules and moves, the costly ones changed further.

Each is sent alone, from an address of its own, to a server with long games in it. What it costs is
the processor time and the memory of the server and its workers until they are at rest again.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import psutil

from digitduel.errors import DigitDuelError
from digitduel.events import Begun, CalledOff, Moved, RoundBegun, Terms
from digitduel.fields import RULES, format_field, parse_field
from digitduel.match import MOST_ROUNDS, Match
from digitduel.position import Move, Position
from digitduel.record import Record, dumps
from digitduel.ruleset import find_ruleset, ruleset_keys
from digitduel.web.hosted import Change, HostedDuel
from digitduel.web.rights import digest
from digitduel.web.service import ruleset_for
from digitduel.web.settings import Settings
from digitduel.web.store import open_store
from tests.web.helpers import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

    from digitduel.ruleset import Ruleset
    from tests.faults.campaign import Campaign

MOST_SECONDS = 1.0
MOST_MEMORY = 200 * 2**20
KEPT = 30  # of the costliest, to be changed further
TOKEN = "x" * 43
MOST_MOVES = 2_000
AGAIN = {"move": "4R", "ply": 0, "do": "move"}  # what every change of theirs was asked by
CHANGES = 19_999  # of the long games, one less than there may be
STREAMS = ("/stream", "/live")


@dataclass(frozen=True)
class Asked:
    """A request in the making: where to, with which rules and moves."""

    route: str
    ruleset: Ruleset
    moves: int  # how many are played first
    seed: int


def run(campaign: Campaign, folder: Path) -> None:
    """Search for what costs most; a fault if it costs too much."""
    database = folder / "games.db"
    games = long_games(database)
    kept: list[tuple[float, float, Asked]] = []
    with serving(str(database), "--move-rate", "100000") as server:
        watch = Watch(server.process.pid)
        send(server.port, campaign.random, "POST", "/api/solve", {"game": "pool"})
        campaign.begin()
        while campaign.goes_on():
            asked = another(campaign.random, [each[2] for each in kept])
            method, path, body = request(asked, games)
            with watch.measured() as cost:
                status = send(server.port, campaign.random, method, path, body)
            assert status < 500 or status == 503, (status, method, path, body)
            campaign.count("requests")
            campaign.count(f"answers {status}")
            shown = f"{method} {path[:300]} {json.dumps(body)[:500]}"
            assert cost.seconds < MOST_SECONDS, f"{cost.seconds:.2f} s: {shown}"
            assert cost.memory < MOST_MEMORY, f"{cost.memory >> 20} MiB: {shown}"
            kept.append((cost.seconds, cost.memory, asked))
            kept = (
                sorted(kept, key=lambda each: -each[0])[:KEPT]
                + sorted(kept, key=lambda each: -each[1])[:KEPT]
            )
            kept = list({id(each): each for each in kept}.values())
    for what, place, unit in (("time", 0, "s"), ("memory", 1, "MiB")):
        worst = max(kept, key=lambda each, place=place: each[place])  # type: ignore[misc]
        method, path, body = request(worst[2], games)
        figure = f"{worst[0]:.2f}" if place == 0 else f"{int(worst[1]) >> 20}"
        told = f"{method} {path[:200]} {json.dumps(body)[:200] if body else ''}"
        campaign.notes.append(f"most {what}: {figure} {unit}: {told}")


# --- What is sent. ---


def another(random: Random, known: list[Asked]) -> Asked:
    """Something new, or a known one with something changed."""
    if not known or random.random() < 0.3:
        ruleset = find_ruleset(random.choice(ruleset_keys()))
        for _ in range(random.randrange(6)):
            ruleset = changed(random, ruleset)
        return Asked(random.choice(list(ROUTES)), ruleset, moves(random), random.randrange(10**9))
    one = random.choice(known)
    match random.randrange(4):
        case 0:
            return replace(one, moves=moves(random))
        case 1:
            return replace(one, route=random.choice(list(ROUTES)))
        case _:
            return replace(one, ruleset=changed(random, one.ruleset))


def moves(random: Random) -> int:
    """How many, mostly few."""
    return random.choice([0, 0, 1, 3, 8, 12, 30, 199, 200, MOST_MOVES])


def changed(random: Random, ruleset: Ruleset) -> Ruleset:
    """One rule changed, within what a server takes."""
    name = random.choice(list(RULES))
    large = int(10 ** random.uniform(0, random.choice([2, 4, 7, 30])))
    some = random.sample(range(10), random.randint(1, 10))
    values: dict[str, Any] = {
        "target": random.choice([large, 10 ** random.randint(1, 29), 10 ** random.randint(1, 8)]),
        "digits": tuple(sorted(some)),
        "uses": random.choice([None, 1, 2, 3, 5, large]),
        "ends": random.choice(["left", "right", "both"]),
        "forbidden": tuple({random.randint(2, random.choice([50, large + 2])) for _ in some}),
        "limit": random.choice([None, *range(4, 40), large]),
    }
    values.setdefault(name, random.choice([True, False, "closest", "last-loses", 0, 1]))
    try:
        return ruleset_for(ruleset.key, {**ruleset.rules, name: values[name]})
    except (DigitDuelError, TypeError):
        return ruleset


def line(asked: Asked, longest: int = MOST_MOVES) -> list[str]:
    """Legal moves that leave something to play, as far as there are any."""
    from random import Random

    random, position, played = Random(asked.seed), Position(asked.ruleset), list[str]()
    for _ in range(min(asked.moves, longest)):
        choices = list(position.legal_moves)
        random.shuffle(choices)
        after = ((move, position.play(move)) for move in choices)
        going_on = next(((m, p) for m, p in after if p.outcome() is None), None)
        if going_on is None:
            break
        played.append(str(going_on[0]))
        position = going_on[1]
    return played


def fields(asked: Asked) -> dict[str, str]:
    rules = {name: format_field(name, getattr(asked.ruleset, name)) for name in RULES}
    assert all(parse_field(name, text) is not ... for name, text in rules.items())
    return {"game": asked.ruleset.key, **rules}


def query(asked: Asked, **more: str) -> str:
    return urlencode(fields(asked) | more)


def api_line(asked: Asked) -> dict[str, Any]:
    return {"game": asked.ruleset.key, "rules": asked.ruleset.rules, "moves": line(asked)}


def next_move(asked: Asked) -> str:
    position = Position(asked.ruleset)
    for move in line(asked):
        position = position.play(move)
    return str((position.legal_moves or (Move(1),))[-1])


def record_text(asked: Asked) -> str:
    one = dumps([Record(asked.ruleset, moves=tuple(map(Move.parse, line(asked))))])
    return "\n".join([one] * max(1, 45_000 // (len(one) + 1)))


Request = tuple[str, str, dict[str, Any] | None]
ROUTES: dict[str, Any] = {
    "home": lambda asked, _: ("GET", f"/?{query(asked)}", None),
    "note": lambda asked, _: ("GET", f"/note?{query(asked)}", None),
    "rules": lambda asked, _: ("GET", f"/rules/{asked.ruleset.key}?{query(asked)}", None),
    "atlas": lambda asked, _: ("GET", f"/atlas?game={asked.ruleset.key}&sort=value", None),
    "setting": lambda asked, _: ("GET", f"/atlas?game={asked.ruleset.key}&target=97", None),
    "picture": lambda asked, _: ("GET", f"/atlas/{asked.ruleset.key}.svg?dark=1", None),
    "openapi": lambda _asked, _: ("GET", "/api/openapi.json", None),
    "docs": lambda _asked, _: ("GET", "/api/docs", None),
    "analysis": lambda asked, _: (
        *("GET", f"/analysis?{query(asked, moves=' '.join(line(asked)), why=next_move(asked))}"),
        None,
    ),
    "line": lambda asked, _: (
        *("GET", f"/analysis/record?{query(asked, moves=' '.join(line(asked)))}"),
        None,
    ),
    "read": lambda asked, _: ("POST", "/analysis", {"record": record_text(asked)}),
    "form": lambda asked, _: ("POST", "/games", fields(asked) | {"opponent": "computer"}),
    "solve": lambda asked, _: ("POST", "/api/solve", api_line(asked)),
    "explain": lambda asked, _: (
        *("POST", "/api/explain"),
        api_line(asked) | {"move": next_move(asked)},
    ),
    "create": lambda asked, _: (
        *("POST", "/api/games"),
        api_line(asked) | {"opponent": "perfect", "first": 2},
    ),
    "game": lambda asked, games: ("GET", f"/games/{games[asked.seed % len(games)]}", None),
    "state": lambda asked, games: ("GET", f"/api/games/{games[asked.seed % len(games)]}", None),
    "record": lambda asked, games: (
        *("GET", f"/api/games/{games[asked.seed % len(games)]}/record"),
        None,
    ),
    "file": lambda asked, games: ("GET", f"/games/{games[asked.seed % len(games)]}/record", None),
    "stream": lambda asked, games: (
        *("GET", f"/api/games/{games[asked.seed % len(games)]}/stream"),
        None,
    ),
    "live": lambda asked, games: ("GET", f"/live?watch={games[asked.seed % len(games)]}", None),
    "join": lambda asked, games: (
        *("POST", f"/api/games/{games[asked.seed % len(games)]}/join"),
        {"invite": "x" * (asked.moves + 1), "key": "k" * 16},
    ),
    "again": lambda asked, games: (
        *("POST", f"/api/games/{games[asked.seed % len(games)]}/moves"),
        {"move": "4R", "ply": 0, "key": f"k{asked.seed % CHANGES}"},
    ),
}


def request(asked: Asked, games: list[str]) -> Request:
    """What is sent over the line."""
    method, path, body = ROUTES[asked.route](asked, games)
    if asked.route == "create":
        body = {name: body[name] for name in body if name != "moves"}
    return method, path, body


def send(
    port: int, random: Random, method: str, path: str, body: dict[str, Any] | None = None
) -> int:
    """Send one request from an address of its own; the status of the answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    address = ".".join(str(random.randrange(1, 255)) for _ in range(4))
    headers = {"X-Forwarded-For": address, "Authorization": f"Bearer {TOKEN}"}
    data = None
    if body is not None and path.startswith("/api/"):
        data, headers["Content-Type"] = json.dumps(body), "application/json"
    elif body is not None:
        data, headers["Content-Type"] = urlencode(body), "application/x-www-form-urlencoded"
    try:
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        if path.partition("?")[0].endswith(STREAMS):
            answer.read1()  # it has no end
            answer.read1()
        else:
            answer.read()
        return answer.status
    finally:
        connection.close()


# --- What is asked about. ---


def long_games(database: Path) -> list[str]:
    """Games of many changes, one of few rounds and one of many; kept one by one, as if played."""
    store = open_store(Settings(database=str(database)))
    rules = find_ruleset("ends").replace(digits=tuple(range(1, 10)), target=10**29 + 7)
    made = []
    for number, length in enumerate((1_900, 18)):
        terms = Terms(rules, Match(rounds=MOST_ROUNDS), seed="s" * 32, most_moves=MOST_MOVES)
        holders = {"host": digest(TOKEN), "invite": None}
        duel = HostedDuel.begin(terms, id=f"long-game-00000{number}", version=1, **holders)
        store.create(duel, Change(1, Begun(terms), "created", holders))
        with store.transaction() as run_in_one:
            whole, store.transaction = store.transaction, lambda: _within(run_in_one)  # type: ignore[method-assign]
            while duel.version < CHANGES:
                event = _next_event(duel, length)
                duel = replace(duel.after(event), version=duel.version + 1)
                store.append(duel, Change(duel.version, event, f"1/k{duel.version}", AGAIN))
            store.transaction = whole  # type: ignore[method-assign]
        made.append(duel.id)
    store.close()
    return made


@contextmanager
def _within(run_in_one: Any) -> Iterator[Any]:
    yield run_in_one


def _next_event(duel: HostedDuel, length: int) -> Any:
    if duel.outcome():
        return RoundBegun()
    return CalledOff() if duel.ply >= length and duel.round < MOST_ROUNDS else Moved(Move(4, "R"))


# --- What it costs. ---


@dataclass
class Cost:
    """Of one request."""

    seconds: float = 0.0
    memory: int = 0


class Watch:
    """A server and its workers, looked at from outside."""

    def __init__(self, pid: int) -> None:
        self._server = psutil.Process(pid)

    def _processes(self) -> list[psutil.Process]:
        return [self._server, *self._server.children(recursive=True)]

    def _seconds(self) -> float:
        return sum(sum(process.cpu_times()[:2]) for process in self._processes())

    @contextmanager
    def measured(self) -> Iterator[Cost]:
        """What happens inside costs this, until everything is at rest again."""
        cost, resting = Cost(), {}
        for process in self._processes():
            with open(f"/proc/{process.pid}/clear_refs", "w") as file:  # noqa: PTH123
                file.write("5")  # the peak begins anew
            resting[process.pid] = process.memory_info().rss
        before = self._seconds()
        yield cost
        spent = self._seconds()
        while True:
            time.sleep(0.05)
            spent, last = self._seconds(), spent
            if spent - last < 0.01:
                break
        cost.seconds = spent - before
        peaks = {process.pid: _peak(process.pid) for process in self._processes()}
        cost.memory = sum(max(0, peaks[pid] - resting.get(pid, peaks[pid])) for pid in peaks)


def _peak(pid: int) -> int:
    with open(f"/proc/{pid}/status") as file:  # noqa: PTH123
        peak = next(line for line in file if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024
