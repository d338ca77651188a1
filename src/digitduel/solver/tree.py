"""The tree layout: every line of play, for large targets and small trees.

Numbers grow from the empty one outward, which shows where games end; they are not kept. Then
scores come back from the full numbers, a whole layer at a time.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from digitduel.solver.blocks import blocks_of
from digitduel.solver.windows import least, windows
from digitduel.states.endings import divides, grown, spoiled, wins_full
from digitduel.states.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from digitduel.position import Position
    from digitduel.ruleset import Ruleset

WON, SPOILED = 1, 2  # how a number ended the game: a multiple of the target, or a forbidden one
# Layers of up to this many numbers are made whole; longer ones grow from pieces of the last such.
WHOLE = 2**16


class Piece(NamedTuple):
    """Some numbers of one length: parts of blocks, a row for each."""

    rows: NDArray[np.int64]  # the vector of each block
    starts: NDArray[np.int64]  # where each part begins
    numbers: NDArray[Any]


class TreeLayout:
    """The scores of all lines of play: `bound` less the length at the end of the game."""

    def __init__(self, ruleset: Ruleset, bound: int, dtype: str) -> None:
        self.ruleset, self.bound, self.capacity = ruleset, bound, ruleset.capacity or 0
        self.blocks = blocks_of(Shape.of(ruleset))
        self._cells: NDArray[Any] = np.empty(self.blocks.total + self.blocks.room, dtype)
        # Not to have a move is as bad as a forbidden one.
        self._cells[self.blocks.total :] = bound

    @property
    def scores(self) -> NDArray[Any]:
        """All scores in one row."""
        return self._cells[: self.blocks.total]

    @property
    def bytes(self) -> int:
        """About how much memory the scores take, and the way to find them."""
        return self.scores.nbytes + 80 * len(self.blocks.jumps)

    def reader(self) -> Callable[[Position], int]:
        """The function that reads a position's score, found by walking along its digits."""
        scores: memoryview[int] = self.scores.data
        jumps, nodes = self.blocks.jumps, self.blocks.nodes
        backwards = self.ruleset.ends == "left"

        def walk(position: Position) -> int:
            digits = position.number.encode()
            place = node = 0
            for digit in reversed(digits) if backwards else digits:
                node += digit
                place += jumps[node]
                node = nodes[node]
            return scores[place]

        return walk

    def solve(self, report: Callable[[float], object]) -> None:
        """Fill in every score; until then a score's place holds how the game ended there."""
        length, pieces = self._grow_whole()
        for done, piece in enumerate(pieces):
            self._grow(length, piece)
            report(done / len(pieces) / 2)
        for length in reversed(range(self.capacity - 1)):
            self._score(length)
            report(1 - length / self.capacity / 2)

    # --- Outward: where games end. ---

    def _grow_whole(self) -> tuple[int, list[Piece]]:
        """Make the short numbers, layer by layer; the pieces of the first layer left to do."""
        length, numbers = 0, np.zeros(1, number_type(self.capacity))
        while length + 1 < self.capacity and self._size(length + 1) <= WHOLE:
            longer = np.empty(self._size(length + 1), numbers.dtype)
            for piece in self._pieces(length, numbers):
                self._note_endings(length, piece)
                for child in self._children(length, piece):
                    room = windows(longer, child.numbers.shape[1])
                    room[child.starts - self.blocks.firsts[length + 1]] = child.numbers
            length, numbers = length + 1, longer
        return length, list(self._pieces(length, numbers))

    def _grow(self, length: int, piece: Piece) -> None:
        """Note how these numbers and all that grow from them end the game."""
        self._note_endings(length, piece)
        if length + 1 == self.capacity:
            self._score_longest(piece)
        else:
            for child in self._children(length, piece):
                self._grow(length + 1, child)

    def _size(self, length: int) -> int:
        return self.blocks.firsts[length + 1] - self.blocks.firsts[length]

    def _pieces(self, length: int, numbers: NDArray[Any]) -> Iterator[Piece]:
        layer, first = self.blocks.layers[length], self.blocks.firsts[length]
        for rows, skip, width in layer.pieces():
            starts = layer.starts[rows] + skip
            yield Piece(rows, starts, windows(numbers, width)[starts - first])

    def _children(self, length: int, piece: Piece) -> Iterator[Piece]:
        """What a piece becomes by each move."""
        layer = self.blocks.layers[length]
        skip = piece.starts - layer.starts[piece.rows]
        for move, numbers in enumerate(self._longer(length, piece)):
            rows = layer.moves.rows[piece.rows, move]
            child = Piece(rows, layer.windows[piece.rows, move] + skip, numbers)
            if layer.moves.gaps:
                there = rows < layer.moves.none
                child = Piece(*(part[there] for part in child))
            if len(child.rows):
                yield child

    def _longer(self, length: int, piece: Piece) -> Iterator[NDArray[Any]]:
        """The numbers of a piece after each move, missing ones too."""
        moves, numbers = self.blocks.layers[length].moves, piece.numbers
        digits = moves.digits[piece.rows].astype(numbers.dtype)
        for move in range(digits.shape[1]):
            place = None if move < moves.rights else 10**length
            longer = grown(numbers, digits[:, move, None], place)
            yield longer % self.ruleset.modulus if numbers.dtype == object else longer

    def _note_endings(self, length: int, piece: Piece) -> None:
        """Write down how each number ends the game: 0 where it does not."""
        endings = np.zeros(piece.numbers.shape, self._cells.dtype)
        if length:
            endings[...] = divides(self.ruleset.target, piece.numbers)
            if self.ruleset.forbidden:
                endings[spoiled(self.ruleset.forbidden, piece.numbers)] = SPOILED
        windows(self._cells, endings.shape[1])[piece.starts] = endings

    # --- Backward: what the positions are worth. ---

    def _score(self, length: int) -> None:
        """Score all numbers of a length, from those one longer."""
        layer = self.blocks.layers[length]
        for rows, skip, width in layer.pieces():
            replies = least(self._cells, layer.windows[rows] + skip, width)
            self._settle(length, layer.starts[rows] + skip, replies)

    def _score_longest(self, piece: Piece) -> None:
        """Score numbers that lack one digit; the full ones are made and judged on the way."""
        full = enumerate(self._longer(self.capacity - 1, piece))
        scores = (self._full_scores(piece, move, numbers) for move, numbers in full)
        self._settle(self.capacity - 1, piece.starts, reduce(np.minimum, scores))

    def _full_scores(self, piece: Piece, move: int, numbers: NDArray[Any]) -> NDArray[Any]:
        """What the full numbers that a move makes are worth."""
        won = wins_full(self.ruleset, numbers, piece.numbers)
        # Full numbers are one ply from the bound: -1 where the last mover has won, else 1.
        scores: NDArray[Any] = won.astype(self._cells.dtype)
        scores *= -2
        scores += 1
        if self.ruleset.forbidden:
            scores[spoiled(self.ruleset.forbidden, numbers)] = self.bound
        moves = self.blocks.layers[-1].moves
        if moves.gaps:
            scores[moves.rows[piece.rows, move] == moves.none] = self.bound
        return scores

    def _settle(self, length: int, starts: NDArray[np.int64], replies: NDArray[Any]) -> None:
        """Turn the opponent's scores into the mover's, where the game had not ended before."""
        cells, lost = windows(self._cells, replies.shape[1]), length - self.bound
        endings, scores = cells[starts], -replies
        # A player without a safe move has lost before making one.
        scores[(replies >= self.bound) | (endings == WON)] = lost
        scores[endings == SPOILED] = self.bound
        cells[starts] = scores


def number_type(digits: int) -> Any:
    """What holds numbers of so many digits exactly, or, beyond 64 bits, their remainders."""
    return np.uint32 if digits <= 9 else np.uint64 if digits <= 18 else object
