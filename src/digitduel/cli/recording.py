"""Writing record files without ever writing over somebody else's."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from digitduel.files import already_there, is_there, write_file, writing
from digitduel.record import dumps

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.record import Record


class RecordFile:
    """A record on disk that is written anew as the game goes on.

    A file that is there already is replaced only if it still holds what we wrote last:
    `digest` says what that was.
    """

    def __init__(self, path: Path, digest: str | None = None) -> None:
        self.path = path
        self.digest = digest

    def check(self) -> None:
        """StorageError if writing would destroy something or cannot work."""
        if is_there(self.path) and not self._is_ours():
            raise already_there(self.path)

    def _is_ours(self) -> bool:
        with writing(self.path):
            # What we never wrote is not looked into.
            return self.digest is not None and _digest(self.path.read_bytes()) == self.digest

    def write(self, records: list[Record]) -> str:
        """Put the records on disk, all or nothing; what was written, as a digest."""
        self.check()
        data = dumps(records).encode("utf-8", errors="replace")
        write_file(self.path, lambda file: file.write(data), over=True)
        self.digest = _digest(data)
        return self.digest


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    if is_there(path):
        raise already_there(path)
    write_file(path, lambda file: file.write(text.encode()))
