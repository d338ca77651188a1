"""`digitduel atlas GAME`: who wins, how fair it is and whether skill pays, over many settings."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from digitduel.cli.options import game_argument, named_file
from digitduel.cli.progress import bar
from digitduel.cli.wrapping import wrapped
from digitduel.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from digitduel.atlas.sweep import Sweep
    from digitduel.atlas.tables import Columns
    from digitduel.ruleset import Ruleset

# What fits a terminal: the columns that are shown, and their short names there.
HEADINGS = {
    "value": "value",
    "plies": "moves",
    "winning_first_moves": "starts",
    "casual_first": "casual",
    "careful_first": "careful",
    "casual_length": "length",
    "casual_skill": "skill 1",
    "careful_skill": "skill 2",
    "appeal": "appeal",
}
# What is left out first where there is no room.
DISPENSABLE = ("winning_first_moves", "casual_length", "casual_skill", "careful_first", "plies")
NOT_WITH_ALL_TARGETS = ("columns", "plot", "jobs", "cluster")
# What the headings mean that do not say it.
LEGEND = {
    "winning_first_moves": "first moves that win",
    "casual_first": "the starter's chance between two casual players",
    "careful_first": "the starter's chance between two careful players",
    "casual_length": "moves to expect between casual players",
    "casual_skill": "the chance of a perfect player against a casual one",
    "careful_skill": "the chance of a perfect player against a careful one",
}


@click.command("atlas")
@game_argument
@click.option("--targets", metavar="2..1000", help="The targets to sweep over.")
@click.option("--vary", multiple=True, metavar="limit=6..12", help="Another rule to sweep over.")
@click.option(
    "--columns", metavar="NAME,...", help="Only these; value, plies, winning_first_moves are quick."
)
@click.option("--out", metavar="FILE", help="Write the table: .json, .csv or .parquet.")
@click.option("--plot", metavar="FILE", help="Draw it: .svg or .png.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes [all processors].")
@click.option("--cluster", metavar="tcp://HOST:PORT", help="Let a Dask cluster do the work.")
@click.option("--all-targets", is_flag=True, help="Every target there is, in one go.")
def command(
    ruleset: Ruleset,
    targets: str | None,
    vary: tuple[str, ...],
    columns: str | None,
    out: str | None,
    plot: str | None,
    jobs: int | None,
    cluster: str | None,
    all_targets: bool,
) -> None:
    """Measure a game over many settings, exactly: who wins, how fair it is among
    casual and careful players, and whether skill pays.

    Ctrl-C keeps what is done, and the same command goes on from there.

    \b
    Examples:
      digitduel atlas pool --targets 2..100
      digitduel atlas closest --targets 2..1000 --out closest.parquet
      digitduel atlas conquest --targets 10..60 --vary limit=6..12
      digitduel atlas pool --targets 2..2000 --columns value,plies,winning_first_moves
      digitduel atlas pool --all-targets
    """
    place, picture = named_file("--out", out), named_file("--plot", plot)
    if all_targets:
        _refuse_given("--all-targets", "targets", "target", "vary", *NOT_WITH_ALL_TARGETS)
        _all_targets(ruleset, place)
        return
    from digitduel.atlas.sweep import sweep_from

    sweep = sweep_from(ruleset, targets, vary, columns)
    if targets is not None:
        _refuse_given("--targets", "target")
    for axis in sweep.axes[:-1]:
        _refuse_given(f"--vary {axis.field}", axis.field)
    _sweep(sweep, place, picture, jobs, cluster)


def _refuse_given(flag: str, *parameters: str) -> None:
    """An error if a flag was given that goes against another."""
    given = click.get_current_context()
    for parameter in given.command.params:
        if parameter.name in parameters and given.params[parameter.name] not in (None, ()):
            raise click.UsageError(
                f"{flag} and {parameter.opts[0]} do not go together: leave one out."
            )


def _sweep(
    sweep: Sweep, place: Path | None, picture: Path | None, jobs: int | None, cluster: str | None
) -> None:
    """Work a sweep out, and put it where it was asked for; Ctrl-C keeps what is done."""
    from digitduel.atlas.campaign import run_campaign

    try:
        with bar("Measuring", len(sweep)) as report:
            columns = run_campaign(sweep, place, picture, jobs, cluster, report)
    except KeyboardInterrupt as stop:
        click.echo(f"\n{stop}", err=True)
        raise
    for path in filter(None, (place, picture)):
        click.echo(f"{counted(len(sweep), 'setting')} in {path}.")
    if place is None and picture is None:
        _show(columns)


def _show(table: Columns) -> None:
    """The table as lines of text, with as many columns as a terminal has room for."""
    from digitduel.atlas import COLUMNS

    names = [name for name in table if name in HEADINGS or name not in COLUMNS]
    columns = {name: _cells(name, table) for name in names}
    for name in DISPENSABLE:
        if sys.stdout.isatty() and _width(columns) > shutil.get_terminal_size().columns:
            columns.pop(name, None)
    widths = [max(map(len, column)) for column in columns.values()]
    for line in zip(*columns.values(), strict=True):
        click.echo("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))
    meanings = [f"{HEADINGS[name]}: {LEGEND[name]}." for name in columns if name in LEGEND]
    if meanings:
        never = "-: such games never end. --out FILE keeps all columns."
        click.echo("\n" + wrapped(" ".join([*meanings, never])))


def _cells(name: str, table: Columns) -> list[str]:
    """A column as text, with its heading; chances only of games that end."""
    first, second = (f"{name.partition('_')[0]}_{seat}" for seat in ("first", "second"))
    values: Iterable[object] = table[name]
    if first in table and second in table:
        never = [one + other == 0 for one, other in zip(table[first], table[second], strict=True)]
        values = [None if hide else value for value, hide in zip(values, never, strict=True)]
    return [HEADINGS.get(name, name.replace("_", " ")), *map(_cell, values)]


def _width(columns: dict[str, list[str]]) -> int:
    return sum(2 + max(map(len, column)) for column in columns.values()) - 2


def _cell(value: object) -> str:
    """A value in a table.

    >>> _cell(None), _cell(0.12345), _cell(7)
    ('-', '0.123', '7')
    """
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _all_targets(ruleset: Ruleset, place: Path | None) -> None:
    """Solve every target there is, and say what comes of it."""
    from digitduel.atlas.alltargets import all_targets, refuse_if_unfit
    from digitduel.atlas.tables import check_place, write_table

    refuse_if_unfit(ruleset)
    if place is not None:
        check_place(place, ("target", "value", "plies"))
    with bar("Solving every target") as report:
        solved = all_targets(ruleset, report)
    for sentence in solved.sentences:
        click.echo(sentence)
    if place is not None:
        write_table(place, solved.table)
        click.echo(f"{counted(len(solved.targets), 'target')} in {place}.")
