"""The same chances where a game may never end: Markov chains, solved as linear systems.

A player chooses from `counts` moves, of which `gain` win and the others lead to other states. So
the chances of winning are the least solution of counts x = gain + leads x. Where no end can be
reached they are 0, and once those states are cut out there is only one solution.

Sums of floats depend on the machine, and all these numbers are whole. So a solution is a sum of
parts, each in few enough bits that what it leaves of the equations is worked out exactly, and the
next part solves for that. What comes out is the solution, rounded, whatever machine got there.
"""

from __future__ import annotations

from functools import cached_property, partial
from math import frexp
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array
from scipy.sparse.linalg import LinearOperator, bicgstab, gmres, spsolve
from threadpoolctl import ThreadpoolController

from digitduel.atlas.ladder import CAREFUL, Chances, Ladder
from digitduel.atlas.policies import OPTIMAL, SIGHTS, Policy, count
from digitduel.states.graph import LOST, REACHED, WON, reach

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from digitduel.atlas.policies import PolicyLayer

    Numbers = NDArray[np.float64]

# Bits of a part: what it leaves of an equation is a sum of some 60 such numbers, below 2^53.
BITS = 43
# A part that would be this small beside the first is not needed any more: a float tells 2^-53, and
# what is left of the equations may weigh thousands of times as much in the solution.
PRECISION = 2.0**-66
# Ways to solve equations nearly: the first is quick, but may break down.
WAYS = (bicgstab, partial(gmres, restart=100))
# The libraries whose threads are counted; to look for them takes longer than most systems.
LIBRARIES = ThreadpoolController()


# --- Chains in general. ---


class PhaseStep(NamedTuple):
    """What leads from one phase of a circle to the next."""

    rows: slice
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
        # A move that leads nowhere ends the game.
        live = _live(leads, play.counts[reached] > np.diff(leads.indptr))
        self.may_go_on = not live.all()
        self.states, self.size = reached[live], len(phase)
        self.leads = leads[live][:, live] if self.may_go_on else leads
        self.counts = play.counts[self.states].astype(float)
        self._steps = list(_steps(self.leads, phase[self.states]))
        # Once round depends only on what the last phase leads to: that is unknown.
        ahead = self._steps[-1].leads.indices if self._steps else self.leads.indices
        self._unknown = slice(ahead.min(), ahead.max() + 1) if ahead.size else slice(0, 0)

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
        for way in (*WAYS, None):
            while left.any():
                gain = left / self.counts
                part = self._go_round(way, gain, chances) if way else self._eliminate(gain, chances)
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

    def _go_round(self, way: Any, gain: Numbers, chances: Numbers) -> Numbers:
        """About the solution of x = gain + chances * leads x, from what a circle leads to."""
        unknown, nothing = self._unknown, np.zeros_like(gain)
        x = self._round(nothing[unknown], gain, chances)
        right = x[unknown]
        if not right.size:
            return x
        system = LinearOperator(
            (len(right), len(right)),
            lambda z: z - self._round(z.ravel(), nothing, chances)[unknown],
            dtype=float,
        )
        # As near as two parts need it.
        return self._round(way(system, right, rtol=1e-10, maxiter=100)[0], gain, chances)

    def _round(self, z: Numbers, gain: Numbers, chances: Numbers) -> Numbers:
        """All states worked out once round the circle, backwards from what it leads to."""
        x = np.empty_like(gain)
        x[self._unknown] = z
        for rows, leads in reversed(self._steps):
            x[rows] = gain[rows] + chances[rows] * (leads @ x)
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
    """The moves cut by phases, which its states are sorted by; each leads to the next one only."""
    firsts = [*np.flatnonzero(np.diff(phase, prepend=-1)).tolist(), len(phase)]
    for rows in map(slice, firsts, firsts[1:]):
        yield PhaseStep(rows, leads[rows])


# --- Chains of players. ---


class ChainLadder(Ladder):
    """The ladder where the second of two layers leads to itself.

    Each figure takes a linear system or two, so it is worked out when it is asked for, and once.
    """

    def __init__(self, layers: list[PolicyLayer], phase: NDArray[np.int64]) -> None:
        self._layers, self._phase = layers, phase
        self._places = [0]
        for player in (*SIGHTS[1:], OPTIMAL):
            self._places.append(self._places[-1] if self._plays_as_before(player) else player)
        self._matches: dict[int, _Match] = {}
        self._leads: dict[tuple[int, int], float] = {}

    def _plays_as_before(self, player: int) -> bool:
        """Whether one ply more of sight changes nothing anywhere."""
        return all(
            np.array_equal(layer.chosen(player), layer.chosen(player - 1)) for layer in self._layers
        )

    def equals(self, sight: int) -> Chances:
        """The chances of the starter and of the other, both of the same sight."""
        return self._match(sight).chances

    def target(self, sight: int) -> float:
        """The chance that a game between two of a sight ends by a multiple of the target."""
        return self._match(sight).target

    def length(self, sight: int) -> float | None:
        """Moves to expect between two of a sight; None if such a game may never end."""
        return self._match(sight).length

    def forced(self) -> float | None:
        """Of the moves in games between two careful players, the share that is forced."""
        match = self._match(CAREFUL)
        moves = match.moves(*(layer.forced.astype(float) for layer in self._layers))
        return None if moves is None or match.length is None else moves / match.length

    def beats(self, player: int, other: int) -> float:
        """The chance that a player beats another over both seats; no end counts one half."""
        me, they = self._places[player], self._places[other]
        if me == they:
            return 0.5
        if (me, they) not in self._leads:
            self._leads[me, they] = self._lead(me, they)
        return 0.5 + self._leads[me, they] / 2

    def _match(self, sight: int) -> _Match:
        place = self._places[sight]
        if place not in self._matches:
            start, body = (layer.policy(place) for layer in self._layers)
            self._matches[place] = _Match(start, body, self._phase)
        return self._matches[place]

    def _lead(self, player: int, other: int) -> float:
        """How much oftener a player wins than another, over both seats."""
        mine, theirs = (
            [layer.policy(place) for layer in self._layers] for place in (player, other)
        )
        return sum(Meeting(mine, theirs, self._phase).expected(won=1, lost=-1)) / 2


class Meeting:
    """Games between two players who may play differently, from what each chooses from.

    Each has a policy for the empty number and one for all others.
    """

    def __init__(
        self, mine: Sequence[Policy], theirs: Sequence[Policy], phase: NDArray[np.int64]
    ) -> None:
        (self._my_start, me), (self._their_start, they) = mine, theirs
        self._me, self._they, self._size = me, they, len(phase)
        # Each state twice: first with me to move, then with the other.
        child = np.concatenate([me.child, they.child], axis=1)
        turned = child[:, : self._size]
        np.add(turned, self._size, out=turned, where=turned >= 0)
        both = Policy(child, np.concatenate([me.counts, they.counts]))
        starts = np.concatenate([_ahead(self._my_start) + self._size, _ahead(self._their_start)])
        # Nothing is solved where the first move ends every game.
        self._chain = Chain(both, starts, np.tile(phase, 2)) if starts.size else None

    def expected(self, won: int, lost: int) -> tuple[float, float]:
        """What to expect as first and as second, if my wins and losses are worth so much."""
        me, they, size = self._me, self._they, self._size
        mine = won * _won(me) + lost * _lost(me)
        theirs = won * _lost(they) + lost * _won(they)
        values = np.zeros(2 * size)
        if self._chain is not None:
            with _one_thread():
                values = self._chain.solve(np.concatenate([mine, theirs]))
        first = _expected(self._my_start, values[size:], won=won, lost=lost)
        return first, _expected(self._their_start, values[:size], won=lost, lost=won)


class _Match:
    """Games between two players who play alike."""

    def __init__(self, start: Policy, body: Policy, phase: NDArray[np.int64]) -> None:
        self._start, self._body = start, body
        # Nothing is solved where the first move ends every game.
        self._chain = Chain(body, _ahead(start), phase)

    @cached_property
    def chances(self) -> Chances:
        """Of the starter, and of the other."""
        # The mover's chance and the other's: their sum is the chance of an end, and their
        # difference changes its sign with every move.
        won, lost, total = _won(self._body), _lost(self._body), self._end
        lead = self._solve(won - lost, sign=-1)
        first = _expected(self._start, (total - lead) / 2, won=1, lost=0)
        return Chances(first, _expected(self._start, (total + lead) / 2, won=0, lost=1))

    @cached_property
    def target(self) -> float:
        """The chance of an end by a multiple of the target."""
        reached = _at_once(self._body, REACHED)
        if all((_won(play) + _lost(play) == _at_once(play, REACHED)).all() for play in self._plays):
            return sum(self.chances)  # there is no other end
        return _expected(self._start, self._solve(reached), won=0, lost=0, reached=1)

    @cached_property
    def length(self) -> float | None:
        """Moves to expect; None if there may be no end."""
        return self.moves(*(np.ones(len(play.counts)) for play in self._plays))

    def moves(self, start: Numbers, body: Numbers) -> float | None:
        """How many moves to expect in some of the states; None if there may be no end."""
        if self._chain.may_go_on:
            return None
        ahead = self._solve(body * self._body.counts)
        return float(start[0]) + _expected(self._start, ahead, won=0, lost=0)

    @property
    def _plays(self) -> tuple[Policy, Policy]:
        return self._start, self._body

    @property
    def _end(self) -> Numbers:
        """The chance of an end in each state."""
        if not self._chain.may_go_on:
            return np.ones(self._chain.size)
        return self._solve(_won(self._body) + _lost(self._body))

    def _solve(self, gain: Numbers, sign: int = 1) -> Numbers:
        with _one_thread():
            return self._chain.solve(gain, sign)


def _one_thread() -> Any:
    return LIBRARIES.limit(limits=1)  # in several threads such short sums take five times as long


def _expected(
    start: Policy, values: Numbers, won: float, lost: float, reached: float | None = None
) -> float:
    """What to expect of the first move, given what states and ends are worth."""
    ends = [won if reached is None else reached, won, lost, 0]
    worth = np.concatenate([values, ends]).take(start.child[:, 0])
    return float(worth.sum() / start.counts[0])


def _ahead(start: Policy) -> NDArray[np.intp]:
    """The states that the first move can lead to."""
    return start.child[start.child >= 0]


def _won(play: Policy) -> Numbers:
    """How many moves win at once."""
    return _at_once(play, REACHED) + _at_once(play, WON)


def _lost(play: Policy) -> Numbers:
    """How many moves lose at once."""
    return _at_once(play, LOST)


def _at_once(play: Policy, ending: int) -> Numbers:
    """How many moves end a game so."""
    return count(play.child == ending).astype(float)
