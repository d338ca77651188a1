"""PostgreSQL: any number of server processes, told of each other's changes by NOTIFY."""

from __future__ import annotations

import contextlib
import logging
import re
from functools import cache, partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from digitduel.errors import StorageError
from digitduel.web.store import Rows, Run, Store, unanswered
from digitduel.web.store.migrations import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHANNEL = "digitduel"
MIGRATION_LOCK = 0x4449474954  # the same number in every process
MOST_CONNECTIONS = 8
WAIT_SECONDS = 2.0
# A connection that cannot be had is given up soon: the next request tries anew.
GIVE_UP_SECONDS = 1.0
# A silent connection is asked for a sign of life; a dead one is noticed by then.
QUIET_SECONDS = 5.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
CONNECTION: dict[str, Any] = {
    "autocommit": True,
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
DOWN = (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout, PoolClosed, TooManyRequests)

logger = logging.getLogger(__name__)


class Postgres(Store):
    """A pool of connections, and one more that listens."""

    kind = "postgresql"

    def __init__(self, address: str) -> None:
        self._address = address
        self._closing = Event()
        self._listener: Thread | None = None
        _check_address(address)
        # A connection is tried before it is used, so a restarted database is not noticed.
        self._pool = ConnectionPool(
            address,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=WAIT_SECONDS,
            reconnect_timeout=GIVE_UP_SECONDS,
            kwargs=CONNECTION,
            check=ConnectionPool.check_connection,
            open=True,
        )
        try:
            with self.transaction() as run:
                run("SELECT pg_advisory_xact_lock(:lock)", lock=MIGRATION_LOCK)
                migrate(run)
        except BaseException:
            self._pool.close()
            raise

    def read(self, sql: str, **values: object) -> Rows:
        """The rows of one query."""
        with unanswered(*DOWN), self._pool.connection() as connection:
            return _run(connection, sql, **values)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Run]:
        """All or nothing."""
        with unanswered(*DOWN), self._pool.connection() as connection, connection.transaction():
            yield partial(_run, connection)

    def announce(self, run: Run, game_id: str, version: int) -> None:
        """Sent by the database when, and only when, the transaction is committed."""
        run("SELECT pg_notify(:channel, :text)", channel=CHANNEL, text=f"{game_id} {version}")

    def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """Hear of changes in a thread of its own, which outlives lost connections."""
        self._listener = Thread(target=self._listen, args=(heard, missed), daemon=True)
        self._listener.start()

    def _listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            try:
                with psycopg.connect(self._address, **CONNECTION) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    missed()  # whatever happened before this moment was not heard
                    pause = FIRST_PAUSE
                    self._hear(connection, heard)
            except psycopg.Error as error:
                logger.warning("no connection to the database, trying again: %s", _reason(error))
                self._closing.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _hear(self, connection: psycopg.Connection, heard: Callable[[str, int], None]) -> None:
        quiet = 0.0
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=1.0):
                game_id, _, version = notice.payload.partition(" ")
                if version.isdecimal():
                    heard(game_id, int(version))
            quiet += 1.0
            if quiet >= QUIET_SECONDS:
                connection.execute("SELECT 1")
                quiet = 0.0

    def close(self) -> None:
        """Close every connection."""
        self._closing.set()
        if self._listener is not None:
            self._listener.join(timeout=2)
        self._pool.close(timeout=2)


def _run(connection: psycopg.Connection, sql: str, **values: object) -> Rows:
    cursor = connection.execute(_placeholders(sql), values)
    return cursor.fetchall() if cursor.description else []


@cache
def _placeholders(sql: str) -> str:
    """The statement with its values named as psycopg does.

    >>> _placeholders("SELECT 1 WHERE id = :id")
    'SELECT 1 WHERE id = %(id)s'
    """
    return re.sub(r":(\w+)", r"%(\1)s", sql)


def _check_address(address: str) -> None:
    """One try before the pool begins to try for ever."""
    try:
        psycopg.connect(address, **CONNECTION).close()
    except psycopg.Error as error:
        raise StorageError(f"cannot use the database: {_reason(error)}") from None


def _reason(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0]
