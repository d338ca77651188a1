"""One descriptor for each rule: how it is checked, read, written, asked for and said.

Flags, menu questions, JSON, record tags, form fields, sweeps and descriptions follow from `RULES`.
A new rule is an entry there, a line in `Ruleset`, and whatever it means in play.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.errors import InvalidRulesetError
from digitduel.text import counted, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

LARGEST_DIVISOR = 10**100
MOST_FORBIDDEN = 100


def refusal(name: str, value: object, why: str) -> InvalidRulesetError:
    """The error for a value that a field cannot have."""
    return InvalidRulesetError(f"{name} = {quoted(value)} {why}")


# --- Checking one field: each takes (name, value) and returns the value as it is kept. ---


def _whole(name: str, value: object, smallest: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise refusal(name, value, f"is not a whole number: give one from {smallest} on.")
    if not smallest <= value <= LARGEST_DIVISOR:
        size = "small" if value < smallest else "large"
        shown = value if abs(value) <= LARGEST_DIVISOR else "a number of over 100 digits"
        raise InvalidRulesetError(
            f"{name} = {shown} is too {size}: give a whole number from {smallest} to 10^100."
        )
    return value


def _digits(name: str, value: object) -> tuple[int, ...]:
    if isinstance(value, str):
        value = parse_digits(value)
    if not isinstance(value, list | tuple) or not value:
        raise refusal(name, value, "names no digits: give some of 0 to 9, such as '1-9'.")
    for digit in value:
        if isinstance(digit, bool) or not isinstance(digit, int) or not 0 <= digit <= 9:
            raise InvalidRulesetError(
                f"{name} holds {quoted(digit)}, which is not a digit: give some of 0 to 9."
            )
    return _without_repeats(name, value)


def _forbidden(name: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise refusal(name, value, "is not a list: give divisors from 2 on, such as [2, 3, 5].")
    if 1 in value:
        raise InvalidRulesetError(
            f"{name} holds 1, which divides every number: give divisors from 2 on."
        )
    if len(value) > MOST_FORBIDDEN:
        raise InvalidRulesetError(
            f"{name} holds {len(value)} divisors: give at most {MOST_FORBIDDEN}."
        )
    return _without_repeats(name, [_whole(name, divisor, smallest=2) for divisor in value])


def _without_repeats(name: str, values: list[int] | tuple[int, ...]) -> tuple[int, ...]:
    for value in values:
        if values.count(value) > 1:
            raise InvalidRulesetError(f"{name} holds {value} twice: name each one once.")
    return tuple(sorted(values))


def _only(fits: Callable[[Any], object], why: str) -> Callable[[str, Any], Any]:
    """The check of what is kept as it is given."""

    def check(name: str, value: object) -> object:
        if not fits(value):
            raise refusal(name, value, why)
        return value

    return check


# --- A value as text, both ways. ---


def parse_digits(text: str) -> tuple[int, ...]:
    """Digits from text: ranges, lists, or one after the other.

    >>> parse_digits("0,3-5"), parse_digits("1 3 5"), parse_digits("135")
    ((0, 3, 4, 5), (1, 3, 5), (1, 3, 5))
    """
    digits: list[int] = []
    for part in _parts(text):
        span = re.fullmatch("([0-9])-([0-9])", part)
        if not (re.fullmatch("[0-9]+", part) or (span and span[1] <= span[2])):
            raise refusal("digits", text, "is not understood: write them as 1-9 or 1,3,7.")
        digits.extend(range(int(span[1]), int(span[2]) + 1) if span else map(int, part))
    return tuple(digits)


def _parts(text: str) -> list[str]:
    """A list as people write it, with commas, spaces or both between its parts."""
    return re.split(r"\s*,\s*|\s+", text.strip())


def format_digits(digits: tuple[int, ...]) -> str:
    """The short form of a set of digits.

    >>> format_digits((0, 1, 2, 3, 7))
    '0-3,7'
    """
    runs: list[list[int]] = []
    for digit in sorted(digits):
        if runs and digit == runs[-1][-1] + 1:
            runs[-1].append(digit)
        else:
            runs.append([digit])
    spans = [run if len(run) < 3 else [f"{run[0]}-{run[-1]}"] for run in runs]
    return ",".join(str(part) for span in spans for part in span)


def _says(text: str, word: str) -> bool:
    return text.strip().lower() == word  # phones begin with a capital letter


def _parse_whole(name: str, text: str) -> int:
    # Commas stand before groups of three digits or nowhere: "1,00" may be a slip.
    number = re.fullmatch(r"\s*(-?(?:[0-9]{1,200}|[0-9]{1,3}(?:,[0-9]{3}){1,66}))\s*", text)
    if not number:
        raise refusal(name, text, "is not a whole number: write one in digits, such as 12.")
    return int(number[1].replace(",", ""))  # without the spaces: int() does not know all of them


# --- The kinds. ---


class Kind(NamedTuple):
    """What can be done with a value of some kind."""

    check: Callable[[str, Any], Any]  # a field's name and value: the value as it is kept
    parse: Callable[[str, str], Any] = lambda _, text: text  # a name and a text: the value meant
    format: Callable[[Any], str] = str  # the text that `parse` reads back
    metavar: str | None = None  # how help writes it; none for a switch
    is_whole: bool = False  # whether a range of them can be swept over
    choices: Mapping[str, str] = MappingProxyType({})  # every text there is, in words


def bound(unbounded: str) -> Kind:
    """A whole number, or None for what a word says: that there is no bound."""

    def check(name: str, value: object) -> int | None:
        if value is None or value == unbounded:
            return None
        if isinstance(value, str):
            why = f"is not understood: give a whole number from 1 on, or {unbounded!r}."
            raise refusal(name, value, why)
        return _whole(name, value)

    return Kind(
        check,
        lambda name, text: None if _says(text, unbounded) else _parse_whole(name, text),
        lambda value: unbounded if value is None else str(value),
        metavar=f"N|{unbounded}",
        is_whole=True,
    )


def one_of(known: Mapping[str, str]) -> Kind:
    """One of a few words, each with what it means."""
    check = _only(
        lambda value: isinstance(value, str) and value in known,
        f"is not known: give {listed(known, 'or')}.",
    )
    return Kind(check, metavar="|".join(known), choices=known)


KEY = Kind(
    _only(
        lambda value: isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", value),
        "is no name for a game: give up to 40 small letters, digits, - and _, "
        "beginning with a letter.",
    )
)
LINE = Kind(
    _only(
        lambda value: isinstance(value, str) and value.strip() and value.isprintable(),
        "is not a line of text.",
    )
)
WHOLE = Kind(_whole, _parse_whole, metavar="N", is_whole=True)
DIGITS = Kind(_digits, lambda _, text: parse_digits(text), format_digits, "0-9|1,3,7")
DIVISORS = Kind(
    _forbidden,
    lambda name, text: tuple(
        _parse_whole(name, part) for part in ([] if _says(text, "none") else _parts(text))
    ),
    lambda divisors: ",".join(map(str, divisors)) or "none",
    metavar="2,3,5|none",
)
YES_NO = Kind(
    _only(lambda value: isinstance(value, bool), "is neither true nor false."),
    lambda _, text: {"true": True, "false": False}.get(text, text),
    lambda value: str(value).lower(),
    choices={"true": "yes", "false": "no"},
)


# --- The rules. ---


class Rule(NamedTuple):
    """A rule that can be changed, and all that people and programs need to change it."""

    name: str
    kind: Kind
    flag: str
    help: str  # for flags, questions and forms
    in_short: Callable[[Any], str]  # a value as people say it
    matters: Callable[[Any], bool] = lambda _: True  # whether it does in a rule set

    @property
    def label(self) -> str:
        """What a form calls it: first its name, as errors do.

        >>> RULES["forbidden"].label, RULES["leading_zero"].label
        ('Forbidden: divisors that lose', 'Leading zero: whether the number may begin with 0')
        """
        name = self.name.replace("_", " ").capitalize()
        return f"{name}: {self.help[0].lower()}{self.help[1:].rstrip('.')}"

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
            kind=WHOLE,
            flag="--target",
            help="The number to be divisible by.",
            in_short=lambda target: f"target {target}",
        ),
        Rule(
            name="digits",
            kind=DIGITS,
            flag="--digits",
            help="The digits in the game.",
            in_short=lambda digits: f"digits {format_digits(digits)}",
        ),
        Rule(
            name="uses",
            kind=bound("unlimited"),
            flag="--uses",
            help="How often each digit may be used.",
            in_short=_often,
        ),
        Rule(
            name="ends",
            kind=one_of(_ENDS),
            flag="--ends",
            help="Where a digit may go.",
            in_short=lambda ends: "either end" if ends == "both" else f"{ends} end only",
        ),
        Rule(
            name="forbidden",
            kind=DIVISORS,
            flag="--forbid",
            help="Divisors that lose.",
            in_short=lambda some: f"{listed(some)} forbidden" if some else "nothing forbidden",
        ),
        Rule(
            name="limit",
            kind=bound("none"),
            flag="--limit",
            help="How long the number may get.",
            in_short=lambda limit: f"{counted(limit, 'digit')} at most" if limit else "no limit",
        ),
        Rule(
            name="full",
            kind=one_of(_FULL),
            flag="--full",
            help="What happens when the number is full.",
            in_short=lambda full: (
                f"the {'closest wins' if full == 'closest' else 'last loses'} when full"
            ),
            matters=lambda ruleset: ruleset.capacity is not None,
        ),
        Rule(
            name="leading_zero",
            kind=YES_NO,
            flag="--leading-zero/--no-leading-zero",
            help="Whether the number may begin with 0.",
            in_short=lambda allowed: "0 in front allowed" if allowed else "no 0 in front",
            matters=lambda ruleset: 0 in ruleset.digits,
        ),
    )
}


def typed_rules(ruleset: Any, names: Collection[str]) -> str:
    """What to type for some rules of a rule set.

    >>> from digitduel import find_ruleset
    >>> typed_rules(find_ruleset("ends").replace(target=17, digits="1-9"), ("digits", "target"))
    '--target 17 --digits 1-9'
    """
    rules = (rule for name, rule in RULES.items() if name in names)
    return " ".join(rule.typed(getattr(ruleset, rule.name)) for rule in rules)


# Every field that is one value: the rules, and what a game is called.
KINDS = {
    "key": KEY,
    "title": LINE,
    "goal": LINE,
    "smallest_target": WHOLE,
    **{name: rule.kind for name, rule in RULES.items()},
}


def parse_field(name: str, text: str) -> Any:
    """A field's value from the text of a flag or tag; `Ruleset` checks its range.

    >>> parse_field("forbidden", "2 3"), parse_field("limit", "none"), parse_field("uses", "1,000")
    ((2, 3), None, 1000)
    """
    return KINDS[name].parse(name, text)


def format_field(name: str, value: object) -> str:
    """The text that `parse_field` reads back.

    >>> format_field("uses", None), format_field("digits", (1, 2, 3))
    ('unlimited', '1-3')
    """
    return KINDS[name].format(value)
