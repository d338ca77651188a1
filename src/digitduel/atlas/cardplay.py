"""The chances of pocket cards against a careful player, as arrays over states and cards.

A card only chooses among careful moves, so all that ever happens is careful play, and only what
that can reach is looked at. The figures of many cards travel together, as one more axis.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from digitduel.atlas.extras import missing
from digitduel.atlas.ladder import CAREFUL
from digitduel.atlas.policies import Policy, count, layers_of
from digitduel.states.endings import remainder
from digitduel.states.graph import ENDS, LOST, NONE, REACHED, WON, graph_of, reach

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from digitduel.ruleset import Ruleset
    from digitduel.states.graph import Graph

    Numbers = NDArray[np.float64]
    Places = NDArray[np.intp]

# Figures that are worked out together: as many as a processor has at hand.
AT_A_TIME = 2**18
# Whoever has an end within a move and a reply has it with a chance of 1/400 or more.
NO_END = 1 - 1e-3


class CardPlay(ABC):
    """Careful play from the first move on, and the chances of cards against it.

    A remainder goes by its place in `remainders`, and a card is a row of places.
    """

    def __init__(self, plays: Sequence[Policy], left: Sequence[NDArray[Any]]) -> None:
        """From what is chosen from in each layer, and the remainders of what that leads to."""
        every, places = np.unique(np.concatenate(left), return_inverse=True)
        self.remainders: list[int] = every.tolist()  # all that careful play can leave
        leaves = np.split(places, np.cumsum([len(each) for each in left])[:-1])
        self.layers = [CardLayer(*each) for each in zip(plays, leaves, strict=True)]
        self.figures = sum(play.child.size for play in plays)  # that one card takes
        self._width = 4 * max(map(len, left)) + 1  # and a layer of them

    @cached_property
    def choices(self) -> list[int]:
        """The places of the remainders that somebody can choose to leave or not to leave."""
        some = [layer.choices(none=len(self.remainders)) for layer in self.layers]
        choices: list[int] = np.unique(np.concatenate(some)).tolist()
        return choices

    def averages(self, cards: Places) -> Numbers:
        """The chances of many cards over both seats; a game that never ends counts one half."""
        piece = max(1, AT_A_TIME // self._width)
        pieces = (cards[first : first + piece] for first in range(0, len(cards), piece))
        return np.concatenate([self._averages(each) for each in pieces])

    def _averages(self, cards: Places) -> Numbers:
        on = np.zeros((len(self.remainders), len(cards)))
        on[cards, np.arange(len(cards))[:, None]] = 1
        first, second = self.seats(on)
        return (first + second) / 2

    @abstractmethod
    def seats(self, on: Numbers) -> tuple[Numbers, Numbers]:
        """The chances of many cards as the one who starts and as the other; no end is one half.

        `on` is 1 for each (remainder, card) where that is on it.
        """

    @abstractmethod
    def chances(self, card: Collection[int]) -> tuple[float, float, float]:
        """The exact chances of a card: of winning as first, as second, and its average."""

    def on(self, card: Collection[int]) -> NDArray[np.bool_]:
        """Which remainders are on a card."""
        return np.array([each in card for each in self.remainders], bool)


class CardLayer(NamedTuple):
    """What careful play chooses from in some states, and which remainders that leaves."""

    play: Policy
    leaves: Places  # of each state that it leads to

    def before(self, mine: Numbers, theirs: Numbers, on: Numbers) -> tuple[Numbers, Numbers]:
        """The chances of cards' players here, from those in the states that it leads to.

        `mine` are those with the card's player to move, and `theirs` with the other.
        """
        (states, cards), liked = theirs.shape, on[self.leaves]
        worth = np.zeros((states + len(ENDS), 4, cards))
        np.stack([theirs, theirs * liked, liked, mine], axis=1, out=worth[:states])
        worth[[REACHED, WON], 0] = worth[LOST, 3] = 1
        total = worth[self.play.child[0]]
        for child in self.play.child[1:]:
            total += worth[child]
        my_any, my_liked, how_many, their_any = total.swapaxes(0, 1)
        counts = self.play.counts[:, None]
        mine = np.where(how_many > 0, my_liked / np.maximum(how_many, 1), my_any / counts)
        return mine, their_any / counts

    def policy(self, on: NDArray[np.bool_]) -> Policy:
        """What the player of one card chooses from."""
        liked = np.append(on, False)[self._left()]
        chosen = np.where(liked.any(axis=0), liked, self.play.child != NONE)
        return Policy(np.where(chosen, self.play.child, NONE), count(chosen))

    def weights(self, on: Numbers) -> Numbers:
        """The chance of each move, as (state, card, move), if cards' players make it."""
        liked = np.append(on, np.zeros((1, on.shape[1])), axis=0)[self._left()]
        weights = np.where(liked.any(axis=0), liked, (self.play.child != NONE)[..., None])
        return np.moveaxis(weights / weights.sum(axis=0), 0, -1)

    def replies(self) -> Numbers:
        """The chance of each state after a reply, and last the chance that the card's player won.

        A row for each state that the reply is made in, and for each end before it was made; the
        layer leads to itself.
        """
        child, counts = self.play
        states = len(counts)
        after = np.zeros((states + len(ENDS), states + 1))
        for move in child:
            goes_on = np.flatnonzero(move >= 0)
            after[goes_on, move[goes_on]] += 1  # each row once
            after[:states, -1] += move == LOST
        after[:states] /= counts[:, None]
        after[[REACHED, WON], -1] = 1
        return after

    def choices(self, none: int) -> Places:
        """The remainders that are left by some of the moves in a state, and not by others."""
        left = self._left()
        goes_on = left != NONE
        least = np.where(goes_on, left, none).min(axis=0)
        choices: Places = left[goes_on & (left.max(axis=0) > least)]
        return choices

    def _left(self) -> Places:
        """What each move leaves; NONE if it ends the game, as all careful moves there do."""
        left: Places = np.append(self.leaves, [NONE] * len(ENDS))[self.play.child]
        return left


class LinePlay(CardPlay):
    """Where every game ends: one pass over the layers, from the last one back."""

    def __init__(self, graph: Graph, target: int) -> None:
        plays, left, states = [], [], np.zeros(1, np.intp)
        after = [*graph.residues[1:], graph.residues[0][:0]]
        for layer, residues in zip(layers_of(graph), after, strict=True):
            play = layer.policy(CAREFUL)
            child = play.child[:, states]
            ahead = np.unique(child[child >= 0])
            plays.append(_within(play, states, ahead))
            left.append(remainder(residues[ahead], target))
            states = ahead
        super().__init__(plays, left)

    def seats(self, on: Numbers) -> tuple[Numbers, Numbers]:
        """The chances of many cards as the one who starts and as the other."""
        mine = theirs = np.zeros((0, on.shape[1]))
        for layer in reversed(self.layers):
            mine, theirs = layer.before(mine, theirs, on)
        return mine[0], theirs[0]

    def chances(self, card: Collection[int]) -> tuple[float, float, float]:
        """The exact chances of a card: as first, as second, and its average."""
        (first,), (second,) = self.seats(self.on(card)[:, None].astype(float))
        return float(first), float(second), float((first + second) / 2)


class CirclePlay(CardPlay):
    """Where a game may never end: linear systems, small ones for many cards at a time."""

    def __init__(self, graph: Graph, target: int, phase: NDArray[np.int64]) -> None:
        start, body = (layer.policy(CAREFUL) for layer in layers_of(graph))
        states = np.flatnonzero(reach(start.child[start.child >= 0], body.child))
        plays = _within(start, np.zeros(1, np.intp), states), _within(body, states, states)
        super().__init__(plays, [remainder(graph.residues[1][states], target)] * 2)
        self._phase = phase[states]
        size = len(states)
        self.figures = 5 * size**2 + size**3 // 8  # to make a system, and to solve it
        self._width = size**2 + 1

    @cached_property
    def choices(self) -> list[int]:
        """The places of the remainders that somebody can choose to leave or not to leave."""
        every = np.concatenate([layer.play.child.ravel() for layer in self.layers])
        # Where careful play never ends a game, no choice matters.
        return super().choices if np.isin(every, [REACHED, WON, LOST]).any() else []

    def seats(self, on: Numbers) -> tuple[Numbers, Numbers]:
        """The chances of many cards as the one who starts and as the other; no end is one half."""
        start, body = self.layers
        mine = self._mine(on)
        theirs = body.before(mine, mine, on)[1]
        mine, theirs = start.before(mine, theirs, on)
        return mine[0], theirs[0]

    def _mine(self, on: Numbers) -> Numbers:
        """The chances of cards in each state that has the card's player to move."""
        leads, gain = self._rounds(on)
        # Where no end can be reached the chance is one half, and no equation says so.
        ends = leads.sum(axis=-1) < NO_END
        while (more := ends | ((leads @ ends[..., None])[..., 0] > 0)).sum() > ends.sum():
            ends = more
        leads[~ends], gain[~ends] = 0, 0.5
        mine = np.linalg.solve(np.eye(leads.shape[-1]) - leads, gain[..., None])[..., 0]
        return mine.T.astype(np.float64, copy=False)

    def _rounds(self, on: Numbers) -> tuple[Numbers, Numbers]:
        """After a card's move and the reply to it: the chance of each state, and to have won."""
        body = self.layers[1]
        replies = body.replies()[body.play.child].swapaxes(0, 1)
        after = (body.weights(on) @ replies).swapaxes(0, 1)
        return after[..., :-1].copy(), after[..., -1].copy()

    def chances(self, card: Collection[int]) -> tuple[float, float, float]:
        """The exact chances of a card: of winning as first, as second, and its average."""
        try:
            from digitduel.atlas.markov import Meeting
        except ImportError as error:
            raise missing(error, "atlas", "a card for a game that may never end") from None
        mine = [layer.policy(self.on(card)) for layer in self.layers]
        meeting = Meeting(mine, [layer.play for layer in self.layers], self._phase)
        return *meeting.expected(won=1, lost=0), 0.5 + sum(meeting.expected(won=1, lost=-1)) / 4


def card_play(ruleset: Ruleset) -> CardPlay:
    """Careful play of a rule set; the remainders are those of its target."""
    graph = graph_of(ruleset)
    if graph.phase is None:
        return LinePlay(graph, ruleset.target)
    return CirclePlay(graph, ruleset.target, graph.phase)


def _within(play: Policy, states: Places, ahead: Places) -> Policy:
    """A policy in some states only, which leads to some states only, with no gaps among moves."""
    child, counts = play.child[:, states], play.counts[states]
    child = np.where(child < 0, child, np.searchsorted(ahead, child))
    # Moves first, whatever they lead to; there is always one.
    first = np.argsort(child == NONE, axis=0, kind="stable")[: counts.max(initial=1)]
    return Policy(np.take_along_axis(child, first, axis=0), counts)
