"""The short name of a puzzle: its setting, the version of the generator, a seed and a number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from digitduel.addresses import rules_query, shipped
from digitduel.errors import InvalidPuzzleError
from digitduel.fields import RULES, parse_field
from digitduel.ruleset import find_ruleset, setting_names
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

GENERATOR = 1  # counted up whenever a seed gives other puzzles than before
LARGEST_SEED, LARGEST_NUMBER = 10**18, 100_000
PATTERN = re.compile(r"([^/?]+)/([0-9]{1,9})/([0-9]{1,18})/([0-9]{1,6})")


class PuzzleName(NamedTuple):
    """Which puzzle of which seed.

    >>> str(PuzzleName(find_ruleset("closest").replace(target=12), seed=7, number=3))
    'closest:easy/1/7/3'
    >>> PuzzleName.parse("pool+target=15+digits=1-8/1/7/3").ruleset.target
    15
    """

    ruleset: Ruleset
    seed: int
    number: int  # from 1 on

    @classmethod
    def parse(cls, text: str) -> PuzzleName:
        """Read a name; InvalidPuzzleError if it is none, or of another version."""
        parts = PATTERN.fullmatch(text.strip())
        if parts is None or not 1 <= int(parts[4]) <= LARGEST_NUMBER:
            raise InvalidPuzzleError(
                f"{quoted(text)} is no name of a puzzle: write it as closest:easy/1/7/3, which is "
                "setting, version, seed and number (1 to 100,000), or as an address that holds the "
                "moves, /puzzle?game=pool&target=12&moves=5+2."
            )
        setting, version, seed, number = parts.groups()
        if int(version) != GENERATOR:
            raise InvalidPuzzleError(
                f"{quoted(text)} is of version {int(version)} of the generator, and this is "
                f"version {GENERATOR}: use the name that holds the moves."
            )
        return cls(_ruleset(setting), int(seed), int(number))

    def __str__(self) -> str:
        return f"{setting_name(self.ruleset)}/{GENERATOR}/{self.seed}/{self.number}"


def setting_name(ruleset: Ruleset) -> str:
    """What a short name calls a rule set: a setting, or a game and the rules that differ.

    >>> setting_name(find_ruleset("pool").replace(target=15, digits="1-8"))
    'pool+target=15+digits=1-8'
    """
    ruleset = shipped(ruleset)
    for name in setting_names(ruleset.key):
        if find_ruleset(f"{ruleset.key}:{name}") == ruleset:
            return f"{ruleset.key}:{name}"
    changes = rules_query(ruleset)
    return "+".join([ruleset.key, *(f"{name}={text}" for name, text in changes.items())])


def _ruleset(text: str) -> Ruleset:
    key, *changes = text.split("+")
    rules = {}
    for change in changes:
        name, _, value = change.partition("=")
        if name not in RULES:
            raise InvalidPuzzleError(
                f"{quoted(name)} in the name of a puzzle is no rule: {did_you_mean(name, RULES)}"
            )
        rules[name] = parse_field(name, value)
    return find_ruleset(key).replace(**rules)
