"""The settings that the atlas recommends, as they ship with the package. No numpy is needed."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from digitduel import describe
from digitduel.atlas.measures import COLUMNS, Measures
from digitduel.errors import DigitDuelError
from digitduel.position import Position
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_keys
from digitduel.solver import INSTANT, evaluator_for
from digitduel.teach.verdicts import FEWEST_PLIES

DATA = Path(__file__).parent / "data"
RECOMMENDED = DATA / "recommended.json"
FARTHEST_TARGET = 100
# The columns that are no fractions.
TEXTS, WHOLE = ("value", "recipe"), ("plies", "winning_first_moves", "depth", "sums")


@dataclass(frozen=True)
class Recommendation:
    """A setting worth playing, and why."""

    ruleset: Ruleset
    changed: tuple[str, ...]  # the rules that differ from the game's own, the target included
    reason: str  # such as "fair to 1%, skill wins 87%"
    measures: Measures | None = None  # where they have been worked out

    @property
    def changes(self) -> dict[str, Any]:
        """What is changed, as plain JSON values."""
        return {name: self.ruleset.rules[name] for name in self.changed}

    @property
    def setting(self) -> str:
        """What is changed, as people say it."""
        return describe.setting(self.ruleset, self.changed)


def recommendations(key: str | None = None) -> list[Recommendation]:
    """The recommended settings of a game, best first, or of all games.

    >>> [setting.changes["target"] > 9 for setting in recommendations("pool")][:3]
    [True, True, True]
    """
    keys = ruleset_keys() if key is None else (_known(key),)
    return [
        Recommendation(
            find_ruleset(key).replace(**entry["changes"]),
            tuple(entry["changes"]),
            entry["reason"],
            Measures(**entry["measures"]),
        )
        for key in keys
        for entry in _shipped().get(key, {}).get("settings", [])
    ]


def offers(ruleset: Ruleset) -> list[Recommendation]:
    """Settings worth playing in place of these: the recommended ones, best first.

    For a game that none are known of, it is the nearest setting that is not over at once.

    >>> offers(find_ruleset("closest"))[0].setting
    'target 71'
    """
    if ruleset.key in _shipped():
        return recommendations(ruleset.key)
    other = livelier(ruleset)
    if other is None:
        return []
    return [Recommendation(other, other.differences(ruleset.values), "not over at once")]


def livelier(ruleset: Ruleset) -> Ruleset | None:
    """The nearest settings that last: a larger target, if need be without 0.

    >>> livelier(find_ruleset("pool")).target
    11
    """
    without_zero = tuple(digit for digit in ruleset.digits if digit)
    for digits in (ruleset.digits, without_zero):
        for target in range(ruleset.target + 1, FARTHEST_TARGET):
            try:
                candidate = ruleset.replace(digits=digits, target=target)
            except DigitDuelError:
                continue
            if lasts(candidate):
                return candidate
    return None


def lasts(ruleset: Ruleset) -> bool:
    """Whether somebody can win, and best play takes some moves to it; yes if that is not known."""
    start = Position(ruleset)
    if start.winning_moves or ruleset.warnings:
        return False
    evaluator = evaluator_for(ruleset, INSTANT)
    plies = evaluator.probe(start).plies if evaluator.exact else None
    return plies is None or plies >= FEWEST_PLIES


def shortcoming(key: str) -> str | None:
    """What no setting of a game was found to offer, in a sentence; None if nothing is missing."""
    sentence: str | None = _shipped().get(_known(key), {}).get("shortcoming")
    return sentence


def atlas_keys() -> tuple[str, ...]:
    """The games that a sweep ships of."""
    return tuple(key for key in ruleset_keys() if key in _shipped())


def atlas_rows(key: str) -> list[dict[str, Any]]:
    """The shipped sweep of a game: a row for each target, with every column."""
    with (DATA / f"{_known(key)}.csv").open(newline="", encoding="utf-8") as file:
        return [
            {name: _read(name, text) for name, text in row.items()} for row in csv.DictReader(file)
        ]


def atlas_rules(key: str) -> dict[str, Any]:
    """What the shipped sweep of a game changes about its rules besides the target."""
    changes: dict[str, Any] = _shipped()[_known(key)]["swept"]
    return changes


def atlas_plot(key: str) -> Path:
    """The picture of a game's shipped sweep, an SVG file."""
    return DATA / f"{_known(key)}.svg"


def _known(key: str) -> str:
    return find_ruleset(key).key


@cache
def _shipped() -> dict[str, Any]:
    games: dict[str, Any] = json.loads(RECOMMENDED.read_text("utf-8"))
    return games


def _read(name: str, text: str) -> Any:
    if not text:
        return None
    if name in TEXTS:
        return text
    return float(text) if name in COLUMNS and name not in WHOLE else int(text)
