"""Players of four kinds: what they choose from, as arrays over the states of a layer.

And who wins, and after how many moves, when two of them meet: exactly, where every game ends.
"""

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


KINDS = ("random", "casual", "careful")
# Between these a game's length counts, and against these an optimal player's chances.
COMPARED = ("casual", "careful")


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

    def policy(self, kind: str) -> Policy:
        """What a kind of player chooses from."""
        chosen: Policy = getattr(self, kind)
        return chosen

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
    next_wins = wins_now(graph.layers[-1]) if graph.phase is not None else np.zeros(0, bool)
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


class Chances(NamedTuple):
    """A player's chances of winning in either seat."""

    first: float
    second: float


class Pairings(NamedTuple):
    """What comes of games between two kinds of players."""

    equal: dict[str, Chances]  # both of the same kind
    optimal: dict[str, Chances]  # of an optimal player against this kind
    length: dict[str, float | None]  # moves to expect between equals; None if it may never end


def pairings(layers: list[PolicyLayer]) -> Pairings:
    """The chances where every game ends: one pass, from the last layer back."""
    # To look a state up takes longer than to add, so two figures travel as one complex number.
    # Between equals: the chance of whoever is to move, and the moves to expect where they count.
    move = {kind: 1j if kind in COMPARED else 0.0 for kind in KINDS}
    equal = {kind: np.zeros(0, type(move[kind])) for kind in KINDS}
    # An optimal player's chance against a thinking one: if the optimal one is to move, if not.
    mine, theirs = (dict.fromkeys(COMPARED, np.zeros(0)) for _ in range(2))
    for layer in reversed(layers):
        both = layer.optimal.mean(_paired(*theirs.values()), won=1 + 1j, lost=0)
        for kind in KINDS:
            play = layer.policy(kind)
            equal[kind] = play.mean(_turned(equal[kind]), won=1, lost=0)
            equal[kind] += move[kind]
            if kind in COMPARED:
                theirs[kind] = play.mean(mine[kind], won=0, lost=1)
        mine = dict(zip(COMPARED, (both.real, both.imag), strict=True))
    first = {kind: float(equal[kind][0].real) for kind in KINDS}
    return Pairings(
        {kind: Chances(chance, 1 - chance) for kind, chance in first.items()},
        {kind: Chances(float(mine[kind][0]), float(theirs[kind][0])) for kind in COMPARED},
        {kind: float(equal[kind][0].imag) for kind in COMPARED},
    )


def _turned(figures: NDArray[Any]) -> NDArray[Any]:
    """The chance of the other, and the same moves to expect; in place of what was there."""
    np.conjugate(figures, out=figures)
    np.subtract(1, figures, out=figures)
    return figures


def _paired(real: NDArray[np.float64], imaginary: NDArray[np.float64]) -> NDArray[np.complex128]:
    paired = np.empty(len(real), complex)
    paired.real, paired.imag = real, imaginary
    return paired
