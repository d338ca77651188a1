"""The backward pass over the graph of states: what every state that play can reach is worth.

The layouts give the same values, and sooner, for one position at a time. This gives them as arrays
over the states of a graph, for whoever needs all of them beside the moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from digitduel.solver.evaluation import ENDLESS, LOSSES, WINS
from digitduel.states.graph import extended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from digitduel.solver.evaluation import Evaluation
    from digitduel.states.graph import Graph

# A win in n plies scores BOUND - n, a loss in n plies n - BOUND, no end 0.
BOUND = 2**30


class Scores(NamedTuple):
    """What the states of a layer are worth, and what the moves from there leave the opponent."""

    states: NDArray[np.int32]
    replies: NDArray[np.int32]  # (moves, states)
    least: NDArray[np.int32]  # of the replies to each state: what the best moves leave


def retrograde(graph: Graph) -> Iterator[Scores]:
    """The scores of every layer, from the last one back to the empty number."""
    scores = _rounds(graph.layers[-1]) if graph.loops else np.zeros(0, np.int32)
    for child in reversed(graph.layers):
        layer = _layer(child, scores)
        yield layer
        scores = layer.states


def move_values(replies: NDArray[np.int32]) -> list[Evaluation]:
    """What moves are worth to the player who makes them, from what they leave the opponent."""
    return [
        WINS[BOUND + 1 + reply] if reply < 0 else LOSSES[BOUND + 1 - reply] if reply else ENDLESS
        for reply in replies.ravel().tolist()
        if reply <= BOUND  # the others are missing
    ]


def _rounds(child: NDArray[np.intp]) -> NDArray[np.int32]:
    """The scores of states that lead among themselves.

    A round finds those decided one ply farther from the end than the round before; what is left
    when a round finds none has no end.
    """
    scores = np.zeros(child.shape[1], np.int32)
    undecided = np.arange(len(scores))
    while undecided.size:
        layer = _layer(child[:, undecided], scores)
        decided = layer.least != 0
        if not decided.any():
            break
        scores[undecided[decided]] = layer.states[decided]
        undecided = undecided[~decided]
    return scores


def _layer(child: NDArray[np.intp], scores: NDArray[np.int32]) -> Scores:
    """What states are worth whose moves lead to states with these scores."""
    # A game that I have won is one that the opponent has lost in 0 plies.
    replies = extended(scores, -BOUND, BOUND, BOUND + 1).take(child)
    least: NDArray[np.int32] = replies.min(axis=0)
    # One step nearer to 0: the end is one ply farther away.
    return Scores(np.sign(least) - least, replies, least)
