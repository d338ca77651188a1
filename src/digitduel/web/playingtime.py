"""The time that clocks go by, which runs while a server keeps it.

A restart, an outage of the store or a wall clock that jumps is nobody's thinking time. Servers on
one database agree on it: each takes over what another has kept if that is further on.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# What is older than this is not taken for the time: another server may have kept a later one.
FRESH = 0.5
# What was not kept for longer than this stood still: the store was away, or nobody's time ran.
LONGEST_STEP = 1.0


class PlayingTime:
    """Milliseconds; `keep` puts them into the store and gives back the furthest that is there.

    >>> PlayingTime(keep=lambda own: max(own, 5_000), seconds=lambda: 0.0).now()
    5000
    """

    def __init__(
        self, keep: Callable[[int], int], seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._keep, self._seconds = keep, seconds
        self._kept: tuple[float, float] | None = None  # what, and at which of our seconds
        self._keeping = Lock()

    def told(self) -> int:
        """The time as far as this server knows, at once: for showing."""
        return int(self._at(self._seconds()))

    def now(self) -> int:
        """The time to go by: where what is known is old, the store is asked."""
        if self._kept is None or self._seconds() - self._kept[1] > FRESH:
            self.keep()
        return self.told()

    def keep(self) -> None:
        """Put the time on disk, and go on from whichever is further: ours or what is there."""
        with self._keeping:
            seconds = self._seconds()
            own = self._at(seconds)
            kept = self._keep(int(own))
            # Another's time is counted from now on, or each would hurry the other on.
            self._kept = (own, seconds) if kept <= own else (kept, self._seconds())

    def _at(self, seconds: float) -> float:
        if self._kept is None:
            return 0.0
        value, since = self._kept
        return value + 1000 * min(seconds - since, LONGEST_STEP)
