"""Games grow old by the store's own time: a clock that jumps removes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from digitduel.web.errors import UnknownGameError
from digitduel.web.models import MoveRequest, NewGame
from digitduel.web.service import Service
from digitduel.web.settings import DAY, Settings
from digitduel.web.store import STEP
from digitduel.web.store.sqlite import Sqlite
from tests.web.helpers import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

YEAR = 365 * DAY


@pytest.fixture
def clock() -> Clock:
    return Clock(1_800_000_000.0)


@pytest.fixture
def service(settings: Settings, clock: Clock) -> Iterator[Service]:
    """A finished game stays for two days, an unfinished one for four."""
    settings = replace(settings, keep_finished=2 * DAY, keep_unfinished=4 * DAY)
    store = Sqlite(settings.file, clock)
    yield Service(store, settings)
    store.close()


def begin(service: Service) -> str:
    return service.create(NewGame(game="pool"), "x").duel.id


def finish(service: Service) -> str:
    won = service.create(NewGame(game="pool"), "x")
    service.act("move", won.duel.id, won.token, MoveRequest(move="7", ply=0))
    return won.duel.id


def serve(service: Service, clock: Clock, seconds: float) -> int:
    """So much time passes, with something to do in it; how many games were removed."""
    removed = 0
    for _ in range(int(seconds / STEP)):
        clock.now += STEP
        begin(service)
        removed += service.remove_idle()
    return removed


def is_there(service: Service, game_id: str) -> bool:
    try:
        return service.find(game_id).id == game_id
    except UnknownGameError:
        return False


def test_games_that_nobody_has_touched_for_long_are_removed(
    service: Service, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    begun, finished = begin(service), finish(service)
    assert serve(service, clock, 2 * DAY) == 0
    assert caplog.messages == []
    assert serve(service, clock, STEP) == 1
    assert (is_there(service, begun), is_there(service, finished)) == (True, False)
    assert caplog.messages == ["removed 1 games that had rested for 2.1 to 2.1 days"]
    serve(service, clock, 2 * DAY)
    assert not is_there(service, begun)


def test_a_clock_that_jumps_ahead_removes_nothing(service: Service, clock: Clock) -> None:
    games = [begin(service), finish(service)]
    clock.now += YEAR
    games.append(begin(service))  # the newest change there is, a year after the others
    assert [service.remove_idle() for _ in range(5)] == [0] * 5
    clock.now -= YEAR
    games.append(begin(service))
    assert serve(service, clock, DAY) == 0
    assert all(is_there(service, game_id) for game_id in games)


def test_what_changes_while_the_clock_is_behind_is_as_young_as_it_is(
    service: Service, clock: Clock
) -> None:
    begin(service)
    serve(service, clock, DAY)
    clock.now -= YEAR
    games = [begin(service), finish(service)]
    assert service.remove_idle() == 0
    clock.now += YEAR
    assert serve(service, clock, DAY) == 0
    assert all(is_there(service, game_id) for game_id in games)


def test_after_a_long_rest_of_the_server_games_grow_old_step_by_step(
    service: Service, clock: Clock
) -> None:
    begun = begin(service)
    service.remove_idle()
    clock.now += YEAR
    assert serve(service, clock, 3 * DAY) == 0
    assert is_there(service, begun)
    serve(service, clock, 2 * DAY)
    assert not is_there(service, begun)


def test_the_stores_own_time_outlives_a_restart(service: Service, clock: Clock) -> None:
    begin(service)
    serve(service, clock, DAY)
    service.store.close()
    behind = Sqlite(service.settings.file, lambda: 0.0)
    try:
        begin(Service(behind, service.settings))
        ((oldest,),) = behind.read("SELECT min(changed_at) FROM games")
        assert oldest >= clock.now - DAY - STEP
    finally:
        behind.close()


@pytest.mark.parametrize("jump", [-YEAR, 0, YEAR])
@pytest.mark.parametrize("idle", [0.0, 15.0])
def test_a_reply_is_due_whatever_the_stamp(
    service: Service, clock: Clock, jump: float, idle: float
) -> None:
    clock.now += jump
    game = service.create(NewGame(game="pool", opponent="careful", first=2), "x").duel
    clock.now -= jump
    clock.now += 15
    assert service.store.computer_due(idle) == [game.id]


def test_a_reply_that_is_being_worked_out_is_left_alone(service: Service) -> None:
    service.create(NewGame(game="pool", opponent="careful", first=2), "x")
    assert service.store.computer_due(15.0) == []
