"""One descriptor for each rule: how it is checked, read, written, asked for and said.

Flags, menu questions, JSON, record tags, form fields, sweeps and descriptions follow from `RULES`.
A new rule is an entry there, a line in `Ruleset`, and whatever it means in play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from digitduel import kinds
from digitduel.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Rule:
    """A rule that can be changed, and all that people and programs need to change it."""

    name: str
    kind: kinds.Kind
    flag: str
    help: str  # for flags, questions and forms
    in_short: Callable[[Any], str]  # a value as people say it
    matters: Callable[[Any], bool] = lambda _: True  # whether it does in a rule set

    def typed(self, value: object) -> str:
        """What to type for a value.

        >>> RULES["digits"].typed((1, 2, 3)), RULES["leading_zero"].typed(False)
        ('--digits 1-3', '--no-leading-zero')
        """
        yes, is_switch, no = self.flag.partition("/")
        return (yes if value else no) if is_switch else f"{yes} {self.kind.format(value)}"


def _often(uses: int | None) -> str:
    if uses is None:
        return "digits as often as you like"
    return f"each digit {({1: 'once', 2: 'twice'}).get(uses, f'up to {uses} times')}"


_ENDS = {"right": "the right end", "left": "the left end", "both": "either end, as you say"}
_FULL = {"last-loses": "the last to move loses", "closest": "the closest to a multiple wins"}
# The fields that decide who wins, in the order in which people are asked for them.
RULES = {
    rule.name: rule
    for rule in (
        Rule(
            name="target",
            kind=kinds.WHOLE,
            flag="--target",
            help="The number to be divisible by.",
            in_short=lambda target: f"target {target}",
        ),
        Rule(
            name="digits",
            kind=kinds.DIGITS,
            flag="--digits",
            help="The digits in the game.",
            in_short=lambda digits: f"digits {kinds.format_digits(digits)}",
        ),
        Rule(
            name="uses",
            kind=kinds.bound("unlimited"),
            flag="--uses",
            help="How often each digit may be used.",
            in_short=_often,
        ),
        Rule(
            name="ends",
            kind=kinds.one_of(_ENDS),
            flag="--ends",
            help="Where a digit may go.",
            in_short=lambda ends: "either end" if ends == "both" else f"{ends} end only",
        ),
        Rule(
            name="forbidden",
            kind=kinds.DIVISORS,
            flag="--forbid",
            help="Divisors that lose.",
            in_short=lambda some: f"{listed(some)} forbidden" if some else "nothing forbidden",
        ),
        Rule(
            name="limit",
            kind=kinds.bound("none"),
            flag="--limit",
            help="How long the number may get.",
            in_short=lambda limit: f"{counted(limit, 'digit')} at most" if limit else "no limit",
        ),
        Rule(
            name="full",
            kind=kinds.one_of(_FULL),
            flag="--full",
            help="What happens when the number is full.",
            in_short=lambda full: (
                f"the {'closest wins' if full == 'closest' else 'last loses'} when full"
            ),
            matters=lambda ruleset: ruleset.capacity is not None,
        ),
        Rule(
            name="leading_zero",
            kind=kinds.YES_NO,
            flag="--leading-zero/--no-leading-zero",
            help="Whether the number may begin with 0.",
            in_short=lambda allowed: "0 in front allowed" if allowed else "no 0 in front",
            matters=lambda ruleset: 0 in ruleset.digits,
        ),
    )
}
# Every field that is one value: the rules, and what a game is called.
KINDS = {
    "key": kinds.KEY,
    "title": kinds.LINE,
    "goal": kinds.LINE,
    "smallest_target": kinds.WHOLE,
    **{name: rule.kind for name, rule in RULES.items()},
}


def parse_field(name: str, text: str) -> Any:
    """A field's value from the text of a flag or tag; `Ruleset` checks its range.

    >>> parse_field("forbidden", "2,3,5"), parse_field("limit", "none")
    ((2, 3, 5), None)
    """
    return KINDS[name].parse(name, text) if name in KINDS else text


def format_field(name: str, value: object) -> str:
    """The text that `parse_field` reads back.

    >>> format_field("uses", None), format_field("digits", (1, 2, 3))
    ('unlimited', '1-3')
    """
    return KINDS[name].format(value)
