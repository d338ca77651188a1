"""Looking at a game again: what decided it, each move with its grade, how the value swung."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.cli.progress import evaluator_with_progress
from digitduel.cli.values import STYLES
from digitduel.describe import shorten
from digitduel.files import write_new
from digitduel.match import other_seat
from digitduel.position import Side
from digitduel.teach import SIGNS, Analysis, analyse, swing_legend, swing_svg, swing_text
from digitduel.teach.verdicts import decisive_words, graded_words, looked_ahead

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.cli.screen import Screen
    from digitduel.record import Record


def show_review(record: Record, screen: Screen) -> Analysis:
    """Say what decided a game, what each move was worth, and how well each player did."""
    rules, names = record.ruleset, _names(record)
    starter, other = names.values()
    screen.say(
        f"{rules.title}, target {rules.target}: {starter} started, {other} answered.", style="bold"
    )
    analysis = analyse(record.replay(), evaluator_with_progress(rules))
    if analysis.depth is not None:
        screen.say(looked_ahead(analysis.depth))
    if decisive := analysis.decisive:
        screen.say(decisive_words(decisive, names[decisive.side]))
    for move in analysis.moves:
        sign, made = SIGNS[move.got.value], f"{move.move} makes {shorten(move.number)}"
        line = f"{sign} {move.ply}. {names[move.side]}: {made}: {graded_words(move)}"
        screen.say(line, style=STYLES[move.got.value])
    for side, name in names.items():
        accuracy = analysis.accuracy(side)
        if accuracy is not None:
            screen.say(f"{name}'s accuracy: {accuracy:.0%}")
    screen.say(f"Swing for {starter}: {swing_text(analysis)}")
    screen.say(f"(at the start and after each move, {swing_legend(analysis, starter)})")
    return analysis


def _names(record: Record) -> dict[Side, str]:
    """What the starter and the other are called."""
    starter, other = record.players[record.first - 1], record.players[other_seat(record.first) - 1]
    return {Side.FIRST: starter, Side.SECOND: other}


def draw_review(record: Record, analysis: Analysis, path: Path, screen: Screen) -> None:
    """Write the swing as a picture; a file that is there is left alone."""
    write_new(path, swing_svg(analysis, _names(record)[Side.FIRST]))
    screen.say(f"Drawn to {path}.")
