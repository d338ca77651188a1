"""The settings that the atlas recommends, as they ship with the package. No numpy is needed."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from digitduel import describe
from digitduel.atlas.cards import Card
from digitduel.atlas.measures import COLUMNS, Measures
from digitduel.errors import DigitDuelError
from digitduel.position import Position
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_keys, shipped_settings, split_name
from digitduel.solver import INSTANT, evaluator_for
from digitduel.teach.verdicts import FEWEST_PLIES

DATA = Path(__file__).parent / "data"
FARTHEST_TARGET = 100
# The columns that are no fractions.
TEXTS, WHOLE = ("value", "recipe"), ("plies", "winning_first_moves", "depth", "sums")


@dataclass(frozen=True)
class Recommendation:
    """A setting worth playing, and why."""

    ruleset: Ruleset
    changed: tuple[str, ...]  # the rules that differ from the game's own, the target included
    reason: str  # such as "fair over two rounds, each step of looking ahead wins about 3 of 4"
    measures: Measures | None = None  # where they have been worked out
    name: str | None = None  # such as "easy"; only settings that ship have one
    cards: tuple[Card, ...] = ()  # the best pocket cards, a remainder more each

    @property
    def full_name(self) -> str:
        """What to call it wherever a game is named, if it has a name.

        >>> recommendations("closest")[0].full_name
        'closest:easy'
        """
        return ":".join(filter(None, (self.ruleset.key, self.name)))

    @property
    def changes(self) -> dict[str, Any]:
        """What is changed, as plain JSON values."""
        return {name: self.ruleset.rules[name] for name in self.changed}

    @property
    def words(self) -> str:
        """What is changed, as people say it."""
        return describe.setting(self.ruleset, self.changed)

    @property
    def heading(self) -> str:
        """Its name, if it has one, and what is changed.

        >>> choices(find_ruleset("closest"))[-1].heading, recommendations("pool")[0].heading[:13]
        ('target 7', 'easy: target ')
        """
        return f"{self.name}: {self.words}" if self.name else self.words


def recommendations(key: str | None = None) -> list[Recommendation]:
    """The recommended settings of a game, the easiest first, or of all games.

    The full name of a setting gives that one alone.

    >>> [setting.name for setting in recommendations("closest:easy")]
    ['easy']
    """
    if key is None:
        return [setting for each in ruleset_keys() for setting in recommendations(each)]
    game, name = find_ruleset(key).key, split_name(key)[1]
    settings = shipped_settings().get(game, {}).get("settings", [])
    return [_recommendation(game, each) for each in settings if name in (None, each["name"])]


def _recommendation(key: str, setting: dict[str, Any]) -> Recommendation:
    """A setting as it was read from its file."""
    return Recommendation(
        find_ruleset(f"{key}:{setting['name']}"),
        tuple(setting["changes"]),
        setting["reason"],
        Measures(**setting["measures"]),
        setting["name"],
        tuple(_card(**card) for card in setting["cards"]),
    )


def _card(remainders: list[int], **figures: Any) -> Card:
    return Card(tuple(remainders), **figures)


def choices(ruleset: Ruleset) -> list[Recommendation]:
    """What to choose from before a game: what is worth playing, and last the game as it comes.

    >>> [choice.reason for choice in choices(find_ruleset("closest"))][-1]
    "the rulebook's; over on move 1"
    """
    at_once = "; over on move 1" if describe.opening_note(ruleset) else ""
    return [*offers(ruleset), Recommendation(ruleset, ("target",), f"the rulebook's{at_once}")]


def offers(ruleset: Ruleset) -> list[Recommendation]:
    """Settings worth playing in place of these: the recommended ones, the easiest first.

    For a game that none are known of and that is over at once, it is the nearest that is not.

    >>> offers(find_ruleset("closest"))[0].name
    'easy'
    """
    if ruleset.key in atlas_keys():
        return recommendations(ruleset.key)
    other = None if lasts(ruleset) else livelier(ruleset)
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
    sentence: str | None = shipped_settings().get(_known(key), {}).get("shortcoming")
    return sentence


def atlas_keys() -> tuple[str, ...]:
    """The games that a sweep ships of."""
    return tuple(key for key in ruleset_keys() if key in shipped_settings())


def atlas_rows(key: str) -> list[dict[str, Any]]:
    """The shipped sweep of a game: a row for each target, with every column."""
    with (DATA / f"{_known(key)}.csv").open(newline="", encoding="utf-8") as file:
        return [
            {name: _read(name, text) for name, text in row.items()} for row in csv.DictReader(file)
        ]


def atlas_rules(key: str) -> dict[str, Any]:
    """What the shipped sweep of a game changes about its rules besides the target."""
    changes: dict[str, Any] = shipped_settings()[_known(key)]["swept"]
    return changes


def atlas_plot(key: str) -> Path:
    """The picture of a game's shipped sweep, an SVG file."""
    return DATA / f"{_known(key)}.svg"


def _known(key: str) -> str:
    return find_ruleset(key).key


def _read(name: str, text: str) -> Any:
    if not text:
        return None
    if name in TEXTS:
        return text
    return float(text) if name in COLUMNS and name not in WHOLE else int(text)
