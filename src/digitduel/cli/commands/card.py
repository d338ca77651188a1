"""`digitduel card GAME`: a few remainders to keep in mind, and how often they win."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from digitduel.cli.options import game_argument, named_file
from digitduel.cli.wrapping import wrapped
from digitduel.errors import DigitDuelError, TooLargeError
from digitduel.files import already_there, is_there, shown_path, write_new
from digitduel.text import sentence

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.atlas import Card
    from digitduel.ruleset import Ruleset

LEGEND = (
    "Who plays by a card takes a win at once and gives none away, as a careful player does, and of "
    "the digits that are left plays one after which the number, divided by {}, leaves a remainder "
    "that is on the card."
)


@click.command("card")
@game_argument
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--svg", metavar="FILE", help="Draw the best card, to be printed.")
def command(ruleset: Ruleset, as_json: bool, svg: str | None) -> None:
    """Find the pocket cards: one to four remainders that are good to leave, and
    how often that wins against a careful player.

    \b
    Examples:
      digitduel card pool --target 12
      digitduel card closest --target 11 --svg card.svg
      digitduel card conquest --target 22 --limit 6 --full closest --json
    """
    from digitduel.atlas import best_cards

    picture = named_file("--svg", svg)
    if picture is not None and is_there(picture):
        raise already_there(picture)  # said before the work
    cards = best_cards(ruleset)
    if as_json:
        click.echo(json.dumps(_as_json(ruleset, cards), indent=2))
    else:
        _show(ruleset, cards)
    if picture is not None:
        _draw(ruleset, cards, picture, quietly=as_json)


def _as_json(ruleset: Ruleset, cards: list[Card]) -> dict[str, Any]:
    plain = [card.to_json() for card in cards]
    return {"game": ruleset.key, "rules": ruleset.rules, "cards": plain}


def _show(ruleset: Ruleset, cards: list[Card]) -> None:
    from digitduel.atlas.pocket import cards_in_words, helpful
    from digitduel.atlas.recipes import find_recipe

    with suppress(TooLargeError):  # then there is no recipe that anybody knows of
        if recipe := find_recipe(ruleset):
            click.echo(wrapped(f"{sentence(recipe.text)}. That needs no card."))
    for line in cards_in_words(cards):
        click.echo(wrapped(line))
    if helpful(cards):
        click.echo(wrapped(LEGEND.format(ruleset.target)))


def _draw(ruleset: Ruleset, cards: list[Card], picture: Path, quietly: bool) -> None:
    """Write the best card to a file."""
    from digitduel.atlas.pocket import card_picture, helpful

    if not (some := helpful(cards)):
        raise DigitDuelError(f"no card helps here: nothing is drawn to {shown_path(picture)}.")
    write_new(picture, card_picture(ruleset, some[-1]))
    if not quietly:
        click.echo(f"Drawn to {picture}.")
