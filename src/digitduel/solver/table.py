"""The table layout: one row for each count vector (or phase), one column for each residue.

A digit x on the right leads from residue r to 10 r + x, on the left to r + x * 10^length. So the
replies x of a whole row are the child row read from column x (or x * 10^length) on, and going
round at the end: a window into it. The least of those windows is what the opponent is left with
at best, and reading it at 10 r instead of r takes ten strides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from digitduel.solver.size import BLOCK, score_bytes
from digitduel.solver.windows import least
from digitduel.states.endings import distance
from digitduel.states.shape import Shape
from digitduel.states.vectors import vectors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from digitduel.position import Position
    from digitduel.ruleset import Ruleset


class TableLayout:
    """The scores of all states: `bound` less the length at the end, or less the plies to it."""

    def __init__(self, ruleset: Ruleset, bound: int) -> None:
        self.ruleset, self.bound = ruleset, bound
        self.shape, self.modulus = Shape.of(ruleset), ruleset.modulus
        self.vectors = vectors_of(self.shape)
        self.can_stick = ruleset.can_stick
        self.phases = self.shape.phases(self.modulus) if ruleset.capacity is None else {}
        rows = len(self.phases) or self.shape.count_rows(self.modulus)
        self.rows: NDArray[Any] = np.zeros((rows, self.modulus), f"i{score_bytes(bound)}")

    @property
    def bytes(self) -> int:
        """About how much memory the scores take, and the way to find them."""
        return self.rows.nbytes + 100 * len(self.rows)

    def reader(self) -> Callable[[Position], int]:
        """The function that reads a position's score: what a row stands for decides it."""
        # A memoryview gives plain integers, and sooner than an array gives its own.
        scores: memoryview[int] = self.rows.reshape(-1).data
        width, phases = self.modulus, self.phases
        if len(phases) > 1:
            return lambda at: scores[phases[at.state.place] * width + at.state.residue]
        if phases:
            return lambda at: scores[at.state.residue]
        if not self.vectors.counted:
            return lambda at: scores[len(at.number) * width + at.state.residue]
        row_of = self.vectors.row_of
        return lambda at: scores[row_of[at.state.used] * width + at.state.residue]

    def solve(self, report: Callable[[float], object]) -> None:
        """Fill in every score."""
        if self.shape.capacity is None:
            self._solve_endless(report)
        else:
            self._solve_finite(self.shape.capacity, report)

    def overflows(self) -> bool:
        """Whether some plies may not fit below the bound.

        There is a state for every number of plies up to the most: so for one less than that.
        """
        return any(1 in row or -1 in row for row in self.rows)

    # --- Where the number can be full: one pass, from the longest numbers back. ---

    def _solve_finite(self, capacity: int, report: Callable[[float], object]) -> None:
        closest = self.ruleset.full == "closest"
        below = self._distances() if closest else self._full_scores(capacity)
        for length in reversed(range(1, capacity)):
            rows = self.rows[self.vectors.first(length) : self.vectors.first(length + 1)]
            place, full = pow(10, length, self.modulus), length + 1 == capacity
            for block, replies in self._replies(length, place, below, shared=full):
                if full and closest:
                    replies = self._compare(replies, below)
                np.negative(replies, out=rows[block])
                if self.can_stick:
                    rows[block][replies >= self.bound] = length - self.bound
            self._mark_ended(rows, length - self.bound)
            below = rows
            report(1 - length / capacity)
        self.rows[0, 0] = -self._first_reply(below)
        report(1.0)

    def _full_scores(self, capacity: int) -> NDArray[Any]:
        """What full numbers are worth if the last mover loses: one row serves them all."""
        row = np.full((1, self.modulus), self.bound - capacity, self.rows.dtype)
        self._mark_ended(row, capacity - self.bound)
        return row

    def _distances(self) -> NDArray[Any]:
        """How far full numbers are from a multiple of the target: one row serves them all."""
        residues = np.arange(self.modulus, dtype=np.int32 if self.modulus < 2**29 else np.int64)
        row: NDArray[Any] = distance(self.ruleset.target, residues)[None]
        # A forbidden multiple counts as farther away than any number.
        for divisor in self.ruleset.forbidden:
            row[:, ::divisor] = np.iinfo(row.dtype).max
        return row

    def _compare(self, replies: NDArray[Any], own: NDArray[Any]) -> NDArray[Any]:
        """The scores of full numbers: won by the last mover only if strictly closer."""
        worst = self.bound - (self.shape.capacity or 0)
        scores = np.where(replies < own, -worst, worst).astype(self.rows.dtype)
        scores[replies == np.iinfo(own.dtype).max] = self.bound
        return scores

    # --- Where it cannot: round the phases, again and again, until nothing changes. ---

    def _solve_endless(self, report: Callable[[float], object]) -> None:
        places = list(self.phases)
        after = [self.phases.get(place * 10 % self.modulus, 0) for place in places]
        circle = len(after) - after[-1]
        self._mark_ended(self.rows, -self.bound)
        turn, changed = 0, True
        # A phase depends on the next one only: once one comes out as it was, all of them do.
        while changed or turn < circle:
            phase = len(after) - 1 - turn % circle
            changed = self._refresh(phase, after[phase], places[phase])
            turn += 1
            report(turn / (turn + 4 * circle))
        for phase in reversed(range(after[-1])):
            self._refresh(phase, after[phase], places[phase])
        # The empty number has the residue of a finished one, so that place is free for it.
        reply = self._first_reply(self.rows[after[0], None])
        self.rows[0, 0] = np.sign(reply) - reply
        report(1.0)

    def _refresh(self, phase: int, after: int, place: int) -> bool:
        """Work a phase out from the next one; whether that changed it."""
        row, below = self.rows[phase, None], self.rows[after, None]
        ((_, scores),) = self._replies(1, place, below)
        stuck = scores >= self.bound if self.can_stick else False
        # The other's score, one step nearer to 0: the end is one ply farther away.
        np.subtract(np.sign(scores), scores, out=scores)
        np.copyto(scores, -self.bound, where=stuck)
        self._mark_ended(scores, -self.bound)
        changed = not np.array_equal(row, scores)
        row[:] = scores
        return changed

    # --- What both share. ---

    def _first_reply(self, below: NDArray[Any]) -> Any:
        """The least score that a first digit leaves the opponent: the empty number is one cell."""
        moves = self.vectors.moves(0)
        return below[moves.rows[0] % len(below), moves.digits[0] % self.modulus].min()

    def _replies(
        self, length: int, place: int, below: NDArray[Any], shared: bool = False
    ) -> Iterator[tuple[slice, NDArray[Any]]]:
        """The least score that a reply leaves the opponent, some rows at a time."""
        moves, modulus = self.vectors.moves(length), self.modulus
        shifts = moves.digits.copy()
        shifts[:, moves.rights :] *= place
        shifts[:, moves.rights :] %= modulus
        width = modulus + int(shifts.max())
        flat = self._wrapped(below, width, moves.gaps)
        rows = moves.rows // moves.none if shared else moves.rows
        starts = rows * width + shifts
        step = max(1, BLOCK // (modulus * starts.shape[1]))
        for first in range(0, len(starts), step):
            block = slice(first, first + step)
            right, left = starts[block, : moves.rights], starts[block, moves.rights :]
            scores = _times_ten(least(flat, right, modulus)) if right.size else None
            if scores is None or left.size:
                lefts = least(flat, left, modulus)
                scores = lefts if scores is None else np.minimum(scores, lefts, out=scores)
            yield block, scores

    def _wrapped(self, rows: NDArray[Any], width: int, gaps: bool) -> NDArray[Any]:
        """Rows made longer by going round again; at the end, if needed, one for missing moves."""
        modulus = self.modulus
        longer = np.empty((len(rows) + gaps, width), rows.dtype)
        for start in range(0, width, modulus):
            longer[: len(rows), start : start + modulus] = rows[:, : width - start]
        # Not to have a move is as bad as a forbidden one.
        longer[len(rows) :] = np.iinfo(rows.dtype).max
        return longer.reshape(-1)

    def _mark_ended(self, rows: NDArray[Any], lost: int) -> None:
        """The residues at which the last mover has won, or lost by a forbidden multiple."""
        # A column is a residue: strides find what `divides` does, 3 to 300 times as fast.
        rows[:, :: self.ruleset.target] = lost
        for divisor in self.ruleset.forbidden:
            rows[:, ::divisor] = self.bound


def _times_ten(rows: NDArray[Any]) -> NDArray[Any]:
    """Rows read at column 10 r instead of r.

    >>> _times_ten(np.array([[0, 1, 2, 3, 4, 5, 6]])).tolist()
    [[0, 3, 6, 2, 5, 1, 4]]
    """
    size, read = rows.shape[1], np.empty_like(rows)
    for turn in range(10):
        first, last = -(-turn * size // 10), -(-(turn + 1) * size // 10)
        read[:, first:last] = rows[:, 10 * first - turn * size :: 10]
    return read
