"""Waking up from a prompt when the time is up, where the system can."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 86_400.0  # seconds: no clock has more
AGAIN = 0.25


class Woken(Exception):  # noqa: N818  (no error: it was asked for)
    """The alarm went off."""


@contextlib.contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise Woken after so many seconds, unless what is done inside is done by then.

    Where there is no such alarm (or no main thread) nothing is raised: look at the clock after.
    """
    if seconds is None or not _can_ring():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        # Again and again: a line editor misses what comes just before it waits for a key.
        signal.setitimer(signal.ITIMER_REAL, min(max(seconds, 0.001), LONGEST), AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _can_ring() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _ring(*_: object) -> None:
    raise Woken


def forget_typed() -> None:
    """Drop what was typed but not sent: it was meant for a question that is over."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        if sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
