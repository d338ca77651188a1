"""Writing record files without ever writing over somebody else's."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from digitduel.files import already_there, is_there, write_file, writing
from digitduel.record import dumps

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.record import Record


def check_record(path: Path, digest: str | None = None) -> None:
    """StorageError if writing would destroy something or cannot work.

    A file that is there may be replaced if it still holds what we wrote last: `digest` says what
    that was.
    """
    if is_there(path):
        with writing(path):
            # What we never wrote is not looked into.
            if digest is None or _digest(path.read_bytes()) != digest:
                raise already_there(path)


def write_record(path: Path, records: list[Record], digest: str | None = None) -> str:
    """Put records on disk, all or nothing, as the game goes on; the digest of what was written."""
    check_record(path, digest)
    data = dumps(records).encode("utf-8", errors="replace")
    write_file(path, lambda file: file.write(data), over=True)
    return _digest(data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    if is_there(path):
        raise already_there(path)
    write_file(path, lambda file: file.write(text.encode()))
