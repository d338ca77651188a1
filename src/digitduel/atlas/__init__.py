"""The atlas: which settings make a real game. Exact measures, sweeps, recommended settings.

`measure` works a rule set out, `Sweep` and `run` many of them, and `recommendations` reads what
ships with the package. `best_cards` finds what to keep in mind. numpy is imported only to measure.
"""

from digitduel.atlas.cards import Card, best_cards, card_strength
from digitduel.atlas.measures import COLUMNS, Measures, measure
from digitduel.atlas.pocket import card_command, card_picture, cards_in_words
from digitduel.atlas.recommend import (
    Recommendation,
    atlas_keys,
    atlas_plot,
    atlas_rows,
    atlas_rules,
    choices,
    offers,
    recommendations,
    shortcoming,
)
from digitduel.atlas.sweep import Axis, Sweep, run

__all__ = [
    "COLUMNS",
    "Axis",
    "Card",
    "Measures",
    "Recommendation",
    "Sweep",
    "atlas_keys",
    "atlas_plot",
    "atlas_rows",
    "atlas_rules",
    "best_cards",
    "card_command",
    "card_picture",
    "card_strength",
    "cards_in_words",
    "choices",
    "measure",
    "offers",
    "recommendations",
    "run",
    "shortcoming",
]
