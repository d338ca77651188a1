"""`digitduel solve GAME`: who wins with best play, and what each digit is worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from digitduel.cli.options import color_option, game_argument
from digitduel.errors import DigitDuelError, IllegalMoveError
from digitduel.game import read_line

if TYPE_CHECKING:
    from digitduel.game import Game
    from digitduel.ruleset import Ruleset


@click.command("solve")
@game_argument
@click.option("--after", default="", metavar='"5 2 1"', help="The moves made so far.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@color_option
def command(ruleset: Ruleset, after: str, as_json: bool, no_color: bool) -> None:
    """Say who wins with best play, in how many plies, and what each move is worth.

    \b
    Examples:
      digitduel solve pool --target 12
      digitduel solve pool --target 12 --after "5 2"
      digitduel solve ends --digits 1-9 --target 17 --json
    """
    game = game_after(ruleset, after)
    from digitduel.cli.progress import evaluator_with_progress
    from digitduel.cli.screen import Screen
    from digitduel.teach import report

    evaluator = evaluator_with_progress(ruleset)
    if as_json:
        click.echo(json.dumps(report(game.position, evaluator), indent=2))
        return
    from digitduel.cli.values import show_values

    show_values(game, evaluator, Screen(no_color))


def game_after(ruleset: Ruleset, moves: str) -> Game:
    """The game after a line of moves, which must not be over."""
    try:
        game = read_line(ruleset, moves)
    except DigitDuelError as error:
        raise type(error)(f"--after {moves!r}: {error}") from None
    if game.outcome() is not None:
        raise IllegalMoveError(
            f"--after {moves!r}: the game is over there; leave out its last move."
        )
    return game
