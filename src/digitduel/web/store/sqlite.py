"""SQLite: one file, one server process. A committed change survives kill -9 and a power cut."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from threading import Lock
from typing import TYPE_CHECKING

from digitduel.errors import StorageError
from digitduel.files import lock, reason, shown_path
from digitduel.web.errors import BusyError
from digitduel.web.store import Rows, Run, Store
from digitduel.web.store.migrations import migrate
from digitduel.web.store.outage import Outage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import IO

BUSY_SECONDS = 1  # for another program that holds the file
TURN_SECONDS = 2  # for other requests of this server
BESIDE = ("", "-wal", "-shm")  # a database is these files
# Changes are moved from the -wal into the file after so many, and at no other time: whatever else
# changes the file is not ours.
MOVE_EVERY = 200


class Sqlite(Store):
    """One connection that writes and one that reads: with WAL they do not wait for each other."""

    kind = "sqlite"

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)
        self._writing, self._reading = Lock(), Lock()
        self._writes, self._reads = Outage("the database, written to,"), Outage("the database")
        self._lost, self._commits = "", 0
        with contextlib.ExitStack() as opened, _refused(path):
            # SQLite keeps recent changes beside the file itself, wherever its links are.
            self._path = path.resolve()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened.enter_context(_claim(self._path))
            self._writer = opened.enter_context(contextlib.closing(_connect(self._path)))
            self._reader = opened.enter_context(contextlib.closing(_connect(self._path)))
            with self._atomic() as run:
                migrate(run)
            self._files = _files(self._path)
            self._read_own_time()
            self._opened = opened.pop_all()

    def read(self, sql: str, **values: object) -> Rows:
        """The rows of one query."""
        with self._reads.watched(sqlite3.Error), _turn(self._reading):
            self._check_files(self._reader)
            return self._reader.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Run]:
        """One writer at a time; the commit waits for the disk."""
        with self._writing_alone(), self._atomic() as run:
            yield run
            self._check_files(self._writer)

    @contextlib.contextmanager
    def quick_transaction(self) -> Iterator[Run]:
        """What is in the -wal survives a kill; the next change waits for the disk for all of it."""
        with self._writing_alone():
            self._writer.execute("PRAGMA synchronous = NORMAL")
            try:
                with self._atomic() as run:
                    yield run
            finally:
                self._writer.execute("PRAGMA synchronous = FULL")

    @contextlib.contextmanager
    def _writing_alone(self) -> Iterator[None]:
        with self._writes.watched(sqlite3.Error), _turn(self._writing):
            self._undo()  # what an earlier fault may have left
            self._check_files(self._writer)
            yield
            # Moved away just before the commit: it is in a file that nobody will open again.
            self._check_files(self._writer)
            self._move_changes()

    @contextlib.contextmanager
    def _atomic(self) -> Iterator[Run]:
        def run(sql: str, **values: object) -> Rows:
            return self._writer.execute(sql, values).fetchall()

        self._writer.execute("BEGIN IMMEDIATE")
        try:
            yield run
            self._writer.execute("COMMIT")
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        # A failed COMMIT may have ended the transaction by itself.
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")

    def _move_changes(self) -> None:
        """Now and then, move what is in the -wal into the file; if it fails, the next does it."""
        self._commits += 1
        if self._commits >= MOVE_EVERY:
            with contextlib.suppress(sqlite3.Error, BusyError), _turn(self._reading):
                self._writer.execute("PRAGMA wal_checkpoint").fetchall()
                self._commits = 0
                self._files = _files(self._path)

    def _check_files(self, connection: sqlite3.Connection) -> None:
        """An error, from now on, if the open files are no longer those that the name leads to, or
        somebody else has written to the database itself."""
        if not self._lost and (files := _files(self._path)) != self._files:
            names = [end or "the file" for end in BESIDE if files[end] != self._files[end]]
            self._lost = (
                f"{shown_path(self._path)} was removed, replaced or written over "
                f"({', '.join(names)}): put it back and start the server anew."
            )
        if self._lost:
            is_ours = _files(self._path)[""] == self._files[""]
            if is_ours and not connection.in_transaction:  # changes that are only in a removed -wal
                connection.execute("PRAGMA wal_checkpoint")
            raise sqlite3.OperationalError(self._lost)

    def announce(self, run: Run, game_id: str, version: int) -> None:
        """Nobody else to tell: one process has the file."""

    def listen(
        self,
        heard: Callable[[str, int], None],
        missed: Callable[[], None],
        told: Callable[[str], None],
    ) -> None:
        """Nobody else to hear."""

    def tell(self, text: str) -> None:
        """Nobody else to tell."""

    def close(self) -> None:
        """Close the file."""
        with self._writing, self._reading:
            self._opened.close()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # it is done when we know of it
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def _turn(held: Lock) -> Iterator[None]:
    """One at a time; who would wait long is sent away."""
    if not held.acquire(timeout=TURN_SECONDS):
        raise BusyError("the store is busy: try again.", wait=1)
    try:
        yield
    finally:
        held.release()


def _files(path: Path) -> dict[str, tuple[int, ...] | None]:
    """Which files the name leads to just now, and in what state the database itself is."""
    return {end: _identity(path.with_name(f"{path.name}{end}"), end) for end in BESIDE}


def _identity(path: Path, end: str) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    state = () if end else (found.st_size, found.st_mtime_ns)
    return found.st_dev, found.st_ino, *state


def _claim(path: Path) -> IO[bytes]:
    """Hold the file for this process: a second server would not hear of our changes."""
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_nlink > 1:
            raise StorageError(
                f"the database {shown_path(path)} has a second name (a hard link), under which "
                "another server could write to it: remove that name, or choose another file."
            )
    file = path.with_name(f"{path.name}.lock").open("ab")
    if lock(file):
        return file
    file.close()
    raise StorageError(
        f"the database {shown_path(path)} is in use by another server: "
        "choose another file, or PostgreSQL for several servers on one database."
    )


@contextlib.contextmanager
def _refused(path: Path) -> Iterator[None]:
    """What goes wrong with a file when it is opened, in one line."""
    try:
        yield
    except StorageError:
        raise
    except (OSError, ValueError, sqlite3.Error) as error:
        error = error.__cause__ if isinstance(error.__cause__, sqlite3.Error) else error
        raise StorageError(
            f"cannot use the database {shown_path(path)}: {reason(error)}."
        ) from None
