"""Two server processes on one real PostgreSQL; a database that goes away and comes back."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx2 as httpx
import pytest

from digitduel.ruleset import ruleset_keys
from digitduel.web.settings import Settings
from tests.web.helpers import PATIENCE, Player, Postgres, Server, events, friends, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = {"digits": "1-9", "target": 10**9 + 7}


@pytest.fixture(scope="module")
def servers(postgres: Postgres) -> Iterator[tuple[Server, Server]]:
    """Started at the same time: both find an empty database."""
    address = postgres.database("two_servers")
    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(lambda _: Server(address), range(2)))
    yield both[0], both[1]
    for server in both:
        server.kill()


@pytest.fixture
def pair(servers: tuple[Server, Server]) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    with (
        httpx.Client(base_url=servers[0].url, timeout=PATIENCE) as one,
        httpx.Client(base_url=servers[1].url, timeout=PATIENCE) as two,
    ):
        yield one, two


def apart(pair: tuple[httpx.Client, httpx.Client], game: str, **options: object) -> list[Player]:
    """Two friends, each on a server of their own."""
    ann, bob = friends(pair[0], game, **options)
    return [ann, Player(pair[1], bob.id, bob.token)]


def test_a_cookie_of_one_server_is_good_at_the_other(
    pair: tuple[httpx.Client, httpx.Client],
) -> None:
    made = pair[0].post("/games", data={"game": "pool", "target": "101", "opponent": "friend"})
    cookie = made.headers.get_list("set-cookie")[0].partition(";")[0]
    path = f"/api{made.headers['location']}/you"
    assert [client.get(path, headers={"Cookie": cookie}).json()["seats"] for client in pair] == [
        [1],
        [1],
    ]


@pytest.mark.parametrize("game", ruleset_keys())
def test_all_five_games_across_two_servers(
    pair: tuple[httpx.Client, httpx.Client], game: str
) -> None:
    players = apart(pair, game, rules={"target": 101})
    with pair[1].stream("GET", f"/api/games/{players[0].id}/stream") as response:
        shown = events(response)
        _, state = next(shown)
        while not state["over"] and state["ply"] < 12:
            mover = players[state["seat"] - 1]
            answer = mover.move(state["legal_moves"][-1], ply=state["ply"])
            assert answer.status_code == 200, answer.text
            version, state = next(shown)
            assert (version, state) == (answer.json()["version"], answer.json())


def test_a_move_on_one_server_is_seen_at_once_on_the_other(
    pair: tuple[httpx.Client, httpx.Client],
) -> None:
    ann, bob = apart(pair, "ends", rules=LONG)
    with pair[1].stream("GET", f"/api/games/{ann.id}/stream") as response:
        shown = events(response)
        next(shown)
        began = time.monotonic()
        for ply in range(20):
            (ann, bob)[ply % 2].move("5R", ply=ply)
            assert next(shown)[1]["ply"] == ply + 1
        # Told of each, that is, and not found at the next sign of life.
        assert time.monotonic() - began < 20 * Settings.heartbeat / 2


def test_races_between_servers(pair: tuple[httpx.Client, httpx.Client]) -> None:
    ann, bob = friends(pair[0], "ends", rules=LONG)
    start = threading.Barrier(2)

    def try_move(client: httpx.Client, mover: Player, move: str, ply: int) -> httpx.Response:
        start.wait()
        return Player(client, mover.id, mover.token).move(move, ply=ply)

    with ThreadPoolExecutor(2) as threads:
        for ply in range(40):
            mover = (ann, bob)[ply % 2]
            tries = [
                threads.submit(try_move, client, mover, move, ply)
                for client, move in zip(pair, ("5R", "6L"), strict=True)
            ]
            answers = sorted((each.result() for each in tries), key=lambda each: each.status_code)
            assert [each.status_code for each in answers] == [200, 409]
            assert answers[1].json()["state"] == answers[0].json()


def test_a_database_that_restarts_in_mid_game(postgres: Postgres) -> None:
    with (
        serving(postgres.database("restarts")) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as client,
    ):
        ann, bob = friends(client, "ends", rules=LONG)
        ann.move("5R", ply=0)
        with client.stream("GET", f"/api/games/{ann.id}/stream") as response:
            shown = events(response)
            assert next(shown)[0] == 3
            postgres.stop("immediate")
            down = client.get("/health")
            assert (down.status_code, down.json()["status"]) == (503, "unavailable")
            refused = bob.move("6R", ply=1, key="late")
            assert refused.status_code == 503
            assert "try again" in refused.json()["detail"]
            postgres.start()
            answer = patiently(lambda: bob.move("6R", ply=1, key="late"))
            assert answer.json()["moves"] == ["5R", "6R"]
            assert next(shown) == (4, answer.json())  # the stream was never closed
            ann.move("7R", ply=2)
            assert next(shown)[0] == 5


def test_what_happened_while_a_listener_was_cut_off_is_not_missed(postgres: Postgres) -> None:
    address = postgres.database("cut_off")
    with (
        serving(address) as one,
        serving(address) as two,
        httpx.Client(base_url=one.url, timeout=PATIENCE) as here,
        httpx.Client(base_url=two.url, timeout=PATIENCE) as there,
    ):
        ann, _ = friends(here, "ends", rules=LONG)
        with there.stream("GET", f"/api/games/{ann.id}/stream") as response:
            shown = events(response)
            next(shown)
            cut_listeners(address)
            ann.move("5R", ply=0)
            assert next(shown)[1]["moves"] == ["5R"]


def patiently(ask: object) -> httpx.Response:
    """Ask until the store answers again."""
    assert callable(ask)
    for _ in range(100):
        answer: httpx.Response = ask()
        if answer.status_code != 503:
            return answer
        time.sleep(0.1)
    pytest.fail("the store does not come back")


def cut_listeners(address: str) -> None:
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND query LIKE 'LISTEN%'"
        )
