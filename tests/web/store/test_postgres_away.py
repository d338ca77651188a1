"""A database that is stopped, cut off or held: who asks is answered, and others notice nothing."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx2 as httpx
import psycopg
import pytest

from digitduel.web.errors import BusyError
from digitduel.web.models import MoveRequest, NewGame
from digitduel.web.service import SeatTaken, Service
from digitduel.web.settings import Settings
from digitduel.web.store import open_store
from digitduel.web.store.postgres import LIMITS, MOST_CONNECTIONS
from tests.web.helpers import PATIENCE, Player, Postgres, create, events, friends, serving
from tests.web.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONG = {"digits": "1-9", "target": 10**9 + 7}
# The promise of docs/deploy.md.
ANSWER_SECONDS = 5.0


@contextmanager
def paused(away: Postgres | Proxy) -> Iterator[None]:
    away.pause()
    try:
        yield
    finally:
        away.resume()


def timed(ask: Callable[[], httpx.Response]) -> tuple[httpx.Response, float]:
    began = time.monotonic()
    return ask(), time.monotonic() - began


def opened(client: httpx.Client, stream: str) -> httpx.Response:
    """How a stream begins: a refusal is read, an open one is not waited for."""
    with client.stream("GET", stream) as response:
        return response


def until_well(ask: Callable[[], httpx.Response]) -> httpx.Response:
    deadline = time.monotonic() + PATIENCE
    while (answer := ask()).status_code == 503:
        assert time.monotonic() < deadline, "the store does not come back"
        time.sleep(0.05)
    return answer


def needs(ann: Player, bob: Player, invite: str) -> list[Callable[[], httpx.Response]]:
    """One request of each kind that cannot be answered without the store."""
    client, game = ann.client, {"game": "ends", "rules": LONG}
    return [
        lambda: client.get("/health"),
        lambda: client.get(f"/games/{ann.id}"),
        lambda: client.get(f"/api/games/{ann.id}"),
        lambda: client.get(f"/api/games/{ann.id}/record"),
        lambda: opened(client, f"/api/games/{ann.id}/stream"),
        lambda: client.post("/api/games", json=game),
        lambda: bob.move("6R", ply=1, key="late"),
        lambda: client.post(f"/api/games/{invite.split('/')[4]}/join", json={"invite": invite}),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("wire", [False, True], ids=["stopped", "cut off"])
def test_a_silent_database_keeps_nobody_waiting(postgres: Postgres, wire: bool) -> None:
    address = postgres.database(f"silent_{int(wire)}")
    proxy = Proxy(postgres.port)
    limits = httpx.Limits(max_connections=300)
    with (
        serving(address.replace(str(postgres.port), str(proxy.port))) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE, limits=limits) as client,
        ThreadPoolExecutor(200) as many,
    ):
        ann, bob = friends(client, "ends", rules=LONG)
        ann.move("5R", ply=0)
        _, invite = create(client, "ends", rules=LONG)
        assert invite is not None
        asks = needs(ann, bob, invite)
        with client.stream("GET", f"/api/games/{ann.id}/stream") as response:
            shown = events(response)
            assert next(shown)[0] == 3
            with paused(proxy if wire else postgres):
                pending = [many.submit(timed, ask) for ask in asks * 20]
                static, seconds = timed(lambda: client.get("/static/base.css"))
                assert static.status_code == 200
                assert seconds < ANSWER_SECONDS / 2  # it found a thread of its own
                answers = [each.result() for each in pending] + [timed(ask) for ask in asks]
            assert {answer.status_code for answer, _ in answers} == {503}
            assert all(int(answer.headers["Retry-After"]) > 0 for answer, _ in answers)
            assert max(seconds for _, seconds in answers) < ANSWER_SECONDS
            answer = until_well(asks[-2])
            assert answer.json()["moves"] == ["5R", "6R"]
            assert next(shown) == (4, answer.json())  # the stream was never closed
    proxy.close()


@pytest.mark.slow
def test_a_row_that_is_held_leaves_other_games_alone(postgres: Postgres) -> None:
    address = postgres.database("held")
    with (
        serving(address) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as client,
        psycopg.connect(address) as other,
        ThreadPoolExecutor(40) as many,
    ):
        held, _ = create(client, "ends", rules=LONG, opponent="device")
        free, _ = create(client, "ends", rules=LONG, opponent="device")
        other.execute("SELECT * FROM games WHERE id = %s FOR UPDATE", [held.id])
        pending = [many.submit(timed, lambda: held.move("5R", ply=0, key="x")) for _ in range(40)]
        for ply in range(5):
            answer, seconds = timed(lambda ply=ply: free.move("5R", ply=ply))  # type: ignore[misc]
            assert answer.status_code == 200
            assert seconds < ANSWER_SECONDS
        assert client.get("/health").status_code == 200
        assert held.state()["ply"] == 0  # it can be watched
        answers = [each.result() for each in pending]
        assert {answer.status_code for answer, _ in answers} == {503}
        assert max(seconds for _, seconds in answers) < ANSWER_SECONDS
        other.rollback()
        assert until_well(lambda: held.move("5R", ply=0, key="x")).json()["moves"] == ["5R"]


def test_writers_of_one_game_take_one_connection(postgres: Postgres) -> None:
    """Or a game that another program holds would take them all."""
    settings = Settings(database=postgres.database("turns"))
    store = open_store(settings)
    try:
        service = Service(store, settings)
        ann = service.create(NewGame(game="ends", opponent="device"), "x")
        with (
            psycopg.connect(settings.database) as other,
            ThreadPoolExecutor(2 * MOST_CONNECTIONS) as many,
        ):
            other.execute("SELECT * FROM games FOR UPDATE")
            tries = [many.submit(is_refused, service, ann) for _ in range(2 * MOST_CONNECTIONS)]
            most = 0
            while not all(each.done() for each in tries):
                ((waiting,),) = store.read(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                    "AND datname = current_database()"
                )
                most = max(most, waiting)
            assert most == 1
            assert all(each.result() for each in tries)
    finally:
        store.close()


def is_refused(service: Service, ann: SeatTaken) -> bool:
    try:
        service.act("move", ann.duel.id, ann.token, MoveRequest(move="5R", ply=0))
    except BusyError:
        return True
    return False


def test_the_database_is_told_the_limits(postgres: Postgres) -> None:
    address = postgres.database("limits") + "?options=-c%20work_mem%3D8MB"
    store = open_store(Settings(database=address))
    try:
        for name, seconds in LIMITS.items():
            assert store.read(f"SHOW {name}") == [(f"{seconds:.0f}s",)]
        assert store.read("SHOW work_mem") == [("8MB",)]
    finally:
        store.close()
