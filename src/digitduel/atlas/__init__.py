"""The atlas: which settings make a real game. Exact measures, sweeps, recommended settings.

`measure` works a rule set out, `Sweep` and `run` many of them, and `recommendations` reads what
ships with the package. numpy is imported only to measure.
"""

from digitduel.atlas.measures import COLUMNS, Measures, measure
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
    "Measures",
    "Recommendation",
    "Sweep",
    "atlas_keys",
    "atlas_plot",
    "atlas_rows",
    "atlas_rules",
    "choices",
    "measure",
    "offers",
    "recommendations",
    "run",
    "shortcoming",
]
