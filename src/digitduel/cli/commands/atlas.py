"""`digitduel atlas GAME`: who wins, how fair it is and what sight pays, over many settings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from digitduel.cli.options import game_argument, named_file
from digitduel.cli.progress import bar
from digitduel.cli.wrapping import terminal_width, wrapped
from digitduel.text import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from digitduel.atlas.reading import Row
    from digitduel.atlas.sweep import Sweep
    from digitduel.atlas.tables import Columns
    from digitduel.ruleset import Ruleset

# What fits a terminal.
SHOWN = (
    *("value", "plies", "first_2", "step_2", "step_3", "step_4"),
    *("target_3", "sums", "depth", "appeal"),
)
# What is left out first where there is no room.
DISPENSABLE = ("plies", "depth", "first_2", "value", "target_3")
# What is explained: the other headings say it, once these are known.
EXPLAINED = ("first_2", "step_2", "target_3", "sums", "depth", "appeal")
NOT_WITH_ALL_TARGETS = ("columns", "plot", "jobs", "cluster")
MOST_RECIPES = 10


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
    """Measure a game over many settings, exactly: who wins, how fair it is, and
    what each step of looking ahead pays. Of one setting it is the whole ladder.

    Ctrl-C keeps what is done, and the same command goes on from there.

    \b
    Examples:
      digitduel atlas closest --target 12
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
    table = _sweep(sweep, place, picture, jobs, cluster)
    if place is not None or picture is not None:
        return
    if targets is None and not vary and columns is None:
        _show_ladder(ruleset, {name: column[0] for name, column in table.items()})
    else:
        _show(table, SHOWN if columns is None else sweep.columns)


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
) -> Columns:
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
    return columns


# --- What is shown. ---


def _show(table: Columns, chosen: Collection[str]) -> None:
    """Some columns as lines of text, as many as a terminal has room for."""
    from digitduel.atlas import COLUMNS
    from digitduel.atlas.reading import heading, rows_from

    rows = rows_from(table)
    names = [name for name in table if name in chosen or name not in COLUMNS]
    columns = {name: _cells(name, rows) for name in names if name != "recipe"}
    for name in DISPENSABLE:
        if sys.stdout.isatty() and _width(columns) > terminal_width():
            columns.pop(name, None)
    _show_lines(columns)
    explained = [heading(name) for name in columns if name in EXPLAINED]
    legend = [f"{each.short}: {each.meaning}." for each in explained]
    if any("-" in column for column in columns.values()):
        legend.append("-: such games never end.")
    if len(columns) < len(table.keys() - {"recipe"}):
        legend.append("--out FILE keeps all columns.")
    if legend:
        click.echo("\n" + wrapped(" ".join(legend)))
    _show_recipes(table, [name for name in table if name not in COLUMNS])


def _show_lines(columns: dict[str, list[str]]) -> None:
    """Columns side by side, each as wide as it must be."""
    widths = [max(map(len, column)) for column in columns.values()]
    for line in zip(*columns.values(), strict=True):
        cells = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def _cells(name: str, rows: Iterable[Row]) -> list[str]:
    """A column as text, with its heading; chances only of games that end."""
    from digitduel.atlas.reading import figure, heading

    return [heading(name).short, *(_cell(figure(row, name)) for row in rows)]


def _width(columns: dict[str, list[str]]) -> int:
    return sum(2 + max(map(len, column)) for column in columns.values()) - 2


def _cell(value: object) -> str:
    """A value in a table.

    >>> _cell(None), _cell(0.12345), _cell(7)
    ('-', '0.123', '7')
    """
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _show_recipes(table: Columns, rules: list[str]) -> None:
    """What wins every game from one seat, where that is known and longer than a move."""
    recipes = table.get("recipe", ())
    plies = table.get("plies", [None] * len(recipes))
    known = [place for place, recipe in enumerate(recipes) if recipe and plies[place] != 1]
    if known:
        click.echo()
    if not any(recipes) and set(table) == {*rules, "recipe"}:  # nothing else was asked for
        click.echo("No recipe was found.")
    for place in known[:MOST_RECIPES]:
        target, *others = rules
        settings = [str(table[target][place]), *(f"{name} {table[name][place]}" for name in others)]
        click.echo(wrapped(recipes[place], f"{', '.join(settings)}: "))
    if more := len(known[MOST_RECIPES:]):
        click.echo(f"and {more:,} more.")


def _show_ladder(ruleset: Ruleset, row: Row) -> None:
    """What each sight is worth, and the rest in words."""
    from digitduel.atlas.reading import LADDER, NARROW_LADDER, in_words, rungs
    from digitduel.describe import setting

    others = [name for name in ruleset.changed if name != "target"]
    click.echo(f"{ruleset.title} ({ruleset.key}): {setting(ruleset, ['target', *others])}\n")
    rows = [rung.cells for rung in rungs(row)]
    for headings in (LADDER, NARROW_LADDER):
        columns = dict(zip(headings, map(list, zip(headings, *rows, strict=True)), strict=True))
        if not sys.stdout.isatty() or _width(columns) <= terminal_width():
            break
    seen = headings[0]
    widest = max(map(len, columns[seen]))
    _show_lines(columns | {seen: [cell.ljust(widest) for cell in columns[seen]]})
    click.echo()
    if any("-" in cells for cells in rows):
        click.echo("-: such games never end.\n")
    said = in_words(row)
    widest = max(map(len, said))
    for name, text in said.items():
        click.echo(wrapped(text, f"{name.ljust(widest)}  "))


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
