"""`digitduel recommend`: the settings that make a real game, each with its reason."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from digitduel.cli.options import GameName, load_game, play_command
from digitduel.cli.wrapping import wrapped
from digitduel.errors import DigitDuelError
from digitduel.ruleset import find_ruleset, ruleset_keys, split_name
from digitduel.text import listed, quoted

if TYPE_CHECKING:
    from digitduel.atlas import Recommendation

INDENT = " " * 6
LEGEND = (
    "Fair to 2%: between two casual players, who see one move ahead, nobody's chance is more than "
    "2% away from a half. Skill wins: how often a perfect player beats a careful one, who also "
    "sees the opponent's next move. To measure any setting: digitduel atlas --help"
)


@click.command("recommend")
@click.argument("game", type=GameName(), metavar="[GAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(game: str | None, as_json: bool) -> None:
    """Name the settings that are worth playing, the easiest first.

    \b
    Examples:
      digitduel recommend
      digitduel recommend closest:easy
      digitduel recommend pool --json
    """
    from digitduel.atlas import recommendations

    if game is not None and load_game(game).key != split_name(game)[0]:
        raise DigitDuelError(
            f"nothing is recommended for {quoted(game)}, only for {listed(ruleset_keys())}: "
            f"'digitduel atlas {game} --targets 2..100' measures it."
        )
    if as_json:
        settings = [_as_json(setting) for setting in recommendations(game)]
        click.echo(json.dumps(settings, indent=2))
        return
    for name in ruleset_keys() if game is None else (game,):
        _show(name, recommendations(name))
    click.echo(wrapped(LEGEND))


def _as_json(setting: Recommendation) -> dict[str, object]:
    return {
        "game": setting.ruleset.key,
        "title": setting.ruleset.title,
        "setting": setting.name,
        "changes": setting.changes,
        "reason": setting.reason,
        "command": play_command(setting),
        "measures": asdict(setting.measures) if setting.measures else None,
    }


def _show(name: str, settings: list[Recommendation]) -> None:
    """The settings of one game."""
    from digitduel.atlas import shortcoming

    ruleset = find_ruleset(name)
    click.echo(f"{ruleset.title} ({ruleset.key})")
    for setting in settings:
        click.echo(wrapped(setting.heading, "  "))
        click.echo(wrapped(setting.reason, INDENT))
        command = play_command(setting)
        # A pipe gets it in one line, to be run as it is.
        click.echo(wrapped(command, INDENT) if sys.stdout.isatty() else INDENT + command)
    unsearched = "Nothing has been searched for it yet: digitduel atlas measures any setting."
    if missing := shortcoming(name) if settings else unsearched:
        click.echo(wrapped(missing, "  "))
    click.echo()
