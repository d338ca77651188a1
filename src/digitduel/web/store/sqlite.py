"""SQLite: one file, one server process. A committed change survives kill -9 and a power cut."""

from __future__ import annotations

import contextlib
import sqlite3
from threading import Lock
from typing import TYPE_CHECKING

from digitduel.errors import StorageError
from digitduel.files import lock, reason, shown_path
from digitduel.web.store import Rows, Run, Store, unanswered
from digitduel.web.store.migrations import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import IO

BUSY_SECONDS = 5


class Sqlite(Store):
    """One connection that writes and one that reads: with WAL they do not wait for each other."""

    kind = "sqlite"

    def __init__(self, path: Path) -> None:
        self._writing, self._reading = Lock(), Lock()
        with contextlib.ExitStack() as opened, _refused(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            opened.enter_context(_claim(path))
            self._writer = opened.enter_context(contextlib.closing(_connect(path)))
            self._reader = opened.enter_context(contextlib.closing(_connect(path)))
            with self.transaction() as run:
                migrate(run)
            self._opened = opened.pop_all()

    def read(self, sql: str, **values: object) -> Rows:
        """The rows of one query."""
        with self._reading, unanswered(sqlite3.Error):
            return self._reader.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Run]:
        """One writer at a time; the commit waits for the disk."""

        def run(sql: str, **values: object) -> Rows:
            return self._writer.execute(sql, values).fetchall()

        with self._writing, unanswered(sqlite3.Error):
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield run
                self._writer.execute("COMMIT")
            except BaseException:
                # A failed COMMIT may have ended the transaction by itself.
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def announce(self, run: Run, game_id: str, version: int) -> None:
        """Nobody else to tell: one process has the file."""

    def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """Nobody else to hear."""

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
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _claim(path: Path) -> IO[bytes]:
    """Hold the file for this process: a second server would not hear of our changes."""
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
