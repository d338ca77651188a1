"""Files: where a user's are kept, read with care, never written over by mistake, held by one."""

from __future__ import annotations

import contextlib
import filecmp
import os
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from digitduel.errors import StorageError, UnreadableError
from digitduel.text import LONGEST_PATH, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def data_home() -> Path:
    """Where this user's games are kept; DIGITDUEL_HOME sets another place."""
    if chosen := os.environ.get("DIGITDUEL_HOME"):
        return Path(chosen)
    import platformdirs

    return platformdirs.user_data_path("digitduel")


def data_folder(name: str) -> Path:
    """A folder of the data home, there and on disk; StorageError if it cannot be made."""
    folder = data_home() / name
    with writing(folder):
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            sync_folder(folder.parent)
            sync_folder(folder.parent.parent)
    return folder


def lock(file: IO[Any]) -> bool:
    """Whether this process now holds an open file alone; where no locks are known, it does."""
    return _locked(file) is not False


def _locked(file: IO[Any]) -> bool | None:
    """The same, but None where no locks are known: by the system, or by the file system."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def is_file_of(path: Path, file: IO[Any]) -> bool:
    """Whether an open file still has this name: not if it was taken away meanwhile."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def read_text(path: Path, most_bytes: int) -> str:
    """The text of a file that may be missing, unreadable, binary or huge.

    Raises UnreadableError in all those cases; never reads more than `most_bytes`.
    """
    shown = shown_path(path)
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        raise UnreadableError(f"cannot read {shown}: {reason(error)}.") from None
    if len(data) > most_bytes:
        raise UnreadableError(f"cannot read {shown}: it is larger than {most_bytes:,} bytes.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UnreadableError(f"cannot read {shown}: it is not a text file in UTF-8.")
    return text


def is_there(path: Path) -> bool:
    """Whether a file has this name; StorageError if no file can have it."""
    with writing(path):
        folder, file, anything = path.parent.is_dir(), path.is_file(), os.path.lexists(path)
    if not folder:
        raise StorageError(
            f"cannot write {shown_path(path)}: there is no folder {shown_path(path.parent)}."
        )
    if anything and not file:
        raise StorageError(
            f"cannot write {shown_path(path)}: something that is no file has that name; "
            "choose another."
        )
    return file


def write_file(path: Path, write: Callable[[BinaryIO], object], *, over: bool = False) -> None:
    """Put a file on disk, all or nothing; StorageError if that fails.

    A file that is there stays, unless it may be written over; fine if it holds the same.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    with writing(path), contextlib.ExitStack() as after:
        _clear_drafts(path)
        file = draft.open("xb")
        after.callback(draft.unlink, missing_ok=True)
        after.enter_context(file)
        lock(file)  # while it is held, nobody clears it away
        write(file)
        file.flush()
        os.fsync(file.fileno())
        if os.name == "nt":
            file.close()  # no open file is renamed there
        if over or not path.exists():
            draft.replace(path)
            sync_folder(path.parent)
        elif not filecmp.cmp(draft, path, shallow=False):
            raise already_there(path)


def _clear_drafts(path: Path) -> None:
    """Take away what processes left that died while they wrote this file: nobody holds it."""
    name = re.compile(rf"\.{re.escape(path.name)}\.[0-9]+\.part")
    with contextlib.suppress(OSError):  # drafts are no reason not to write
        for draft in [other for other in path.parent.iterdir() if name.fullmatch(other.name)]:
            with draft.open("rb") as file:
                if _locked(file):
                    draft.unlink(missing_ok=True)


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    if is_there(path):
        raise already_there(path)
    write_file(path, lambda file: file.write(text.encode()))


def sync_folder(folder: Path) -> None:
    """Put the names of a folder's files on disk, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def already_there(path: Path) -> StorageError:
    """The error for a file that is somebody else's, or holds something else."""
    return StorageError(
        f"{shown_path(path)} is there already and is not written over: "
        "choose another name, or move it away."
    )


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the system refuses on the way to a file becomes a StorageError."""
    try:
        yield
    except StorageError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        raise StorageError(f"cannot write {shown_path(path)}: {reason(error)}.") from None


def reason(error: Exception) -> str:
    """What the system says is wrong."""
    return getattr(error, "strerror", None) or str(error)


def shown_path(path: Path) -> str:
    """A path fit for a message."""
    return quoted(str(path), LONGEST_PATH)
