"""What each kind of player chooses from, as arrays over the states of a layer."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from digitduel.solver.retrograde import move_values, retrograde
from digitduel.states.graph import NONE, WON, extended

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from digitduel.solver.retrograde import Scores
    from digitduel.states.graph import Graph, T


class Policy(NamedTuple):
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


class PolicyLayer:
    """The states of a layer: how many moves win, and what players choose from there."""

    def __init__(
        self, child: NDArray[np.intp], scores: Scores, next_wins_now: NDArray[np.bool_]
    ) -> None:
        """Made from its scores, and from whether a move wins at once in the next layer's states."""
        self.child, self._next_wins_now = child, next_wins_now
        self.winning = count(scores.replies < 0)  # how many moves win
        self.wins_now = wins_now(child)
        self.first_moves = move_values(scores.replies[:, :1])  # of its first state
        self._best = scores.replies == scores.least

    # Policies are as large as the layer and soon used: none of them is kept.

    @property
    def random(self) -> Policy:
        """Any move that there is."""
        return Policy(self.child, 1 / count(self.child != NONE))

    @property
    def casual(self) -> Policy:
        """A win at once if there is one, else what does not lose at once, else anything."""
        return self._among(self._casual)

    @property
    def careful(self) -> Policy:
        """Of a casual player's moves those that leave no win at once, if there are any."""
        allows_a_win = extended(self._next_wins_now, False, False, False).take(self.child)
        quiet = self._casual & ~allows_a_win
        return self._among(quiet | (self._casual & ~quiet.any(axis=0)))

    @property
    def optimal(self) -> Policy:
        """The quickest wins, else what keeps the game open, else the slowest losses."""
        return self._among(self._best)

    @cached_property
    def _casual(self) -> NDArray[np.bool_]:
        goes_on, there = self.child >= 0, self.child != NONE
        safe = goes_on | (there & ~goes_on.any(axis=0))
        chosen: NDArray[np.bool_] = np.where(self.wins_now, self.child == WON, safe)
        return chosen

    def _among(self, chosen: NDArray[np.bool_]) -> Policy:
        return Policy(np.where(chosen, self.child, NONE), 1 / count(chosen))


def layers_of(graph: Graph) -> list[PolicyLayer]:
    """All layers of a graph; the first is the empty number alone."""
    layers: list[PolicyLayer] = []
    next_wins = wins_now(graph.layers[-1]) if graph.loops else np.zeros(0, bool)
    for child, scores in zip(reversed(graph.layers), retrograde(graph), strict=True):
        layers.append(PolicyLayer(child, scores, next_wins))
        next_wins = layers[-1].wins_now
    return layers[::-1]


def wins_now(child: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether a move wins at once in each state."""
    some: NDArray[np.bool_] = (child == WON).any(axis=0)
    return some


def count(chosen: NDArray[np.bool_]) -> NDArray[np.int8]:
    """How many of the moves in each state; there are at most 20."""
    counts: NDArray[np.int8] = chosen.sum(axis=0, dtype=np.int8)
    return counts
