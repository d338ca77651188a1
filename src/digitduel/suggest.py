"""Settings that make a real game, for those who chose one that is over at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.errors import DigitDuelError
from digitduel.position import Position
from digitduel.solver import INSTANT, evaluator_for

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluation

FARTHEST_TARGET = 100
FEWEST_PLIES = 4


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
    if Position(ruleset).winning_moves or ruleset.warnings:
        return False
    worth = glance(ruleset)
    return worth is None or worth.plies is None or worth.plies >= FEWEST_PLIES


def glance(ruleset: Ruleset) -> Evaluation | None:
    """What best play comes to, if that can be said at once."""
    evaluator = evaluator_for(ruleset, INSTANT)
    return evaluator.probe(Position(ruleset)) if evaluator.exact else None
