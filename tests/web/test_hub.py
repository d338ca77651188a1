"""Over real HTTP: streams that resume, moves that race, a server that is killed."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pytest

from tests.web.helpers import PATIENCE, Player, QuickServer, Server, create, events, friends

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = {"digits": "1-9", "target": 10**9 + 7}  # a game that nobody ends by accident


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        yield client


def watch(player: Player, **headers: str) -> Any:
    return player.client.stream("GET", f"/api/games/{player.id}/stream", headers=headers)


def test_a_stream_shows_the_state_at_once_and_each_change(http: httpx.Client) -> None:
    ann, bob = friends(http, "ends", rules=LONG)
    with watch(ann) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        shown = events(response)
        assert next(shown) == (2, ann.state())
        for ply, player in enumerate((ann, bob, ann)):
            answer = player.move("5R", ply=ply).json()
            assert next(shown) == (answer["version"], answer)


def test_a_stream_resumes(http: httpx.Client) -> None:
    ann, bob = friends(http, "ends", rules=LONG)
    ann.move("5R")
    with watch(ann, **{"Last-Event-ID": "2"}) as response:  # missed one
        assert next(events(response))[0] == 3
    with watch(ann, **{"Last-Event-ID": "3"}) as response:  # missed none: waits for the next
        timer = threading.Timer(0.2, lambda: bob.move("6R"))
        timer.start()
        assert next(events(response))[0] == 4
        timer.join()
    with watch(ann, **{"Last-Event-ID": "999"}) as response:  # of another life of the database
        assert next(events(response))[0] == 4
    with watch(ann, **{"Last-Event-ID": "?"}) as response:
        assert next(events(response))[0] == 4
    with http.stream("GET", f"/api/games/{ann.id}/stream?after=3") as response:
        assert next(events(response))[0] == 4


def test_there_is_no_stream_of_an_unknown_game(http: httpx.Client) -> None:
    assert http.get("/api/games/AAAAAAAAAAAAAAAA/stream").status_code == 404


def test_two_moves_at_the_same_instant_200_times(server: Server, http: httpx.Client) -> None:
    ann, bob = friends(http, "ends", rules=LONG)
    clients = [httpx.Client(base_url=server.url, timeout=PATIENCE) for _ in range(2)]
    start = threading.Barrier(2)

    def try_move(client: httpx.Client, mover: Player, move: str, ply: int) -> httpx.Response:
        start.wait()
        return Player(client, mover.id, mover.token).move(move, ply=ply, key=f"{move}-{ply}")

    with ThreadPoolExecutor(2) as threads:
        for ply in range(200):
            mover = (ann, bob)[ply % 2]
            tries = [
                threads.submit(try_move, client, mover, move, ply)
                for client, move in zip(clients, ("5R", "6L"), strict=True)
            ]
            answers = [each.result() for each in tries]
            assert sorted(each.status_code for each in answers) == [200, 409]
            won, lost = sorted(answers, key=lambda each: each.status_code)
            assert lost.json()["state"] == won.json()
            assert won.json()["ply"] == ply + 1
    for client in clients:
        client.close()
    state = ann.state()
    assert (state["ply"], state["version"]) == (200, 202)


def test_ten_joins_at_the_same_instant(http: httpx.Client) -> None:
    ann, invite = create(http)
    path = f"/api/games/{ann.id}/join"
    with ThreadPoolExecutor(10) as threads:
        answers = list(
            threads.map(lambda _: http.post(path, json={"invite": invite}).status_code, range(10))
        )
    assert sorted(answers) == [200] + [410] * 9


def test_ten_rematches_at_the_same_instant_start_one_round(http: httpx.Client) -> None:
    ann, bob = friends(http)
    ann.move("7")
    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda n: (ann, bob)[n % 2].post("rematch"), range(10)))
    assert {each.status_code for each in answers} == {200}
    assert ann.state()["round"] == 2


class Mover:
    """Plays on and on, and remembers what was acknowledged."""

    def __init__(self, url: str, players: tuple[Player, Player]) -> None:
        self.players, self.url = players, url
        self.acknowledged: list[str] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        with httpx.Client(base_url=self.url, timeout=5) as client:
            players = [Player(client, each.id, each.token) for each in self.players]
            while not self.stopped.is_set():
                ply = len(self.acknowledged)
                move = f"{ply % 9 + 1}{'LR'[ply % 2]}"
                try:
                    answer = players[ply % 2].move(move, ply=ply, key=f"k{ply}")
                except httpx.TransportError:
                    time.sleep(0.01)
                    continue
                assert answer.status_code == 200, answer.text
                assert answer.json()["ply"] == ply + 1
                self.acknowledged.append(move)


@pytest.mark.slow
def test_kill_9_at_50_random_moments_loses_no_acknowledged_move(tmp_path: Path) -> None:
    server, chance = QuickServer(str(tmp_path / "games.db")), random.Random(4)
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        movers = [Mover(server.url, friends(client, "ends", rules=LONG)) for _ in range(2)]
    threads = [threading.Thread(target=mover.run) for mover in movers]
    for thread in threads:
        thread.start()
    try:
        for _ in range(50):
            time.sleep(chance.uniform(0, 0.15))
            server.kill()
            known = [list(mover.acknowledged) for mover in movers]
            server.start()
            for mover, moves in zip(movers, known, strict=True):
                check_kept(server, mover, moves)
    finally:
        for mover, thread in zip(movers, threads, strict=True):
            mover.stopped.set()
            thread.join()
        server.kill()
        server.close()
    assert min(len(mover.acknowledged) for mover in movers) > 50


def check_kept(server: Server, mover: Mover, moves: list[str]) -> None:
    with httpx.Client(base_url=server.url, verify=False) as client:  # no TLS to set up
        state = Player(client, mover.players[0].id).state()
    assert state["moves"][: len(moves)] == moves
    assert state["version"] == 2 + state["ply"]


def test_a_stream_goes_on_after_a_restart(tmp_path: Path) -> None:
    server = QuickServer(str(tmp_path / "games.db"))
    try:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            ann, _ = friends(client, "ends", rules=LONG)
            with watch(ann) as response:
                assert next(events(response))[0] == 2
                server.kill()
            server.start()
            moved = ann.move("5R").json()
            with watch(ann, **{"Last-Event-ID": "2"}) as response:
                assert next(events(response)) == (3, moved)
    finally:
        server.kill()
        server.close()


def test_a_server_that_is_asked_to_stop_ends_its_streams(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "games.db"))
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        ann, _ = friends(client)
        with watch(ann) as response:
            shown = events(response)
            next(shown)
            server.stop()
            assert list(shown) == []
