"""What is done of a sweep, on disk: a line for each piece, so that it can be gone on with.

The first line says which sweep it is, and every other one carries a digest of its rows. A line that
an interruption left incomplete is the only thing that a reader drops.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from digitduel import __version__
from digitduel.errors import InvalidRecordError, StorageError
from digitduel.files import is_there, shown_path, writing
from digitduel.journal import Journal, json_object, whole_lines

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.atlas.sweep import Row, Sweep

FORMAT = "digitduel atlas 2"


class Checkpoint(Journal):
    """The journal of a sweep: its pieces that are done."""

    def __init__(self, path: Path, sweep: Sweep) -> None:
        """Begin the file, or go on with it if it holds the same sweep; StorageError if not."""
        self.pieces: dict[int, list[Row]] = {}
        is_there(path)
        busy = f"{shown_path(path)} is being written by another sweep: wait for it, or stop it."
        with writing(path):
            super().__init__(path, "a+", busy)
        try:
            self._go_on(sweep)
        except InvalidRecordError:
            self.close()
            raise self._not_ours("it is damaged") from None
        except StorageError:
            self.close()
            raise

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pieces:
            self.close()
        else:
            self.remove()  # nothing is in it

    def add(self, piece: int, rows: list[Row]) -> None:
        """Put a piece on disk."""
        self.append({"piece": piece, "rows": rows, "digest": _digest(rows)})
        self.pieces[piece] = rows

    @property
    def size(self) -> int:
        """How many rows are done."""
        return sum(map(len, self.pieces.values()))

    def rows(self) -> list[Row]:
        """The rows of all pieces, in order."""
        return [row for piece in sorted(self.pieces) for row in self.pieces[piece]]

    def _go_on(self, sweep: Sweep) -> None:
        made = {"format": FORMAT, "version": __version__, "pieces": sweep.pieces}
        header = json.dumps(made | sweep.describe())
        if not whole_lines(self.data):
            if not header.encode().startswith(self.data):
                raise self._not_ours("it does not begin like one")
            self.append(json.loads(header))
            return
        first, *lines = map(json_object, whole_lines(self.data).splitlines())
        if first.get("format") != FORMAT:
            raise self._not_ours("it does not begin like one")
        if first != json.loads(header):
            raise self._not_ours("it is of another sweep, or of another version")
        for line in lines:
            self._take(line, sweep)

    def _take(self, line: dict[str, Any], sweep: Sweep) -> None:
        """Note a piece that is done, if it is what this sweep would make."""
        piece, rows = line.get("piece"), line.get("rows")
        if (
            not isinstance(piece, int)
            or not 0 <= piece < sweep.pieces
            or not isinstance(rows, list)
            or line.get("digest") != _digest(rows)
            or not sweep.fits(piece, rows)
        ):
            raise InvalidRecordError(f"piece {piece} is not as it was written.")
        self.pieces[piece] = rows

    def _not_ours(self, why: str) -> StorageError:
        return StorageError(
            f"{shown_path(self.path)} is in the place for the unfinished part of this sweep, but "
            f"{why}: it is left as it is. Move it away, or choose another --out."
        )


def _digest(rows: list[Row]) -> str:
    """What tells whether rows are as they were written."""
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]
