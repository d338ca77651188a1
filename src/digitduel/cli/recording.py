"""Writing record files without ever writing over somebody else's."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from digitduel.errors import StorageError
from digitduel.record import dumps
from digitduel.text import LONGEST_PATH, quoted

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
        try:
            free = not _is_there(self.path) or self._is_ours()
        except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
            raise _cannot_write(self.path, error) from None
        if not free:
            raise _already_there(self.path)
        if not self.path.parent.is_dir():
            raise StorageError(
                f"cannot write {quoted(str(self.path), LONGEST_PATH)}: "
                f"there is no folder {quoted(str(self.path.parent), LONGEST_PATH)}."
            )

    def _is_ours(self) -> bool:
        # What we never wrote is not looked into: a device has no end.
        known = self.digest is not None and self.path.is_file()
        return known and _digest(self.path.read_bytes()) == self.digest

    def write(self, records: list[Record]) -> str:
        """Put the records on disk, all or nothing; what was written, as a digest."""
        self.check()
        data = dumps(records).encode("utf-8", errors="replace")
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise _cannot_write(self.path, error) from None
        self.digest = _digest(data)
        return self.digest


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def _already_there(path: Path) -> StorageError:
    return StorageError(
        f"{quoted(str(path), LONGEST_PATH)} is there already and is not written over: "
        "choose another name, or move it away."
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _cannot_write(path: Path, error: Exception) -> StorageError:
    reason = getattr(error, "strerror", None) or str(error)
    return StorageError(f"cannot write {quoted(str(path), LONGEST_PATH)}: {reason}.")


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise _already_there(path) from None
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None
