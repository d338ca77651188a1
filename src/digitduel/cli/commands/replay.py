"""`digitduel replay FILE`: step through a recorded game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digitduel import describe
from digitduel.cli import saves
from digitduel.cli.options import color_option
from digitduel.game import Game
from digitduel.match import seat_of
from digitduel.record import Record, read_records

if TYPE_CHECKING:
    from rich.text import Text

    from digitduel.cli.screen import Screen


@click.command("replay")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--json", "as_json", is_flag=True, help="For programs: the whole game at once.")
@color_option
def command(file: str | None, as_json: bool, no_color: bool) -> None:
    """Step through a recorded game, or through the one that was finished last.

    On a terminal Enter shows the next move, 'b' goes back and 'q' leaves.
    With --json a file with one game gives an object, one with several a list of them.

    \b
    Examples:
      digitduel replay game.txt
      digitduel replay game.txt --json
      digitduel replay
    """
    from digitduel.cli.screen import Screen

    records = read_records(saves.newest_finished() if file is None else Path(file))
    if as_json:
        games = [record.to_json() for record in records]
        click.echo(json.dumps(games if len(games) > 1 else games[0], indent=2))
        return
    screen = Screen(no_color)
    for record in records:
        _introduce(record, screen)
        if screen.interactive:
            if not _step_through(record, screen):
                return
        else:
            for ply in range(len(record.moves) + 1):
                _show(record, ply, screen)


def _introduce(record: Record, screen: Screen) -> None:
    rules, (ann, bob) = record.ruleset, record.players
    which = f"Round {record.round}: " if record.round else ""
    screen.say(f"{which}{rules.title}, target {rules.target}: {ann} and {bob}.", style="bold")
    if agreed := describe.changed_rules(rules):
        screen.say(f"Agreed rules: {agreed}")
    screen.say(f"{record.players[record.first - 1]} starts.")


def _step_through(record: Record, screen: Screen) -> bool:
    """Show the moves at the reader's pace; False if the reader leaves."""
    ply = 0
    while True:
        _show(record, ply, screen)
        try:
            answer = screen.ask("Enter: next, b: back, q: leave > ").strip().lower()
        except EOFError:
            return False
        if answer in ("q", "quit"):
            return False
        if answer in ("b", "back"):
            ply = max(ply - 1, 0)
        elif ply == len(record.moves):
            return True
        else:
            ply += 1


def _show(record: Record, ply: int, screen: Screen) -> None:
    """The position after so many moves, and at the end the result."""
    if ply:
        game = Game(record.ruleset, record.moves[:ply])
        words: dict[str, str | Text] = {
            "player": record.players[seat_of(game.turn.other, record.first) - 1],
            "number": screen.number(describe.shown_number(game)),
        }
        screen.say_line(f"{ply}. {{player}} plays {record.moves[ply - 1]}: {{number}}", words)
        for line in describe.divisions(game.position):
            screen.say(f"   {line}", style="cyan")
    if ply == len(record.moves):
        screen.say(describe.result(record.replay(), record.players, record.first), style="bold")
