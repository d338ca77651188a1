"""`digitduel solve GAME`: who wins with best play, and what each digit is worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from digitduel.cli.options import color_option, game_argument
from digitduel.errors import DigitDuelError
from digitduel.game import game_after

if TYPE_CHECKING:
    from digitduel.game import Game
    from digitduel.ruleset import Ruleset


@click.command("solve")
@game_argument
@click.option("--after", default="", metavar='"5 2 1"', help="The moves made so far.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@color_option
def command(ruleset: Ruleset, after: str, as_json: bool, no_color: bool) -> None:
    """Say who wins with best play, in how many moves, and what each move is worth.

    \b
    Examples:
      digitduel solve pool --target 12
      digitduel solve pool --target 12 --after "5 2"
      digitduel solve ends --digits 1-9 --target 17 --json
    """
    game = game_at(ruleset, after)
    from digitduel.cli.screen import Screen
    from digitduel.cli.values import evaluator_with_progress, show_report
    from digitduel.teach import Report

    report = Report.of(game.position, evaluator_with_progress(ruleset))
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
    else:
        show_report(game, report, Screen(no_color))


def game_at(ruleset: Ruleset, after: str) -> Game:
    """The game that `--after` leads to; what is wrong with it is said of the option."""
    try:
        return game_after(ruleset, after)
    except DigitDuelError as error:
        raise type(error)(f"--after {after!r}: {error}") from None
