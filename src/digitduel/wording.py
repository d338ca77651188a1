"""The words of a game: prompts, result lines, and tips and rulings where they are true."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, fields, replace
from math import inf
from typing import TYPE_CHECKING, Any

from digitduel.errors import InvalidRulesetError
from digitduel.fields import DIGITS, DIVISORS, RULES, WHOLE, Kind, refusal
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

LONGEST_QUOTE = 100

PLACEHOLDER = re.compile(r"\{(\w+)\}")

PLACEHOLDERS = frozenset(
    (
        *("title", "target", "forbidden", "digits", "range"),
        *("player", "winner", "loser", "number", "divisor"),
        *("winner_number", "winner_distance", "loser_number", "loser_distance"),
    )
)


@dataclass(frozen=True)
class Wording:
    """Each line a game may word in its own manner, with a general one to fall back on."""

    shown_empty: str = ""
    opening: str = "{title}\nTarget: {target}\nNumber: {number}\nDigits: {digits}"
    turn: str = "{player}'s turn."
    ask_digit: str = "Choose a digit ({range}): "
    ask_side: str = "Add to (L)eft or (R)ight? "
    moved: str = "Number: {number}\nDigits: {digits}"
    miss: str = "{number} is not divisible by {target}."
    won_target: str = "{number} is divisible by {target}!\n{winner} wins!"
    lost_forbidden: str = (
        "{number} is divisible by {divisor}, which is forbidden.\n{loser} loses. {winner} wins!"
    )
    lost_stuck: str = "{loser} has no safe move left and loses.\n{winner} wins!"
    lost_full: str = (
        "The number is full and {target} does not divide it.\n"
        "{loser} placed the last digit and loses. {winner} wins!"
    )
    won_closest: str = (
        "The number is full and {target} does not divide it: the closer number wins.\n"
        "{winner}'s {winner_number} is {winner_distance} away from a multiple of {target}, "
        "{loser}'s {loser_number} is {loser_distance} away.\n"
        "{winner} wins!"
    )
    lost_tie: str = (
        "The number is full and {target} does not divide it: the closer number wins.\n"
        "Both {winner_number} and {loser_number} are {loser_distance} away "
        "from a multiple of {target}, so the last to move loses.\n"
        "{loser} loses. {winner} wins!"
    )
    resigned: str = "{loser} resigns. {winner} wins!"
    called_off: str = "The game is called off: no winner, no point."
    time_up: str = "{loser}'s time is up. {winner} wins!"
    time_up_for_nobody: str = (
        "{loser}'s time is up, but {winner} could not have won any more: no winner, no point."
    )

    def __post_init__(self) -> None:
        for name in WORDING_KEYS:
            check_line(name, getattr(self, name))


WORDING_KEYS = tuple(field.name for field in fields(Wording))


def check_line(name: str, line: object, placeholders: Collection[str] = PLACEHOLDERS) -> None:
    """Refuse what is no text, or holds other `placeholders` than these."""
    if not isinstance(line, str):
        raise refusal(name, line, "is not text: write it in quotes.")
    for word in PLACEHOLDER.findall(line):
        if word not in placeholders:
            hint = did_you_mean(word, sorted(placeholders))
            given = quoted(f"{{{word}}}")
            raise InvalidRulesetError(f"{name} has an unknown placeholder {given}: {hint}")


def fill(line: str, **words: object) -> str:
    """Put words in the place of {placeholders}; those not given stay as they are.

    >>> fill("{player}'s turn.", player="Ann")
    "Ann's turn."
    """
    return PLACEHOLDER.sub(lambda match: str(words.get(match[1], match[0])), line)


# What a condition may be about, and a remark's {placeholders}: the rules, and what they come to.
SUBJECTS = {name: rule.kind for name, rule in RULES.items()} | {"capacity": RULES["limit"].kind}


@dataclass(frozen=True)
class Remark:
    """A tip, or a ruling on a rulebook; true always, unless `when` says under which rules."""

    text: str
    when: str = ""  # such as "ends = right and target >= 10"
    clause: str = ""  # what the rulebook says that is ruled on
    why: str = ""

    def __post_init__(self) -> None:
        for name, line in vars(self).items():
            check_line(name, line, SUBJECTS if name == "text" else ())
        tuple(_parts(self.when))


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "with": operator.contains,
    "without": lambda some, one: one not in some,
    "is": lambda size, parity: size % 2 == parity,
}


def holds(when: str, ruleset: object) -> bool:
    """Whether a condition is true of a rule set.

    >>> from digitduel import find_ruleset
    >>> holds("uses = 1 and target >= 10 and digits without 0", find_ruleset("pool"))
    False
    """
    return all(
        _TESTS[test](_size(getattr(ruleset, name)), _size(value))
        for name, test, value in _parts(when)
    )


def _size(value: object) -> object:
    """A value that can be compared: what has no bound is larger than any."""
    return inf if value is None else value


def _parts(when: str) -> Iterator[tuple[str, str, object]]:
    """The parts of a condition: what is tested, how, and against which value."""
    for part in when.split(" and ") if when else ():
        try:
            name, test, word = part.split()
            yield name, test, _value(name, SUBJECTS[name], test, word)
        except (KeyError, ValueError):
            raise InvalidRulesetError(
                f"when = {quoted(when, LONGEST_QUOTE)}: {quoted(part)} is no condition: write it "
                "as target >= 10, ends = right, digits without 0 or capacity is odd."
            ) from None


def _value(name: str, kind: Kind, test: str, word: str) -> object:
    """What a rule is compared with."""
    if test in ("=", "!="):
        return kind.check(name, kind.parse(name, word))
    fits = kind in (DIGITS, DIVISORS) if test in ("with", "without") else kind.is_whole
    if test not in _TESTS or not fits:
        raise KeyError(test)
    return {"even": 0, "odd": 1}[word] if test == "is" else WHOLE.parse(name, word)


def _checked(name: str, value: object) -> tuple[Remark, ...]:
    """Remarks as they are kept; in a file each is a table, or a text that is always true."""
    kinds = str, dict, Remark
    if not isinstance(value, list | tuple) or not all(isinstance(one, kinds) for one in value):
        raise refusal(name, value, "is not a list of sentences.")
    tables = [{"text": remark} if isinstance(remark, str) else remark for remark in value]
    try:
        return tuple(Remark(**table) if isinstance(table, dict) else table for table in tables)
    except TypeError:
        raise InvalidRulesetError(
            f"{name} = {quoted(value)}: each has a text, and may have when, clause and why."
        ) from None
    except InvalidRulesetError as error:
        raise InvalidRulesetError(f"{name}: {error}") from None


REMARKS = Kind(_checked)


def remarks_that_hold(remarks: Iterable[Remark], ruleset: object) -> list[Remark]:
    """Those of some remarks that are true of a rule set, with its figures filled in."""
    return [filled(remark, ruleset) for remark in remarks if holds(remark.when, ruleset)]


def filled(remark: Remark, ruleset: object) -> Remark:
    """A remark with the figures of a rule set in place of its {placeholders}."""
    words = {name: SUBJECTS[name].format(getattr(ruleset, name)) for name in SUBJECTS}
    return replace(remark, text=fill(remark.text, **words))
