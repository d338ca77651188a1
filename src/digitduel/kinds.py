"""Kinds of values that a field can have: the check of each, and its form as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from digitduel.errors import InvalidRulesetError
from digitduel.text import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LARGEST_DIVISOR = 10**100
MOST_FORBIDDEN = 100

# --- Checking one field: each takes (name, value) and returns the value as it is kept. ---


def _whole(name: str, value: object, smallest: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidRulesetError(
            f"{name} = {quoted(value)} is not a whole number: give one from {smallest} on."
        )
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
        raise InvalidRulesetError(
            f"{name} = {quoted(value)} names no digits: give some of 0 to 9, such as '1-9'."
        )
    for digit in value:
        if isinstance(digit, bool) or not isinstance(digit, int) or not 0 <= digit <= 9:
            raise InvalidRulesetError(
                f"{name} holds {quoted(digit)}, which is not a digit: give some of 0 to 9."
            )
    return _without_repeats(name, value)


def _forbidden(name: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise InvalidRulesetError(
            f"{name} = {quoted(value)} is not a list: give divisors from 2 on, such as [2, 3, 5]."
        )
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


def _yes_or_no(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidRulesetError(f"{name} = {quoted(value)} is neither true nor false.")
    return value


def _line(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise InvalidRulesetError(f"{name} = {quoted(value)} is not a line of text.")
    return value


def _key(name: str, value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", value):
        raise InvalidRulesetError(
            f"{name} = {quoted(value)} is no name for a game: give up to 40 small letters, "
            "digits, - and _, beginning with a letter."
        )
    return value


# --- A value as text, both ways. ---


def parse_digits(text: str) -> tuple[int, ...]:
    """Digits from text.

    >>> parse_digits("0,3-5")
    (0, 3, 4, 5)
    """
    digits: list[int] = []
    for part in text.split(","):
        span = re.fullmatch(r"\s*([0-9])(?:-([0-9]))?\s*", part)
        if not span or int(span[2] or 9) < int(span[1]):
            raise InvalidRulesetError(
                f"digits = {quoted(text)} is not understood: write them as 1-9 or 1,3,7."
            )
        digits.extend(range(int(span[1]), int(span[2] or span[1]) + 1))
    return tuple(digits)


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


def _parse_whole(name: str, text: str) -> int:
    if not re.fullmatch(r"\s*-?[0-9]{1,200}\s*", text):
        raise InvalidRulesetError(
            f"{name} = {quoted(text)} is not a whole number: write one in digits, such as 12."
        )
    return int(text)


# --- The kinds. ---


@dataclass(frozen=True)
class Kind:
    """What can be done with a value of some kind."""

    check: Callable[[str, Any], Any]  # a field's name and value: the value as it is kept
    parse: Callable[[str, str], Any] = lambda _, text: text  # a name and a text: the value meant
    format: Callable[[Any], str] = str  # the text that `parse` reads back
    metavar: str | None = None  # how help writes it; none for a switch
    is_whole: bool = False  # whether a range of them can be swept over
    choices: Mapping[str, str] = field(default_factory=dict)  # every text there is, in words


def bound(unbounded: str) -> Kind:
    """A whole number, or None for what a word says: that there is no bound."""

    def check(name: str, value: object) -> int | None:
        if value is None or value == unbounded:
            return None
        if isinstance(value, str):
            raise InvalidRulesetError(
                f"{name} = {quoted(value)} is not understood: "
                f"give a whole number from 1 on, or {unbounded!r}."
            )
        return _whole(name, value)

    return Kind(
        check,
        lambda name, text: None if text == unbounded else _parse_whole(name, text),
        lambda value: unbounded if value is None else str(value),
        metavar=f"N|{unbounded}",
        is_whole=True,
    )


def one_of(known: Mapping[str, str]) -> Kind:
    """One of a few words, each with what it means."""

    def check(name: str, value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise InvalidRulesetError(
                f"{name} = {quoted(value)} is not known: give {listed(known, 'or')}."
            )
        return value

    return Kind(check, metavar="|".join(known), choices=known)


KEY, LINE = Kind(_key), Kind(_line)
WHOLE = Kind(_whole, _parse_whole, metavar="N", is_whole=True)
DIGITS = Kind(_digits, lambda _, text: parse_digits(text), format_digits, "0-9|1,3,7")
DIVISORS = Kind(
    _forbidden,
    lambda name, text: tuple(
        _parse_whole(name, part) for part in ([] if text == "none" else text.split(","))
    ),
    lambda divisors: ",".join(map(str, divisors)) or "none",
    metavar="2,3,5|none",
)
YES_NO = Kind(
    _yes_or_no,
    lambda _, text: {"true": True, "false": False}.get(text, text),
    lambda value: str(value).lower(),
    choices={"true": "yes", "false": "no"},
)
