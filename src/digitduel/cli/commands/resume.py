"""`digitduel resume`: go on with a game that was left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from digitduel.cli import saves
from digitduel.cli.options import color_option
from digitduel.errors import DigitDuelError, InvalidRecordError, StorageError
from digitduel.text import counted

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.journal import Journal


@click.command("resume")
@click.argument("save_id", metavar="[ID]", required=False)
@click.option("--list", "as_list", is_flag=True, help="Show the unfinished games, newest last.")
@color_option
def command(save_id: str | None, as_list: bool, no_color: bool) -> int:
    """Go on with the newest game that was interrupted, or with the one of this ID.

    \b
    Examples:
      digitduel resume
      digitduel resume --list
      digitduel resume pool-3
    """
    from digitduel.cli.screen import Screen
    from digitduel.cli.session import Session

    if as_list:
        lines = [f"{path.stem:<14} {_summary(path)}" for path in saves.unfinished()]
        click.echo("\n".join(lines) or "There is no unfinished game.")
        return 0
    journal, duel = saves.resume_save(saves.find_save(save_id)) if save_id else newest()
    return Session(duel, Screen(no_color), journal).run()


def newest() -> tuple[Journal, saves.TerminalDuel]:
    """The newest unfinished game that no other terminal is playing."""
    taken: StorageError | None = None
    for path in reversed(saves.unfinished()):
        try:
            return saves.resume_save(path)
        except InvalidRecordError as problem:
            click.echo(f"Note: {problem} It is left as it is.", err=True)
        except StorageError as problem:
            taken = taken or problem
    nothing = DigitDuelError("there is no unfinished game: start one with 'digitduel play pool'.")
    raise taken or nothing


def _summary(path: Path) -> str:
    try:
        duel = saves.read_save(path)
    except (InvalidRecordError, StorageError) as problem:
        return f"cannot be read: {problem}"
    (ann, bob), rounds = duel.terms.names, duel.match.rounds
    which = f", round {duel.round} of {rounds}" if rounds > 1 else ""
    return f"{ann} and {bob}, target {duel.ruleset.target}{which}, {counted(duel.ply, 'move')}"
