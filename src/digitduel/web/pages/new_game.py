"""What was chosen for a new game: read from a form or an address, checked by the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from pydantic import Field, create_model

from digitduel.addresses import rules_query
from digitduel.atlas import Recommendation, choices
from digitduel.describe import opening_note, setting
from digitduel.errors import DigitDuelError
from digitduel.fields import RULES, Rule, format_field, parse_field
from digitduel.match import MOST_ROUNDS
from digitduel.players import LEVELS, PERFECT, manner
from digitduel.ruleset import (
    Ruleset,
    easiest,
    find_ruleset,
    newcomers_game,
    ruleset_keys,
    split_name,
)
from digitduel.text import quoted
from digitduel.web.hosted import DEVICE, FRIEND
from digitduel.web.models import NewGame
from digitduel.web.service import ruleset_for

Text = Annotated[str, Field(max_length=300)]
LEVEL_TEXTS = tuple(str(level) for level in (*LEVELS, PERFECT))
COMPUTER = "computer"
ANYONE = "anyone"
OPPONENTS = (FRIEND, COMPUTER, DEVICE, ANYONE)
STARTERS = ("1", "2", "random")
ROUND_BY_ROUND, BEST_OF, ALL_OF = MATCHES = ("", "best", "all")
CLOCKS = ("", "1+0", "3+2", "5+3", "10+5", "15+10")
# What else is asked for, and every answer there is; `Given` has the usual ones.
ANSWERS = {
    "opponent": OPPONENTS,
    "level": LEVEL_TEXTS,
    "first": STARTERS,
    "match": MATCHES,
    "clock": CLOCKS,
}
LONGEST_ROUNDS = 10  # characters
LONGEST_KEPT = 2_000  # characters of a form that a browser remembers
_TEXTS: dict[str, Any] = dict.fromkeys(RULES, (Text, ""))


class Given(create_model("RuleTexts", **_TEXTS)):  # type: ignore[misc]  # a text for each rule
    """The fields as they come: texts, none of them needed."""

    game: Text = ""
    opponent: Text = FRIEND
    level: Text = "3"
    first: Text = "1"
    match: Text = ROUND_BY_ROUND
    rounds: Text = "3"
    clock: Text = ""
    name: Text | None = None  # what whoever makes the game is called, where that is asked
    warned: Text = ""  # the warning that the page has shown
    instead: Text = ""  # which of the offered settings to take in place of these
    unfolded: Text = ""  # whether the rules were in sight

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
    match: str
    clock: str
    rounds: str
    unfolded: bool = False
    problem: str | None = None
    refusal: str | None = None  # why there is no game, though the settings would make one

    @classmethod
    def read(cls, given: Given) -> NewGameForm:
        """What was given; where it makes no game, the texts as they are, with the reason."""
        usual_answers = Given()
        chosen: dict[str, Any] = {
            name: getattr(given if getattr(given, name) in known else usual_answers, name)
            for name, known in ANSWERS.items()
        }
        chosen["unfolded"] = bool(given.unfolded)
        chosen["rounds"] = given.rounds.strip()[:LONGEST_ROUNDS]
        try:
            ruleset = given.ruleset()
        except DigitDuelError as error:
            key = split_name(given.game)[0]
            usual = find_ruleset(key if key in ruleset_keys() else newcomers_game())
            texts = {name: getattr(given, name) or _text(usual, name) for name in RULES}
            return cls(usual, texts, **chosen, problem=str(error))
        for number, choice in enumerate(_choices(ruleset)):
            if given.instead == str(number):
                chosen["unfolded"] |= _is_own(ruleset)  # nobody changes what is folded away
                ruleset = choice.ruleset
        return cls(ruleset, {name: _text(ruleset, name) for name in RULES}, **chosen)

    @classmethod
    def remembered(cls, kept: str) -> NewGameForm:
        """What a browser kept, checked like any other; a newcomer's form where that is nonsense."""
        try:
            form = cls.read(Given(**dict(parse_qsl(kept[:LONGEST_KEPT]))))
        except ValueError:  # pydantic's is one, and one tells of bytes that are no text
            form = cls.read(Given())
        return cls.read(Given()) if form.problem else form

    @property
    def kept(self) -> str:
        """What a browser is to remember: enough for `remembered`, and no more than a cookie holds.

        >>> NewGameForm.read(Given(game="pool", target="12", opponent="device")).kept
        'game=pool&target=12&opponent=device'
        """
        usual, answers = Given(), {name: getattr(self, name) for name in (*ANSWERS, "rounds")}
        changed = {name: text for name, text in answers.items() if text != getattr(usual, name)}
        text = urlencode({"game": self.ruleset.key, **rules_query(self.ruleset), **changed})
        return text if len(text) <= LONGEST_KEPT else ""

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
        return _is_own(self.ruleset)

    @property
    def opens_rules(self) -> bool:
        """Whether the rules are to be in sight: they were, or there is something to see."""
        return self.unfolded or self.is_own or self.problem is not None

    @property
    def setting(self) -> str | None:
        """The recommended setting that these rules are, by its full name."""
        named = (choice for choice in self.choices if choice.name)
        return next((each.full_name for each in named if each.ruleset == self.ruleset), None)

    @property
    def clocks(self) -> tuple[str, ...]:
        """The clocks to choose from, besides none."""
        return CLOCKS[1:]

    def new_game(self, name: str | None = None) -> NewGame:
        """The game to be made, for whoever is called that."""
        by_level = self.opponent == COMPUTER
        values: dict[str, Any] = {
            "game": self.ruleset.key,
            "rules": self.ruleset.rules,
            "first": self.first if self.first == "random" else int(self.first),
            "opponent": f"level:{self.level}" if by_level else self.opponent,
            "clock": None if by_level else self.clock or None,
            "name": None if self.opponent == DEVICE else name,
        }
        if self.match:
            values["best_of" if self.match == BEST_OF else "rounds"] = self._rounds()
        return NewGame(**values)

    def _rounds(self) -> int:
        text = self.rounds
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST_ROUNDS):
            raise DigitDuelError(
                f"{quoted(text)} rounds make no match: give a whole number from 1 to {MOST_ROUNDS}."
            )
        return int(text)


def _choices(ruleset: Ruleset) -> list[Recommendation]:
    return choices(find_ruleset(ruleset.key))


def _is_own(ruleset: Ruleset) -> bool:
    others = (choice.ruleset for choice in _choices(ruleset))
    return all(set(other.differences(ruleset.values)) - {"target"} for other in others)


def _text(ruleset: Ruleset, name: str) -> str:
    return format_field(name, getattr(ruleset, name))
