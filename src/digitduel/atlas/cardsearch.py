"""The search for the best pocket cards: all of a size where that is quick, else the likely ones."""

from __future__ import annotations

from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from digitduel.errors import TooLargeError
from digitduel.text import large

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.atlas.cardplay import CardPlay

    Places = tuple[int, ...]  # a card, by the places of its remainders in order

# The most figures that the cards of one remainder may take, and the most cards of a size.
MOST_FIGURES, MOST_CARDS = 2 * 10**8, 10**6
BEAM = 8  # cards to go on from, where not all are tried
# Chances nearer to each other than this are the same, but for the order of adding.
SAME = 1e-11


class Found(NamedTuple):
    """A card, and whether it is known to be the best of its size."""

    remainders: tuple[int, ...]
    proved: bool


class Ranking(NamedTuple):
    """Good cards of a size, the best first, and whether that is known to be the best of all."""

    cards: list[Places]
    average: float  # of the best
    proved: bool


class CardSearch:
    """The best cards of a game; larger ones are searched for from the smaller ones."""

    def __init__(self, play: CardPlay, target: int, budget: int) -> None:
        self._play, self._target, self._budget = play, target, budget
        self._rankings = [Ranking([()], 0.5, proved=True)]  # without a card both play alike
        figures = len(play.choices) * play.figures
        if figures > MOST_FIGURES:
            raise TooLargeError(
                f"the best card for target {large(target)} would take {figures:,} figures even "
                f"with one remainder on it, but {MOST_FIGURES:,} is the most: choose a smaller "
                "target, a shorter limit or fewer digits."
            )

    def best(self, size: int) -> Found:
        """The best card with so many remainders, below the target."""
        # Remainders that nobody has a choice to leave change nothing: they fill a card up.
        spare = self._target - 1 - len(self._play.choices)
        counts = range(max(0, size - spare), min(size, len(self._play.choices)) + 1)
        rankings = [self._ranking(count) for count in counts]
        top = max(ranking.average for ranking in rankings)
        equals = [ranking.cards[0] for ranking in rankings if ranking.average >= top - SAME]
        card = min(self._filled(card, size) for card in equals)
        return Found(card, all(ranking.proved for ranking in rankings))

    def _filled(self, card: Places, size: int) -> tuple[int, ...]:
        """The remainders of a card, filled up with the smallest that change nothing."""
        play = self._play
        chosen = {play.remainders[place] for place in play.choices}
        idle = (each for each in range(1, self._target) if each not in chosen)
        remainders = (play.remainders[place] for place in card)
        return tuple(sorted([*remainders, *islice(idle, size - len(card))]))

    def _ranking(self, size: int) -> Ranking:
        while len(self._rankings) <= size:
            self._rankings.append(self._next())
        return self._rankings[size]

    def _next(self) -> Ranking:
        """The ranking of cards that are one remainder larger than those known."""
        choices, size = self._play.choices, len(self._rankings)
        cards = comb(len(choices), size)
        if cards <= MOST_CARDS and cards * self._play.figures <= self._budget:
            return self._ranked(combinations(choices, size), every=True)
        longer = {_with(card, each) for card in self._rankings[-1].cards for each in choices}
        ranking = self._ranked(card for card in longer if len(card) == size)
        while True:
            best = ranking.cards[0]
            swapped = {_with(set(best) - {out}, each) for out in best for each in choices}
            better = self._ranked({*ranking.cards, *(c for c in swapped if len(c) == size)})
            if better.cards[0] == best:
                return better
            ranking = better

    def _ranked(self, cards: Iterable[Places], every: bool = False) -> Ranking:
        """The best of some cards; of equals the smallest comes first."""
        ordered = sorted(cards)
        averages = self._play.averages(np.array(ordered, np.intp))
        first = int(np.flatnonzero(averages >= averages.max() - SAME)[0])
        order = [first, *np.argsort(-averages, kind="stable").tolist()]
        best = list(dict.fromkeys(order[: BEAM + 1]))[:BEAM]
        return Ranking([ordered[n] for n in best], float(averages[first]), every)


def _with(card: Iterable[int], place: int) -> Places:
    return tuple(sorted({*card, place}))
