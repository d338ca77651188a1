"""Where each line of play is found in the tree layout. It does not depend on the target.

The lines that use the same digits equally often form a block. A block is put together from the
blocks one move shorter, one for each last move, each in its own order. So a move leads from a
whole block to a whole window of the next layer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from digitduel.states.vectors import FEW, vectors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from digitduel.states.shape import Shape
    from digitduel.states.vectors import Moves

# A piece of work has at most this many lines: its arrays stay in the processor's cache, and below
# the size from which the system hands out fresh memory each time.
PIECE = 30_000


class BlockLayer(NamedTuple):
    """The blocks of one length, one for each vector. Places are counted over all layers."""

    sizes: NDArray[np.int64]  # (vectors)
    starts: NDArray[np.int64]  # (vectors): where each block begins
    moves: Moves
    windows: NDArray[np.int64]  # (vectors, moves): where the window that a move leads to begins

    def pieces(self) -> Iterator[tuple[NDArray[np.int64], int, int]]:
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
        self,
        length: int,
        sizes: NDArray[np.int64],
        starts: NDArray[np.int64],
        steps: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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
    capacity = shape.capacity or 0
    few = shape.count_vectors(capacity) <= FEW and capacity <= FEW
    return _kept(shape) if few else Blocks(shape)


_kept = lru_cache(maxsize=4)(Blocks)
