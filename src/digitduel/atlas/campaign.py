"""A sweep from its first row to its files: who works on it, what is kept, what is written."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from digitduel.atlas.checkpoint import Checkpoint
from digitduel.atlas.plots import check_picture, draw
from digitduel.atlas.sweep import run
from digitduel.atlas.tables import check_place, columns_of, write_table
from digitduel.atlas.workers import workforce
from digitduel.errors import StorageError
from digitduel.files import data_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from digitduel.atlas.sweep import Row, Sweep
    from digitduel.atlas.tables import Columns
    from digitduel.atlas.workers import Workforce


def run_campaign(
    sweep: Sweep,
    table: Path | None,
    picture: Path | None,
    jobs: int | None = None,
    cluster: str | None = None,
    report: Callable[[float], object] = lambda _: None,
) -> Columns:
    """Work a sweep out and write it to `table` and `picture`, if they are given.

    `jobs` processes (as many as there are processors if None) or the `cluster` at an address do the
    work; `report` is told how many rows are done. They are on disk all the while, beside the result
    or in the data home, and the same campaign goes on from there: a KeyboardInterrupt says so.
    """
    if table is not None:
        check_place(table, sweep.names, len(sweep))
    if picture is not None:
        check_picture(picture, sweep)
    sweep.refuse_if_too_large()
    with Checkpoint(_checkpoint_path(sweep, table or picture), sweep) as checkpoint:
        kept = f"kept in {checkpoint.path}. The same command goes on from there."
        try:
            if missing := sweep.pieces - len(checkpoint.pieces):
                with workforce(min(jobs or os.cpu_count() or 1, missing), cluster) as force:
                    for piece, rows in run(sweep, *force, done=tuple(checkpoint.pieces)):
                        checkpoint.add(piece, rows)
                        report(checkpoint.size)
            columns = columns_of(sweep.names, checkpoint.rows())
            if table is not None:
                write_table(table, columns)
            if picture is not None:
                draw(picture, sweep.ruleset, columns)
        except StorageError as error:
            raise StorageError(f"{error} All that was worked out is {kept}") from None
        except KeyboardInterrupt:
            done = f"{checkpoint.size:,} of {len(sweep):,} settings"
            raise KeyboardInterrupt(f"Stopped: {done} are done and {kept}") from None
        checkpoint.remove()
    return columns


def _checkpoint_path(sweep: Sweep, beside: Path | None) -> Path:
    if beside is not None:
        return beside.with_name(f"{beside.name}.partial.jsonl")
    name = hashlib.sha256(json.dumps(sweep.describe()).encode()).hexdigest()[:16]
    return data_folder("atlas") / f"{name}.partial.jsonl"


def rows_of(sweep: Sweep, force: Workforce) -> list[Row]:
    """The rows of a sweep, in order."""
    pieces = dict(run(sweep, *force))
    return [row for piece in sorted(pieces) for row in pieces[piece]]
