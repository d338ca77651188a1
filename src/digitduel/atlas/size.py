"""How large the arrays of the atlas would be, said before they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.errors import TooLargeError
from digitduel.states.shape import Shape, count_phases

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

# Moves that fit: about two gigabytes, and less in circles, where the chances are linear systems.
MOST_MOVES, MOST_MOVES_IN_CIRCLES = 10**8, 4 * 10**7


def shape_of(ruleset: Ruleset) -> Shape:
    """Which moves there are. Counts belong to a state even if no digit can be used up."""
    return Shape(ruleset.digits, ruleset.uses, ruleset.ends, ruleset.leading_zero, ruleset.capacity)


def count_states(ruleset: Ruleset) -> int:
    """How many states there are at most."""
    shape, capacity, modulus = shape_of(ruleset), ruleset.capacity, ruleset.modulus
    if capacity is None:
        return modulus * (1 if ruleset.ends == "right" else count_phases(modulus))
    rows = shape.count_vectors(capacity - 1) if shape.uses else capacity
    return min(rows * modulus, shape.count_lines()[0])


def refuse_if_too_large(ruleset: Ruleset) -> None:
    """TooLargeError, in words, for a rule set with more moves than can be measured."""
    moves = count_states(ruleset) * len(ruleset.digits) * (2 if ruleset.ends == "both" else 1)
    most = MOST_MOVES_IN_CIRCLES if ruleset.capacity is None else MOST_MOVES
    if moves > most:
        raise TooLargeError(
            f"measuring {ruleset.key} with target {ruleset.target} would take {moves:,} moves in "
            f"memory, but {most:,} is the most: choose a smaller target, a shorter limit or fewer "
            "digits, or ask for the columns value, plies and winning_first_moves alone."
        )
