"""A store that does not answer: told once, refused at once, tried again by one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from digitduel.web.errors import BusyError, LostError
from digitduel.web.store.outage import CALM_SECONDS, PAUSE_SECONDS, SLOW_SECONDS, Outage
from tests.web.helpers import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

LONG = 2 * SLOW_SECONDS


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def outage(clock: Clock) -> Outage:
    return Outage("the store", clock)


def fail(outage: Outage, clock: Clock, seconds: float, cause: str = "gone") -> None:
    def wait_in_vain() -> None:
        clock.now += seconds
        raise OSError(cause)

    with pytest.raises(LostError), outage.watched(OSError):
        wait_in_vain()


def refused(outage: Outage) -> bool:
    try:
        with outage.watched(OSError):
            return False
    except BusyError:
        return True


def test_a_quick_fault_is_no_reason_to_refuse_others(outage: Outage, clock: Clock) -> None:
    fail(outage, clock, seconds=0)
    assert not refused(outage)


def test_after_a_wait_in_vain_others_are_refused_at_once(outage: Outage, clock: Clock) -> None:
    fail(outage, clock, LONG)
    assert refused(outage)
    clock.now += PAUSE_SECONDS
    assert not refused(outage)  # that one tried, and found it well
    assert not refused(outage)


def test_one_at_a_time_tries_again(outage: Outage, clock: Clock) -> None:
    fail(outage, clock, LONG)
    clock.now += PAUSE_SECONDS
    with outage.watched(OSError):
        assert [refused(outage) for _ in range(3)] == [True] * 3
    assert not refused(outage)
    fail(outage, clock, LONG)
    clock.now += PAUSE_SECONDS
    fail(outage, clock, LONG)
    assert refused(outage)


def test_a_try_that_ends_in_another_error_lets_the_next_one_try(
    outage: Outage, clock: Clock
) -> None:
    fail(outage, clock, LONG)
    clock.now += PAUSE_SECONDS
    with pytest.raises(KeyError), outage.watched(OSError):
        raise KeyError
    assert not refused(outage)


def test_each_cause_is_told_once_and_the_end_too(
    outage: Outage, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    def told(do: Callable[[], object]) -> list[str]:
        caplog.clear()
        do()
        return caplog.messages

    assert told(lambda: fail(outage, clock, 0, "full")) == ["the store does not answer: full"]
    assert told(lambda: again_and_again(outage, clock)) == []
    assert told(lambda: fail(outage, clock, 0, "gone")) == ["the store does not answer: gone"]
    clock.now += CALM_SECONDS
    assert told(lambda: refused(outage)) == ["the store answers again"]
    assert told(lambda: refused(outage)) == []
    assert told(lambda: fail(outage, clock, 0, "full")) == ["the store does not answer: full"]


def again_and_again(outage: Outage, clock: Clock) -> None:
    for _ in range(9):
        fail(outage, clock, 0, "full")
        assert not refused(outage)
