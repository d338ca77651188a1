"""Thinking time: what is agreed, and what is left of it. Moments are whole milliseconds.

Nothing here reads the time: whoever lets an event happen says at which moment it did.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from digitduel.errors import DigitDuelError
from digitduel.text import quoted

MOST_MINUTES = 180
MOST_INCREMENT = 180  # seconds
ACCEPTED = (
    f"write minutes for each player, at most {MOST_MINUTES}, and whole seconds added per move, "
    f"at most {MOST_INCREMENT}, such as 5+3 or 0.5+0."
)


@dataclass(frozen=True)
class Clock:
    """What each player has for a round, and what a move adds to it: both in whole seconds.

    >>> Clock.parse("5+3"), str(Clock(30, 0))
    (Clock(seconds=300, increment=3), '0.5+0')
    """

    seconds: int
    increment: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 60 * MOST_MINUTES or not 0 <= self.increment <= MOST_INCREMENT:
            raise DigitDuelError(f"{quoted(str(self))} is no clock: {ACCEPTED}")

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Read a clock; `str` gives it back. Parts of a minute count as whole seconds."""
        match = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,2})?)(?:\s*\+\s*([0-9]{1,3}))?\s*", text)
        if match is None:
            raise DigitDuelError(f"{quoted(text)} is no clock: {ACCEPTED}")
        seconds = (60 * Decimal(match[1])).quantize(Decimal(1), ROUND_HALF_UP)
        try:
            return cls(int(seconds), int(match[2] or 0))
        except DigitDuelError:
            raise DigitDuelError(f"{quoted(text)} is no clock: {ACCEPTED}") from None

    def __str__(self) -> str:
        return f"{self.seconds / 60:.2f}".rstrip("0").rstrip(".") + f"+{self.increment}"


@dataclass(frozen=True)
class Times:
    """What both players have left, as it was at the moment `since` when one began to think."""

    left: tuple[int, int]  # of seat 1 and of seat 2
    since: int | None = None  # None: nobody's time runs

    @classmethod
    def full(cls, clock: Clock) -> Times:
        """Before the first move of a round."""
        return cls((1000 * clock.seconds,) * 2)

    def up_at(self, seat: int) -> int | None:
        """The moment at which the time of a seat, thinking since `since`, is up."""
        return None if self.since is None else self.since + self.left[seat - 1]

    def at(self, moment: int, seat: int) -> Times:
        """The same at a later moment, with this seat thinking up to then. Nobody gets time back."""
        if self.since is None:
            return self
        moment = max(moment, self.since)
        left = max(self.left[seat - 1] - (moment - self.since), 0)
        return Times(_with(self.left, seat, left), moment)

    def plus(self, seat: int, seconds: int) -> Times:
        """With so many seconds more for a seat, if the time was running."""
        if self.since is None:
            return self
        return Times(_with(self.left, seat, self.left[seat - 1] + 1000 * seconds), self.since)


def _with(left: tuple[int, int], seat: int, milliseconds: int) -> tuple[int, int]:
    return (milliseconds, left[1]) if seat == 1 else (left[0], milliseconds)
