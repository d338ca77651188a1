"""Values on the screen: by colour and sign and word, never by colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel import describe
from digitduel.solver import Value
from digitduel.teach import SIGNS, WORDS, Report, in_words, verdict

if TYPE_CHECKING:
    from digitduel.cli.screen import Screen
    from digitduel.game import Game
    from digitduel.position import Position
    from digitduel.solver import Evaluator

STYLES = {Value.WIN: "green", Value.LOSS: "red", Value.ENDLESS: "blue", Value.UNKNOWN: "dim"}


def show_report(game: Game, report: Report, screen: Screen) -> None:
    """What is known of the position that `game` has come to: each move's value, best first."""
    rules = game.ruleset
    screen.say(f"{rules.title}, target {rules.target}", style="bold")
    if agreed := describe.changed_rules(rules):
        screen.say(f"Agreed rules: {agreed}")
    for warning in rules.warnings:
        screen.complain(warning)
    if game.move_stack:
        line = " ".join(map(str, game.move_stack))
        screen.say(f"After {line}: {describe.division(game.position)}")
    screen.say(verdict(report))
    for move, number, worth in report.moves:
        screen.say(
            f"  {SIGNS[worth.value]} {move!s:<3} {describe.shorten(number):<12} {in_words(worth)}",
            style=STYLES[worth.value],
        )


def hints(position: Position, evaluator: Evaluator) -> list[tuple[str, str]]:
    """A line for each value there is, with its style: which moves have it, and for how long."""
    lines: dict[Value, list[str]] = {}
    for move, _, worth in Report.of(position, evaluator).moves:
        length = "" if worth.plies is None else f" ({worth.plies})"
        lines.setdefault(worth.value, []).append(f"{move}{length}")
    return [
        (f"  {SIGNS[value]} {WORDS[value]}: {', '.join(moves)}", STYLES[value])
        for value, moves in lines.items()
    ]
