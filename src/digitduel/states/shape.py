"""The state space of a rule set, counted by arithmetic alone: nothing here enumerates it.

A state is (layer, how often each digit is used, number mod m). The layer is the length where
the number can be full. Where it can grow for ever the length itself does not matter, only
10^length mod m does, if digits go to the left; those powers repeat, so the layers go in a circle.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb, gcd
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.ruleset import Ruleset

# Counting stops here: whatever is larger than this is too large for any machine.
COUNTLESS = 10**11
# Words of this length, of two letters or more, are countless.
LONGEST = 64


@dataclass(frozen=True)
class Shape:
    """Which moves there are, whatever the target: the part of the rules that solutions share."""

    digits: tuple[int, ...]
    uses: int | None  # None also where nobody can use a digit up
    ends: str
    leading_zero: bool  # whether any digit may come first
    capacity: int | None

    @classmethod
    def of(cls, ruleset: Ruleset, *, every_count: bool = False) -> Shape:
        """The shape of a rule set; with `every_count` counts matter even if no digit runs out."""
        uses, capacity = ruleset.uses, ruleset.capacity
        if uses is not None and capacity is not None and uses >= capacity and not every_count:
            uses = None
        any_first = ruleset.leading_zero or 0 not in ruleset.digits
        return cls(ruleset.digits, uses, ruleset.ends, any_first, capacity)

    def ends_at(self, length: int) -> tuple[str, ...]:
        """The ends that a digit can go to; on the empty number they are the same."""
        if self.ends == "both":
            return ("R", "L") if length else ("R",)
        return ("R",) if self.ends == "right" else ("L",)

    def digits_at(self, length: int, end: str) -> tuple[int, ...]:
        """The digits that an end takes, if not used up: 0 may be barred from coming first."""
        barred = not self.leading_zero and (end == "L" or not length)
        return tuple(digit for digit in self.digits if digit or not barred)

    def count_vectors(self, most_digits: int, used_up: int = 0) -> int:
        """How many ways there are to use so many digits or fewer, with some digits used up."""
        if self.uses is None:
            return 1
        kinds, left = len(self.digits) - used_up, most_digits - used_up * self.uses
        return count_vectors(kinds, self.uses, left)

    @lru_cache(maxsize=64)  # noqa: B019  # a shape is small, and asked again for every target
    def count_numbers(self) -> int:
        """How many numbers can be made, if no game ended early."""
        longest = LONGEST if self.capacity is None else min(self.capacity, LONGEST)
        return sum(count_words(len(self.digits), self.uses, longest))

    @lru_cache(maxsize=64)  # noqa: B019
    def count_lines(self) -> tuple[int, int]:
        """How many lines of play there would be if no game ended early: in all, and full ones."""
        if self.capacity is None:
            return COUNTLESS, COUNTLESS
        kinds, ends = len(self.digits), len(self.ends_at(1))
        if kinds * ends == 1:
            return self.capacity + 1, 1
        total = last = 0
        # With two moves or more to choose from, this is short or soon countless.
        for length, words in enumerate(count_words(kinds, self.uses, self.capacity)):
            last = words * ends ** max(length - 1, 0)
            total += last
            if total > COUNTLESS:
                break
        return total, last


def count_states(ruleset: Ruleset) -> int:
    """How many states the graph of a rule set has at most."""
    shape, modulus = Shape.of(ruleset, every_count=True), ruleset.modulus
    if shape.capacity is None:
        return modulus * (1 if shape.ends == "right" else count_phases(modulus))
    rows = shape.count_vectors(shape.capacity - 1) if shape.uses else shape.capacity
    return min(rows * modulus, shape.count_lines()[0])


def can_stick(ruleset: Ruleset) -> bool:
    """Whether a player may be left without a safe move before the number is full."""
    return bool(ruleset.forbidden) or not Shape.of(ruleset).leading_zero


def count_vectors(kinds: int, most: int, total: int) -> int:
    """How many vectors of `kinds` numbers from 0 to `most` add up to `total` or less.

    >>> count_vectors(2, 1, 2), count_vectors(9, 1, 8), count_vectors(2, 5, 1)
    (4, 511, 3)
    """
    # Inclusion and exclusion over the numbers that are too large.
    spare = [total - over * (most + 1) for over in range(kinds + 1)]
    return sum(
        (-1) ** over * comb(kinds, over) * comb(rest + kinds, kinds)
        for over, rest in enumerate(spare)
        if rest >= 0
    )


def count_words(kinds: int, uses: int | None, longest: int) -> Iterator[int]:
    """How many words of 0, 1, 2, ... letters there are, each of `kinds` letters up to `uses` times.

    >>> list(count_words(3, 1, 3)), list(count_words(9, None, 2))
    ([1, 3, 6, 6], [1, 9, 81])
    """
    if uses is None:
        yield from (kinds**length for length in range(longest + 1))
        return
    longest = min(longest, LONGEST)
    words = [1] + [0] * longest
    for _ in range(kinds):
        # Put some copies of one more letter among the letters of a shorter word.
        words = [
            sum(comb(size, used) * words[size - used] for used in range(min(uses, size) + 1))
            for size in range(longest + 1)
        ]
    yield from words


def phases(modulus: int) -> dict[int, int]:
    """The different values of 10^length mod m, numbered in the order in which they come.

    >>> phases(44)
    {1: 0, 10: 1, 12: 2, 32: 3}
    """
    numbered: dict[int, int] = {}
    place = 1
    while place not in numbered:
        numbered[place] = len(numbered)
        place = place * 10 % modulus
    return numbered


@lru_cache(maxsize=64)
def count_phases(modulus: int) -> int:
    """How many phases there are, or so many that the states are countless.

    >>> count_phases(44)
    4
    """
    if modulus == 1:
        return 2  # 10^0 counts as 1, all others leave 0
    # The powers of 10 come round again once they hold all the 2s and 5s of the modulus.
    coprime, before = modulus, 0
    while gcd(coprime, 10) > 1:
        coprime, before = coprime // gcd(coprime, 10), before + 1
    period, place = 1, 10 % coprime
    while place > 1 and period * modulus <= COUNTLESS:
        period, place = period + 1, place * 10 % coprime
    return before + period
