"""`digitduel rules GAME`: how a game is played, also with changed rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from digitduel.cli.options import game_argument
from digitduel.cli.wrapping import wrapped
from digitduel.describe import changed_rules, opening_note, rules_in_words

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset


@click.command("rules")
@game_argument
def command(ruleset: Ruleset) -> None:
    """Explain a game: rules, tips, and how unclear points of its rulebook are settled.

    \b
    Examples:
      digitduel rules pool
      digitduel rules ends --digits 1-9 --target 17
      digitduel rules my-game.toml
    """
    for line in rules_text(ruleset):
        click.echo(line)


def rules_text(ruleset: Ruleset) -> list[str]:
    """The whole explanation, wrapped to lines."""
    lines = [ruleset.title, "=" * len(ruleset.title), *_wrapped(ruleset.goal, ""), ""]
    if changed := changed_rules(ruleset):
        lines += [*_wrapped(f"Changed here: {changed}. The rules with that:", ""), ""]
    lines += [line for each in rules_in_words(ruleset) for line in _wrapped(each)]
    cautions = [opening_note(ruleset), *ruleset.warnings]
    unchanged = " (of the game with its own rules)" if changed else ""
    for heading, items in (
        ("To know before you play", [each for each in cautions if each]),
        (f"Tips{unchanged}", ruleset.tips),
        (f"How unclear points are settled{unchanged}", ruleset.notes),
    ):
        if items:
            lines += ["", heading, *(line for each in items for line in _wrapped(each))]
    return lines


def _wrapped(text: str, bullet: str = "- ") -> list[str]:
    return wrapped(text, bullet).splitlines()
