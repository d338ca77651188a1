"""The settings that the atlas recommends, as they ship with the package. No numpy is needed."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from digitduel import describe
from digitduel.atlas.measures import COLUMNS, Measures
from digitduel.errors import InvalidRulesetError
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_keys
from digitduel.suggest import livelier
from digitduel.text import did_you_mean, quoted

DATA = Path(__file__).parent / "data"
RECOMMENDED = DATA / "recommended.json"


@dataclass(frozen=True)
class Recommendation:
    """A setting worth playing, and why."""

    key: str  # of the game
    changes: dict[str, Any]  # the rules that differ from the game's own, the target included
    measures: Measures
    reason: str  # such as "fair to 1%, skill wins 87%"

    @property
    def ruleset(self) -> Ruleset:
        """The game with these changes."""
        return find_ruleset(self.key).replace(**self.changes)

    @property
    def setting(self) -> str:
        """The changes as people say them."""
        return describe.setting(self.ruleset, self.changes)


class Offer(NamedTuple):
    """A setting to play in place of another, and why."""

    ruleset: Ruleset
    changed: tuple[str, ...]  # the rules that differ from the game as it ships, or from the other
    reason: str  # why it is worth playing

    @property
    def setting(self) -> str:
        """What is changed, as people say it."""
        return describe.setting(self.ruleset, self.changed)


def recommendations(key: str | None = None) -> list[Recommendation]:
    """The recommended settings of a game, best first, or of all games.

    >>> [each.changes["target"] > 9 for each in recommendations("pool")][:3]
    [True, True, True]
    """
    keys = ruleset_keys() if key is None else (_known(key),)
    return [
        Recommendation(each, entry["changes"], Measures(**entry["measures"]), entry["reason"])
        for each in keys
        for entry in _shipped().get(each, {}).get("settings", [])
    ]


def offers(ruleset: Ruleset) -> list[Offer]:
    """Settings worth playing in place of these: the recommended ones, best first.

    For a game that none are known of, it is the nearest setting that is not over at once.

    >>> offers(find_ruleset("closest"))[0].setting
    'target 71'
    """
    if ruleset.key in _shipped():
        known = recommendations(ruleset.key)
        return [Offer(each.ruleset, tuple(each.changes), each.reason) for each in known]
    other = livelier(ruleset)
    if other is None:
        return []
    return [Offer(other, other.differences(ruleset), "not over at once")]


def shortcoming(key: str) -> str | None:
    """What no setting of a game was found to offer, in a sentence; None if nothing is missing."""
    found: str | None = _shipped().get(_known(key), {}).get("shortcoming")
    return found


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
    found: dict[str, Any] = _shipped()[_known(key)]["swept"]
    return found


def atlas_plot(key: str) -> Path:
    """The picture of a game's shipped sweep, an SVG file."""
    return DATA / f"{_known(key)}.svg"


def _known(key: str) -> str:
    if key not in ruleset_keys():
        raise InvalidRulesetError(
            f"there is no game called {quoted(key)}: {did_you_mean(key, ruleset_keys())}"
        )
    return key


@cache
def _shipped() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECOMMENDED.read_text("utf-8"))
    return found


def _read(name: str, text: str) -> Any:
    if not text:
        return None
    if name == "value":
        return text
    return float(text) if name in COLUMNS[3:] else int(text)
