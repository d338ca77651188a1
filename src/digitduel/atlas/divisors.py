"""All divisors of many numbers at once."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from digitduel.states.endings import divides
from digitduel.states.vectors import distinct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

# Numbers of ten digits have at most so many different primes, and a power takes so many bits.
MOST_PRIMES, POWER_BITS = 10, 6
# Divisors below this are ticked off, which is quicker than sorting; above it there are few.
TICKED = 2**26


class Factored:
    """Numbers from 1 on, of up to ten digits, with their prime factors.

    >>> factored = Factored(np.array([6, 7, 10], np.uint32))
    >>> [(place.tolist(), found.tolist()) for place, found in factored.divisors()]
    [([1], [[7]]), ([0, 2], [[2, 2], [3, 5], [6, 10]])]
    """

    def __init__(self, numbers: NDArray[Any]) -> None:
        size = len(numbers)
        # Of each number its primes in order, how many there are, and as one number their powers.
        self._primes = np.zeros((MOST_PRIMES, size), numbers.dtype)
        self._counts, self._patterns = np.zeros((2, size), np.int64)
        rest, active = numbers.copy(), np.arange(size)
        for count, prime in enumerate(primes_to(isqrt(int(numbers.max(initial=1))))):
            if count % 64 == 0:  # what is below the square of all primes to come is a prime itself
                active = active[rest[active] >= prime * prime]
                before = rest[active]
            hits = active[divides(prime, before)]
            one = self._note(hits, prime)
            while hits.size:
                self._patterns[hits] += one
                rest[hits] //= prime
                again = divides(prime, rest[hits])
                hits, one = hits[again], one[again]
        large = np.flatnonzero(rest > 1)
        self._patterns[large] += self._note(large, rest[large])

    def divisors(
        self, first: int = 0, last: int | None = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[Any]]]:
        """All divisors above 1 of the numbers from one place to another.

        Numbers with the same powers come together: their places, and the divisors in columns.
        """
        patterns = self._patterns[first:last]
        order = np.argsort(patterns, kind="stable")
        edges = np.flatnonzero(np.diff(patterns[order])) + 1
        for places in np.split(first + order, edges):
            yield places, self._products(places)[1:]

    def _products(self, places: NDArray[np.intp]) -> NDArray[Any]:
        """The divisors of numbers with the same powers; the first of each is 1."""
        found = np.ones((1, len(places)), self._primes.dtype)
        powers = int(self._patterns[places[0]])
        for slot in range(self._counts[places[0]]):
            prime, parts = self._primes[slot, places], [found]
            for _ in range(powers >> POWER_BITS * slot & 2**POWER_BITS - 1):
                parts.append(parts[-1] * prime)
            found = np.concatenate(parts)
        return found

    def _note(self, places: NDArray[np.intp], prime: Any) -> NDArray[np.int64]:
        """Note the next prime of some numbers; what each power of it adds to the patterns."""
        slot = self._counts[places]
        self._primes[slot, places] = prime
        self._counts[places] += 1
        return np.left_shift(1, POWER_BITS * slot)


class DistinctDivisors:
    """Collects divisors: how many there are, and which.

    >>> divisors = DistinctDivisors()
    >>> divisors.add(Factored(np.array([6, 9, 10], np.uint32)))
    >>> divisors.count, divisors.each().tolist()
    (8, [2, 3, 5, 6, 9, 10])
    """

    def __init__(self) -> None:
        self.count, self._ticked = 0, np.zeros(TICKED, bool)
        self._above: list[NDArray[Any]] = []

    def add(self, factored: Factored) -> None:
        """Add the divisors of all these numbers."""
        for _, divisors in factored.divisors():
            few = divisors < TICKED
            self._ticked[divisors[few]] = True
            self._above.append(divisors[~few])
            self.count += divisors.size

    def each(self) -> NDArray[np.int64]:
        """Each once, in order."""
        above = distinct(np.concatenate(self._above))
        return np.concatenate([np.flatnonzero(self._ticked), above.astype(np.int64)])


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
