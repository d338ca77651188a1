"""A sweep from its first row to its files: who works on it, what is kept, what is written."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from digitduel.atlas.partial import Partial
from digitduel.atlas.plots import check_picture, draw
from digitduel.atlas.sweep import run
from digitduel.atlas.tables import check_place, columns_of, write_table
from digitduel.atlas.workers import workforce
from digitduel.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from digitduel.atlas.sweep import Row, Sweep
    from digitduel.atlas.tables import Columns
    from digitduel.atlas.workers import Workforce


class Campaign:
    """A sweep on its way to its files, of which nothing that is done gets lost.

    What is done is kept in a partial file: beside the result, or in `folder` if there are no files
    to write. Whoever begins the same campaign again goes on from there.
    """

    def __init__(
        self, sweep: Sweep, table: Path | None, picture: Path | None, folder: Path
    ) -> None:
        """See that all of it can be done and written; an error, in words, if not."""
        self.sweep, self.table, self.picture = sweep, table, picture
        if table is not None:
            check_place(table, sweep.names, len(sweep))
        if picture is not None:
            check_picture(picture, sweep)
        sweep.refuse_if_too_large()
        self.partial = Partial(self._place(folder), sweep)

    def _place(self, folder: Path) -> Path:
        beside = self.table or self.picture
        if beside is not None:
            return beside.with_name(f"{beside.name}.partial.jsonl")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot write to {str(folder)!r}: {error.strerror}.") from None
        name = hashlib.sha256(json.dumps(self.sweep.describe()).encode()).hexdigest()[:16]
        return folder / f"{name}.partial.jsonl"

    def __enter__(self) -> Campaign:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.partial.__exit__(kind, error, trace)

    def work(
        self, jobs: int | None, cluster: str | None, advance: Callable[[int], object]
    ) -> Columns:
        """Work out what is missing, and write the files.

        So many `jobs` (all processors if None) or the `cluster` at an address work on it, and
        `advance` is told whenever some rows are done.
        """
        missing = self.sweep.pieces - len(self.partial.pieces)
        if missing:
            with workforce(min(jobs or os.cpu_count() or 1, missing), cluster) as force:
                rows_of(self.sweep, force, self.partial, advance)
        columns = columns_of(self.sweep.names, self.partial.rows())
        self._write(columns)
        self.partial.remove()
        return columns

    def _write(self, columns: Columns) -> None:
        try:
            if self.table is not None:
                write_table(self.table, columns)
            if self.picture is not None:
                draw(self.picture, self.sweep.ruleset, columns)
        except StorageError as error:
            raise StorageError(
                f"{error} All that was worked out is kept in {self.partial.path}: the same "
                "command goes on from there."
            ) from None


def rows_of(
    sweep: Sweep,
    force: Workforce,
    partial: Partial | None = None,
    advance: Callable[[int], object] = lambda _: None,
) -> list[Row]:
    """The rows of a sweep, in order; what is in `partial` is taken from it, the rest added."""
    pieces = {} if partial is None else dict(partial.pieces)
    for piece, rows in run(sweep, force.executor, width=force.width, done=tuple(pieces)):
        if partial is not None:
            partial.add(piece, rows)
        pieces[piece] = rows
        advance(len(rows))
    return [row for piece in sorted(pieces) for row in pieces[piece]]
