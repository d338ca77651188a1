"""Whoever has had least is next, and nobody has everything."""

from __future__ import annotations

import time
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from digitduel.web.errors import BusyError, TooManyError
from digitduel.web.turns import HALF_LIFE, NETWORK, Spending, Turns, Visitor
from tests.web.helpers import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

ANN, BOB = Visitor("192.0.2.1", "ann"), Visitor("192.0.2.2", "bob")
TWIN = Visitor("192.0.2.1", "twin")


class Scene:
    """Turns one at a time, of which the first is being had, and visitors who come for one."""

    def __init__(self, most_waiting: int = 60, patience: float = PATIENCE) -> None:
        self.spending = Spending(clock=lambda: 0.0)
        self.turns = Turns(1, patience, self.spending, most_waiting=most_waiting)
        self.served: list[Visitor] = []
        self.sent_away: list[Visitor] = []
        self._threads: list[Thread] = []
        self._end = Event()
        self._start(self._hold)

    def _start(self, work: Callable[[], None], waiting: int = 0) -> None:
        self._threads.append(Thread(target=work))
        self._threads[-1].start()
        deadline = time.monotonic() + PATIENCE
        while self.turns.waiting < waiting or self.turns._free:
            assert time.monotonic() < deadline
            time.sleep(0.001)

    def _hold(self) -> None:
        with self.turns.turn(Visitor("first")):
            self._end.wait(PATIENCE)

    def comes(self, visitor: Visitor) -> None:
        def have_a_turn() -> None:
            try:
                with self.turns.turn(visitor):
                    self.served.append(visitor)
                    self.turns.charge(visitor, 0.1)
            except BusyError:
                self.sent_away.append(visitor)

        full = self.turns.waiting == self.turns._most_waiting
        self._start(have_a_turn, self.turns.waiting + (not full))

    def ends(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join(PATIENCE)


def test_twenty_requests_of_one_visitor_wait_behind_one_of_another() -> None:
    scene = Scene()
    for _ in range(20):
        scene.comes(ANN)
    scene.comes(BOB)
    scene.ends()
    assert scene.served.index(BOB) <= 1
    assert scene.served.count(ANN) == 20


def test_networks_come_first_and_then_visitors() -> None:
    scene = Scene()
    for visitor in (ANN, ANN, ANN, TWIN, BOB):
        scene.comes(visitor)
    scene.ends()
    # The twin has had nothing, but of its network more was had than of Bob's.
    assert scene.served[:3] == [ANN, BOB, TWIN]


def test_where_too_many_wait_who_has_had_most_goes() -> None:
    scene = Scene(most_waiting=3)
    scene.turns.charge(ANN, 5.0)
    for _ in range(3):
        scene.comes(ANN)
    scene.comes(BOB)
    assert scene.turns.waiting == 3
    scene.ends()
    assert scene.sent_away == [ANN]
    assert scene.served == [BOB, ANN, ANN]


def test_nobody_waits_for_ever() -> None:
    scene = Scene(patience=0.05)
    with pytest.raises(BusyError) as refused, scene.turns.turn(ANN):
        pass
    assert refused.value.wait
    scene.ends()
    with scene.turns.turn(ANN):  # and the turn that was not had is not lost
        pass


def test_nothing_is_done_for_who_has_hung_up() -> None:
    scene = Scene()
    scene.comes(Visitor("gone", gone=lambda: True))
    scene.ends()
    assert not scene.served
    assert len(scene.sent_away) == 1


def test_who_has_spent_too_much_is_refused_until_it_counts_less() -> None:
    now = [0.0]
    turns = Turns(1, PATIENCE, Spending(clock=lambda: now[0]), most=1.0)
    turns.charge(ANN, 2.0)
    with pytest.raises(TooManyError, match="try again in 30 seconds") as refused, turns.turn(ANN):
        pass
    assert refused.value.wait == HALF_LIFE
    with turns.turn(TWIN):
        pass
    now[0] += HALF_LIFE
    with turns.turn(ANN):
        pass


def test_a_network_has_an_end_too() -> None:
    turns = Turns(1, PATIENCE, Spending(clock=lambda: 0.0), most=1.0)
    for number in range(NETWORK + 1):
        turns.charge(Visitor("192.0.2.1", str(number)), 1.0)
    with pytest.raises(TooManyError), turns.turn(Visitor("192.0.2.1", "fresh")):
        pass
    with turns.turn(BOB):
        pass


def test_a_turn_that_fails_is_given_on() -> None:
    turns = Turns(1, 0.05, Spending())
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), turns.turn(ANN):
            _ = 1 / 0
