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
from digitduel.files import cannot_write, lock, shown_path, sync_folder
from digitduel.text import quoted

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_JOURNAL = 2**30


class Journal:
    """A file of JSON lines, open and locked. `data` is what it held when it was opened."""

    def __init__(self, path: Path, mode: Literal["x", "r+", "a+"], busy: str) -> None:
        """Open a new file (x), one that is there (r+), or either (a+).

        StorageError if that fails; it says `busy` if another process holds the file.
        FileExistsError if a new one is there already.
        """
        self.path = path
        try:
            self._file = path.open(f"{mode}b", buffering=0)
        except FileExistsError:
            raise
        except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
            raise cannot_write(path, error) from None
        try:
            if not lock(self._file):
                raise StorageError(busy)
            self.data = b"" if mode == "x" else self._read()
        except BaseException:
            self._file.close()
            raise
        self._size = len(whole_lines(self.data))

    def _read(self) -> bytes:
        try:
            self._file.seek(0)
            data: bytes = self._file.read(LARGEST_JOURNAL + 1)
        except OSError as error:
            raise cannot_write(self.path, error) from None
        if len(data) > LARGEST_JOURNAL:
            raise StorageError(f"{shown_path(self.path)} is too large to go on with.")
        return data

    def append(self, *lines: dict[str, Any]) -> None:
        """Put lines on disk; StorageError if that fails, with the file as it was before."""
        left = data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        try:
            self._file.truncate(self._size)  # drops what an interruption left
            self._file.seek(self._size)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
            if not self._size:
                sync_folder(self.path.parent)
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
            raise cannot_write(self.path, error) from None
        self._size += len(data)

    def remove(self) -> None:
        """Take the file away; it is closed first, since some systems keep an open one."""
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
