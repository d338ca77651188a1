"""SQLite: one file, one server process. A committed change survives kill -9 and a power cut."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from concurrent.futures import CancelledError, Future
from threading import Condition, Lock
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
MOST_SECONDS = TURN_SECONDS + BUSY_SECONDS  # for all that a change waits for
BESIDE = ("", "-wal", "-shm")  # a database is these files
# Changes are moved from the -wal into the file after so many, and at no other time: whatever else
# changes the file is not ours.
MOVE_EVERY = 200
BUSY = "the store is busy: try again."
FAULTS = (sqlite3.Error, TimeoutError, CancelledError)  # of a change, or of its commit


class Sqlite(Store):
    """One connection that writes and one that reads: with WAL they do not wait for each other.

    Changes take turns, and the last of those who wait for one commits for all: whoever comes while
    the disk is busy is in the next commit. Nobody reads, or is told of, what is not on disk.
    """

    kind = "sqlite"

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)
        self._reading, self._turns = Lock(), Condition()
        self._coming, self._writing = 0, False  # how many wait to write, and whether one does
        self._group: Future[None] | None = None  # changes that one commit will put on disk
        self._writes, self._reads = Outage("the database, written to,"), Outage("the database")
        self._lost, self._unmoved = "", 0
        with contextlib.ExitStack() as opened, _refused(path):
            # SQLite keeps recent changes beside the file itself, wherever its links are.
            self._path = path.resolve()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened.enter_context(_claim(self._path))
            self._writer = opened.enter_context(contextlib.closing(_connect(self._path)))
            self._reader = opened.enter_context(contextlib.closing(_connect(self._path)))
            with self._atomic() as run:
                migrate(run)
            self._beside = {end: f"{self._path}{end}" for end in BESIDE}
            self._files = _files(self._beside)
            self._read_own_time()
            self._opened = opened.pop_all()

    def read(self, sql: str, **values: object) -> Rows:
        """The rows of one query."""
        with self._reads.watched(sqlite3.Error), _turn(self._reading):
            self._check_files(self._reader)
            return self._reader.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Run]:
        """One writer at a time, and one commit, which waits for the disk, for all of them."""
        until, watched = time.monotonic() + MOST_SECONDS, self._writes.watched(*FAULTS)
        with watched, contextlib.ExitStack() as at_last, self._turn_to_write():
            group = self._join()
            # A refusal waits, too: it may be for the sake of a change of the same group.
            at_last.callback(lambda: group.result(max(until - time.monotonic(), 0)))
            self._writer.execute("SAVEPOINT change")
            try:
                yield self._run
                self._writer.execute("RELEASE change")
                self._unmoved += 1
            except BaseException as error:
                self._undo_change(error)
                raise

    @contextlib.contextmanager
    def quick_transaction(self) -> Iterator[Run]:
        """What is in the -wal survives a kill; the next change waits for the disk for all of it."""
        with self._writes.watched(sqlite3.Error), self._turn_to_write():
            self._commit()  # others may wait for the disk
            self._undo()
            self._check_files(self._writer)
            self._writer.execute("PRAGMA synchronous = NORMAL")
            try:
                with self._atomic() as run:
                    yield run
            finally:
                self._writer.execute("PRAGMA synchronous = FULL")
            self._check_files(self._writer)
            self._unmoved += 1
            self._move_changes()

    @contextlib.contextmanager
    def _turn_to_write(self, seconds: float | None = TURN_SECONDS) -> Iterator[None]:
        """One at a time; who would wait long is sent away. If nobody waits, one commits for all."""
        with self._turns:
            self._coming += 1
            try:
                if not self._turns.wait_for(lambda: not self._writing, seconds):
                    raise BusyError(BUSY, wait=1)
                self._writing = True
            finally:
                self._coming -= 1
        try:
            yield
        finally:
            if not self._give_turn():
                try:
                    self._commit()
                finally:
                    self._give_turn()

    def _give_turn(self) -> bool:
        """Let others write, unless nobody waits and there is something to commit."""
        with self._turns:
            if self._coming or self._group is None:
                self._writing = False
                self._turns.notify()
            return not self._writing

    def _join(self) -> Future[None]:
        """The group that goes to disk next."""
        if self._group is None:
            self._undo()  # what an earlier fault may have left
            self._check_files(self._writer)
            self._writer.execute("BEGIN IMMEDIATE")
            self._group = Future()
        return self._group

    def _undo_change(self, error: BaseException) -> None:
        """Undo one change without the others of its group, unless it has ended all of them."""
        try:
            self._writer.execute("ROLLBACK TO change")
            self._writer.execute("RELEASE change")
        except sqlite3.Error:  # as a full disk may do
            self._commit(lost=sqlite3.OperationalError(str(error)))

    def _commit(self, lost: sqlite3.Error | None = None) -> None:
        """Put the group on disk, if there is one; whoever waits for it is told how that went."""
        group, self._group = self._group, None
        if group is None:
            return
        try:
            if lost is not None:
                raise lost
            self._check_files(self._writer)
            self._writer.execute("COMMIT")
            # Moved away just before the commit: it is in a file that nobody will open again.
            self._check_files(self._writer)
            group.set_result(None)
        except sqlite3.Error as error:
            group.set_exception(error)
        else:
            self._move_changes()
        finally:
            group.cancel()  # unless they have been told
            self._undo()

    @contextlib.contextmanager
    def _atomic(self) -> Iterator[Run]:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            yield self._run
            self._writer.execute("COMMIT")
        finally:
            self._undo()

    def _run(self, sql: str, **values: object) -> Rows:
        return self._writer.execute(sql, values).fetchall()

    def _undo(self) -> None:
        # A failed COMMIT may have ended the transaction by itself. If this fails, BEGIN will tell.
        with contextlib.suppress(sqlite3.Error):
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")

    def _move_changes(self) -> None:
        """Now and then, move what is in the -wal into the file; if it fails, the next does it."""
        if self._unmoved >= MOVE_EVERY:
            with contextlib.suppress(sqlite3.Error, BusyError), _turn(self._reading):
                self._writer.execute("PRAGMA wal_checkpoint").fetchall()
                self._unmoved = 0
                self._files = _files(self._beside)

    def _check_files(self, connection: sqlite3.Connection) -> None:
        """An error, from now on, if the open files are no longer those that the name leads to, or
        somebody else has written to the database itself."""
        if not self._lost and (files := _files(self._beside)) != self._files:
            names = [end or "the file" for end in BESIDE if files[end] != self._files[end]]
            self._lost = (
                f"{shown_path(self._path)} was removed, replaced or written over "
                f"({', '.join(names)}): put it back and start the server anew."
            )
        if self._lost:
            is_ours = _files(self._beside)[""] == self._files[""]
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
        with self._turn_to_write(seconds=None), self._reading:
            self._commit()
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
        raise BusyError(BUSY, wait=1)
    try:
        yield
    finally:
        held.release()


def _files(beside: dict[str, str]) -> dict[str, tuple[int, ...] | None]:
    """Which files the names lead to just now, and in what state the database itself is."""
    return {end: _identity(name, end) for end, name in beside.items()}


def _identity(name: str, end: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(name)  # noqa: PTH116  (looked at with every change: a Path takes three times as long)
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
