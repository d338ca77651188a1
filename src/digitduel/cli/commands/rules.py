"""`digitduel rules GAME`: how a game is played, also with changed rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from digitduel import describe
from digitduel.cli.options import game_argument
from digitduel.cli.wrapping import wrapped
from digitduel.wording import filled, holds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.ruleset import Ruleset


@click.command("rules")
@game_argument
@click.option("--as-written", is_flag=True, help="Where the rulebook is unclear, and what is done.")
@click.option("--check", is_flag=True, help="Only say whether the game makes sense.")
def command(ruleset: Ruleset, as_written: bool, check: bool) -> None:
    """Explain a game: rules, tips, and how unclear points of its rulebook are settled.

    \b
    Examples:
      digitduel rules pool
      digitduel rules ends --digits 1-9 --target 17
      digitduel rules closest --as-written
      digitduel rules my-game.toml --check
    """
    if as_written and check:
        raise click.UsageError("--as-written and --check do not go together: leave one out.")
    text = as_written_text if as_written else checked_text if check else rules_text
    for line in text(ruleset):
        click.echo(line)


def rules_text(ruleset: Ruleset) -> list[str]:
    """The whole explanation, wrapped to lines."""
    lines = [*_heading(ruleset), *_wrapped(describe.goal(ruleset)), ""]
    if changed := describe.changed_rules(ruleset):
        lines += [*_wrapped(f"Changed here: {changed}. The rules with that:"), ""]
    lines += _items(describe.rules_in_words(ruleset))
    for heading, items in (
        ("To know before you play", describe.cautions(ruleset)),
        ("Tips", describe.tips(ruleset)),
        ("How unclear points are settled", [ruling.text for ruling in describe.rulings(ruleset)]),
    ):
        if items:
            lines += ["", heading, *_items(items)]
    return lines


def as_written_text(ruleset: Ruleset) -> list[str]:
    """Where the rulebook is unclear or contradicts itself, what is done here, and why."""
    lines = _heading(ruleset)
    for ruling in describe.rulings(ruleset):
        lines += _wrapped(f"The rulebook: {ruling.clause}") if ruling.clause else []
        lines += _wrapped(f"Here: {ruling.text}", "  ")
        lines += [*(_wrapped(f"Why: {ruling.why}", "  ") if ruling.why else []), ""]
    return lines[:-1] if lines[-1] == "" else [*lines, "Nothing is unclear about these rules."]


def checked_text(ruleset: Ruleset) -> list[str]:
    """What there is to say of a game that was read without complaint."""
    remarks = (*ruleset.tips, *ruleset.rulings)
    hidden = [remark for remark in remarks if not holds(remark.when, ruleset)]
    return [
        *_wrapped(f"{ruleset.key} is fine: {ruleset.title}."),
        *_items(describe.cautions(ruleset) or ["It is not over on move 1."]),
        *_items([f"{len(remarks) - len(hidden)} of {len(remarks)} tips and rulings hold."]),
        *_items(
            f"Not shown unless {remark.when}: {filled(remark, ruleset).text}" for remark in hidden
        ),
    ]


def _heading(ruleset: Ruleset) -> list[str]:
    return [ruleset.title, "=" * len(ruleset.title)]


def _items(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrapped(sentence, "- ")]


def _wrapped(text: str, first: str = "") -> list[str]:
    return wrapped(text, first).splitlines()
