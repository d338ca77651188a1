"""Looking at a game again: each move with its grade, and how the value swung."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.cli.progress import evaluator_with_progress
from digitduel.cli.recording import write_new
from digitduel.cli.values import STYLES
from digitduel.position import Side
from digitduel.solver import Value
from digitduel.teach import (
    SIGNS,
    Analysis,
    Grade,
    GradedMove,
    analyse,
    in_words,
    strip_svg,
    strip_text,
)
from digitduel.text import listed

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.cli.screen import Screen
    from digitduel.record import Record


def show_review(record: Record, screen: Screen) -> Analysis:
    """Say what each move was worth, and what each player made of the game."""
    rules, (starter, other) = record.ruleset, _by_side(record)
    screen.say(
        f"{rules.title}, target {rules.target}: {starter} started, {other} answered.", style="bold"
    )
    analysis = analyse(record.replay(), evaluator_with_progress(rules))
    if analysis.depth is not None:
        screen.say(f"The game is too large to solve; this is what {analysis.depth} plies show.")
    for move in analysis.moves:
        name = starter if move.side is Side.FIRST else other
        screen.say(_line(move, name), style=STYLES[move.got.value])
    for side, name in ((Side.FIRST, starter), (Side.SECOND, other)):
        accuracy = analysis.accuracy(side)
        if accuracy is not None:
            screen.say(f"{name}'s accuracy: {accuracy:.0%}")
    screen.say(f"Swing: {strip_text(analysis)}")
    screen.say(
        f"(+ {starter} wins with best play, - {other} wins, = open; before and after each move)"
    )
    return analysis


def _line(move: GradedMove, name: str) -> str:
    words = f"{move.ply}. {name}: {move.move} makes {move.number}: {move.grade.value}"
    if move.grade in (Grade.BEST, Grade.UNKNOWN):
        return f"{SIGNS[move.got.value]} {words} ({in_words(move.got)})"
    better = listed(move.best, "or")
    had = in_words(move.had).replace("wins", "won").replace("keeps it", "kept it")
    if move.had.value is Value.LOSS:
        had = f"held out for {move.had.plies}"
    return f"{SIGNS[move.got.value]} {words}; {better} {had} ({in_words(move.got)} now)"


def _by_side(record: Record) -> tuple[str, str]:
    """The names of the starter and of the other."""
    return record.players[record.first - 1], record.players[2 - record.first]


def draw_review(record: Record, analysis: Analysis, path: Path, screen: Screen) -> None:
    """Write the swing as a picture; a file that is there is left alone."""
    write_new(path, strip_svg(analysis, *_by_side(record)))
    screen.say(f"Drawn to {path}.")
