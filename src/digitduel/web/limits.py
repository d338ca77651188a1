"""How often, and how many at once: counted for each who asks, in bounded memory."""

from __future__ import annotations

import math
import time
from functools import lru_cache
from ipaddress import ip_address
from threading import Lock
from typing import TYPE_CHECKING

from digitduel.cache import Cache
from digitduel.text import counted
from digitduel.web.errors import TooManyError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_NAMES = 20_000


class Allowance:
    """Each name may do a thing so often within so many seconds, counted from its first.

    >>> allowance = Allowance(most=1, seconds=60, what="moves", clock=lambda: 0.0)
    >>> allowance.take("ann")
    >>> allowance.take("ann")
    Traceback (most recent call last):
    digitduel.web.errors.TooManyError: too many moves: try again in 60 seconds.
    """

    def __init__(
        self, most: int, seconds: float, what: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._what, self._clock = most, seconds, what, clock
        self._counts: Cache[tuple[float, int]] = Cache(MOST_NAMES, weigh=lambda _: 1)
        self._lock = Lock()

    def take(self, name: str) -> None:
        """Count one more; TooManyError if that is too many."""
        with self._lock:
            now = self._clock()
            began, count = self._counts.get(name) or (now, 0)
            if now - began >= self._seconds:
                began, count = now, 0
            if count < self._most:
                self._counts.put(name, (began, count + 1))
        if count >= self._most:
            wait = math.ceil(began + self._seconds - now)
            raise TooManyError(
                f"too many {self._what}: try again in {counted(wait, 'second')}.", wait=wait
            )


class Places:
    """Each name may have so many things at a time. For one thread, as an event loop is.

    >>> places = Places(most=1)
    >>> places.take("ann"), places.take("ann"), places.take("bob")
    (True, False, True)
    >>> places.leave("ann")
    >>> places.take("ann")
    True
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: dict[str, int] = {}

    def take(self, name: str) -> bool:
        """One more; False if that is too many."""
        taken = self._taken.get(name, 0)
        if taken < self.most:
            self._taken[name] = taken + 1
        return taken < self.most

    def leave(self, name: str) -> None:
        """One less."""
        self._taken[name] -= 1
        if not self._taken[name]:
            del self._taken[name]


@lru_cache(maxsize=4_096)  # every request asks, some of them twice
def network(address: str) -> str:
    """The address that counts: of IPv6 the network, since one customer has a whole one.

    >>> network("192.0.2.7"), network("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    if parsed.version == 6 and not parsed.ipv4_mapped:
        return str(ip_address(int(parsed) >> 64 << 64))
    return str(parsed)
