"""Whose turn it is: what costs much is done a few at a time, for whoever has had least of late."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import Counter, deque
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
    wake: Callable[[], object]
    sent_away: bool = False


class Turns:
    """So many at a time; of those who wait, whoever has fewest and has spent least is next.

    One network has at most `share` turns at a time. Whoever has spent more than `most` seconds is
    refused for a while; a network may spend NETWORK times as much. Where too many wait, whoever has
    spent most is sent away. Who waits in `turn` holds a thread, in `turn_in_loop` only memory.
    """

    def __init__(
        self,
        places: int,
        patience: float,
        spending: Spending,
        most: float = math.inf,
        most_waiting: int = MOST_WAITING,
        share: int | None = None,
    ) -> None:
        self._free, self._patience, self._spending = places, patience, spending
        self._most, self._most_waiting, self._share = most, most_waiting, share or places
        self._having: Counter[str] = Counter()  # turns just now, by network
        self._waiting: dict[Visitor, deque[_Ticket]] = {}
        self._lock, self._number = Lock(), 0

    @contextlib.contextmanager
    def turn(self, visitor: Visitor) -> Iterator[None]:
        """Wait for a turn and have it; BusyError or TooManyError if there is none to be had."""
        self._check(visitor)
        called = Event()
        if ticket := self._queue(visitor, called.set):
            called.wait(self._patience)
            self._check_called(ticket)
        try:
            if ticket and visitor.gone():
                raise BusyError("nobody waits for the answer any more.", wait=1)
            yield
        finally:
            self._end(visitor)

    async def turn_in_loop(self, visitor: Visitor) -> contextlib.ExitStack:
        """The same for an event loop: a turn that ends, and is charged for, when it is closed.

        It is given on when the loop comes round: between two turns others do what they have to.
        Turns of one kind are had in threads or in a loop, not both."""
        self._check(visitor)
        called = asyncio.Event()
        if ticket := self._queue(visitor, called.set):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(called.wait(), self._patience)
            self._check_called(ticket)
        began, turn = time.monotonic(), contextlib.ExitStack()
        turn.callback(asyncio.get_running_loop().call_soon, self._end, visitor)
        turn.callback(lambda: self.charge(visitor, time.monotonic() - began))
        return turn

    def charge(self, visitor: Visitor, seconds: float) -> None:
        """Note what a turn has cost."""
        self._spending.add(visitor, seconds)
        self._spending.add(visitor.network, seconds)

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return sum(map(len, self._waiting.values()))

    def _check(self, visitor: Visitor) -> None:
        spent = max(self._spending.of(visitor), self._spending.of(visitor.network) / NETWORK)
        if spent > self._most:
            wait = math.ceil(HALF_LIFE * math.log2(spent / self._most))
            raise TooManyError(
                f"too much to work out for you just now: try again in {counted(wait, 'second')}.",
                wait=wait,
            )

    def _queue(self, visitor: Visitor, wake: Callable[[], object]) -> _Ticket | None:
        """A ticket to wait with; None if there is a place at once."""
        with self._lock:
            if self._may_begin(visitor):
                self._begin(visitor)
                return None
            self._number += 1
            ticket = _Ticket(visitor, self._number, wake)
            self._waiting.setdefault(visitor, deque()).append(ticket)
            if self.waiting > self._most_waiting:
                self._send_away(self._waiting[max(self._waiting, key=self._spent)][-1])
            return ticket

    def _check_called(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket in self._waiting.get(ticket.visitor, ()):  # the time is up
                self._send_away(ticket)
        if ticket.sent_away:
            raise BusyError("too much to do just now: try again.", wait=2)

    def _send_away(self, ticket: _Ticket) -> None:
        self._leave(ticket)
        ticket.sent_away = True
        ticket.wake()

    def _leave(self, ticket: _Ticket) -> None:
        queue = self._waiting[ticket.visitor]
        queue.remove(ticket)
        if not queue:
            del self._waiting[ticket.visitor]

    def _may_begin(self, visitor: Visitor) -> bool:
        return self._free > 0 and self._having[visitor.network] < self._share

    def _begin(self, visitor: Visitor) -> None:
        self._free -= 1
        self._having[visitor.network] += 1

    def _end(self, visitor: Visitor) -> None:
        """Give the turn on."""
        with self._lock:
            self._free += 1
            self._having -= Counter({visitor.network: 1})
            if can := list(filter(self._may_begin, self._waiting)):
                ticket = self._waiting[min(can, key=self._rank)][0]
                self._leave(ticket)
                self._begin(ticket.visitor)
                ticket.wake()

    def _rank(self, visitor: Visitor) -> tuple[float, ...]:
        """The lower, the sooner."""
        return self._having[visitor.network], *self._spent(visitor)

    def _spent(self, visitor: Visitor) -> tuple[float, ...]:
        number = self._waiting[visitor][0].number
        return self._spending.of(visitor.network), self._spending.of(visitor), number
