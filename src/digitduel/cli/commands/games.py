"""`digitduel games`: what there is to play."""

from __future__ import annotations

import click

from digitduel.cli.wrapping import wrapped
from digitduel.ruleset import find_ruleset, ruleset_keys

INDENT = " " * 11


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(as_json: bool) -> None:
    """List the games, each with its goal.

    \b
    Examples:
      digitduel games
      digitduel games --json
    """
    games = [find_ruleset(key) for key in ruleset_keys()]
    if as_json:
        import json  # only where it is wanted: most of a start is loading

        rows = [
            {"key": game.key, "title": game.title, "goal": game.goal, "rules": game.rules}
            for game in games
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    for game in games:
        click.echo(f"{game.key:<10} {game.title}")
        click.echo(wrapped(game.goal, INDENT))
    click.echo("\nThe rules of one: digitduel rules pool.  To play: digitduel play pool.")
