"""The same chances where a game may never end: Markov chains, solved as linear systems.

The chances of winning are the least solution of x = gain + matrix x. Where no end can be reached
they are 0, and once those states are cut out there is only one solution.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import LinearOperator, gmres, spsolve
from threadpoolctl import threadpool_limits

from digitduel.atlas.pairings import KINDS, THINKING, Chances, Pairings, policy
from digitduel.atlas.policies import Policy
from digitduel.states.graph import LOST, WON, reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from digitduel.atlas.policies import PolicyLayer

    Numbers = NDArray[np.float64]

# A solution is good when what is left of the equations is this small beside it.
PRECISION = 1e-13


# --- Chains in general. ---


class Block(NamedTuple):
    """What leads from one phase of a circle to the next."""

    rows: slice
    columns: slice
    matrix: csr_array


class Chain:
    """The states that play goes through, until it ends or is caught where there is no end."""

    def __init__(
        self,
        play: Policy,
        starts: NDArray[np.intp],  # the states that play begins with
        phase: NDArray[np.int64],  # which part of the circle a state belongs to
    ) -> None:
        reached = np.flatnonzero(reach(starts, play.child))
        reached = reached[np.argsort(phase[reached], kind="stable")]
        matrix = _matrix(play, reached)
        ends = ((play.child[:, reached] == WON) | (play.child[:, reached] == LOST)).any(axis=0)
        live = _live(matrix, ends)
        self.may_go_on = not live.all()
        self.states, self.size = reached[live], len(phase)
        self.matrix = matrix[live][:, live] if self.may_go_on else matrix
        self._blocks = list(_blocks(self.matrix, phase[self.states]))

    def solve(self, gain: Numbers, sign: int = 1) -> Numbers:
        """The solution of x = gain + sign * matrix x; 0 in states that are not of the chain."""
        found = np.zeros(self.size)
        if self._blocks:
            found[self.states] = self._solve(gain[self.states], sign)
        return found

    def _solve(self, gain: Numbers, sign: int) -> Numbers:
        # Once round the circle depends only on what the last phase leads to: that is unknown.
        phase = self._blocks[-1].columns
        nothing = np.zeros(phase.stop - phase.start)
        x = self._round(nothing, gain, sign)
        if not nothing.size:
            return x
        silent = np.zeros_like(gain)
        system = LinearOperator(
            (len(nothing), len(nothing)),
            lambda z: z - self._round(z.ravel(), silent, sign)[phase],
            dtype=float,
        )
        z, error = nothing, np.inf
        # Solve, then solve for what is left of the equations, as long as that gets smaller.
        while (after := self._error(z, x[phase])) < error / 2:
            error = after
            z = z + gmres(system, x[phase] - z, rtol=1e-8, restart=100, maxiter=10)[0]
            x = self._round(z, gain, sign)
        if after <= PRECISION:
            return x
        return np.atleast_1d(spsolve(eye_array(len(gain)) - sign * self.matrix, gain))

    @staticmethod
    def _error(z: Numbers, again: Numbers) -> float:
        """How far a phase comes out different after once round the circle."""
        return float(abs(again - z).max() / max(1.0, abs(z).max()))

    def _round(self, z: Numbers, gain: Numbers, sign: int) -> Numbers:
        """All states worked out once round the circle, backwards from what it leads to."""
        x = np.empty_like(gain)
        x[self._blocks[-1].columns] = z
        for rows, columns, matrix in reversed(self._blocks):
            x[rows] = gain[rows] + sign * (matrix @ x[columns])
        return x


def _matrix(play: Policy, states: NDArray[np.int64]) -> csr_array:
    """The chances of going from state to state, among these only."""
    place = np.empty(play.child.shape[1], np.int32)
    place[states] = np.arange(len(states), dtype=np.int32)
    child = play.child.T[states]
    goes_on = child >= 0
    counts = goes_on.sum(axis=1)
    pointers = np.concatenate([[0], np.cumsum(counts)])
    entries = np.repeat(play.share[states], counts)
    return csr_array((entries, place[child[goes_on]], pointers), (len(states), len(states)))


def _live(matrix: csr_array, ends: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The states from which an end can be reached."""
    live, count = ends, -1
    while count != live.sum():
        count = live.sum()
        live = live | (matrix @ live.astype(float) > 0)
    return live


def _blocks(matrix: csr_array, phase: NDArray[np.int64]) -> Iterator[Block]:
    """The matrix cut by phases, which its states are sorted by."""
    firsts = [*np.flatnonzero(np.diff(phase, prepend=-1)).tolist(), len(phase)]
    for first, last in pairwise(firsts):
        part = matrix[first:last]
        # A phase leads to the next one only.
        columns = slice(part.indices.min(), part.indices.max() + 1) if part.nnz else slice(0, 0)
        yield Block(slice(first, last), columns, part[:, columns])


# --- Chains of players. ---


def pairings(layers: list[PolicyLayer], phase: NDArray[np.int64]) -> Pairings:
    """The chances where the second of two layers leads to itself."""
    with threadpool_limits(1):  # sums must not depend on how many threads there are
        equal, length = {}, {}
        for kind in KINDS:
            equal[kind], length[kind] = _between_equals(layers, phase, kind)
        optimal = {kind: _against(layers, phase, kind) for kind in THINKING}
    return Pairings(equal, optimal, {kind: length[kind] for kind in THINKING})


def _between_equals(
    layers: list[PolicyLayer], phase: NDArray[np.int64], kind: str
) -> tuple[Chances, float | None]:
    """The chances of two players of a kind, and the moves to expect."""
    start, nothing = policy(layers[0], kind), np.zeros(len(phase))
    if not _ahead(start).size:  # the first move ends every game
        return _both_seats(start, start, nothing, nothing), 1.0
    body = policy(layers[1], kind)
    chain = Chain(body, _ahead(start), phase)
    won, lost = _at_once(body, WON), _at_once(body, LOST)
    # The mover's chance and the other's: their sum is the chance of an end, and their difference
    # changes its sign with every move.
    total = chain.solve(won + lost) if chain.may_go_on else np.ones(chain.size)
    lead = chain.solve(won - lost, sign=-1)
    chances = _both_seats(start, start, (total + lead) / 2, (total - lead) / 2)
    if chain.may_go_on:
        return chances, None
    moves = chain.solve(np.ones(chain.size))
    return chances, float(1 + start.mean(moves, won=0, lost=0)[0])


def _against(layers: list[PolicyLayer], phase: NDArray[np.int64], kind: str) -> Chances:
    """The chances of an optimal player against one of a kind."""
    my_start, their_start = policy(layers[0], "optimal"), policy(layers[0], kind)
    size, nothing = len(phase), np.zeros(len(phase))
    starts = np.concatenate([_ahead(my_start) + size, _ahead(their_start)])
    if not starts.size:
        return _both_seats(my_start, their_start, nothing, nothing)
    me, they = policy(layers[1], "optimal"), policy(layers[1], kind)
    # Each state twice: first with me to move, then with the other.
    both = Policy(
        np.concatenate([np.where(me.child < 0, me.child, me.child + size), they.child], axis=1),
        np.concatenate([me.share, they.share]),
    )
    gain = np.concatenate([_at_once(me, WON), _at_once(they, LOST)])
    found = Chain(both, starts, np.tile(phase, 2)).solve(gain)
    return _both_seats(my_start, their_start, found[:size], found[size:])


def _both_seats(mine: Policy, theirs: Policy, me: Numbers, they: Numbers) -> Chances:
    """My chances, given in each state what they are if I am to move and if the other is."""
    first, second = mine.mean(they, won=1, lost=0), theirs.mean(me, won=0, lost=1)
    return Chances(float(first[0]), float(second[0]))


def _ahead(start: Policy) -> NDArray[np.intp]:
    """The states that the first move can lead to."""
    return start.child[start.child >= 0]


def _at_once(play: Policy, ending: int) -> Numbers:
    """The chance that a game ends so with the next move."""
    chance: Numbers = (play.child == ending).sum(axis=0) * play.share
    return chance
