"""The words a game speaks: prompts and result lines with plain {placeholders}."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from digitduel.errors import InvalidRulesetError
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Collection

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

    def __post_init__(self) -> None:
        for name in WORDING_KEYS:
            check_line(name, getattr(self, name))


WORDING_KEYS = tuple(field.name for field in fields(Wording))


def check_line(name: str, line: object, placeholders: Collection[str] = PLACEHOLDERS) -> None:
    """Refuse what is no text, or holds other `placeholders` than these."""
    if not isinstance(line, str):
        raise InvalidRulesetError(f"{name} = {quoted(line)} is not text: write it in quotes.")
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
