"""How often each digit has been used, as rows of a table, and which row a move leads to."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, lru_cache
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from digitduel.states.shape import Shape

T = TypeVar("T", bound=np.generic)

# Tables for this many vectors are worth keeping for the next target: about two megabytes.
FEW = 4096


class Moves(NamedTuple):
    """The moves from all vectors of one length, and the rows they lead to.

    Where a vector has fewer moves than another, the row one past the last stands for no move.
    """

    digits: NDArray[np.int64]  # (vectors, moves)
    rows: NDArray[np.int64]  # (vectors, moves): counted within the next length
    rights: int  # how many of the moves go to the right; the others go to the left
    none: int  # the row that stands for no move: how many vectors there are of the next length
    gaps: bool  # whether any move is missing


class Vectors:
    """The vectors of each length from 0 to the capacity, in rows.

    A vector's code is a number to the base uses + 1. Digits that nobody can use up are not counted:
    they add nothing to the code, and there is one vector for each length.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape, self.counted, self.uses = shape, shape.uses is not None, shape.uses or 1
        self.digits = np.array(shape.digits)
        self.radix = (self.uses + 1) ** np.arange(len(shape.digits), dtype=np.int64)
        self.codes = [np.zeros(1, np.int64)]
        # Where nothing is counted only the empty number has moves of its own.
        for _ in range(shape.capacity or 0 if self.counted else 2):
            codes = self.codes[-1]
            self.codes.append(distinct(self._after(codes)[self.counts(codes) < self.uses]))
        self.firsts = np.cumsum([0, *map(len, self.codes)]).tolist()
        self.row_of = _Rows(self)
        self._moves: dict[int, Moves] = {}

    def first(self, length: int) -> int:
        """The row of the first vector of a length, in the table of all."""
        return int(self.firsts[length]) if self.counted else length

    def moves(self, length: int) -> Moves:
        """The moves from all vectors of a length."""
        length = length if self.counted else min(length, 1)
        if length not in self._moves:
            self._moves[length] = self._find_moves(length)
        return self._moves[length]

    def counts(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each digit is used in the vectors of these codes."""
        return codes[:, None] // self.radix % (self.uses + 1)

    def _after(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        return codes[:, None] + self.radix * self.counted

    def _find_moves(self, length: int) -> Moves:
        codes, below = self.codes[length], self.codes[length + 1]
        unused, rows = self.counts(codes) < self.uses, np.searchsorted(below, self._after(codes))
        parts = {}
        for end in self.shape.ends_at(length):
            allowed = self.shape.digits_at(length, end)
            possible = unused & np.array([digit in allowed for digit in self.shape.digits])
            # The possible moves first, and no more columns than the vector with most moves needs.
            most = max(1, int(possible.sum(axis=1).max()))
            order = np.argsort(~possible, axis=1, kind="stable")[:, :most]
            there = np.where(possible, rows, len(below))
            parts[end] = self.digits[order], np.take_along_axis(there, order, axis=1)
        digits, rows = (np.concatenate(part, axis=1) for part in zip(*parts.values(), strict=True))
        rights = parts["R"][0].shape[1] if "R" in parts else 0
        return Moves(digits, rows, rights, len(below), gaps=bool((rows == len(below)).any()))


class _Rows(dict[tuple[int, ...], int]):
    """The row of a vector: looked up for the first few, worked out for the others."""

    def __init__(self, vectors: Vectors) -> None:
        codes = np.concatenate(vectors.codes)[:FEW]
        super().__init__(zip(map(tuple, vectors.counts(codes).tolist()), range(FEW), strict=False))
        # Only what is needed to find a row: the tables of moves need not live as long.
        self.codes, self.firsts, self.radix = vectors.codes, vectors.firsts, vectors.radix.tolist()

    def __missing__(self, used: tuple[int, ...]) -> int:
        length, code = sum(used), sum(map(mul, used, self.radix))
        return int(self.firsts[length]) + bisect_left(self.codes[length].data, code)


def distinct(numbers: NDArray[T]) -> NDArray[T]:
    """Each number once, in order: `numpy.unique` takes longer, and would load half of numpy."""
    numbers = np.sort(numbers)
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first]


@cache
def keep_memory() -> None:
    """Let the C library keep memory between arrays: asking anew can take a third of the time.

    It takes a freed block for a sign of how large blocks are that come and go.
    """
    np.empty(31 * 2**20, np.uint8)


def vectors_of(shape: Shape) -> Vectors:
    """The vectors of a rule set; where they are few they are kept for the next target."""
    few = shape.count_vectors(shape.capacity or 0) <= FEW
    return (_kept if few else Vectors)(shape)


_kept = lru_cache(maxsize=8)(Vectors)
