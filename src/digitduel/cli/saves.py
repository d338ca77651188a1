"""Games in progress on disk: a journal each, one JSON line an event, written before it is shown.

Appending one line is atomic enough for kill -9, and a line that a power cut left
incomplete is the only thing a reader drops.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from digitduel.cli.table import Event, Setup, Table
from digitduel.errors import DigitDuelError, InvalidRecordError, StorageError
from digitduel.files import read_text
from digitduel.text import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = "digitduel save 1"
LARGEST_FILE = 50_000_000


def home() -> Path:
    """Where this user's games are kept; DIGITDUEL_HOME sets another place."""
    if chosen := os.environ.get("DIGITDUEL_HOME"):
        return Path(chosen)
    import platformdirs

    return platformdirs.user_data_path("digitduel")


def games_folder() -> Path:
    """Games that were begun and not finished."""
    return home() / "games"


def finished_folder() -> Path:
    """The records of finished games."""
    return home() / "finished"


class Journal:
    """The save file of one match, held open and locked while it is played."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file

    @property
    def id(self) -> str:
        """The name to resume by."""
        return self.path.stem

    @classmethod
    def create(cls, setup: Setup) -> Journal:
        """A new journal under the first free name: pool-1, pool-2, ..."""
        folder = games_folder()
        number = 1
        with _storage_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            while True:
                path = folder / f"{setup.ruleset.key}-{number}.jsonl"
                with contextlib.suppress(FileExistsError):
                    file = path.open("xb")
                    break
                number += 1
        _lock(file)
        journal = cls(path, file)
        journal.append({"format": FORMAT} | setup.to_json())
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, Table]:
        """Take up a journal and the match in it; StorageError if another terminal has it."""
        with _storage_errors(path):
            file = path.open("r+b")
        try:
            if not _lock(file):
                raise StorageError(f"the game {path.stem} is being played in another terminal.")
            table, size = _read(path)
            file.truncate(size)
            file.seek(0, os.SEEK_END)
        except BaseException:
            file.close()
            raise
        return cls(path, file), table

    def append(self, event: Event) -> None:
        """Put an event on disk; StorageError if that fails, with the file as it was before."""
        line = json.dumps(event).encode() + b"\n"
        with _storage_errors(self.path):
            size = self._file.tell()
            try:
                self._file.write(line)
                self._file.flush()
                os.fsync(self._file.fileno())
            except OSError:
                with contextlib.suppress(OSError):
                    self._file.seek(size)
                    self._file.truncate(size)
                raise

    def finish(self, text: str) -> None:
        """Keep the finished match as a record in place of the journal."""
        folder = finished_folder()
        with _storage_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            _write_new(folder, self.id, text)
            self.path.unlink()
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(OSError):
            self._file.close()


def _write_new(folder: Path, stem: str, text: str) -> None:
    number = 1
    while True:
        name = f"{stem}.txt" if number == 1 else f"{stem}_{number}.txt"
        with contextlib.suppress(FileExistsError), (folder / name).open("x") as file:
            file.write(text)
            return
        number += 1


def unfinished() -> list[Path]:
    """The save files there are, the newest last."""
    with _storage_errors(games_folder()):
        files = list(games_folder().glob("*.jsonl"))
        return sorted(files, key=lambda path: path.stat().st_mtime_ns)


def find_save(save_id: str) -> Path:
    """The save file of this id."""
    known = {path.stem: path for path in unfinished()}
    if save_id not in known:
        have = ", ".join(known) or "none"
        raise DigitDuelError(f"there is no unfinished game {quoted(save_id)}: there is {have}.")
    return known[save_id]


def newest_finished() -> Path:
    """The record of the match that was finished last."""
    with _storage_errors(finished_folder()):
        files = sorted(finished_folder().glob("*.txt"), key=lambda path: path.stat().st_mtime_ns)
    if not files:
        raise DigitDuelError("no game has been finished yet: name a record file to replay.")
    return files[-1]


def read_save(path: Path) -> Table:
    """The match in a save file."""
    return _read(path)[0]


def _read(path: Path) -> tuple[Table, int]:
    """The match, and how many bytes of the file tell of it."""
    text = read_text(path, LARGEST_FILE)
    whole, _, _ = text.rpartition("\n")
    lines = whole.split("\n")
    table = Table(_header(path, lines[0]))
    for number, line in enumerate(lines[1:], start=2):
        try:
            table.apply(_object(line))
        except (DigitDuelError, TypeError) as error:
            raise InvalidRecordError(f"{path.name} is damaged at line {number}: {error}") from None
    return table, len(whole.encode()) + 1


def _header(path: Path, line: str) -> Setup:
    try:
        data = _object(line)
        if data.get("format") != FORMAT:
            raise InvalidRecordError(f"it does not begin with {FORMAT!r}.")
        return Setup.from_json(data)
    except (DigitDuelError, KeyError, TypeError, ValueError) as error:
        raise InvalidRecordError(f"{path.name} is not a saved game: {error}") from None


def _object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InvalidRecordError(f"{quoted(line)} is not a line of a saved game.")
    return data


@contextlib.contextmanager
def _storage_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(f"cannot use {str(path)!r}: {error.strerror or error}.") from None


def _lock(file: BinaryIO) -> bool:
    """Whether this process now holds the file; where locks are unknown, it does."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
