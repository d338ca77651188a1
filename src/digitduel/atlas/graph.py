"""Every state that play can reach, as arrays: where each move leads, layer by layer.

A state is (length or phase, how often each digit is used, number mod m), as in `solve`. Where the
number can be full, a layer holds the states of one length and leads to the next. Where it cannot,
there are two layers: the empty number, and all others, which lead among themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from digitduel.atlas.size import refuse_if_too_large, shape_of
from digitduel.solve.shape import can_stick, phases
from digitduel.solve.vectors import vectors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from digitduel.ruleset import Ruleset
    from digitduel.solve.vectors import Moves

# In the place of a state, counted from the end of an array: how a move ended the game for the
# player who made it, or that there is no such move.
WON, LOST, NONE = -3, -2, -1
# Up to this many places for each key, keys are numbered by ticking them off; beyond, by sorting.
DENSE = 64


@dataclass(frozen=True)
class Graph:
    """Where each move leads: `layers[k][j, s]` is the state of layer k + 1 after move j in s."""

    layers: list[NDArray[np.int32]]
    phase: NDArray[np.int64] | None = None  # of each state in the last layer, if that is a circle

    @property
    def loops(self) -> bool:
        """Whether the last layer leads to itself."""
        return self.phase is not None


def graph_of(ruleset: Ruleset) -> Graph:
    """The states of a rule set; TooLargeError if there are too many."""
    refuse_if_too_large(ruleset)
    return _circle(ruleset) if ruleset.capacity is None else _line(ruleset, ruleset.capacity)


class _Rules:
    """The rules on arrays of remainders."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.modulus = ruleset, ruleset.modulus
        self.shape = shape_of(ruleset)
        self.vectors = vectors_of(self.shape)
        self.can_stick = can_stick(ruleset)
        # Remainders are below this: short numbers never get as far as a large modulus.
        self.span = self.modulus
        if ruleset.capacity is not None and ruleset.capacity < 100:
            self.span = min(self.modulus, 10**ruleset.capacity)
        # A row and a remainder must fit one machine word; beyond that Python's own numbers do.
        rows = self.shape.count_vectors(ruleset.capacity or 0)
        self.dtype: Any = np.int64 if max(20, rows) * self.span < 2**62 else object

    def grown(
        self, moves: Moves, rows: NDArray[Any], residues: NDArray[Any], place: Any
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
        """For each move the row it leads to, and the remainder of the longer number."""
        tens = remainder(10 * residues, self.modulus) if moves.rights else residues
        for move in range(moves.digits.shape[1]):
            digit = moves.digits[rows, move].astype(self.dtype, copy=False)
            longer = tens + digit if move < moves.rights else residues + digit * place
            yield moves.rows[rows, move], remainder(longer, self.modulus)

    def spoiled(self, residues: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether a forbidden divisor divides each number."""
        found = np.zeros(residues.shape, bool)
        for divisor in self.ruleset.forbidden:
            found |= (remainder(residues, divisor) == 0).astype(bool)
        return found

    def endings(self, residues: NDArray[Any], before: NDArray[Any], full: bool) -> NDArray[np.int8]:
        """How making these numbers, out of those before, ends the game; 0 where it goes on."""
        target = self.ruleset.target
        ended = np.where(remainder(residues, target) == 0, WON, 0).astype(np.int8)
        if full:
            closer = np.zeros(residues.shape, bool)
            if self.ruleset.full == "closest":
                closer = (self._distance(residues) < self._distance(before)).astype(bool)
            ended[ended == 0] = LOST
            ended[closer] = WON
        ended[self.spoiled(residues)] = LOST
        return ended

    def _distance(self, residues: NDArray[Any]) -> NDArray[Any]:
        target = self.ruleset.target
        rest = remainder(residues, target)
        return rest if target >> 62 else np.minimum(rest, target - rest)


# --- Where the number can be full: a layer for each length. ---


def _line(ruleset: Ruleset, capacity: int) -> Graph:
    rules, layers = _Rules(ruleset), []
    rows, residues = np.zeros(1, np.int64), np.zeros(1, rules.dtype)
    for length in range(capacity):
        child, rows, residues = _next_layer(rules, length, rows, residues)
        layers.append(child)
    return Graph(layers)


def _next_layer(
    rules: _Rules, length: int, rows: NDArray[Any], residues: NDArray[Any]
) -> tuple[NDArray[np.int32], NDArray[Any], NDArray[Any]]:
    """Where the moves of a layer lead, and the states of the next one."""
    moves, below = rules.vectors.moves(length), rules.vectors.size(length + 1)
    full, span = length + 1 == rules.shape.capacity, rules.span
    place = pow(10, length, rules.modulus)
    child = np.empty((moves.digits.shape[1], len(rows)), np.int32)
    keys = np.empty(child.shape, rules.dtype)
    for move, (row, residue) in enumerate(rules.grown(moves, rows, residues, place)):
        child[move] = rules.endings(residue, residues, full)
        child[move][row == below] = NONE
        keys[move] = row.astype(rules.dtype) * span + residue
    goes_on = child == 0
    found, index = numbered(keys[goes_on], below * span)
    rows, residues = (found // span).astype(np.int64), remainder(found, span)
    if rules.can_stick and not full:
        stuck = _stuck(rules, length + 1, rows, residues)
        rows, residues = rows[~stuck], residues[~stuck]
        index = np.where(stuck, WON, np.cumsum(~stuck) - 1)[index]
    child[goes_on] = index
    return child, rows, residues


def _stuck(
    rules: _Rules, length: int, rows: NDArray[Any], residues: NDArray[Any]
) -> NDArray[np.bool_]:
    """Whether every move from a state is forbidden: then it has been lost without moving."""
    moves, below = rules.vectors.moves(length), rules.vectors.size(length + 1)
    stuck = np.ones(len(rows), bool)
    for row, residue in rules.grown(moves, rows, residues, pow(10, length, rules.modulus)):
        stuck &= (row == below) | rules.spoiled(residue)
    return stuck


# --- Where it cannot: every remainder in every phase of 10^length, as far as play gets. ---


def _circle(ruleset: Ruleset) -> Graph:
    rules, modulus = _Rules(ruleset), ruleset.modulus
    places = np.array(list(phases(modulus)) if ruleset.ends != "right" else [1])
    after = np.arange(1, len(places) + 1)
    after[-1] = np.flatnonzero(places == places[-1] * 10 % modulus)[0] if len(places) > 1 else 0
    start = _leads(rules, 0, np.zeros(1, np.int64), places, after)
    body = _leads(rules, 1, np.arange(len(places) * modulus), places, after)
    if rules.can_stick:
        # Whoever leaves the other only forbidden moves has won.
        stuck = np.concatenate([(body == LOST).all(axis=0), [False] * 3])
        for child in (start, body):
            child[stuck[child]] = WON
    seen = reach(start[start >= 0], body)
    index = np.cumsum(seen, dtype=np.int32) - 1
    index = np.concatenate([index, np.array([WON, LOST, NONE], np.int32)])
    return Graph([index[start], index[body[:, seen]]], np.flatnonzero(seen) // modulus)


def _leads(
    rules: _Rules,
    length: int,
    states: NDArray[np.int64],
    places: NDArray[np.int64],
    after: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Where the moves of states lead; a state is a remainder in a phase, as one number."""
    moves, modulus = rules.vectors.moves(length), rules.modulus
    phase, residues = states // modulus, remainder(states, modulus)
    first, place = after[phase] * modulus, places[phase]
    child = np.empty((moves.digits.shape[1], len(states)), np.int32)
    row = np.zeros_like(states)
    for move, (_, residue) in enumerate(rules.grown(moves, row, residues, place)):
        ended = rules.endings(residue, residues, full=False)
        child[move] = np.where(ended == 0, first + residue, ended)
    return child


# --- What both share. ---


def reach(starts: NDArray[np.int32], child: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which states play can get to from some of them, if these are the moves."""
    seen = np.zeros(child.shape[1], bool)
    frontier: NDArray[Any] = np.unique(starts)
    while frontier.size:
        seen[frontier] = True
        # One more place at the end is for all that is no state.
        ahead = np.zeros(len(seen) + 1, bool)
        for move in child:
            ahead[np.maximum(move[frontier], -1)] = True
        frontier = np.flatnonzero(ahead[:-1] & ~seen)
    return seen


def remainder(numbers: NDArray[Any], divisor: int) -> NDArray[Any]:
    """Numbers mod a divisor; for machine words several times as fast as `%`."""
    if numbers.dtype == object:
        return numbers % divisor
    return numbers if divisor >> 62 else numbers - numbers // divisor * divisor


def numbered(keys: NDArray[Any], size: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The different keys in order, and where each key is among them.

    >>> numbered(np.array([7, 3, 7]), size=10)
    (array([3, 7]), array([1, 0, 1], dtype=int32))
    """
    if keys.dtype == object or size > DENSE * len(keys):
        found, index = np.unique(keys, return_inverse=True)
        return found, index.astype(np.int32)
    place = np.zeros(size, np.int32)
    place[keys] = 1
    found = np.flatnonzero(place)
    place[found] = np.arange(len(found), dtype=np.int32)
    return found, place[keys]
