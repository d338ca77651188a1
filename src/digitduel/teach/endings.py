"""How a game ended, in words, with the arithmetic that shows it."""

from __future__ import annotations

from digitduel.describe import LONGEST_SPOKEN, spoken
from digitduel.position import Move, Position, Termination


def number_words(position: Position) -> str:
    """The number of a position with its division by the target."""
    return spoken(position.number, position.ruleset.target, position.remainder)


def end_words(final: Position, before: Position) -> str:
    """What ended the game, with the arithmetic; `before` is the position before the last move."""
    outcome = final.outcome()
    match outcome.termination if outcome else None:
        case Termination.FORBIDDEN:
            divisor = final.forbidden_divisors[0]
            return f"{spoken(final.number, divisor, 0)}, and {divisor} is forbidden"
        case Termination.FULL:
            return f"{number_words(final)}, the number is full, and the last to move loses"
        case Termination.CLOSEST:
            return _closest_words(final, before)
        case Termination.STUCK:
            return _stuck_words(final)
    return number_words(final)


def _closest_words(final: Position, before: Position) -> str:
    last, other = final.distance, before.distance
    short = len(before.number) <= LONGEST_SPOKEN
    words = (
        f"{number_words(final)}, the number is full and {last} away from a multiple of "
        f"{final.ruleset.target}, while {before.number if short else 'the one before'} "
        f"was {other} away"
    )
    return f"{words}; at a tie the last to move loses" if last == other else words


def _stuck_words(final: Position) -> str:
    words = f"{number_words(final)}, and nothing safe can be added"
    digit, left = final.available_digits[0], final.ruleset.ends == "left"
    number = f"{digit}{final.number}" if left else f"{final.number}{digit}"
    residue = final.residue_after(Move(digit, "L" if left else "R"))
    struck = [divisor for divisor in final.ruleset.forbidden if residue % divisor == 0]
    if not struck or len(number) > LONGEST_SPOKEN:
        return words
    return f"{words} ({spoken(number, struck[0], 0)} is forbidden, for one)"
