"""Who wins, and after how many moves, when players choose as the four kinds do: exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from digitduel.atlas.policies import Policy, PolicyLayer

KINDS = ("random", "casual", "careful")
# Between these a game's length counts, and against these an optimal player's chances.
THINKING = ("casual", "careful")


class Chances(NamedTuple):
    """A player's chances of winning in either seat."""

    first: float
    second: float


class Pairings(NamedTuple):
    """What comes of games between two kinds of players."""

    equal: dict[str, Chances]  # both of the same kind
    optimal: dict[str, Chances]  # of an optimal player against this kind
    length: dict[str, float | None]  # moves to expect between equals; None if it may never end


def policy(layer: PolicyLayer, kind: str) -> Policy:
    """What a kind of player chooses from in the states of a layer."""
    chosen: Policy = getattr(layer, kind)
    return chosen


def pairings(layers: list[PolicyLayer]) -> Pairings:
    """The chances where every game ends: one pass, from the last layer back."""
    # To look a state up takes longer than to add, so two figures travel as one complex number.
    # Between equals: the chance of whoever is to move, and the moves to expect where they count.
    move = {kind: 1j if kind in THINKING else 0.0 for kind in KINDS}
    equal = {kind: np.zeros(0, type(move[kind])) for kind in KINDS}
    # An optimal player's chance, to move, against a casual and against a careful player.
    mine = np.zeros(0, complex)
    # The same if the other is to move.
    theirs = dict.fromkeys(THINKING, np.zeros(0))
    for layer in reversed(layers):
        against = dict(zip(THINKING, (mine.real, mine.imag), strict=True))
        mine = layer.optimal.mean(_paired(*theirs.values()), won=1 + 1j, lost=0)
        for kind in KINDS:
            play = policy(layer, kind)
            equal[kind] = play.mean(_turned(equal[kind]), won=1, lost=0)
            equal[kind] += move[kind]
            if kind in THINKING:
                theirs[kind] = play.mean(against[kind], won=0, lost=1)
    against = dict(zip(THINKING, (mine.real, mine.imag), strict=True))
    return Pairings(
        {kind: Chances(*_both(equal[kind][0].real)) for kind in KINDS},
        {kind: Chances(float(against[kind][0]), float(theirs[kind][0])) for kind in THINKING},
        {kind: float(equal[kind][0].imag) for kind in THINKING},
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


def _both(chance: float) -> tuple[float, float]:
    """A player's chance, and the other's: somebody wins."""
    return float(chance), float(1 - chance)
