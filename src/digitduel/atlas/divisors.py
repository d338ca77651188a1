"""All divisors of many numbers at once."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from digitduel.states.endings import divides

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Factored:
    """Numbers above 0 with their prime factors.

    >>> [part.tolist() for part in Factored(np.array([6, 7], np.uint32)).divisors(0, 2)]
    [[0, 0, 0, 0, 1, 1], [1, 3, 2, 6, 1, 7]]
    """

    def __init__(self, numbers: NDArray[Any]) -> None:
        index, primes, powers = _factors(numbers)
        order = np.argsort(index, kind="stable")
        self.numbers, self.primes, self.powers = numbers, primes[order], powers[order]
        self.counts = np.bincount(index, minlength=len(numbers))
        self.firsts = np.cumsum(self.counts) - self.counts

    def divisors(self, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Every (place of a number, divisor of it) for the numbers from one place to another."""
        place, divisors = np.arange(first, last), np.ones(last - first, self.numbers.dtype)
        for slot in range(self.counts[first:last].max(initial=0)):
            # Each divisor so far times p^0, p^1, ... as far as the number's next prime p goes.
            factor = self.firsts[place] + slot
            times = (
                np.where(slot < self.counts[place], self.powers.take(factor, mode="clip"), 0) + 1
            )
            ahead = np.cumsum(times) - times
            exponent = np.arange(times.sum()) - np.repeat(ahead, times)
            place, divisors = np.repeat(place, times), np.repeat(divisors, times)
            divisors *= self._power(np.repeat(factor, times), exponent)
        return place, divisors

    def _power(self, factor: NDArray[np.int64], exponent: NDArray[np.int64]) -> NDArray[Any]:
        """Powers of primes; 1 where the exponent is 0, whatever the prime."""
        powers = np.ones(len(factor), self.numbers.dtype)
        some = np.flatnonzero(exponent)
        primes = self.primes[factor[some]]
        powers[some] = primes ** exponent[some].astype(primes.dtype)
        return powers


def _factors(
    numbers: NDArray[Any],
) -> tuple[NDArray[np.int32], NDArray[Any], NDArray[np.int8]]:
    """Index, prime and power of each prime factor, by trial division of all numbers at once."""
    factors: list[tuple[NDArray[Any], ...]] = []
    rest, active = numbers.copy(), np.arange(len(numbers), dtype=np.int32)
    largest = int(numbers.max(initial=1))
    for count, prime in enumerate(primes_to(isqrt(largest))):
        if count % 64 == 0:  # what is below the square of all primes to come is a prime itself
            active = active[rest[active] >= prime * prime]
        hits = active[divides(prime, rest[active])]
        power = np.zeros(len(hits), np.int8)
        left = np.arange(len(hits))
        while left.size:
            rest[hits[left]] //= prime
            power[left] += 1
            left = left[divides(prime, rest[hits[left]])]
        factors.append((hits, np.full(len(hits), prime, numbers.dtype), power))
    large = np.flatnonzero(rest > 1).astype(np.int32)
    factors.append((large, rest[large], np.ones(len(large), np.int8)))
    index, primes, powers = (np.concatenate(part) for part in zip(*factors, strict=True))
    return index, primes, powers


def primes_to(largest: int) -> list[int]:
    """All primes up to a number.

    >>> primes_to(20)
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    sieve = np.ones(largest + 1, bool)
    sieve[:2] = False
    for number in range(2, isqrt(largest) + 1):
        if sieve[number]:
            sieve[number * number :: number] = False
    primes: list[int] = np.flatnonzero(sieve).tolist()
    return primes
