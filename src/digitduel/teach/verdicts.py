"""Every sentence about what a position or a move is worth, for terminal and browser alike.

A sign speaks for the player named with it. People count in moves, programs in plies: one is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.position import Side
from digitduel.solver import Evaluation, Value
from digitduel.text import counted, listed

if TYPE_CHECKING:
    from digitduel.teach.grading import GradedMove
    from digitduel.teach.report import Report

# How a value is shown.
SIGNS = {Value.WIN: "+", Value.LOSS: "-", Value.ENDLESS: "=", Value.UNKNOWN: "?"}
# What a move does that has this value.
WORDS = {
    Value.WIN: "wins",
    Value.LOSS: "loses",
    Value.ENDLESS: "keeps it open",
    Value.UNKNOWN: "not known",
}
SIDES = {Side.FIRST: "the starter", Side.SECOND: "the second player"}
FEWEST_PLIES = 4  # of a game worth playing
TOO_LARGE = "The game is too large to solve"
NEITHER = "With best play neither player can force a win, and the game never ends."


def in_words(worth: Evaluation) -> str:
    """What a move is worth to whoever makes it.

    >>> in_words(Evaluation(Value.WIN, 3)), in_words(Evaluation(Value.ENDLESS))
    ('wins in 3 moves', 'keeps it open')
    """
    words = WORDS[worth.value]
    return words if worth.plies is None else f"{words} in {counted(worth.plies, 'move')}"


def verdict(report: Report) -> str:
    """What best play leads to from a position, in a sentence that names who is to move."""
    worth, position = report.evaluation, report.position
    mover = f"{SIDES[position.turn].capitalize()} is to move"
    if worth.plies is None:
        seen = f"{TOO_LARGE}, and {nothing_forced(report.depth or 0)}."
        known = NEITHER if report.depth is None else seen
        return f"{mover}. {known}" if position.number else known
    who = f"{mover} and" if position.number else "Whoever starts"
    return f"{who} {WORDS[worth.value]} with best play, in {counted(worth.plies, 'move')}."


def nothing_forced(depth: int) -> str:
    """What a look-ahead of so many moves can say where it sees no end."""
    return f"no win can be forced within {counted(depth, 'move')}"


def looked_ahead(depth: int) -> str:
    """What the grades of a game rest on that is not solved."""
    return f"{TOO_LARGE}; this is what looking {counted(depth, 'move')} ahead shows."


def standing(worth: Evaluation) -> str:
    """What a position comes to; `worth` is for the starter."""
    if worth.plies is None:
        return "not known" if worth.value is Value.UNKNOWN else "neither can force a win"
    winner = Side.FIRST if worth.value is Value.WIN else Side.SECOND
    return f"{SIDES[winner]} wins with best play"


def prospect(start: Evaluation | None) -> str:
    """What kind of game these rules make, in short; None where that takes longer to find out."""
    if start is None or start.value is Value.UNKNOWN:
        return "Not over on move 1."
    if start.plies is None:
        return "Nobody can force a win."
    if start.plies < FEWEST_PLIES:
        return f"Over soon: best play ends it with move {start.plies}."
    return "A real game."


def graded_words(move: GradedMove) -> str:
    """How good a move was, what it is worth, and what would have been better."""
    if move.got.merit == move.had.merit:
        return f"{move.grade.value} ({in_words(move.got)})"
    return f"{move.grade.value}; {_better(move)} ({in_words(move.got)} now)"


def decisive_words(move: GradedMove, player: str) -> str:
    """The move that decided a game, and what `player`, who made it, had instead."""
    lost = "the win" if move.had.value is Value.WIN else "a game that was open"
    return (
        f"Decisive: move {move.ply}, {player}'s {move.move}: it gave away {lost}; {_better(move)}."
    )


def _better(move: GradedMove) -> str:
    best = listed(move.best, "or")
    if move.had.plies is None:
        return f"{best} kept it open"
    how = "won in" if move.had.value is Value.WIN else "held out for"
    return f"{best} {how} {counted(move.had.plies, 'move')}"
