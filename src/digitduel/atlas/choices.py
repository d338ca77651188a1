"""What states are worth, and what each kind of player chooses from, as arrays over a layer."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from digitduel.atlas.graph import NONE, WON
from digitduel.solver.evaluation import ENDLESS, LOSSES, WINS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from digitduel.atlas.graph import Graph
    from digitduel.solver import Evaluation

T = TypeVar("T", np.bool_, np.int32, np.float64, np.complex128)

# A win in n plies scores BOUND - n, a loss in n plies n - BOUND, no end 0.
BOUND = 2**30


class Choice(NamedTuple):
    """What a player chooses from in each state, every move with the same chance."""

    child: NDArray[np.intp]  # (moves, states): where a move leads, NONE if it is not chosen
    share: NDArray[np.float64]  # the chance of each chosen move

    def mean(self, values: NDArray[T], won: complex, lost: complex) -> NDArray[T]:
        """What to expect of a move, given what the next states and the ends of a game are worth."""
        worth = extended(values, won, lost, 0)
        total: Any = worth.take(self.child[0])
        for child in self.child[1:]:
            total += worth.take(child)
        total *= self.share
        return cast("NDArray[T]", total)


class Layer:
    """The states of a layer: what they are worth, and what players choose from there."""

    def __init__(
        self, child: NDArray[np.intp], scores: NDArray[np.int32], wins_now: NDArray[np.bool_]
    ) -> None:
        """Made from the scores of the next layer, and from whether a move wins there at once."""
        self.child, self._next_wins_now = child, wins_now
        replies, least = _replies(child, scores)
        self.scores = _faded(-least)
        self.winning = count(replies < 0)  # how many moves win
        self.wins_now = (child == WON).any(axis=0)
        self._best = replies == least

    @property
    def evaluation(self) -> Evaluation:
        """What the first state of the layer is worth."""
        score = int(self.scores[0])
        if score > 0:
            return WINS[BOUND - score]
        return LOSSES[BOUND + score] if score else ENDLESS

    # Choices are as large as the layer and soon used: none of them is kept.

    @property
    def random(self) -> Choice:
        """Any move that there is."""
        return Choice(self.child, 1 / count(self.child != NONE))

    @property
    def casual(self) -> Choice:
        """A win at once if there is one, else what does not lose at once, else anything."""
        return self._choice(self._casual)

    @property
    def careful(self) -> Choice:
        """Of a casual player's moves those that leave no win at once, if there are any."""
        allows_a_win = extended(self._next_wins_now, False, False, False).take(self.child)
        quiet = self._casual & ~allows_a_win
        return self._choice(quiet | (self._casual & ~quiet.any(axis=0)))

    @property
    def optimal(self) -> Choice:
        """The quickest wins, else what keeps the game open, else the slowest losses."""
        return self._choice(self._best)

    @cached_property
    def _casual(self) -> NDArray[np.bool_]:
        goes_on, there = self.child >= 0, self.child != NONE
        safe = goes_on | (there & ~goes_on.any(axis=0))
        chosen: NDArray[np.bool_] = np.where(self.wins_now, self.child == WON, safe)
        return chosen

    def _choice(self, chosen: NDArray[np.bool_]) -> Choice:
        return Choice(np.where(chosen, self.child, NONE), 1 / count(chosen))


def layers_of(graph: Graph) -> list[Layer]:
    """All layers of a graph; the first is the empty number alone."""
    found: list[Layer] = []
    scores, wins_now = np.zeros(0, np.int32), np.zeros(0, bool)
    if graph.loops:
        scores, wins_now = _rounds(graph.layers[-1]), (graph.layers[-1] == WON).any(axis=0)
    for child in reversed(graph.layers):
        found.append(Layer(child, scores, wins_now))
        scores, wins_now = found[-1].scores, found[-1].wins_now
    return found[::-1]


def _rounds(child: NDArray[np.intp]) -> NDArray[np.int32]:
    """The scores of states that lead among themselves.

    A round finds those decided one ply farther from the end than the round before; what is left
    when a round finds none has no end.
    """
    scores = np.zeros(child.shape[1], np.int32)
    undecided = np.arange(len(scores))
    while undecided.size:
        _, least = _replies(child[:, undecided], scores)
        found = least != 0
        if not found.any():
            break
        scores[undecided[found]] = _faded(-least[found])
        undecided = undecided[~found]
    return scores


def _replies(
    child: NDArray[np.intp], scores: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The opponent's score after each move, and the least of them in each state."""
    # A game that I have won is one that the opponent has lost in 0 plies.
    replies = extended(scores, -BOUND, BOUND, BOUND + 1).take(child)
    return replies, replies.min(axis=0)


def _faded(scores: NDArray[np.int32]) -> NDArray[np.int32]:
    """Scores one step nearer to 0: the end is one ply farther away."""
    return scores - np.sign(scores)


def count(chosen: NDArray[np.bool_]) -> NDArray[np.int8]:
    """How many of the moves in each state; there are at most 20."""
    found: NDArray[np.int8] = chosen.sum(axis=0, dtype=np.int8)
    return found


def extended(values: NDArray[T], won: complex, lost: complex, none: complex) -> NDArray[T]:
    """Values of states, and at the end what WON, LOST and NONE stand for."""
    return np.concatenate([values, np.array([won, lost, none], values.dtype)])
