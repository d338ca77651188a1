"""The same chances where a game may never end: Markov chains, solved as linear systems.

A player chooses from `counts` moves, of which `gain` win and the others lead to other states. So
the chances of winning are the least solution of counts x = gain + leads x. Where no end can be
reached they are 0, and once those states are cut out there is only one solution.

Sums of floats depend on the machine, and all these numbers are whole. So a solution is a sum of
parts, each in few enough bits that what it leaves of the equations is worked out exactly, and the
next part solves for that. What comes out is the solution, rounded, whatever machine got there.
"""

from __future__ import annotations

from itertools import pairwise
from math import frexp
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array
from scipy.sparse.linalg import LinearOperator, gmres, spsolve
from threadpoolctl import threadpool_limits

from digitduel.atlas.policies import COMPARED, KINDS, Chances, Pairings, Policy, count
from digitduel.states.graph import LOST, WON, reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from digitduel.atlas.policies import PolicyLayer

    Numbers = NDArray[np.float64]

# Bits of a part: what it leaves of an equation is a sum of some 60 such numbers, below 2^53.
BITS = 43
# A part that would be this small beside the first is not needed any more: a float tells 2^-53, and
# what is left of the equations may weigh thousands of times as much in the solution.
PRECISION = 2.0**-66


# --- Chains in general. ---


class PhaseStep(NamedTuple):
    """What leads from one phase of a circle to the next."""

    rows: slice
    columns: slice
    leads: csr_array


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
        leads = _leads(play, reached)
        ends = ((play.child[:, reached] == WON) | (play.child[:, reached] == LOST)).any(axis=0)
        live = _live(leads, ends)
        self.may_go_on = not live.all()
        self.states, self.size = reached[live], len(phase)
        self.leads = leads[live][:, live] if self.may_go_on else leads
        self.counts = np.rint(1 / play.share[self.states])
        self._steps = list(_steps(self.leads, phase[self.states]))

    def solve(self, gain: Numbers, sign: int = 1) -> Numbers:
        """The solution of counts x = gain + sign * leads x; 0 in states not of the chain.

        `gain` is in whole numbers: of moves that win, say.
        """
        solution = np.zeros(self.size)
        if self._steps:
            solution[self.states] = sum(reversed(list(self._parts(gain[self.states], sign))))
        return solution

    def _parts(self, left: Numbers, sign: int) -> Iterator[Numbers]:
        """What adds up to the solution; what is `left` of the equations are whole units."""
        unit, first, chances = 1.0, 0.0, sign / self.counts
        for solver in (self._go_round, self._eliminate):
            while left.any():
                part = solver(left / self.counts, chances)
                size = float(abs(part).max())
                shift = 2.0 ** (BITS - frexp(size)[1])
                whole = np.rint(part * shift)
                after = left * shift + sign * (self.leads @ whole) - self.counts * whole
                rate = float(abs(after).max() / abs(left).max()) / shift
                if not rate < 1 / 2:
                    break  # this gets no nearer
                yield whole * (unit / shift)
                first = first or size
                if size * unit * rate <= first * PRECISION:
                    return
                left, unit = after, unit / shift

    def _go_round(self, gain: Numbers, chances: Numbers) -> Numbers:
        """About the solution of x = gain + chances * leads x, from what a circle leads to."""
        # Once round depends only on what the last phase leads to: that is unknown.
        phase = self._steps[-1].columns
        nothing = np.zeros(phase.stop - phase.start)
        x = self._round(nothing, gain, chances)
        if not nothing.size:
            return x
        silent = np.zeros_like(gain)
        system = LinearOperator(
            (len(nothing), len(nothing)),
            lambda z: z - self._round(z.ravel(), silent, chances)[phase],
            dtype=float,
        )
        # As near as two parts need it.
        z = gmres(system, x[phase], rtol=1e-10, restart=100, maxiter=10)[0]
        return self._round(z, gain, chances)

    def _round(self, z: Numbers, gain: Numbers, chances: Numbers) -> Numbers:
        """All states worked out once round the circle, backwards from what it leads to."""
        x = np.empty_like(gain)
        x[self._steps[-1].columns] = z
        for rows, columns, leads in reversed(self._steps):
            x[rows] = gain[rows] + chances[rows] * (leads @ x[columns])
        return x

    def _eliminate(self, gain: Numbers, chances: Numbers) -> Numbers:
        """The same, slowly, where going round does not get there."""
        system = eye_array(len(gain)) - diags_array(chances) @ self.leads
        return np.atleast_1d(spsolve(system.tocsc(), gain))


def _leads(play: Policy, states: NDArray[np.int64]) -> csr_array:
    """How many moves lead from state to state, among these only."""
    place = np.empty(play.child.shape[1], np.int32)
    place[states] = np.arange(len(states), dtype=np.int32)
    child = play.child.T[states]
    goes_on = child >= 0
    pointers = np.concatenate([[0], np.cumsum(goes_on.sum(axis=1))])
    columns = place[child[goes_on]]
    return csr_array((np.ones(len(columns)), columns, pointers), (len(states), len(states)))


def _live(leads: csr_array, ends: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The states from which an end can be reached."""
    live, count = ends, -1
    while count != live.sum():
        count = live.sum()
        live = live | (leads @ live.astype(float) > 0)
    return live


def _steps(leads: csr_array, phase: NDArray[np.int64]) -> Iterator[PhaseStep]:
    """The moves cut by phases, which its states are sorted by."""
    firsts = [*np.flatnonzero(np.diff(phase, prepend=-1)).tolist(), len(phase)]
    for first, last in pairwise(firsts):
        part = leads[first:last]
        # A phase leads to the next one only.
        columns = slice(part.indices.min(), part.indices.max() + 1) if part.nnz else slice(0, 0)
        yield PhaseStep(slice(first, last), columns, part[:, columns])


# --- Chains of players. ---


def pairings(layers: list[PolicyLayer], phase: NDArray[np.int64]) -> Pairings:
    """The chances where the second of two layers leads to itself."""
    with threadpool_limits(1):  # in several threads such short sums take five times as long
        equal, length = {}, {}
        for kind in KINDS:
            equal[kind], length[kind] = _between_equals(layers, phase, kind)
        optimal = {kind: _against(layers, phase, kind) for kind in COMPARED}
    return Pairings(equal, optimal, {kind: length[kind] for kind in COMPARED})


def _between_equals(
    layers: list[PolicyLayer], phase: NDArray[np.int64], kind: str
) -> tuple[Chances, float | None]:
    """The chances of two players of a kind, and the moves to expect."""
    start, nothing = layers[0].policy(kind), np.zeros(len(phase))
    if not _ahead(start).size:  # the first move ends every game
        return _both_seats(start, start, nothing, nothing), 1.0
    body = layers[1].policy(kind)
    chain = Chain(body, _ahead(start), phase)
    won, lost = _at_once(body, WON), _at_once(body, LOST)
    # The mover's chance and the other's: their sum is the chance of an end, and their difference
    # changes its sign with every move.
    total = chain.solve(won + lost) if chain.may_go_on else np.ones(chain.size)
    lead = chain.solve(won - lost, sign=-1)
    chances = _both_seats(start, start, (total + lead) / 2, (total - lead) / 2)
    if chain.may_go_on:
        return chances, None
    moves = chain.solve(np.rint(1 / body.share))
    return chances, float(1 + start.mean(moves, won=0, lost=0)[0])


def _against(layers: list[PolicyLayer], phase: NDArray[np.int64], kind: str) -> Chances:
    """The chances of an optimal player against one of a kind."""
    my_start, their_start = layers[0].optimal, layers[0].policy(kind)
    size, nothing = len(phase), np.zeros(len(phase))
    starts = np.concatenate([_ahead(my_start) + size, _ahead(their_start)])
    if not starts.size:
        return _both_seats(my_start, their_start, nothing, nothing)
    me, they = layers[1].optimal, layers[1].policy(kind)
    # Each state twice: first with me to move, then with the other.
    both = Policy(
        np.concatenate([np.where(me.child < 0, me.child, me.child + size), they.child], axis=1),
        np.concatenate([me.share, they.share]),
    )
    gain = np.concatenate([_at_once(me, WON), _at_once(they, LOST)])
    mine = Chain(both, starts, np.tile(phase, 2)).solve(gain)
    return _both_seats(my_start, their_start, mine[:size], mine[size:])


def _both_seats(mine: Policy, theirs: Policy, me: Numbers, they: Numbers) -> Chances:
    """My chances, given in each state what they are if I am to move and if the other is."""
    first, second = mine.mean(they, won=1, lost=0), theirs.mean(me, won=0, lost=1)
    return Chances(float(first[0]), float(second[0]))


def _ahead(start: Policy) -> NDArray[np.intp]:
    """The states that the first move can lead to."""
    return start.child[start.child >= 0]


def _at_once(play: Policy, ending: int) -> Numbers:
    """How many moves end a game so."""
    return count(play.child == ending).astype(float)
