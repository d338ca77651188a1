"""Who wins, and after how many moves, when players choose as the four kinds do: exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from digitduel.atlas.choices import Choice, Layer

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


def choice(layer: Layer, kind: str) -> Choice:
    """What a kind of player chooses from in the states of a layer."""
    found: Choice = getattr(layer, kind)
    return found


def pairings(layers: list[Layer]) -> Pairings:
    """The chances where every game ends."""
    return Pairings(
        {kind: _chances(layers, kind, kind) for kind in KINDS},
        {kind: _chances(layers, "optimal", kind) for kind in THINKING},
        {kind: _length(layers, kind) for kind in THINKING},
    )


def _chances(layers: list[Layer], mine: str, other: str) -> Chances:
    """My chances against another: one pass, from the last layer back."""
    # In each state: my chance if I am to move, and if the other is.
    me = they = np.zeros(0)
    for layer in reversed(layers):
        me, they = (
            choice(layer, mine).mean(they, won=1, lost=0),
            choice(layer, other).mean(me, won=0, lost=1),
        )
    return Chances(float(me[0]), float(they[0]))


def _length(layers: list[Layer], kind: str) -> float:
    moves = np.zeros(0)
    for layer in reversed(layers):
        moves = 1 + choice(layer, kind).mean(moves, won=0, lost=0)
    return float(moves[0])
