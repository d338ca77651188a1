"""A store that does not answer: told once, refused at once, tried again by one at a time."""

from __future__ import annotations

import contextlib
import logging
import time
from threading import Lock
from typing import TYPE_CHECKING

from digitduel.web.errors import BusyError, LostError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NO_ANSWER = "the store does not answer: try again in a moment."
# Who waited so long in vain shows that others would: they are refused at once ...
SLOW_SECONDS = 0.9
# ... but for one that tries again, after this pause.
PAUSE_SECONDS = 0.5
# Without a fault for so long, an outage is over.
CALM_SECONDS = 5.0
MOST_CAUSES = 20  # told of one outage

logger = logging.getLogger(__name__)


class Outage:
    """What is known of the faults of one store.

    >>> outage = Outage("the store", clock=lambda: 0.0)
    >>> with outage.watched(OSError):
    ...     raise OSError("disk full")
    Traceback (most recent call last):
    digitduel.web.errors.LostError: the store does not answer: try again in a moment.
    """

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._clock = what, clock
        self._lock = Lock()
        self._causes: set[str] = set()
        self._failed_at = 0.0
        self._retry_at: float | None = None  # while known to be away
        self._trying = False

    @contextlib.contextmanager
    def watched(self, *faults: type[Exception]) -> Iterator[None]:
        """Errors of these kinds mean that the store does not answer."""
        trying = self._admit()
        began = self._clock()
        try:
            yield
            self._answered()
        except faults as error:
            self.failed(error, is_away=self._clock() - began >= SLOW_SECONDS)
            raise LostError(NO_ANSWER, wait=1) from error
        finally:
            if trying:
                self._trying = False

    def _admit(self) -> bool:
        """Whether this one tries for all; BusyError if another does, or one has just done so."""
        if self._retry_at is None:
            return False
        with self._lock:
            if self._retry_at is None:
                return False
            if self._trying or self._clock() < self._retry_at:
                raise BusyError(NO_ANSWER, wait=1)
            self._trying = True
            return True

    def failed(self, error: Exception, *, is_away: bool = False) -> None:
        """Tell the cause, unless it has been told of this outage."""
        cause = (str(error).strip().splitlines() or [type(error).__name__])[0]
        with self._lock:
            self._failed_at = self._clock()
            if is_away:
                self._retry_at = self._failed_at + PAUSE_SECONDS
            is_news = cause not in self._causes and len(self._causes) < MOST_CAUSES
            self._causes.add(cause)
        if is_news:
            logger.warning("%s does not answer: %s", self._what, cause)

    def _answered(self) -> None:
        if self._retry_at is None and not self._causes:
            return
        with self._lock:
            self._retry_at = None
            is_over = bool(self._causes) and self._clock() - self._failed_at >= CALM_SECONDS
            if is_over:
                self._causes.clear()
        if is_over:
            logger.warning("%s answers again", self._what)
