"""Settings that make a real game, for those who chose one that is over at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.errors import DigitDuelError
from digitduel.position import Position
from digitduel.solve import estimate, judge

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

FARTHEST_TARGET = 100
FEWEST_PLIES = 4
# Nanoseconds of solving that a suggestion is worth.
PATIENCE = 10**8


def livelier(ruleset: Ruleset) -> Ruleset | None:
    """The nearest settings that last: a larger target, if need be without 0.

    >>> from digitduel import find_ruleset
    >>> livelier(find_ruleset("pool")).target
    11
    """
    without_zero = tuple(digit for digit in ruleset.digits if digit)
    for digits in (ruleset.digits, without_zero):
        for target in range(ruleset.target + 1, FARTHEST_TARGET):
            try:
                candidate = ruleset.replace(digits=digits, target=target)
            except DigitDuelError:
                continue
            if lasts(candidate):
                return candidate
    return None


def lasts(ruleset: Ruleset) -> bool:
    """Whether somebody can win, and best play takes some moves to it."""
    start = Position(ruleset)
    if start.winning_moves or ruleset.warnings:
        return False
    if estimate(ruleset).work > PATIENCE:
        return True
    plies = judge(ruleset).probe(start).plies
    return plies is None or plies >= FEWEST_PLIES
