"""Many targets of one rule set in one search, where solving each of them anew takes longer.

The search asks of all targets at once whether the side to move scores at least so much. It walks
the lines of play depth first, and a target leaves a branch as soon as a move decides it there.
Where few lines are left for few targets, all of them are laid out beside all targets.

Scores are those of the layouts: `bound` less the length at the end of the game.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from digitduel.solver.evaluation import LOSSES, WINS
from digitduel.states.endings import distance, divides, grown, spoiled
from digitduel.states.shape import Shape
from digitduel.states.vectors import distinct, keep_memory, vectors_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from digitduel.ruleset import Ruleset
    from digitduel.solver.evaluation import Evaluation

    Flags = NDArray[np.bool_]
    Targets = NDArray[np.float64]
    # What moves make of a number: scale, added, the row of its vector, whether no move makes it.
    Line = tuple[int, int, int, bool]

# Lines that are laid out at once, and these times targets: as long as a step of the walk takes.
LINES, CELLS = 512, 24_000


class ManyTargets:
    """The search through the lines of play of a rule set whose numbers have 2 to 15 digits.

    >>> from digitduel import find_ruleset
    >>> ManyTargets(find_ruleset("pool")).starts([12])
    [(Evaluation(value=<Value.WIN: 'win'>, plies=7), 1)]
    """

    def __init__(self, ruleset: Ruleset) -> None:
        keep_memory()
        self.capacity, self.forbidden = ruleset.capacity or 0, ruleset.forbidden
        self.bound, self.closest = self.capacity + 1, ruleset.full == "closest"
        self.vectors = vectors_of(Shape.of(ruleset))
        self._moves = lru_cache(maxsize=4096)(self._find_moves)
        self._lines = lru_cache(maxsize=4096)(self._find_lines)
        # How many lines go on from a number of each length, itself counted.
        self._below = [1]
        for length in reversed(range(self.capacity)):
            self._below.insert(0, 1 + self.vectors.moves(length).digits.shape[1] * self._below[0])

    def starts(self, targets: Sequence[int]) -> list[tuple[Evaluation, int]]:
        """What each target is worth to whoever starts, and how many first moves win."""
        # From twice any number on nothing changes: there is no multiple, and 0 is the nearest.
        beyond = 2 * 10**self.capacity
        divisors = np.array([min(target, beyond) for target in targets], float)
        winning = np.zeros(len(divisors), np.int64)
        for _, number, row, _ in self._moves(0, 0):
            winning += self._fails(0, 1, number, row, divisors)
        scores = self._narrow(winning > 0, divisors).tolist()
        worth = [(WINS if score > 0 else LOSSES)[self.bound - abs(score)] for score in scores]
        return list(zip(worth, winning.tolist(), strict=True))

    def _narrow(self, wins: Flags, targets: Targets) -> NDArray[np.int64]:
        """The scores of the start, where who wins is known."""
        low, high = np.where(wins, 1, -self.capacity), np.where(wins, self.capacity, -1)
        asked = np.where(wins, 2, -1)  # whether it ends before the number is full: few do
        while (unknown := low < high).any():
            for least in distinct(asked[unknown]).tolist():
                some = np.flatnonzero(unknown & (asked == least))
                fails = self._fails(least, 0, 0, 0, targets[some])
                high[some[fails]] = least - 1
                low[some[~fails]] = least
            asked = (low + high + 1) // 2
        return low

    def _fails(self, least: int, length: int, number: int, row: int, targets: Targets) -> Flags:
        """For each target whether the side to move at a number scores less than `least`."""
        if length and self.forbidden and spoiled(self.forbidden, number):
            return np.zeros(len(targets), bool)
        if not len(targets) or not self._is_open(least, length):
            return np.full(len(targets), least > 0)
        moves = self._moves(length, row)
        if self._is_short(length, len(moves), len(targets)):
            return self._lay_out(least, length, number, row, 0, targets)
        fails, places = np.ones(len(targets), bool), np.arange(len(targets))
        if length and np.count_nonzero(reached := divides(targets, float(number))):
            places, targets = places.compress(~reached), targets.compress(~reached)
        for tried, (scale, added, after, missing) in enumerate(moves):
            if not len(targets):
                break
            if tried and self._is_short(length, len(moves) - tried, len(targets)):
                fails[places] = self._lay_out(least, length, number, row, tried, targets)
                break
            if missing:
                continue
            good = self._fails(1 - least, length + 1, scale * number + added, after, targets)
            if np.count_nonzero(good):
                fails[places.compress(good)], rest = False, ~good
                places, targets = places.compress(rest), targets.compress(rest)
        return fails

    def _is_open(self, least: int, length: int) -> bool:
        """Whether a score at this length may be less than `least`, or not less."""
        return length - self.bound < least < self.bound - length

    def _is_short(self, length: int, moves: int, targets: int) -> bool:
        """Whether all that is left is laid out."""
        lines = 1 + moves * self._below[length + 1]
        return (lines <= LINES and lines * targets <= CELLS) or length + 1 == self.capacity

    def _lay_out(
        self, least: int, length: int, number: int, row: int, tried: int, targets: Targets
    ) -> Flags:
        """The same as `_fails`, from all lines but those of the moves that were `tried`."""
        last, asked = length, least
        while last < self.capacity and self._is_open(asked, last):
            last, asked = last + 1, 1 - asked
        scale, added, missing, layers = self._lines(length, row, tried, last - length)
        numbers, width = scale * number + added, len(targets)
        bad = missing | spoiled(self.forbidden, numbers) if self.forbidden else missing
        barred = np.count_nonzero(bad)
        columns, full = numbers.astype(float)[:, None], last == self.capacity and asked < 2
        if full and self.closest:
            gaps = distance(targets, columns)
            reached, before = gaps == 0, gaps[layers[-2], None]
            fails = (gaps[layers[-1]].reshape(len(before), -1, width) < before).reshape(-1, width)
        else:
            reached = divides(targets, columns)
            fails = reached[layers[-1]] if full else np.full_like(reached[layers[-1]], asked > 0)
        reached[0] &= length > 0  # the empty number ends nothing
        for layer, below in zip(layers[-2::-1], layers[:0:-1], strict=True):
            if barred:
                fails[bad[below]] = False
            replies = fails.reshape(layer.stop - layer.start, -1, width)
            fails = np.logical_or.reduce(replies, axis=1) <= reached[layer]
        return np.asarray(fails[0])

    def _find_moves(self, length: int, row: int) -> list[Line]:
        """What each move makes of the numbers with a vector."""
        moves = self.vectors.moves(length)
        places = [
            None if way < moves.rights else 10**length for way in range(moves.digits.shape[1])
        ]
        steps = zip(places, moves.digits[row].tolist(), moves.rows[row].tolist(), strict=True)
        return [
            (grown(1, 0, place), grown(0, digit, place), after % moves.none, after == moves.none)
            for place, digit, after in steps
        ]

    def _find_lines(self, length: int, row: int, tried: int, plies: int) -> tuple[Any, ...]:
        """All lines of so many plies as arrays: scale, added, missing; and where the layers are."""
        layer: list[Line] = [(1, 0, row, False)]
        lines, layers = layer, [slice(0, 1)]
        for size in range(length, length + plies):
            layer = [
                (ten * scale, ten * added + more, after, missing)
                for scale, added, row, _ in layer
                for ten, more, after, missing in self._moves(size, row)[tried:]
            ]
            lines, tried = lines + layer, 0
            layers.append(slice(len(lines) - len(layer), len(lines)))
        scale, added, _, missing = map(np.array, zip(*lines, strict=True))
        return scale, added, missing, layers
