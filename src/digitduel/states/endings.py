"""The rules on remainders: how a number grows, and when it ends a game.

What is said of a number holds of every number in an array, so the types are Any: an int gives
ints and bools, an array gives arrays. numpy is not imported for it. Arrays of machine words hold
numbers below a quarter of what the word can count to; larger ones are arrays of Python's own.

`divides` and `distance` also take an array of divisors, as floats, and numbers as floats: division
tells them apart exactly while all of them are below 2^51.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.ruleset import Ruleset


def grown(number: Any, digit: Any, place: Any = None) -> Any:
    """A number with a digit on the right, or on the left, where that is worth `place`: 10^length.

    >>> grown(52, 1), grown(52, 1, place=100)
    (521, 152)
    """
    return 10 * number + digit if place is None else digit * place + number


def sum_size(target: int, number: Any, digit: Any, place: Any = None) -> Any:
    """How often the target goes into the sum that a move asks for, from 0 to 9.

    The sum is what people divide: ten times the remainder and the digit, or the digit times what
    its place leaves and the remainder.

    >>> sum_size(12, 1, 2), sum_size(12, 11, 9), sum_size(7, 52, 6, place=100)
    (1, 9, 2)
    """
    rest = remainder(number, target)
    longer = grown(rest, digit, None if place is None else remainder(place, target))
    if not isinstance(longer, int) and _out_of_reach(target, longer):
        return longer * 0
    return longer // target


def remainder(number: Any, divisor: int) -> Any:
    """What a divisor leaves of a number."""
    if isinstance(number, int) or number.dtype == object:
        return number % divisor
    if _out_of_reach(divisor, number):
        return number
    # With no array made but one, this is twice as fast as `%`.
    rest = number // divisor
    rest *= -divisor if number.dtype.kind == "i" else (1 << 8 * number.itemsize) - divisor
    rest += number
    return rest


def divides(divisor: Any, number: Any) -> Any:
    """Whether a divisor divides a number.

    >>> divides(7, 14), divides(7, 15)
    (True, False)
    """
    if isinstance(number, int):
        return number % divisor == 0
    if not isinstance(divisor, int):
        quotient = number / divisor
        return quotient == quotient.round()
    if number.dtype == object:
        return (number % divisor == 0).astype(bool)
    if _out_of_reach(divisor, number):
        return number == 0
    # By multiplication, six times as fast as by division.
    bits = 8 * number.itemsize
    word = number.view("uint64" if bits == 64 else "uint32")
    twos, inverse, most = _multiples(divisor, bits)
    product = word * inverse
    if twos:
        product = product >> twos | product << (bits - twos)
    return product <= most


@lru_cache(maxsize=1024)
def _multiples(divisor: int, bits: int) -> tuple[int, int, int]:
    """How often 2 divides a divisor, the inverse of its odd part, and how many multiples fit.

    Multiplied by that inverse, multiples become the smallest numbers and no others do.
    """
    twos = (divisor & -divisor).bit_length() - 1
    return twos, pow(divisor >> twos, -1, 1 << bits), ((1 << bits) - 1) // divisor


def spoiled(forbidden: Iterable[int], number: Any) -> Any:
    """Whether a forbidden divisor divides a number."""
    if isinstance(number, int):
        for divisor in forbidden:  # noqa: SIM110  # `any` takes twice as long
            if number % divisor == 0:
                return True
        return False
    spoils = number != number  # all False
    for divisor in forbidden:
        spoils |= divides(divisor, number)
    return spoils


def stuck(
    forbidden: Iterable[int], numbers: Iterable[Any], missing: Iterable[Any] | None = None
) -> Any:
    """Whether no move is safe: each of the `numbers` that moves would make is spoiled.

    For arrays, `missing` tells of each move where it is not there: that is not safe either.
    """
    if missing is None:
        for number in numbers:  # noqa: SIM110  # `all` takes twice as long
            if not spoiled(forbidden, number):
                return False
        return True
    lost: Any = True
    for number, gone in zip(numbers, missing, strict=True):
        lost &= spoiled(forbidden, number) | gone
    return lost


def distance(target: Any, number: Any) -> Any:
    """How far a number is from the nearest multiple of the target.

    >>> distance(7, 52), distance(7, 55)
    (3, 1)
    """
    if not isinstance(target, int):
        from numpy import fabs, rint

        nearest = number / target
        rint(nearest, out=nearest)
        nearest *= target
        nearest -= number
        return fabs(nearest, out=nearest)
    rest = remainder(number, target)
    if isinstance(rest, int):
        return min(rest, target - rest)
    if _out_of_reach(target, rest):
        return rest
    from numpy import minimum  # whoever has arrays has loaded it

    return minimum(rest, target - rest)


def wins_full(ruleset: Ruleset, number: Any, before: Any) -> Any:
    """Whether making a full number, out of the one `before`, wins, if nothing is spoiled."""
    if ruleset.full == "closest":  # a multiple is closer than anything
        return distance(ruleset.target, number) < distance(ruleset.target, before)
    return divides(ruleset.target, number)


def last_mover_loses(left: int) -> int:
    """Who wins where only a full number ends the game: 1 the side to move, -1 the other.

    `left` digits are still to be placed, and whoever places the last one loses.
    """
    return -1 if left % 2 else 1


def _out_of_reach(divisor: int, number: Any) -> bool:
    """Whether a divisor is so large that an array of machine words cannot hold a multiple."""
    return number.dtype != object and bool(divisor >> (8 * number.itemsize - 1))
