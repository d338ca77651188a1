"""The sparse layout: only what multiples of the target change, where they are few.

If no number of a game were a multiple, every line would run until the number is full, and the
last mover would lose. That is what a position is worth unless multiples ahead change it, so only
the multiples and the positions they do change are kept, by their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from digitduel.states.endings import last_mover_loses
from digitduel.states.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from digitduel.position import Position
    from digitduel.ruleset import Ruleset

# Digits that are read at a time.
READ = 4
# The uses of a digit are counted in 6 bits, the highest of which shows that they are too many;
# digits that are not allowed at all are counted above.
BITS, TOO_MANY, BARRED = 6, 32, 1 << 60


class SparseLayout:
    """The scores that multiples change: `bound` less the length at the end of the game."""

    def __init__(self, ruleset: Ruleset, bound: int) -> None:
        self.ruleset, self.bound, self.capacity = ruleset, bound, ruleset.capacity or 0
        self.shape = Shape.of(ruleset)
        self.kept: dict[str, int] = {}

    @property
    def bytes(self) -> int:
        """About how much memory the scores take."""
        return 150 * len(self.kept)

    def reader(self) -> Callable[[Position], int]:
        """The function that reads a position's score."""
        kept, usual = self.kept, (self._usual(0), self._usual(1))

        def read(position: Position) -> int:
            number = position.number
            return kept.get(number) or usual[len(number) % 2]

        return read

    def solve(self, report: Callable[[float], object]) -> None:
        """Find the multiples and what they change, from the longest numbers back."""
        multiples, changed = Multiples(self.shape, self.ruleset.target), dict[str, int]()
        for length in reversed(range(1, self.capacity + 1)):
            changed |= dict.fromkeys(multiples.of_length(length), length - self.bound)
            self.kept |= changed
            changed = self._changed_before(length - 1, changed)
            report(1 - length / self.capacity)
        self.kept |= changed
        report(1.0)

    def _usual(self, length: int) -> int:
        """The score where no multiple matters."""
        return last_mover_loses(self.capacity - length)

    def _changed_before(self, length: int, changed: dict[str, int]) -> dict[str, int]:
        """The scores of numbers of a length that are not as usual, from those one longer."""
        replies: dict[str, list[int]] = {}
        for number, score in changed.items():
            for parent in self._parents(number):
                replies.setdefault(parent, []).append(score)
        after, usual = self._usual(length + 1), self._usual(length)
        scores = {}
        for number, least in replies.items():
            # Replies that are not listed are worth what is usual.
            others = [after] if len(least) < self._count_replies(number) else []
            scores[number] = -min(least + others)
        return {number: score for number, score in scores.items() if score != usual}

    def _parents(self, number: str) -> set[str]:
        """The numbers that a move makes this one of."""
        ends = {"right": (number[:-1],), "left": (number[1:],), "both": (number[:-1], number[1:])}
        return set(ends[self.shape.ends])

    def _count_replies(self, number: str) -> int:
        """How many different numbers a move can make of this one."""
        uses, ends = self.shape.uses, len(self.shape.ends_at(len(number)))
        free = [str(d) for d in self.shape.digits if uses is None or number.count(str(d)) < uses]
        # The same digit at either end of 555 makes the same number.
        same = sum(number == digit * len(number) for digit in free) if number and ends > 1 else 0
        return len(free) * ends - same


class Multiples:
    """Finds the digit strings that a shape allows and a number divides.

    >>> list(Multiples(Shape((1, 2, 3), 1, "right", True, 3), 7).of_length(2))
    ['21']
    """

    def __init__(self, shape: Shape, divisor: int) -> None:
        self.digits, self.divisor = shape.digits, divisor
        # Counts begin so high that one use too many reaches the highest bit.
        uses = TOO_MANY - 1 if shape.uses is None else shape.uses
        self.begin = np.uint64(sum(TOO_MANY - 1 - uses << BITS * digit for digit in range(10)))
        self.signs = np.uint64(sum(TOO_MANY << BITS * digit for digit in range(10)) + 15 * BARRED)
        count = 0 if shape.uses is None else 1
        one = np.array(
            [count << BITS * digit if digit in self.digits else BARRED for digit in range(10)],
            np.uint64,
        )
        # What the digits of 0 to 9 add to the counts, those of 00 to 99, and so on.
        self.added = [one]
        for _ in range(READ - 1):
            self.added.append(np.add.outer(one, self.added[-1]).ravel())

    def of_length(self, length: int) -> Iterator[str]:
        """All such strings of a length."""
        ones = (10**length - 1) // 9
        first, last = min(self.digits) * ones, max(self.digits) * ones
        first += -first % self.divisor
        total = (last - first) // self.divisor + 1
        size = min(length, READ)
        # The last digits of multiples come round again, so they are read once for all.
        turns = np.arange(min(total, 10**size), dtype=np.uint64)
        ends = turns * np.uint64(self.divisor % 10**size) + np.uint64(first % 10**size)
        counts = self.added[size - 1][ends % np.uint64(10**size)] + self.begin
        kept = np.flatnonzero(counts & self.signs == 0)
        turns, counts = turns[kept], counts[kept]
        step = np.uint64(self.divisor if total > 1 else 0)
        for start in range(0, total, 10**size):
            numbers = (turns + np.uint64(start)) * step + np.uint64(first)
            for number in self._allowed(numbers, counts, length - size):
                if number <= last:
                    yield f"{number:0{length}}"

    def _allowed(
        self, numbers: NDArray[np.uint64], counts: NDArray[np.uint64], left: int
    ) -> Iterator[int]:
        """Those whose first digits, so many are left to read, are allowed and not too many."""
        rest = numbers // np.uint64(10**READ)
        while left > 0:
            size = min(left, READ)
            above = rest // np.uint64(10**size)
            counts = counts + self.added[size - 1][rest - above * np.uint64(10**size)]
            kept = np.flatnonzero(counts & self.signs == 0)
            numbers, rest, counts = numbers[kept], above[kept], counts[kept]
            left -= size
        yield from numbers.tolist()
