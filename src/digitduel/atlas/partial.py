"""What is done of a sweep, on disk: a line for each piece, so that it can be gone on with.

The first line says which sweep it is, and every other one carries a digest of its rows. A line that
an interruption left incomplete is the only thing that a reader drops.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, BinaryIO

from digitduel import __version__
from digitduel.errors import StorageError
from digitduel.files import is_there
from digitduel.text import LONGEST_PATH, quoted

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from digitduel.atlas.sweep import Row, Sweep

FORMAT = "digitduel atlas 2"


class Partial:
    """The pieces of a sweep that are done, in a file that is held open and locked."""

    def __init__(self, path: Path, sweep: Sweep) -> None:
        """Begin the file, or go on with it if it holds the same sweep; StorageError if not."""
        self.path, self._shown = path, quoted(str(path), LONGEST_PATH)
        self.pieces: dict[int, list[Row]] = {}
        header = {"format": FORMAT, "version": __version__, **sweep.describe()}
        try:
            is_there(path)
            self._file: BinaryIO = path.open("a+b")
        except OSError as error:
            raise self._cannot(error) from None
        try:
            self._lock()
            self._read(header, sweep)
        except StorageError:
            self._file.close()
            raise

    def __enter__(self) -> Partial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if self.pieces:
            self._file.close()
        else:
            self.remove()  # nothing is in it

    def add(self, piece: int, rows: list[Row]) -> None:
        """Put a piece on disk."""
        self._write({"piece": piece, "rows": rows, "digest": _digest(rows)})
        self.pieces[piece] = rows

    @property
    def size(self) -> int:
        """How many rows are done."""
        return sum(map(len, self.pieces.values()))

    def rows(self) -> list[Row]:
        """The rows of all pieces, in order."""
        return [row for piece in sorted(self.pieces) for row in self.pieces[piece]]

    def remove(self) -> None:
        """Take the file away: its sweep is complete and kept elsewhere."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _read(self, header: dict[str, Any], sweep: Sweep) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        if not whole:
            if data and not json.dumps(header).encode().startswith(data):
                raise self._not_ours("it does not begin like one")
            self._cut(0)
            self._write(header)
            return
        first, *lines = data[:whole].splitlines()
        found = self._load(first)
        if found.get("format") != FORMAT:
            raise self._not_ours("it does not begin like one")
        if found != json.loads(json.dumps(header)):
            raise self._not_ours("it is of another sweep, or of another version")
        for line in lines:
            self._take(self._load(line), sweep)
        self._cut(whole)

    def _load(self, line: bytes) -> dict[str, Any]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise self._not_ours("it is damaged") from None
        if not isinstance(found, dict):
            raise self._not_ours("it is damaged")
        return found

    def _take(self, line: dict[str, Any], sweep: Sweep) -> None:
        """Note a piece that is done, if it is what this sweep would make."""
        piece, rows = line.get("piece"), line.get("rows")
        if not isinstance(piece, int) or not 0 <= piece < sweep.pieces:
            raise self._not_ours("it is damaged")
        if not isinstance(rows, list) or line.get("digest") != _digest(rows):
            raise self._not_ours("it is damaged")
        if not sweep.fits(piece, rows):
            raise self._not_ours("it is damaged")
        self.pieces[piece] = rows

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise self._cannot(error) from None

    def _cut(self, size: int) -> None:
        """Drop what an interruption left behind the last whole line."""
        try:
            self._file.truncate(size)
            self._file.seek(0, 2)
        except OSError as error:
            raise self._cannot(error) from None

    def _lock(self) -> None:
        """Keep others from writing to it, where the system has such locks."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StorageError(
                f"{self._shown} is being written by another sweep: wait for it, or stop it."
            ) from None

    def _not_ours(self, why: str) -> StorageError:
        return StorageError(
            f"{self._shown} is in the place for the unfinished part of this sweep, but {why}: "
            "it is left as it is. Move it away, or choose another --out."
        )

    def _cannot(self, error: Exception) -> StorageError:
        reason = getattr(error, "strerror", None) or str(error)
        return StorageError(f"cannot write {self._shown}: {reason}.")


def _digest(rows: list[Row]) -> str:
    """What tells whether rows are as they were written."""
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]
