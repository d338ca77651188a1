"""The atlas: which settings make a real game. Exact measures, sweeps, recommended settings.

`measure` works a rule set out, `Sweep` and `run` many of them, and `recommendations` reads what
ships with the package. `best_cards` finds what to keep in mind. numpy is imported only to measure.
"""

from typing import TYPE_CHECKING

from digitduel.lazy import lazy_names

if TYPE_CHECKING:  # each as itself, which makes it part of the interface
    from digitduel.atlas.cards import Card as Card
    from digitduel.atlas.cards import best_cards as best_cards
    from digitduel.atlas.cards import card_strength as card_strength
    from digitduel.atlas.measures import COLUMNS as COLUMNS
    from digitduel.atlas.measures import Measures as Measures
    from digitduel.atlas.measures import measure as measure
    from digitduel.atlas.pocket import card_command as card_command
    from digitduel.atlas.pocket import card_picture as card_picture
    from digitduel.atlas.pocket import cards_in_words as cards_in_words
    from digitduel.atlas.recommend import Recommendation as Recommendation
    from digitduel.atlas.recommend import atlas_keys as atlas_keys
    from digitduel.atlas.recommend import atlas_plot as atlas_plot
    from digitduel.atlas.recommend import atlas_rows as atlas_rows
    from digitduel.atlas.recommend import atlas_rules as atlas_rules
    from digitduel.atlas.recommend import choices as choices
    from digitduel.atlas.recommend import offers as offers
    from digitduel.atlas.recommend import recommendations as recommendations
    from digitduel.atlas.recommend import shortcoming as shortcoming
    from digitduel.atlas.sweep import Axis as Axis
    from digitduel.atlas.sweep import Sweep as Sweep
    from digitduel.atlas.sweep import run as run

_ROOMS = {
    "cards": ("Card", "best_cards", "card_strength"),
    "measures": ("COLUMNS", "Measures", "measure"),
    "pocket": ("card_command", "card_picture", "cards_in_words"),
    "recommend": (
        *("Recommendation", "atlas_keys", "atlas_plot", "atlas_rows", "atlas_rules"),
        *("choices", "offers", "recommendations", "shortcoming"),
    ),
    "sweep": ("Axis", "Sweep", "run"),
}
__getattr__, __all__ = lazy_names(__name__, _ROOMS)
