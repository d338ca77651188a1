"""How hard the sums of a game are: the effort of finding the finishing digit by head.

This is a model, not a measurement. It rests on the tests of divisibility that schools teach, and
on what a person has to hold in mind between two moves:

- Last digits tell 2, 4, 8, ..., 5, 25, ... and their products: the more digits, the harder. Zeros
  at the end, for 10, 20 or 100, are seen at a glance. Beyond three digits it is a division.
- The digit sum tells 3 and 9, the alternating sum tells 11.
- A target that is a product, such as 12 or 45, needs all the tests of its parts.
- What no test tells, as 7, 13 or 17, or the third 3 of 27, leaves a remainder to be carried from
  move to move, and every doubling of it costs the same.
- A digit on the left leaves the last digits and the digit sum as they were, or nearly so. An
  alternating sum has to start from the right side then, and for a remainder the place value is to
  be carried too. Where digits only go to the left, the last digits soon stand for good.
- Forbidden divisors have to be kept in view beside the target, which is less than to reach them.

The weights below were chosen so that 1 and 2 are sums for a school class, 3 and 4 take practice,
and 5, as for 71, 85 or 92, is beyond a kitchen table.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, NamedTuple

from digitduel.text import listed

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

EASIEST, HARDEST = 1, 5
# The effort of each test, in steps; last digits by how many there are, and each further one.
LAST_DIGITS, FURTHER_DIGIT = (0.0, 0.9, 1.2, 1.6), 1.0
DIGIT_SUMS = {1: 0.0, 3: 1.0, 9: 1.2}
ALTERNATING_SUM = 2.0
# To carry a remainder at all, and for each doubling of the number that it belongs to.
CARRY, DOUBLING = 0.77, 0.7
# What digits on the left add to an alternating sum and to a remainder; what they leave of the last
# digits where there are no others.
TURNED_SUM, PLACE_VALUE, SETTLED = 0.4, 1.0, 0.5
# The part of its effort that a forbidden divisor takes.
IN_VIEW = 0.25
NUMBERS = {1: "last digit", 2: "last two digits", 3: "last three digits", 4: "last four digits"}


class Signs(NamedTuple):
    """How a divisor can be recognised."""

    last: int  # how many last digits tell
    zeros: int  # how many of these have to be 0
    digit_sum: int  # 3 or 9; 1 where it tells nothing
    alternating: bool
    rest: int  # what no test tells: its remainder is carried; 1 where nothing is left

    @classmethod
    def of(cls, divisor: int) -> Signs:
        """The tests for a divisor, of any size: nothing but 2, 3, 5 and 11 is looked for.

        >>> Signs.of(12)
        Signs(last=2, zeros=0, digit_sum=3, alternating=False, rest=1)
        >>> Signs.of(85).rest
        17
        """
        twos = (divisor & -divisor).bit_length() - 1
        rest, fives = divisor >> twos, 0
        while rest % 5 == 0:
            rest, fives = rest // 5, fives + 1
        digit_sum = next(nine for nine in (9, 3, 1) if rest % nine == 0)
        rest //= digit_sum
        alternating = rest % 11 == 0
        rest //= 11 if alternating else 1
        return cls(max(twos, fives), min(twos, fives), digit_sum, alternating, rest)

    def effort(self, ends: str) -> float:
        """The effort of all of them, in steps, where digits may go to these ends."""
        left = ends != "right"
        effort = self._last_digits() * (SETTLED if ends == "left" else 1)
        effort += DIGIT_SUMS[self.digit_sum]
        if self.alternating:
            effort += ALTERNATING_SUM + TURNED_SUM * left
        if self.rest > 1:
            effort += CARRY + DOUBLING * log2(self.rest) + PLACE_VALUE * left
        return effort

    def __str__(self) -> str:
        told = [NUMBERS.get(self.last, f"last {self.last} digits")] if self.last else []
        told += ["digit sum"] if self.digit_sum > 1 else []
        told += ["alternating sum"] if self.alternating else []
        if self.rest == 1:
            return listed(told or ["every number will do"])
        carried = "carry the remainder"
        return f"{listed(told)}, then {carried}" if told else f"no test: {carried}"

    def _last_digits(self) -> float:
        digits = max(self.last - self.zeros, min(self.last, 1))
        most = len(LAST_DIGITS) - 1
        return LAST_DIGITS[min(digits, most)] + FURTHER_DIGIT * max(digits - most, 0)


def sums(ruleset: Ruleset) -> int:
    """How hard the sums are, from 1 (easy) to 5.

    >>> from digitduel import find_ruleset
    >>> [sums(find_ruleset("pool").replace(target=target)) for target in (5, 12, 27, 17, 71)]
    [1, 2, 3, 4, 5]
    """
    return min(max(int(effort(ruleset) + 0.5), EASIEST), HARDEST)


def effort(ruleset: Ruleset) -> float:
    """The effort in steps, of which `sums` makes whole ones."""
    in_view = sum(Signs.of(divisor).effort(ruleset.ends) for divisor in ruleset.forbidden)
    return Signs.of(ruleset.target).effort(ruleset.ends) + IN_VIEW * in_view


def explain_sums(ruleset: Ruleset) -> str:
    """Which tests there are, in a clause.

    >>> from digitduel import find_ruleset
    >>> explain_sums(find_ruleset("pool").replace(target=12))
    'last two digits and digit sum'
    >>> explain_sums(find_ruleset("forbidden"))
    'no test: carry the remainder; beside it 2 (last digit), 3 (digit sum) and 5 (last digit)'
    """
    target = str(Signs.of(ruleset.target))
    if not ruleset.forbidden:
        return target
    beside = listed(f"{divisor} ({Signs.of(divisor)})" for divisor in ruleset.forbidden)
    return f"{target}; beside it {beside}"
