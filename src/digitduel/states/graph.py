"""Every state that play can reach, as arrays: where each move leads, layer by layer.

A state is (length or phase, how often each digit is used, number mod m), as in `shape`. Where the
number can be full, a layer holds the states of one length and leads to the next. Where it cannot,
there are two layers: the empty number, and all others, which lead among themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from digitduel.states.endings import (
    divides,
    grown,
    remainder,
    spoiled,
    stuck,
    sum_size,
    wins_full,
)
from digitduel.states.shape import Shape
from digitduel.states.vectors import keep_memory, vectors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from digitduel.ruleset import Ruleset
    from digitduel.states.vectors import Moves

    Array = NDArray[Any]

T = TypeVar("T", np.bool_, np.int32, np.float64, np.complex128)

# In the place of a state, counted from the end of an array: how a move ended the game for the
# player who made it (REACHED: won by a multiple of the target), or that there is no such move.
REACHED, WON, LOST, NONE = ENDS = -4, -3, -2, -1
# Up to this many places for each key, keys are numbered by ticking them off; beyond, by sorting.
DENSE = 64


@dataclass(frozen=True)
class Graph:
    """Where each move leads: `layers[k][j, s]` is the state of layer k + 1 after move j in s."""

    layers: list[NDArray[np.intp]]
    residues: list[Array]  # of each layer's states: the number mod m
    phase: NDArray[np.int64] | None = (
        None  # of each state in the last layer, if that leads to itself
    )
    sizes: list[NDArray[np.int8]] = field(default_factory=list)  # of each move's sum, if asked for
    weights: NDArray[np.int64] | int = 1  # how many states each state of the last layer stands for


def graph_of(ruleset: Ruleset, *, sums: bool = False) -> Graph:
    """The states of a rule set; `count_states` says before how many there may be.

    With `sums` there are also the sizes of the sums of its moves, where numbers fill up.
    """
    keep_memory()
    if ruleset.capacity is None:
        return _circle(ruleset)
    return _line(ruleset, ruleset.capacity, sums)


class _Steps:
    """Moves and endings on arrays of remainders."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.modulus = ruleset, ruleset.modulus
        self.shape = Shape.of(ruleset, every_count=True)
        self.vectors = vectors_of(self.shape)
        self.can_stick = ruleset.can_stick
        # Remainders are below this: short numbers never get as far as a large modulus.
        self.span = self.modulus
        if ruleset.capacity is not None and ruleset.capacity < 100:
            self.span = min(self.modulus, 10**ruleset.capacity)
        # A row and a remainder must fit one machine word; beyond that Python's own numbers do.
        rows = self.shape.count_vectors(ruleset.capacity or 0)
        self.dtype: Any = np.int64 if max(20, rows) * self.span < 2**62 else object

    def made(
        self, moves: Moves, rows: Array, residues: Array, place: Any
    ) -> Iterator[tuple[Array, Array]]:
        """For each move the key of the row it leads to, and the remainder of the longer number."""
        digits, below = moves.digits.T.astype(self.dtype), moves.rows.T.astype(self.dtype)
        # States are in order of their rows: to repeat is quicker than to look up.
        counts = np.bincount(rows, minlength=len(moves.digits))
        for move, (digit, key) in enumerate(zip(digits, below * self.span, strict=True)):
            left = None if move < moves.rights else place
            longer = grown(residues, digit.repeat(counts), left)
            yield key.repeat(counts), remainder(longer, self.modulus)

    def sizes(self, moves: Moves, rows: Array, residues: Array, place: int) -> NDArray[np.int8]:
        """For each move how large the sum is that it asks for."""
        sizes = np.empty((moves.digits.shape[1], len(rows)), np.int8)
        for move, digit in enumerate(moves.digits.T.astype(self.dtype)):
            left = None if move < moves.rights else place
            sizes[move] = sum_size(self.ruleset.target, residues, digit[rows], left)
        return sizes

    def mark_ends(
        self, keys: Array, residues: Array, before: Array, ends: range, full: bool
    ) -> None:
        """Where making these numbers, out of those before, ends the game, put the end for a key."""
        rules, (reached, won, lost, _) = self.ruleset, ends
        if full:
            keys[:] = lost
            if rules.full == "closest":
                np.putmask(keys, wins_full(rules, residues, before), won)
        # Of the modulus itself only 0 is a multiple: seen three times as fast.
        whole = rules.target == self.modulus
        np.putmask(keys, residues == 0 if whole else divides(rules.target, residues), reached)
        if rules.forbidden:
            np.putmask(keys, spoiled(rules.forbidden, residues), lost)


# --- Where the number can be full: a layer for each length. ---


def _line(ruleset: Ruleset, capacity: int, sums: bool) -> Graph:
    steps, layers, numbers, sizes = _Steps(ruleset), [], [], []
    rows, residues = np.zeros(1, np.int64), np.zeros(1, steps.dtype)
    for length in range(capacity):
        numbers.append(residues)
        if sums:
            moves, place = steps.vectors.moves(length), pow(10, length, steps.modulus)
            sizes.append(steps.sizes(moves, rows, residues, place))
        child, rows, residues = _next_layer(steps, length, rows, residues)
        layers.append(child)
    return Graph(layers, numbers, sizes=sizes)


def _next_layer(
    steps: _Steps, length: int, rows: Array, residues: Array
) -> tuple[NDArray[np.intp], Array, Array]:
    """Where the moves of a layer lead, and the states of the next one."""
    moves, span = steps.vectors.moves(length), steps.span
    full, size = length + 1 == steps.shape.capacity, moves.none * span
    place = pow(10, length, steps.modulus)
    keys = np.empty((moves.digits.shape[1], len(rows)), steps.dtype)
    for key, (row, residue) in zip(keys, steps.made(moves, rows, residues, place), strict=True):
        np.add(row, residue, out=key)
        # The four keys from `size` on stand for the ends.
        steps.mark_ends(key, residue, residues, range(size, size + len(ENDS)), full)
        if moves.gaps:
            np.putmask(key, row == size, size + len(ENDS) - 1)
    states, child = numbered(keys, size)
    rows, residues = (states // span).astype(np.int64), remainder(states, span)
    if steps.can_stick and not full:
        goes_on = ~_stuck(steps, length + 1, rows, residues)
        rows, residues = rows[goes_on], residues[goes_on]
        child = np.append(np.where(goes_on, np.cumsum(goes_on) - 1, WON), ENDS)[child]
    return child, rows, residues


def _stuck(steps: _Steps, length: int, rows: Array, residues: Array) -> NDArray[np.bool_]:
    """Whether whoever is to move in a state has lost without moving."""
    moves, place = steps.vectors.moves(length), pow(10, length, steps.modulus)
    numbers = (number for _, number in steps.made(moves, rows, residues, place))
    missing = ((leads == moves.none)[rows] for leads in moves.rows.T)
    return np.asarray(stuck(steps.ruleset.forbidden, numbers, missing))


# --- Where it cannot: every remainder in every phase of 10^length, as far as play gets. ---


def _circle(ruleset: Ruleset) -> Graph:
    steps, modulus = _Steps(ruleset), ruleset.modulus
    phases = steps.shape.phases(modulus)
    places = np.array(list(phases))
    after = np.array([phases.get(place * 10 % modulus, 0) for place in phases])
    start = _leads(steps, 0, np.zeros(1, np.int64), places, after)
    body = _leads(steps, 1, np.arange(len(places) * modulus), places, after)
    if steps.can_stick:
        # Whoever leaves the other only forbidden moves has won.
        lost = np.append((body == LOST).all(axis=0), [False] * len(ENDS))
        for child in (start, body):
            child[lost[child]] = WON
    seen = reach(start[start >= 0], body)
    index = np.append(np.cumsum(seen) - 1, ENDS)
    phase, residues = np.divmod(np.flatnonzero(seen), modulus)
    layers = [index[start], index[body[:, seen]]]
    return Graph(layers, [np.zeros(1, np.int64), residues], phase)


def merged(graph: Graph, ruleset: Ruleset) -> Graph:
    """The same, but in a circle the states whose moves lead to the same places are one state.

    With digits on the right that is decided by ten times the number.
    """
    if graph.phase is None or ruleset.ends != "right":
        return graph
    start, body = graph.layers
    ahead = 10 * graph.residues[1] % ruleset.modulus
    _, kept, index, weights = np.unique(
        ahead, return_index=True, return_inverse=True, return_counts=True
    )
    index = np.append(index, ENDS)
    layers = [index[start], index[body[:, kept]]]
    residues = [graph.residues[0], graph.residues[1][kept]]
    return Graph(layers, residues, graph.phase[kept], weights=weights)


def _leads(
    steps: _Steps, length: int, states: Array, places: Array, after: Array
) -> NDArray[np.intp]:
    """Where the moves of states lead; a state is a remainder in a phase, as one number."""
    moves, modulus = steps.vectors.moves(length), steps.modulus
    phase, residues = states // modulus, remainder(states, modulus)
    first, place = after[phase] * modulus, places[phase]
    child = np.empty((moves.digits.shape[1], len(states)), np.intp)
    row = np.zeros_like(states)
    for key, (_, residue) in zip(child, steps.made(moves, row, residues, place), strict=True):
        np.add(first, residue, out=key)
        steps.mark_ends(key, residue, residues, range(REACHED, NONE + 1), full=False)
    return child


# --- What both share. ---


def reach(starts: NDArray[np.intp], child: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which states play can get to from some of them, if these are the moves."""
    seen = np.zeros(child.shape[1], bool)
    frontier: NDArray[Any] = np.unique(starts)
    while frontier.size:
        seen[frontier] = True
        # One more place at the end is for all that is no state.
        ahead = np.zeros(len(seen) + 1, bool)
        ahead[np.maximum(child[:, frontier], -1)] = True
        frontier = np.flatnonzero(ahead[:-1] & ~seen)
    return seen


def extended(values: NDArray[T], won: Any, lost: Any, none: Any) -> NDArray[T]:
    """Values of states, and at the end what REACHED and WON, LOST and NONE stand for."""
    ends = np.array([won, won, lost, none], values.dtype)
    return np.concatenate([values, ends])


def numbered(keys: NDArray[Any], size: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The different keys in order, and for each key where it is among them.

    The four keys from `size` on are no states: they become REACHED, WON, LOST and NONE.

    >>> numbered(np.array([7, 3, 13, 7]), size=10)
    (array([3, 7]), array([ 1,  0, -1,  1]))
    """
    if keys.dtype == object or size > DENSE * keys.size:
        every, index = np.unique(keys, return_inverse=True)
        states = every[every < size]
        places = np.append(
            np.arange(len(states)), (every[len(states) :] - size - len(ENDS)).astype(np.intp)
        )
        return states, places[index.reshape(keys.shape)]
    place = np.zeros(size + len(ENDS), np.intp)
    place[keys.ravel()] = 1
    states = np.flatnonzero(place[:size] != 0)
    place[states] = np.arange(len(states))
    place[size:] = ENDS
    return states, place.take(keys)
