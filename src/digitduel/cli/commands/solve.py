"""`digitduel solve GAME`: who wins with best play, and what each digit is worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from digitduel.cli.options import color_option, game_argument
from digitduel.errors import DigitDuelError, TooLargeError
from digitduel.game import game_after
from digitduel.position import Position

if TYPE_CHECKING:
    from digitduel.atlas.recipe import Recipe
    from digitduel.game import Game
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator


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
    from digitduel.cli.progress import evaluator_with_progress
    from digitduel.cli.screen import Screen
    from digitduel.cli.values import show_report
    from digitduel.teach import Report

    evaluator = evaluator_with_progress(ruleset)
    report = Report.of(game.position, evaluator)
    recipe, unknown = _recipe(ruleset, evaluator)
    if as_json:
        known = {"recipe": recipe.to_json() if recipe else None}
        told = {} if unknown is None else {"recipe_known": False}
        click.echo(json.dumps(report.to_json() | known | told, indent=2))
        return
    screen = Screen(no_color)
    show_report(game, report, screen)
    if recipe:
        screen.say(f"From the start: {recipe.text}." if game.move_stack else recipe.sentence)
    elif unknown:
        screen.say(unknown)


def _recipe(ruleset: Ruleset, evaluator: Evaluator) -> tuple[Recipe | None, str | None]:
    """What wins every game from one seat; or, where that cannot be found out, why."""
    from digitduel.atlas.recipes import find_recipe
    from digitduel.cli.progress import bar

    value = evaluator.probe(Position(ruleset)).value.value
    try:
        with bar("Looking for a recipe") as report:
            return find_recipe(ruleset, value, progress=report), None
    except TooLargeError as error:
        return None, f"Whether there is a recipe is not known: {error}"


def game_at(ruleset: Ruleset, after: str) -> Game:
    """The game that `--after` leads to; what is wrong with it is said of the option."""
    try:
        return game_after(ruleset, after)
    except DigitDuelError as error:
        raise type(error)(f"--after {after!r}: {error}") from None
