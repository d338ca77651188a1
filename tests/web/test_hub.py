"""Over real HTTP: streams that resume, moves that race, a server that is killed."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from digitduel.web.hub import AT_ONCE, BEAT, HELLO, READ_AT_ONCE, SLICE, Feed, Hub, Watcher
from digitduel.web.models import MoveRequest, NewGame
from digitduel.web.pages import game
from digitduel.web.pages.rendering import fragment
from digitduel.web.versions import _PAGES, ROOM_FOR_PAGES, version_of
from tests.web.helpers import (
    PATIENCE,
    Here,
    Player,
    QuickServer,
    Server,
    create,
    events,
    friends,
    here,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from fastapi.sse import EventSourceResponse

    from digitduel.web.hosted import HostedDuel
    from digitduel.web.service import Service
    from digitduel.web.settings import Settings

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


def test_a_version_is_rendered_once_for_all_who_see_the_same(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[tuple[int, ...]] = []

    def counted(template: str, **shown: Any) -> str:
        rendered.append(tuple(shown["view"].viewer.seats))
        return fragment(template, **shown)

    monkeypatch.setattr(game, "fragment", counted)
    with here(settings) as running, ExitStack() as stack:
        http = stack.enter_context(httpx.Client(base_url=running.url, timeout=PATIENCE))
        ann, bob = friends(http, "ends", rules=LONG)
        screens = [
            stack.enter_context(Screen(running, ann.id, token))
            for token in (None, ann.token, None, bob.token, None, None, ann.token, None)
        ]
        for ply, player in enumerate((ann, bob, ann)):
            for screen in screens:
                screen.read_to(ply + 2)
            player.move("5R", ply=ply)
        pages = [screen.read_to(5) for screen in screens]
    assert sorted(rendered) == [()] * 4 + [(1,)] * 4 + [(2,)] * 4  # versions 2 to 5
    assert len(set(pages)) == 3


class Screen:
    """A live page, for whoever has a token or none."""

    def __init__(self, running: Here, game_id: str, token: str | None) -> None:
        self._connection, self._shown = running.connect(), ""
        show = f"\r\nAuthorization: Bearer {token}" if token else ""
        head = f"GET /live?watch={game_id} HTTP/1.1\r\nHost: x{show}\r\n\r\n"
        self._connection.sendall(head.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def read_to(self, version: int) -> str:
        """The page of a version, which must be the next to come."""
        while not (
            page := re.search(rf"\.{version}\n(data: <title>.*?)\n\n", self._shown, re.DOTALL)
        ):
            data = self._connection.recv(65536)
            assert data
            self._shown += data.decode()
        self._shown = self._shown[page.end() :]
        return page[1]


def test_no_visitor_fills_the_memory_with_addresses_of_their_own(client: httpx.Client) -> None:
    ann, _ = create(client)
    assert isinstance(client, TestClient)
    service: Service = client.app.state.service  # type: ignore[attr-defined]
    version = version_of(service.find(ann.id))
    page = b"page" * 100
    for number in range(2 * ROOM_FOR_PAGES // 30_000):
        assert version.once(f"http://{number:030000}", lambda: page) == page
    assert _PAGES.weight <= ROOM_FOR_PAGES


@pytest.fixture
def feed(service: Service) -> Feed:
    return Feed(service.create(NewGame(game="pool"), "x").duel)


def test_watchers_are_woken_few_at_a_time_and_players_first(feed: Feed) -> None:
    async def wake_a_crowd() -> list[tuple[int, bool]]:
        crowd, turn, woken = 20 * AT_ONCE, 0, list[tuple[int, bool]]()

        async def watch(seats: tuple[int, ...]) -> None:
            watcher = Watcher({}, lambda _: b"", None, is_page=False)
            feed.come(watcher, seats)
            assert await watcher.news() is feed
            woken.append((turn, bool(seats)))

        tasks = [asyncio.create_task(watch(())) for _ in range(crowd - 1)]
        tasks.append(asyncio.create_task(watch((1,))))
        await asyncio.sleep(0)
        feed.ring()
        while len(woken) < crowd:
            turn += 1
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        return woken

    woken = asyncio.run(wake_a_crowd())
    turns = Counter(turn for turn, _ in woken)
    assert max(turns.values()) <= AT_ONCE + 1  # others had their turn in between
    assert woken[0][1]


def test_fewer_watchers_are_woken_at_a_time_where_each_costs_more(feed: Feed) -> None:
    async def turns() -> list[int]:
        turn, woken = 0, list[int]()

        async def watch() -> None:
            watcher = Watcher({}, lambda _: b"", None, is_page=False)
            feed.come(watcher, ())
            await watcher.news()
            woken.append(turn)
            time.sleep(SLICE / 2)

        tasks = [asyncio.create_task(watch()) for _ in range(3 * AT_ONCE)]
        await asyncio.sleep(0)
        feed.ring()
        while len(woken) < len(tasks):
            turn += 1
            await asyncio.sleep(0)
        return woken

    last = asyncio.run(turns())[-20:]
    assert max(Counter(last).values()) <= 3


async def first_events(
    hub: Hub, seen: dict[str, int | None], count: int, token: str | None = None
) -> list[bytes]:
    """What a page's stream begins with; versions as the game's id and number."""

    def render(duel: HostedDuel) -> bytes:
        return f"{duel.id}.{duel.version}".encode()

    response = await hub.respond(seen, render, token, is_page=True)
    events = told(response)
    return [await anext(events) for _ in range(count)]


async def told(response: EventSourceResponse) -> AsyncIterator[bytes]:
    """What a stream tells, but for who is here."""
    async for event in response.body_iterator:
        assert isinstance(event, bytes)
        if not event.startswith(b"event: here"):
            yield event


def test_one_stream_tells_of_many_games_and_of_those_that_are_gone(service: Service) -> None:
    seen_one, new_one = (service.create(NewGame(game="pool"), "x").duel for _ in range(2))
    seen = {seen_one.id: 1, new_one.id: None, "A" * 16: 3}

    async def watch() -> tuple[list[bytes], int]:
        hub = Hub(service)
        first = await first_events(hub, seen, 3)
        return first, hub.streams

    (hello, gone, version), streams = asyncio.run(asyncio.wait_for(watch(), PATIENCE))
    assert hello == HELLO + BEAT
    assert gone.startswith(b"event: gone\ndata: AAAAAAAAAAAAAAAA\n")
    assert version == f"{new_one.id}.1".encode()
    assert streams == 1


def test_a_game_that_is_removed_leaves_the_others_of_a_stream(service: Service) -> None:
    kept, removed = (service.create(NewGame(game="pool"), "x") for _ in range(2))

    async def watch() -> list[bytes]:
        hub = Hub(service)
        service.observers.append(hub.changed)
        seen: dict[str, int | None] = {kept.duel.id: 1, removed.duel.id: 1}
        response = await hub.respond(seen, lambda duel: duel.id.encode(), is_page=True)
        events = told(response)
        await anext(events)
        hub._feeds[removed.duel.id].gone = True
        hub._feeds[removed.duel.id].ring()
        gone = await anext(events)
        service.act("move", kept.duel.id, kept.token, MoveRequest(move="5", ply=0, round=1))
        return [gone, await anext(events)]

    gone, version = asyncio.run(asyncio.wait_for(watch(), PATIENCE))
    assert gone.startswith(f"event: gone\ndata: {removed.duel.id}\n".encode())
    assert version == kept.duel.id.encode()


def test_a_quiet_stream_gives_signs_of_life_and_the_time_where_there_is_one(
    service: Service,
) -> None:
    game_id = service.create(NewGame(game="pool"), "x").duel.id
    service.settings = replace(service.settings, heartbeat=0.01)

    async def watch() -> list[bytes]:
        return await first_events(Hub(service, now=lambda: 1234), {game_id: 1}, 3)

    hello, *beats = asyncio.run(asyncio.wait_for(watch(), PATIENCE))
    beat = BEAT + b"event: time\ndata: 1234\n\n"
    assert hello == HELLO + beat
    assert beats == [beat] * 2


def test_a_server_that_is_asked_to_stop_ends_its_streams(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "games.db"))
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        ann, _ = friends(client)
        with watch(ann) as response:
            shown = events(response)
            next(shown)
            server.stop()
            assert list(shown) == []


def test_games_that_are_watched_are_read_a_few_at_a_time(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a lost connection thousands may have to be looked at, while people play."""
    games = [service.create(NewGame(game="pool"), "x").duel for _ in range(5 * READ_AT_ONCE)]
    reading, most, found, find = Counter[str](), [0], list[str](), service.find

    def slow_find(game_id: str) -> HostedDuel:
        reading["now"] += 1
        most[0] = max(most[0], reading["now"])
        time.sleep(0.005)
        reading["now"] -= 1
        found.append(game_id)
        return find(game_id)

    async def look() -> None:
        hub = Hub(service)
        hub._feeds = {duel.id: Feed(duel) for duel in games}
        hub.missed()
        while len(found) < len(games):
            await asyncio.sleep(0.005)

    monkeypatch.setattr(service, "find", slow_find)
    asyncio.run(asyncio.wait_for(look(), PATIENCE))
    assert most[0] <= READ_AT_ONCE


def test_a_page_is_told_the_time_with_a_clock_not_only_now_and_then(service: Service) -> None:
    new = NewGame(game="pool", rules={"target": 97}, opponent="device", clock="5+3")
    ann = service.create(new, "x")

    async def watch() -> list[bytes]:
        hub = Hub(service, now=service.playing_time.told)
        service.observers.append(hub.changed)
        response = await hub.respond({ann.duel.id: 1}, lambda _: b"game", is_page=True)
        events = told(response)
        first = [await anext(events) for _ in range(2)]
        move = MoveRequest(move="5", ply=0)
        await asyncio.to_thread(service.act, "move", ann.duel.id, ann.token, move)
        return [*first, await anext(events), await anext(events)]

    hello, time_at_first, game, time_after = asyncio.run(asyncio.wait_for(watch(), PATIENCE))
    assert hello.startswith(HELLO)
    assert game == b"game"
    assert time_at_first.startswith(b"event: time")
    since = service.find(ann.duel.id).times
    assert since is not None
    assert int(time_after.split(b"data: ")[1]) >= (since.since or 0)
