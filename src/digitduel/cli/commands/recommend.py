"""`digitduel recommend`: the settings that make a real game, each with its reason."""

from __future__ import annotations

import json
import re
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
    from digitduel.atlas.contests import Evenness

INDENT = " " * 6
LEGEND = (
    "Fair over two rounds: each starts once, so that the start favours nobody. A step: whoever "
    "sees one move further ahead against whoever sees one fewer, from the second to the fourth. "
    "To measure any setting: digitduel atlas --help"
)
EVEN_LEGEND = (
    "By the levels that are the same for all rules (docs/learning.md), because people do not "
    "change with the setting."
)
EVEN = re.compile(r"\s*([1-8])\s*,\s*([1-8])\s*")


@click.command("recommend")
@click.argument("game", type=GameName(), metavar="[GAME]", required=False)
@click.option(
    "--even", metavar="3,6", help="For two players of different levels, the most even first."
)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(game: str | None, even: str | None, as_json: bool) -> None:
    """Name the settings that are worth playing, the easiest first; or those in
    which two levels are nearest to even.

    \b
    Examples:
      digitduel recommend
      digitduel recommend closest:easy
      digitduel recommend pool --json
      digitduel recommend --even 3,6
    """
    from digitduel.atlas import recommendations

    if game is not None and load_game(game).key != split_name(game)[0]:
        raise DigitDuelError(
            f"nothing is recommended for {quoted(game)}, only for {listed(ruleset_keys())}: "
            f"'digitduel atlas {game} --targets 2..100' measures it."
        )
    if even is not None:
        _show_even(recommendations(game), even, as_json)
        return
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


def _show_even(settings: list[Recommendation], even: str, as_json: bool) -> None:
    """The settings in which two levels are nearest to even, with the weaker's chances."""
    levels = EVEN.fullmatch(even)
    if levels is None or levels[1] == levels[2]:
        raise click.UsageError(
            f"--even {even!r} is not two different levels from 1 to 8: write it as 3,6."
        )
    from digitduel.atlas.contests import most_even

    weaker, stronger = sorted(map(int, levels.groups()))
    rows = most_even([(each.full_name, each.ruleset) for each in settings], weaker, stronger)
    if as_json:
        shown = [_even_as_json(row) for row in rows]
        click.echo(json.dumps({"level": weaker, "other": stronger, "settings": shown}, indent=2))
        return
    click.echo(f"How often level {weaker} beats level {stronger}: over both seats, and in each.")
    for row in rows:
        seats = f"starting {row.first:4.0%}   second {row.second:4.0%}"
        click.echo(f"  {row.name:<18} {row.both:4.0%}   {seats}")
    click.echo(wrapped(EVEN_LEGEND))


def _even_as_json(row: Evenness) -> dict[str, object]:
    from digitduel.atlas.sweep import rounded

    game, setting = split_name(row.name)
    chances = {"first": row.first, "second": row.second, "both": row.both}
    return {"game": game, "setting": setting, **{k: rounded(v) for k, v in chances.items()}}


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
