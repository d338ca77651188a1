"""How hard a puzzle is before anybody has played it: exact chances of players by sight.

A player with sight k sees what each move leads to within k plies. It takes the quickest win it
sees, else a move it cannot judge, else the slowest loss, evenly among equals (`atlas.policies`
has the same for all states at once).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, prod
from typing import TYPE_CHECKING

from digitduel.atlas.sights import SIGHTS
from digitduel.solver import Evaluation, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from digitduel.learn.lines import OnlyMove, PuzzleLine

DIFFICULTIES = range(1, 6)  # what a puzzle may be: 1 is easy, 5 is hard
USUAL_SUMS = 2  # which make a puzzle neither harder nor easier
UNSEEN = Evaluation(Value.UNKNOWN)


def chance(step: OnlyMove, sight: int) -> Fraction:
    """The chance that a player of some sight makes the winning move."""
    looks = {move: _seen(worth, sight).merit for move, worth in step.values.items()}
    best = max(looks.values())
    chosen = [move for move, merit in looks.items() if merit == best]
    return Fraction(step.move in chosen, len(chosen))


def _seen(worth: Evaluation, sight: int) -> Evaluation:
    return UNSEEN if worth.plies is None or worth.plies > sight else worth


def chances(line: PuzzleLine) -> tuple[Fraction, ...]:
    """The chances that players of sights 0 to 6 solve the whole line."""
    return tuple(
        prod((chance(step, sight) for step in line.steps), start=Fraction(1)) for sight in SIGHTS
    )


def sight_needed(line: PuzzleLine) -> int:
    """The least sight that solves the line for certain."""
    return max(map(_needed, line.steps))


def _needed(step: OnlyMove) -> int:
    """To see that a move wins, or that all others lose; what never ends is never seen to."""
    lost = [worth.plies for worth in step.others if worth.plies is not None]
    return min(step.plies, max(lost)) if len(lost) == len(step.others) else step.plies


def hardness(sight: int, chances: Sequence[Fraction], sums: int) -> Fraction:
    """How hard a puzzle is, from 0 on: from the sight it takes, who misses it, and its `sums`.

    A third of the sight, a third of how many of seven players miss it (one of each sight from 0
    to 6, on average), and half a step for each step by which its sums are above the usual 2.

    >>> hardness(4, [Fraction(1, 4)] * 4 + [Fraction(1)] * 3, sums=3)
    Fraction(17, 6)
    """
    missed = sum(1 - solved for solved in chances)
    return Fraction(sight + missed) / 3 + Fraction(sums - USUAL_SUMS, 2)


def difficulty(hardness: Fraction) -> int:
    """The same as people see it, from 1 to 5: rounded, and what is beyond is 5.

    >>> [difficulty(Fraction(hard, 2)) for hard in (0, 2, 3, 5, 12)]
    [1, 1, 2, 3, 5]
    """
    return min(max(floor(hardness + Fraction(1, 2)), DIFFICULTIES[0]), DIFFICULTIES[-1])
