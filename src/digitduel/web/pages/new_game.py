"""What was chosen for a new game: read from a form or an address, checked by the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, create_model

from digitduel.atlas import Recommendation, choices
from digitduel.describe import opening_note, setting
from digitduel.errors import DigitDuelError
from digitduel.fields import RULES, Rule, format_field, parse_field
from digitduel.players import LEVELS, PERFECT, manner
from digitduel.ruleset import (
    Ruleset,
    easiest,
    find_ruleset,
    newcomers_game,
    ruleset_keys,
    split_name,
)
from digitduel.web.hosted import DEVICE, FRIEND
from digitduel.web.models import NewGame
from digitduel.web.service import ruleset_for

Text = Annotated[str, Field(max_length=300)]
LEVEL_TEXTS = tuple(str(level) for level in (*LEVELS, PERFECT))
COMPUTER = "computer"
OPPONENTS = (FRIEND, COMPUTER, DEVICE)
STARTERS = ("1", "2", "random")
_TEXTS: dict[str, Any] = dict.fromkeys(RULES, (Text, ""))


class Given(create_model("RuleTexts", **_TEXTS)):  # type: ignore[misc]  # a text for each rule
    """The fields as they come: texts, none of them needed."""

    game: Text = ""
    opponent: Text = FRIEND
    level: Text = "3"
    first: Text = "1"
    warned: Text = ""  # the warning that the page has shown
    instead: Text = ""  # which of the offered settings to take in place of these

    def ruleset(self) -> Ruleset:
        """The rules meant; a field left empty is as in the game that is named.

        Whoever names none gets the one for newcomers.
        """
        texts = {name: getattr(self, name).strip() for name in RULES}
        rules = {name: parse_field(name, text) for name, text in texts.items() if text}
        return ruleset_for(self.game or easiest(newcomers_game()), rules)


@dataclass(frozen=True)
class NewGameForm:
    """A form as it is shown: the rules, each field's text, and what is wrong or worth knowing."""

    ruleset: Ruleset
    texts: dict[str, str]
    opponent: str
    level: str
    first: str
    problem: str | None = None

    @classmethod
    def read(cls, given: Given) -> NewGameForm:
        """What was given; where it makes no game, the texts as they are, with the reason."""
        chosen = {
            "opponent": given.opponent if given.opponent in OPPONENTS else FRIEND,
            "level": given.level if given.level in LEVEL_TEXTS else "3",
            "first": given.first if given.first in STARTERS else "1",
        }
        try:
            ruleset = given.ruleset()
        except DigitDuelError as error:
            key = split_name(given.game)[0]
            usual = find_ruleset(key if key in ruleset_keys() else newcomers_game())
            texts = {name: getattr(given, name) or _text(usual, name) for name in RULES}
            return cls(usual, texts, **chosen, problem=str(error))
        for number, choice in enumerate(_choices(ruleset)):
            if given.instead == str(number):
                ruleset = choice.ruleset
        return cls(ruleset, {name: _text(ruleset, name) for name in RULES}, **chosen)

    @property
    def note(self) -> str | None:
        """The warning that the game would be over on move 1."""
        return None if self.problem else opening_note(self.ruleset)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What else is odd about the rules."""
        return () if self.problem else self.ruleset.warnings

    @property
    def choices(self) -> list[Recommendation]:
        """The settings to choose from: the recommended ones, and last the rulebook's."""
        return _choices(self.ruleset)

    @property
    def levels(self) -> dict[str, str]:
        """The computer's levels, and how each of them plays by these rules."""
        return {level: manner(f"level:{level}", self.ruleset) for level in LEVEL_TEXTS}

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to warn of."""
        return not (self.problem or self.note or self.warnings)

    @property
    def difference(self) -> str:
        """What was changed about the game, in a sentence without its full stop."""
        return setting(self.ruleset, self.ruleset.changed)

    @property
    def rule_fields(self) -> list[Rule]:
        """Every rule besides the target, which stands by itself."""
        return [rule for name, rule in RULES.items() if name != "target"]

    @property
    def is_own(self) -> bool:
        """Whether more than the target is different from all settings to choose from."""
        rules = self.ruleset.values
        return all(set(each.ruleset.differences(rules)) - {"target"} for each in self.choices)

    def new_game(self) -> NewGame:
        """The game to be made."""
        level = f"level:{self.level}"
        values: dict[str, Any] = {
            "game": self.ruleset.key,
            "rules": self.ruleset.rules,
            "first": self.first if self.first == "random" else int(self.first),
            "opponent": level if self.opponent == COMPUTER else self.opponent,
        }
        return NewGame(**values)


def _choices(ruleset: Ruleset) -> list[Recommendation]:
    return choices(find_ruleset(ruleset.key))


def _text(ruleset: Ruleset, name: str) -> str:
    return format_field(name, getattr(ruleset, name))
