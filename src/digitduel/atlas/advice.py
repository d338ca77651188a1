"""What the atlas knows of a setting that helps in every position of it: its recipe, its card."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from digitduel.atlas.recipes import find_recipe
from digitduel.atlas.recommend import recommendations
from digitduel.errors import TooLargeError
from digitduel.solver import rules_key
from digitduel.teach import Advice

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

MOST_STATES = 1_500  # that are looked at for a recipe: some milliseconds


@lru_cache(maxsize=64)
def advice_for(ruleset: Ruleset) -> Advice:
    """The recipe of a setting, if it is soon found, and its largest card, if that ships.

    >>> from digitduel import find_ruleset
    >>> advice_for(find_ruleset("conquest").replace(target=11)).recipe
    'the second player wins by copying the digit'
    >>> advice_for(find_ruleset("pool:easy")).card
    (1, 2, 3, 5)
    """
    recipe = None
    with suppress(TooLargeError):
        recipe = find_recipe(ruleset, most_states=MOST_STATES)
    return Advice(recipe.text if recipe else None, _shipped_cards().get(rules_key(ruleset), ()))


@cache
def _shipped_cards() -> dict[tuple[object, ...], tuple[int, ...]]:
    """The largest pocket card of each recommended setting."""
    return {
        rules_key(setting.ruleset): setting.cards[-1].remainders
        for setting in recommendations()
        if setting.cards
    }
