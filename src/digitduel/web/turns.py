"""Whose turn it is: what costs much is done a few at a time, for whoever has had least of late."""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import TYPE_CHECKING

from digitduel.cache import Cache
from digitduel.text import counted
from digitduel.web.errors import BusyError, TooManyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_NAMES = 20_000
HALF_LIFE = 30.0  # seconds after which what was spent counts half
NETWORK = 3  # a network may spend so many times what one of its visitors may
MOST_WAITING = 60  # whoever waits holds a thread of the server, which has only so many


@dataclass(frozen=True)
class Visitor:
    """Who asks: turns are shared out between networks first, then between the visitors of one."""

    network: str
    name: str = ""
    # Whether they have hung up meanwhile.
    gone: Callable[[], bool] = field(default=lambda: False, compare=False, repr=False)


class Spending:
    """The seconds of processor time that each has had of late, in bounded memory.

    >>> spending = Spending(clock=lambda: 0.0)
    >>> spending.add("ann", 0.5)
    >>> spending.of("ann"), spending.of("bob")
    (0.5, 0.0)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._spent: Cache[tuple[float, float]] = Cache(MOST_NAMES, weigh=lambda _: 1)

    def of(self, name: str | Visitor) -> float:
        """What this one has had: the older, the less it counts."""
        now = self._clock()
        at, seconds = self._spent.get(name) or (now, 0.0)
        return seconds * math.exp2((at - now) / HALF_LIFE)

    def add(self, name: str | Visitor, seconds: float) -> None:
        """Count some more."""
        with self._lock:
            self._spent.put(name, (self._clock(), self.of(name) + seconds))


@dataclass(eq=False)
class _Ticket:
    """Somebody who waits until called, or sent away."""

    visitor: Visitor
    number: int
    called: Event = field(default_factory=Event)
    sent_away: bool = False


class Turns:
    """So many at a time; of those who wait the one who has spent least is next.

    Whoever has spent more than `most` seconds is refused for a while; a network may spend NETWORK
    times as much. Where too many wait, whoever has spent most is sent away.
    """

    def __init__(
        self,
        places: int,
        patience: float,
        spending: Spending,
        most: float = math.inf,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._free, self._patience, self._spending = places, patience, spending
        self._most, self._most_waiting = most, most_waiting
        self._waiting: list[_Ticket] = []
        self._lock, self._number = Lock(), 0

    @contextlib.contextmanager
    def turn(self, visitor: Visitor) -> Iterator[None]:
        """Wait for a turn and have it; BusyError or TooManyError if there is none to be had."""
        self._check(visitor)
        if ticket := self._queue(visitor):
            ticket.called.wait(self._patience)
            self._check_called(ticket)
        try:
            if ticket and visitor.gone():
                raise BusyError("nobody waits for the answer any more.", wait=1)
            yield
        finally:
            with self._lock:
                self._free += 1
                self._call()

    def charge(self, visitor: Visitor, seconds: float) -> None:
        """Note what a turn has cost."""
        self._spending.add(visitor, seconds)
        self._spending.add(visitor.network, seconds)

    def _check(self, visitor: Visitor) -> None:
        spent = max(self._spending.of(visitor), self._spending.of(visitor.network) / NETWORK)
        if spent > self._most:
            wait = math.ceil(HALF_LIFE * math.log2(spent / self._most))
            raise TooManyError(
                f"too much to work out for you just now: try again in {counted(wait, 'second')}.",
                wait=wait,
            )

    def _queue(self, visitor: Visitor) -> _Ticket | None:
        """A ticket to wait with; None if there is a place at once."""
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            self._number += 1
            ticket = _Ticket(visitor, self._number)
            self._waiting.append(ticket)
            if len(self._waiting) > self._most_waiting:
                last = max(self._waiting, key=self._rank)
                self._waiting.remove(last)
                last.sent_away = True
                last.called.set()
            return ticket

    def _check_called(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket in self._waiting:  # the time is up
                self._waiting.remove(ticket)
                ticket.sent_away = True
        if ticket.sent_away:
            raise BusyError("too much to think about just now: try again.", wait=2)

    def _call(self) -> None:
        if self._free and self._waiting:
            self._free -= 1
            ticket = min(self._waiting, key=self._rank)
            self._waiting.remove(ticket)
            ticket.called.set()

    def _rank(self, ticket: _Ticket) -> tuple[float, float, int]:
        """The lower, the sooner."""
        visitor, spent = ticket.visitor, self._spending.of
        return spent(visitor.network), spent(visitor), ticket.number
