"""Players by sight: what they choose from, as arrays over the states of a layer.

A player with sight k sees what each move leads to within k plies. It takes the quickest win it
sees, else a move it cannot judge, else the slowest loss, evenly among equals. Sight 0 is random,
1 casual, 2 careful; an optimal player sees everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from digitduel.atlas.sights import OPTIMAL as OPTIMAL
from digitduel.atlas.sights import SIGHTS as SIGHTS
from digitduel.solver.retrograde import BOUND, move_values, retrograde
from digitduel.states.graph import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from digitduel.solver.retrograde import Scores
    from digitduel.states.graph import Graph

# How a move looks: a win in n plies is n - FAR, a loss in n is FAR - n, and what is farther is 0.
FAR = OPTIMAL + 1
GIVES_A_WIN = FAR - 2  # a loss in two plies; one at once is beyond it


class Policy(NamedTuple):
    """What a player chooses from in each state, every move with the same chance."""

    child: NDArray[np.intp]  # (moves, states): where a move leads, NONE if it is not chosen
    counts: NDArray[np.int8]  # how many moves are chosen


class PolicyLayer:
    """The states of a layer: how many moves win, and what players choose from there."""

    def __init__(self, child: NDArray[np.intp], scores: Scores) -> None:
        self.child = child
        self.winning = count(scores.replies < 0)  # how many moves win
        self.first_moves = move_values(scores.replies[:, :1])  # of its first state
        self._best = scores.replies == scores.least
        self._looks = looks(scores.replies)
        self._far = np.absolute(self._looks)
        self._least = self._looks.min(axis=0)

    # Policies are as large as the layer and soon used: none of them is kept.

    def policy(self, sight: int) -> Policy:
        """What a player of some sight chooses from, or the OPTIMAL one."""
        chosen = self.chosen(sight)
        return Policy(np.where(chosen, self.child, NONE), count(chosen))

    def chosen(self, sight: int) -> NDArray[np.bool_]:
        """Which moves such a player chooses from."""
        if sight >= OPTIMAL:
            best: NDArray[np.bool_] = self._best
            return best
        seen = FAR - sight
        unjudged = self._far < seen
        # A win that is seen is taken; where all that there is loses in sight, the slowest loss.
        undecided = unjudged.any(axis=0) & (self._least > -seen)
        return np.where(undecided, unjudged, self._looks == self._least)

    @property
    def forced(self) -> NDArray[np.bool_]:
        """Whether at most one move does not lose at once or give a win at once."""
        return count(self._looks < GIVES_A_WIN) <= 1


def looks(replies: NDArray[np.int32]) -> NDArray[np.int8]:
    """How moves look to whoever sees OPTIMAL plies ahead, from what they leave the opponent.

    >>> looks(np.array([-BOUND, 3 - BOUND, 50 - BOUND, 0, BOUND - 1, BOUND, BOUND + 1], np.int32))
    array([-7, -4,  0,  0,  6,  7,  8], dtype=int8)
    """
    near = BOUND - OPTIMAL
    return (replies - np.clip(replies, -near, near)).astype(np.int8)


def layers_of(graph: Graph) -> list[PolicyLayer]:
    """All layers of a graph; the first is the empty number alone."""
    return list(backwards(graph))[::-1]


def backwards(graph: Graph) -> Iterator[PolicyLayer]:
    """The layers from the last one back."""
    for child, scores in zip(reversed(graph.layers), retrograde(graph), strict=True):
        yield PolicyLayer(child, scores)


def count(chosen: NDArray[np.bool_]) -> NDArray[np.int8]:
    """How many of the moves in each state; there are at most 20."""
    counts: NDArray[np.int8] = chosen.sum(axis=0, dtype=np.int8)
    return counts
