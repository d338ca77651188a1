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
    from digitduel.ruleset import Ruleset

# Counting stops here: whatever is larger than this is too large for any machine.
COUNTLESS = 10**11
# Numbers of this length, with two digits or more to choose from, are countless.
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
        if uses is not None and capacity is not None and uses >= capacity:
            uses = capacity if every_count else None
        any_first = ruleset.leading_zero or 0 not in ruleset.digits
        return cls(ruleset.digits, uses, ruleset.ends, any_first, capacity)

    def ends_at(self, length: int) -> tuple[str, ...]:
        """The ends that a digit can go to; on the empty number they are the same."""
        ends = {"right": ("R",), "left": ("L",), "both": ("R", "L")}[self.ends]
        return ends if length else ends[:1]

    def digits_at(self, length: int, end: str) -> tuple[int, ...]:
        """The digits that an end takes, if not used up: 0 may be barred from coming first."""
        barred = not self.leading_zero and (end == "L" or not length)
        return tuple(digit for digit in self.digits if digit or not barred)

    def phases(self, modulus: int) -> dict[int, int]:
        """The values of 10^length mod m, numbered in the order in which they come.

        Only digits on the left depend on them: without those there is one phase.

        >>> Shape((1, 2), None, "both", True, None).phases(44)
        {1: 0, 10: 1, 12: 2, 32: 3}
        """
        numbered, place = {1: 0}, 10 % modulus
        while self.ends != "right" and place not in numbered:
            numbered[place] = len(numbered)
            place = place * 10 % modulus
        return numbered

    def count_vectors(self, most_digits: int, used_up: int = 0) -> int:
        """How many ways there are to use so many digits or fewer, with some digits used up.

        Where uses are not counted there is one for each length.

        >>> Shape((1, 2), 5, "right", True, 10).count_vectors(1)
        3
        """
        if self.uses is None:
            return 0 if used_up else most_digits + 1
        kinds, total = len(self.digits) - used_up, most_digits - used_up * self.uses
        # Inclusion and exclusion over the digits that are used too often.
        spare = [total - over * (self.uses + 1) for over in range(kinds + 1)]
        return sum(
            (-1) ** over * comb(kinds, over) * comb(left + kinds, kinds)
            for over, left in enumerate(spare)
            if left >= 0
        )

    @lru_cache(maxsize=64)  # noqa: B019  # a shape is small, and asked again for every target
    def count_rows(self, modulus: int) -> int:
        """How many rows of `modulus` states there are: for each vector of digits, or each phase."""
        if self.capacity is not None:
            return self.count_vectors(self.capacity - 1)
        return 1 if self.ends == "right" else _count_powers(modulus)

    @lru_cache(maxsize=64)  # noqa: B019
    def count_numbers(self) -> list[int]:
        """How many numbers of 0, 1, 2, ... digits can be made, if no game ended early.

        >>> Shape((1, 2, 3), 1, "right", True, 3).count_numbers()
        [1, 3, 6, 6]
        """
        kinds, longest = len(self.digits), min(self.capacity or LONGEST, LONGEST)
        if self.uses is None:
            return [kinds**length for length in range(longest + 1)]
        numbers = [1] + [0] * longest
        for _ in range(kinds):
            # Put some copies of one more digit among the digits of a shorter number.
            numbers = [
                sum(
                    comb(size, used) * numbers[size - used]
                    for used in range(min(self.uses, size) + 1)
                )
                for size in range(longest + 1)
            ]
        return numbers

    @lru_cache(maxsize=64)  # noqa: B019
    def count_lines(self) -> tuple[int, int]:
        """How many lines of play there would be if no game ended early: in all, and full ones."""
        if self.capacity is None:
            return COUNTLESS, COUNTLESS
        ends = len(self.ends_at(1))
        if len(self.digits) * ends == 1:
            return self.capacity + 1, 1
        total = last = 0
        # With two moves or more to choose from, this is short or soon countless.
        for length, numbers in enumerate(self.count_numbers()):
            last = numbers * ends ** max(length - 1, 0)
            total += last
            if total > COUNTLESS:
                break
        return total, last


def count_states(ruleset: Ruleset) -> int:
    """How many states the graph of a rule set has at most."""
    shape = Shape.of(ruleset, every_count=True)
    states = shape.count_rows(ruleset.modulus) * ruleset.modulus
    return states if shape.capacity is None else min(states, shape.count_lines()[0])


def _count_powers(modulus: int) -> int:
    """How many values 10^length mod m has, or so many that the states are countless."""
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
