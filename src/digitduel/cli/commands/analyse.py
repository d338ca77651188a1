"""`digitduel analyse FILE`: a recorded game, move by move, with what would have been better."""

from __future__ import annotations

from pathlib import Path

import click

from digitduel.cli.options import color_option, named_file
from digitduel.record import read_records


@click.command("analyse")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--svg", metavar="FILE", help="Draw how the value swung to a picture.")
@color_option
def command(file: str | None, svg: str | None, no_color: bool) -> None:
    """Grade every move of a recorded game, or of the one that was finished last.

    \b
    Examples:
      digitduel analyse game.txt
      digitduel analyse game.txt --svg swing.svg
      digitduel analyze
    """
    from digitduel.cli import saves
    from digitduel.cli.review import draw_review, show_review
    from digitduel.cli.screen import Screen

    picture = named_file("--svg", svg)
    records = read_records(saves.newest_finished() if file is None else Path(file))
    screen = Screen(no_color)
    for number, record in enumerate(records, start=1):
        analysis = show_review(record, screen)
        if picture is not None:
            each = picture if len(records) == 1 else picture.with_stem(f"{picture.stem}-{number}")
            draw_review(record, analysis, each, screen)
