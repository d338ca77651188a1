"""Append-only files of JSON lines, each on disk before it counts, held by one process at a time.

Appending one line is atomic enough for kill -9, and a line that an interruption left incomplete
is the only thing that a reader drops.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any, Literal

from digitduel.errors import InvalidRecordError, StorageError
from digitduel.files import is_file_of, lock, sync_folder, writing
from digitduel.text import quoted

if TYPE_CHECKING:
    from pathlib import Path


class Journal:
    """A file of JSON lines, open and locked. `data` is what it held when it was opened."""

    def __init__(self, path: Path, mode: Literal["r+", "a+"], busy: str) -> None:
        """Open a file that is there (r+), or one that may be new (a+).

        OSError if that fails; StorageError that says `busy` if another process holds the file.
        """
        self.path, self._file = path, path.open(f"{mode}b", buffering=0)
        # Whoever had it before may have taken it away between our opening and our locking it.
        if not lock(self._file) or not is_file_of(path, self._file):
            self._file.close()
            raise StorageError(busy)
        self._file.seek(0)
        self.data: bytes = self._file.read()
        self._size = len(whole_lines(self.data))

    def append(self, *lines: dict[str, Any]) -> None:
        """Put lines on disk; StorageError if that fails, with the file as it was before."""
        left = data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        with writing(self.path):
            self._cut()  # what an interruption left
            try:
                while left:
                    left = left[self._file.write(left) :]
                os.fsync(self._file.fileno())
            except OSError:
                self._cut()
                raise
            if not self._size:
                sync_folder(self.path.parent)
        self._size += len(data)

    def _cut(self) -> None:
        self._file.truncate(self._size)
        self._file.seek(self._size)

    def remove(self) -> None:
        """Take the file away, while nobody else can have it."""
        with writing(self.path):
            try:
                self.path.unlink(missing_ok=True)
                self.close()
            except PermissionError:  # some systems keep an open file
                self.close()
                self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(OSError):
            self._file.close()


def whole_lines(data: bytes) -> bytes:
    """What counts of a journal: all but a last line without its end.

    >>> whole_lines(b'{"a": 1}\\n{"b"')
    b'{"a": 1}\\n'
    """
    return data[: data.rfind(b"\n") + 1]


def json_object(line: bytes) -> dict[str, Any]:
    """The object that a line holds; InvalidRecordError if it holds none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InvalidRecordError(f"{quoted(line.decode(errors='replace'))} is no JSON object.")
    return value
