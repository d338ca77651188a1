"""`digitduel remainders GAME`: how each digit moves the remainder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from digitduel import describe
from digitduel.cli.commands.solve import game_at
from digitduel.cli.options import game_argument, named_file
from digitduel.files import write_new

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset


@click.command("remainders")
@game_argument
@click.option("--after", default="", metavar='"5 2 1"', help="The moves made so far.")
@click.option("--svg", metavar="FILE", help="Draw it as a small graph.")
def command(ruleset: Ruleset, after: str, svg: str | None) -> None:
    """Show what each digit makes of the remainder: 10 x r + x on the right.

    \b
    Examples:
      digitduel remainders conquest --after "5 2"
      digitduel remainders ends --target 13 --after "5R 1L" --svg graph.svg
    """
    from digitduel.teach import remainder_graph, remainder_table

    picture = named_file("--svg", svg)
    position = game_at(ruleset, after).position
    if position.number:
        click.echo(describe.division(position))
    for step in remainder_table(position):
        click.echo(f"  {step.move!s:<3} {step.sum}  {step.note}".rstrip())
    if picture is not None:
        write_new(picture, remainder_graph(position))
        click.echo(f"Drawn to {svg}.")
