"""Pocket cards: a few remainders that are good to leave, and exactly what they are worth.

Whoever plays by a card takes a win at once. Else, of the moves that a careful player chooses from,
it makes one that leaves a remainder on the card, evenly among those; if none does, any of them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from operator import index
from typing import TYPE_CHECKING, Any

from digitduel.atlas.measures import larger_than_memory
from digitduel.errors import DigitDuelError, TooLargeError
from digitduel.text import large, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.atlas.cardplay import CardPlay
    from digitduel.ruleset import Ruleset

MOST_REMAINDERS = 4  # that anybody keeps in mind
# What trying all cards of a size may take: a figure for each card and each move of careful play.
# So many are worked out in some seconds.
BUDGET = 3 * 10**8


@dataclass(frozen=True)
class Card:
    """A card, and its player's chances against a careful player."""

    remainders: tuple[int, ...]  # of the target, the smallest first
    first: float  # of winning as the one who starts
    second: float  # and as the other
    average: float  # over both seats; a game that never ends counts one half
    proved: bool = False  # known to be the best of all cards with so many remainders

    def to_json(self) -> dict[str, Any]:
        """The card as plain JSON values, rounded as all measures are.

        >>> Card((3, 6), 1 / 2, 3 / 4, 5 / 8).to_json()["remainders"]
        [3, 6]
        """
        from digitduel.atlas.sweep import rounded  # only here: a game's start names a card

        return {name: rounded(value) for name, value in asdict(self).items()} | {
            "remainders": list(self.remainders)
        }


def card_strength(ruleset: Ruleset, remainders: Iterable[int]) -> Card:
    """What a card with these `remainders` is worth; TooLargeError if the states do not fit.

    >>> from digitduel import find_ruleset
    >>> card_strength(find_ruleset("pool").replace(target=12), [3, 6, 9]).average
    0.6875
    """
    card = tuple(sorted({_remainder(ruleset, each) for each in remainders}))
    return Card(card, *_play(ruleset).chances(card))


def best_cards(ruleset: Ruleset, most: int = MOST_REMAINDERS, budget: int = BUDGET) -> list[Card]:
    """The best card of each size up to `most`; of equals the one with the smallest remainders.

    All cards of a size are tried if that takes no more figures than the budget. Else it is the
    best that a search found, and not `proved`.

    >>> from digitduel import find_ruleset
    >>> cards = best_cards(find_ruleset("pool").replace(target=12), most=3)
    >>> [card.remainders for card in cards]
    [(3,), (3, 6), (3, 6, 9)]
    """
    # Imported here, because whoever looks for no card need not wait for numpy.
    from digitduel.atlas.cardsearch import CardSearch

    play = _play(ruleset)
    search = CardSearch(play, ruleset.target, budget)
    found = (search.best(size) for size in range(1, min(most, ruleset.target - 1) + 1))
    return [Card(card, *play.chances(card), proved) for card, proved in found]


def _play(ruleset: Ruleset) -> CardPlay:
    from digitduel.atlas.cardplay import card_play

    if too_large := larger_than_memory(ruleset):
        raise TooLargeError(f"a card for {too_large}.")
    return card_play(ruleset)


def _remainder(ruleset: Ruleset, given: Any) -> int:
    """What can be on a card; DigitDuelError for anything else."""
    try:
        remainder = index(given)
    except TypeError:
        remainder = 0
    if not 0 < remainder < ruleset.target:
        raise DigitDuelError(
            f"{quoted(given)} cannot be on a card for target {large(ruleset.target)}: "
            f"give whole numbers from 1 to {large(ruleset.target - 1)}."
        )
    return remainder
