"""Clocks on the server: who keeps the time, who loses by it, and what a restart costs."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pytest

from digitduel.events import TimeUp
from digitduel.web import timekeeper
from digitduel.web.errors import LostError, RefusedError
from digitduel.web.models import Action, Join, MoveRequest, NewGame
from digitduel.web.pages.view import GameView
from digitduel.web.playingtime import LONGEST_STEP, PlayingTime
from digitduel.web.service import Service, viewer_of
from digitduel.web.store import open_store
from digitduel.web.timekeeper import Timekeeper
from digitduel.web.versions import version_of
from tests.web.helpers import Clock, QuickServer, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from digitduel.web.hosted import HostedDuel
    from digitduel.web.service import SeatTaken
    from digitduel.web.settings import Settings
    from tests.web.helpers import Postgres

GAME: dict[str, Any] = {
    "game": "pool",
    "rules": {"target": 101},
    "opponent": "device",
    "clock": "1+2",
}


class FakeTime(PlayingTime):
    """A playing time that goes on when a test says so."""

    def __init__(self) -> None:
        super().__init__(keep=lambda own: own)
        self.value = 1_000

    def told(self) -> int:
        return self.value

    now = told


@pytest.fixture
def playing_time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def clocked(settings: Settings, playing_time: FakeTime) -> Iterator[Service]:
    store = open_store(settings)
    yield Service(store, settings, playing_time)
    store.close()


@pytest.fixture
def ann(clocked: Service) -> SeatTaken:
    return clocked.create(NewGame(**GAME), "x")


def play(service: Service, ann: SeatTaken, moves: str) -> HostedDuel:
    duel = service.find(ann.duel.id)
    for move in moves:
        request = MoveRequest(move=move, ply=duel.ply)
        duel = service.act("move", duel.id, ann.token, request)
    return duel


def shown(duel: HostedDuel) -> dict[str, Any]:
    clock = version_of(duel).state.model_dump()["clock"]
    assert isinstance(clock, dict)
    return clock


# --- A round with a clock. ---


def test_the_state_tells_the_clock(
    clocked: Service, ann: SeatTaken, playing_time: FakeTime
) -> None:
    clock = {"seconds": 60, "increment": 2, "left": [60_000, 60_000]}
    assert shown(ann.duel) == clock | {"running_since": None, "time_up_at": None}
    duel = play(clocked, ann, "1")
    assert shown(duel) == clock | {"running_since": 1_000, "time_up_at": 61_000}
    playing_time.value += 10_000
    duel = play(clocked, ann, "2")
    assert shown(duel)["left"] == [60_000, 52_000]
    assert clocked.store.running_clocks() == [(duel.id, 71_000)]
    duel = clocked.act("resign", duel.id, ann.token, Action())
    assert shown(duel)["running_since"] is None
    assert clocked.store.running_clocks() == []


def test_a_move_that_comes_too_late_ends_the_round(
    clocked: Service, ann: SeatTaken, playing_time: FakeTime
) -> None:
    play(clocked, ann, "1")
    playing_time.value += 60_000
    with pytest.raises(RefusedError, match="2 comes too late: Player 2's time is up") as refused:
        clocked.act("move", ann.duel.id, ann.token, MoveRequest(move="2", ply=1))
    assert refused.value.status == 409
    assert refused.value.duel
    state = version_of(refused.value.duel).state
    assert (state.termination, state.result) == ("time", "1-0")
    assert state.result_text == "Player 2's time is up. Player 1 wins!"
    with pytest.raises(RefusedError, match="no move of yours to take back"):
        clocked.act("undo", ann.duel.id, ann.token, Action())
    duel = clocked.act("rematch", ann.duel.id, ann.token, Action())
    assert shown(duel)["left"] == [60_000, 60_000]


def test_a_move_made_in_time_is_answered_again_when_the_time_is_up(
    clocked: Service, ann: SeatTaken, playing_time: FakeTime
) -> None:
    request = MoveRequest(move="1", ply=0, key="k")
    once = clocked.act("move", ann.duel.id, ann.token, request)
    playing_time.value += 60_000
    assert clocked.act("move", ann.duel.id, ann.token, request) == once


def test_a_game_after_a_restart_is_the_one_before(clocked: Service, ann: SeatTaken) -> None:
    duel = play(clocked, ann, "12")
    afresh = Service(clocked.store, clocked.settings, FakeTime())
    assert afresh.find(duel.id) == duel


def test_a_clock_needs_two_people(clocked: Service) -> None:
    with pytest.raises(ValueError, match=r"a clock \(1\+2\) is for two people"):
        clocked.create(NewGame(**GAME | {"opponent": "level:3"}), "x")
    with pytest.raises(ValueError, match="'soon' is no clock"):
        clocked.create(NewGame(**GAME | {"clock": "soon"}), "x")


def test_what_a_page_shows_of_it(clocked: Service, ann: SeatTaken) -> None:
    duel = play(clocked, ann, "1")
    one, two = GameView(duel, viewer_of(duel, None)).clock or []
    assert (one.text, one.runs) == ("1:00", False)
    assert (two.left, two.runs, two.time_up_at) == (60_000, True, 61_000)
    plain = clocked.create(NewGame(game="pool"), "x").duel
    assert GameView(plain, viewer_of(plain, None)).clock is None


# --- Who keeps it. ---


def test_the_keeper_ends_rounds_that_are_over(
    clocked: Service, ann: SeatTaken, playing_time: FakeTime
) -> None:
    keeper = Timekeeper(clocked)
    assert keeper.look() == timekeeper.REST
    play(clocked, ann, "1")
    assert keeper.look() == timekeeper.TICK
    playing_time.value += 59_960
    assert keeper.look() == pytest.approx(0.04)
    assert clocked.find(ann.duel.id).outcome() is None
    playing_time.value += 40
    keeper.look()
    assert clocked.store.changes(ann.duel.id)[-1].event == TimeUp(2, other_wins=True, at=61_000)
    assert keeper.look() == timekeeper.REST


def test_two_keepers_end_a_round_once(
    clocked: Service, ann: SeatTaken, playing_time: FakeTime
) -> None:
    before = play(clocked, ann, "1")
    playing_time.value += 60_000
    over = clocked.look_at_clock(ann.duel.id)
    assert clocked._on_time(before, playing_time.value) == over


def test_a_keeper_that_rests_is_woken_by_a_move(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timekeeper, "REST", 1_000.0)
    store = open_store(settings)
    service = Service(store, settings)
    keeper = Timekeeper(service)
    service.observers.append(keeper.changed)
    keeper.start()
    try:
        ann = service.create(NewGame(**GAME | {"clock": "0.02"}), "x")
        play(service, ann, "1")
        wait_for(lambda: service.find(ann.duel.id).is_time_up)
    finally:
        keeper.close()
        store.close()


def test_a_store_that_is_away_does_not_end_the_keeper(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(settings)
    try:
        keeper = Timekeeper(Service(store, settings))

        def lost() -> Any:
            raise LostError("away")

        monkeypatch.setattr(store, "running_clocks", lost)
        assert keeper._step() == timekeeper.REST
    finally:
        store.close()


# --- The playing time. ---


def test_time_that_nobody_kept_stood_still() -> None:
    seconds, kept = Clock(50.0), [7_000]

    def keep(own: int) -> int:
        kept.append(max(own, kept[-1]))
        return kept[-1]

    playing = PlayingTime(keep, seconds)
    assert playing.now() == 7_000
    seconds.now += 0.25
    assert (playing.now(), len(kept)) == (7_250, 2)  # fresh: the store is not asked
    playing.keep()
    seconds.now += 3_600
    assert playing.told() == 7_250 + 1000 * LONGEST_STEP
    assert playing.now() == 7_250 + 1000 * LONGEST_STEP == kept[-1]
    kept.append(20_000)  # by another server
    seconds.now += 1
    assert playing.now() == 20_000


def test_many_small_steps_lose_nothing() -> None:
    seconds = Clock()
    playing = PlayingTime(lambda own: own, seconds)
    playing.keep()
    for _ in range(1_000):
        seconds.now += 0.1007
        playing.keep()
    assert playing.told() == pytest.approx(100_700, abs=1)


@pytest.mark.postgres
def test_servers_on_one_database_agree(postgres: Postgres, settings: Settings) -> None:
    shared = replace(settings, database=postgres.database("clocks"))
    stores = [open_store(shared) for _ in range(2)]
    try:
        seconds = Clock()
        one, two = (PlayingTime(store.keep_playing_time, seconds) for store in stores)
        for _ in range(3):
            one.keep()
            seconds.now += 0.25
        two.keep()
        assert (one.told(), two.told()) == (750, 500)  # the last step is not kept yet
        one.keep()
        two.keep()
        assert one.told() == two.told() == 750
    finally:
        for store in stores:
            store.close()


# --- Over HTTP. ---


def test_programs_are_told_what_the_clock_shows(client: httpx.Client) -> None:
    made = client.post("/api/games", json=GAME).json()
    address, token = f"/api/games/{made['id']}", {"Authorization": f"Bearer {made['token']}"}
    assert made["state"]["clock"]["left"] == [60_000, 60_000]
    client.post(f"{address}/moves", json={"move": "1", "ply": 0}, headers=token)
    clock = client.get(f"{address}/clock").json()
    assert clock["left"][0] == 60_000
    assert clock["left"][1] == clock["time_up_at"] - clock["now"] <= 60_000
    plain = client.post("/api/games", json={"game": "pool"}).json()
    assert client.get(f"/api/games/{plain['id']}/clock").status_code == 404
    refused = client.post("/api/games", json=GAME | {"opponent": "level:1"})
    assert refused.status_code == 422
    assert "for two people" in refused.json()["detail"]


def test_the_time_is_up_while_nobody_asks(client: httpx.Client) -> None:
    made = client.post("/api/games", json=GAME | {"clock": "0.02"}).json()
    address, token = f"/api/games/{made['id']}", {"Authorization": f"Bearer {made['token']}"}
    client.post(f"{address}/moves", json={"move": "1", "ply": 0}, headers=token)
    wait_for(lambda: client.get(address).json()["termination"] == "time")
    record = client.get(f"{address}/record").text
    assert '[Result "1-0"]\n[Termination "time"]' in record
    page = client.post("/analysis", data={"record": record})
    assert page.status_code == 200


@pytest.mark.slow
def test_no_clock_is_off_after_a_kill(tmp_path: Path) -> None:
    server = QuickServer(str(tmp_path / "games.db"))
    try:
        made = httpx.post(f"{server.url}/api/games", json=GAME | {"clock": "60"}).json()
        address = f"{server.url}/api/games/{made['id']}"
        token = {"Authorization": f"Bearer {made['token']}"}
        httpx.post(f"{address}/moves", json={"move": "1", "ply": 0}, headers=token)
        # A busy machine may keep a server from its work for longer, but not each time.
        assert any(killed(server, f"{address}/clock") >= -200 for _ in range(3))
    finally:
        server.kill()
        server.close()


def killed(server: QuickServer, clock: str) -> int:
    """How far the playing time goes on over a kill and a restart, in milliseconds."""
    time.sleep(0.5)
    began = time.monotonic()
    before = httpx.get(clock).json()["now"]
    server.kill()
    time.sleep(1)
    server.start()
    went_on: int = httpx.get(clock).json()["now"] - before
    running = time.monotonic() - began - 1  # the time without a server is nobody's
    assert went_on <= 1000 * running + 1
    return went_on


def test_nobodys_time_runs_before_the_friend_is_there(
    clocked: Service, playing_time: FakeTime
) -> None:
    ann = clocked.create(NewGame(**GAME | {"opponent": "friend"}), "x")
    clocked.act("move", ann.duel.id, ann.token, MoveRequest(move="1", ply=0))
    playing_time.value += 500_000
    assert clocked.find(ann.duel.id).time_up_at is None
    bob = clocked.join(ann.duel.id, Join())
    assert bob.duel.time_up_at == playing_time.value + 60_000
    playing_time.value += 10_000
    duel = clocked.act("move", ann.duel.id, bob.token, MoveRequest(move="2", ply=1))
    assert duel.time_left(playing_time.value) == (60_000, 52_000)
