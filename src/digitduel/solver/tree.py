"""The tree layout: every line of play, for large targets and small trees.

The lines that use the same digits equally often form a block. A block is put together from the
blocks one move shorter, one for each last move, each in its own order. So a move leads from a
whole block to a whole window of the next layer. None of that depends on the target.

Numbers grow from the empty one outward, which shows where games end; they are not kept. Then
scores come back from the full numbers, a whole layer at a time.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from digitduel.solver.size import score_bytes
from digitduel.solver.windows import least, windows
from digitduel.states.endings import divides, grown, spoiled, wins_full
from digitduel.states.shape import Shape
from digitduel.states.vectors import FEW, vectors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from digitduel.position import Position
    from digitduel.ruleset import Ruleset
    from digitduel.states.vectors import Moves

    Places = NDArray[np.int64]

WON, SPOILED = 1, 2  # how a number ended the game: a multiple of the target, or a forbidden one
# Layers of up to this many numbers are made whole; longer ones grow from pieces of the last such.
WHOLE = 2**16
# A piece of work has at most this many lines: its arrays stay in the processor's cache, and below
# the size from which the system hands out fresh memory each time.
PIECE = 30_000


class BlockLayer(NamedTuple):
    """The blocks of one length, one for each vector. Places are counted over all layers."""

    sizes: Places  # (vectors)
    starts: Places  # (vectors): where each block begins
    moves: Moves
    windows: Places  # (vectors, moves): where the window that a move leads to begins

    def pieces(self) -> Iterator[tuple[Places, int, int]]:
        """Rows of blocks of the same size, and how many lines of each to skip and to take."""
        for size in sorted(set(self.sizes[self.sizes > 0].tolist())):
            same, step = np.flatnonzero(self.sizes == size), max(1, PIECE // size)
            even = -(-size // -(-size // PIECE))
            for first in range(0, len(same), step):
                for skip in range(0, size, even):
                    yield same[first : first + step], skip, min(even, size - skip)


class Blocks:
    """The blocks of every length but the full one, and the way to a line along its digits."""

    def __init__(self, shape: Shape) -> None:
        self.vectors, capacity = vectors_of(shape), shape.capacity or 0
        self.layers: list[BlockLayer] = []
        self.firsts = [0, 1]  # where each layer begins; the empty number is the first
        steps = np.zeros((2, self.vectors.first(capacity), 10), np.int64)
        sizes, starts = np.ones(1, np.int64), np.zeros(1, np.int64)
        for length in range(capacity):
            sizes, starts = self._add_layer(length, sizes, starts, steps)
        # Full numbers are not kept. What is missing leads to some room behind all others.
        self.total = self.firsts[capacity]
        self.room = max(int(layer.sizes.max()) for layer in self.layers)
        for layer in self.layers:
            layer.windows[layer.moves.rows == layer.moves.none] = self.total
        # As plain lists, moved on by the code of "0", so that a text's bytes lead through them.
        self.jumps, self.nodes = ([0] * ord("0") + step.ravel().tolist() for step in steps)

    def _add_layer(
        self, length: int, sizes: Places, starts: Places, steps: Places
    ) -> tuple[Places, Places]:
        """Find the windows that the moves of a layer lead to; the next one's sizes and starts."""
        moves = self.vectors.moves(length)
        last = moves.digits.copy()
        last[:, moves.rights :] += 10  # the same digit on the left is another move
        # A column for each last move; the row past the end collects the moves that are missing.
        parts = np.zeros((moves.none + 1, 20), np.int64)
        parts[moves.rows, last] = sizes[:, None]
        parts[-1] = 0
        ahead = np.cumsum(parts).reshape(parts.shape) - parts + self.firsts[-1]
        windows = ahead[moves.rows, last]
        self.layers.append(BlockLayer(sizes, starts, moves, windows))
        self.firsts.append(self.firsts[-1] + int(parts.sum()))
        # How far each digit jumps ahead, and the node it leads to. One way to a number is enough:
        # digit by digit to the right, if digits go there.
        way = slice(moves.rights or None)
        nodes = self.vectors.first(length) + np.arange(len(starts))[:, None]
        steps[0, nodes, moves.digits[:, way]] = (windows - starts[:, None])[:, way]
        steps[1, nodes, moves.digits[:, way]] = 10 * (
            self.vectors.first(length + 1) + moves.rows[:, way]
        )
        return parts[:-1].sum(axis=1), ahead[:-1, 0]


def blocks_of(shape: Shape) -> Blocks:
    """The blocks of a rule set; where the vectors are few they are kept for the next target."""
    few = shape.count_vectors(shape.capacity or 0) <= FEW
    return (_kept if few else Blocks)(shape)


_kept = lru_cache(maxsize=4)(Blocks)


class Piece(NamedTuple):
    """Some numbers of one length: parts of blocks, a row for each."""

    rows: Places  # the vector of each block
    starts: Places  # where each part begins
    numbers: NDArray[Any]


class TreeLayout:
    """The scores of all lines of play: `bound` less the length at the end of the game."""

    def __init__(self, ruleset: Ruleset, bound: int) -> None:
        self.ruleset, self.bound, self.capacity = ruleset, bound, ruleset.capacity or 0
        self.blocks = blocks_of(Shape.of(ruleset))
        cells = self.blocks.total + self.blocks.room
        self._cells: NDArray[Any] = np.empty(cells, f"i{score_bytes(bound)}")
        # Not to have a move is as bad as a forbidden one.
        self._cells[self.blocks.total :] = bound

    @property
    def bytes(self) -> int:
        """About how much memory the scores take, and the way to find them."""
        return self._cells.nbytes + 80 * len(self.blocks.jumps)

    def reader(self) -> Callable[[Position], int]:
        """The function that reads a position's score, found by walking along its digits."""
        scores: memoryview[int] = self._cells.data
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
        scores: NDArray[Any] = 1 - 2 * won.astype(self._cells.dtype)
        if self.ruleset.forbidden:
            scores[spoiled(self.ruleset.forbidden, numbers)] = self.bound
        moves = self.blocks.layers[-1].moves
        if moves.gaps:
            scores[moves.rows[piece.rows, move] == moves.none] = self.bound
        return scores

    def _settle(self, length: int, starts: Places, replies: NDArray[Any]) -> None:
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
