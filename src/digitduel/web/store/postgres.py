"""PostgreSQL: any number of server processes, told of each other's changes by NOTIFY."""

from __future__ import annotations

import contextlib
import re
import time
from functools import cache, partial
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import LockNotAvailable
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from digitduel.errors import StorageError
from digitduel.web.errors import BusyError
from digitduel.web.store import Rows, Run, Store
from digitduel.web.store.migrations import migrate
from digitduel.web.store.outage import Outage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from psycopg.abc import RV, PQGen

    from digitduel.web.hosted import Change, HostedDuel

CHANNEL, TALK = "digitduel", "digitduel_talk"  # for changes, and for what need not be kept
MIGRATION_LOCK = 0x4449474954  # the same number in every process
MOST_CONNECTIONS = 8
MOST_WAITING = 40  # for a connection: fewer than there are threads, so that others find one
# What a request may wait for, all in all: a connection, a sign of life from it, its answers.
WAIT_SECONDS, ALIVE_SECONDS, ANSWER_SECONDS = 1.5, 1.0, 3.0
# What the database itself keeps to: for one statement, for a row that another holds, and for a
# transaction whose server has stopped in the middle.
STATEMENT_SECONDS, LOCK_SECONDS, IDLE_SECONDS = 2.0, 1.0, 5.0
# Steps to the newest form may take longer.
START_SECONDS = 300.0
# A connection that cannot be had is given up soon: the next request tries anew.
GIVE_UP_SECONDS = 1.0
# A silent connection is asked for a sign of life; a dead one is noticed by then.
QUIET_SECONDS = 5.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
CONNECTION: dict[str, Any] = {
    "autocommit": True,
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
LIMITS = {
    "statement_timeout": STATEMENT_SECONDS,
    "lock_timeout": LOCK_SECONDS,
    "idle_in_transaction_session_timeout": IDLE_SECONDS,
}
DOWN = (psycopg.Error, PoolTimeout, PoolClosed)


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """One that is given up when the server, stopped or cut off, has not answered in time."""

    until: float | None = None  # a moment of the monotonic clock

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """Wait for the server; what it says too late nobody will take for the next answer."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        now = time.monotonic()
        until = now + ANSWER_SECONDS if self.until is None else self.until
        try:
            return super().wait(gen, interval, max(until - now, 0.0))
        except psycopg.OperationalError:
            if time.monotonic() >= until:
                self.close()
            raise


class Postgres(Store):
    """A pool of connections, and one more that listens."""

    kind = "postgresql"

    def __init__(self, address: str, clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)
        self._address = address
        self._closing = Event()
        self._listener: Thread | None = None
        self._outage = Outage("the database")
        self._turns: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        self._taking_turns = Lock()
        _prepare(address)
        # A connection is tried before it is used, so a restarted database is not noticed.
        self._pool = ConnectionPool(
            address,
            connection_class=Connection,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            max_waiting=MOST_WAITING,
            timeout=WAIT_SECONDS,
            reconnect_timeout=GIVE_UP_SECONDS,
            kwargs=CONNECTION | {"options": _options(address)},
            check=_check,
            open=True,
        )
        try:
            self._read_own_time()
        except BaseException:
            self._pool.close()
            raise

    def read(self, sql: str, **values: object) -> Rows:
        """The rows of one query."""
        with self._connection() as connection:
            return _run(connection, sql, **values)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Run]:
        """All or nothing."""
        with self._connection() as connection, connection.transaction():
            yield partial(_run, connection)

    @contextlib.contextmanager
    def quick_transaction(self) -> Iterator[Run]:
        """The same, committed before it is on disk."""
        with self.transaction() as run:
            run("SET LOCAL synchronous_commit = off")
            yield run

    @contextlib.contextmanager
    def _connection(self) -> Iterator[Connection]:
        """A connection, with one limit for having it and for all that is done with it."""
        with self._outage.watched(*DOWN):
            until = time.monotonic() + ANSWER_SECONDS
            try:
                with self._pool.connection() as connection:
                    connection.until = until
                    yield connection
            except LockNotAvailable as error:  # one game that another program holds
                self._outage.failed(error)
                raise BusyError("the game is held by another program: try again.", wait=1) from None
            except TooManyRequests:
                raise BusyError("too many requests at once: try again.", wait=1) from None

    def append(self, duel: HostedDuel, change: Change) -> bool:
        """Put a change on disk, one of a game at a time: the next waits without a connection."""
        with self._taking_turns:
            turn = self._turns.setdefault(duel.id, Lock())
        if not turn.acquire(timeout=LOCK_SECONDS):
            raise BusyError("the game is busy: try again.", wait=1)
        try:
            return super().append(duel, change)
        finally:
            turn.release()

    def announce(self, run: Run, game_id: str, version: int) -> None:
        """Sent by the database when, and only when, the transaction is committed."""
        run("SELECT pg_notify(:channel, :text)", channel=CHANNEL, text=f"{game_id} {version}")

    def tell(self, text: str) -> None:
        """Sent at once to every process that listens, this one among them."""
        self.read("SELECT pg_notify(:channel, :text)", channel=TALK, text=text)

    def listen(
        self,
        heard: Callable[[str, int], None],
        missed: Callable[[], None],
        told: Callable[[str], None],
    ) -> None:
        """Hear of changes in a thread of its own, which outlives lost connections."""

        def noticed(channel: str, text: str) -> None:
            game_id, _, version = text.partition(" ")
            if channel == TALK:
                told(text)
            elif version.isdecimal():
                heard(game_id, int(version))

        self._listener = Thread(target=self._listen, args=(noticed, missed), daemon=True)
        self._listener.start()

    def _listen(self, noticed: Callable[[str, str], None], missed: Callable[[], None]) -> None:
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            try:
                with Connection.connect(self._address, **CONNECTION) as connection:
                    for channel in (CHANNEL, TALK):
                        connection.execute(f"LISTEN {channel}".encode())
                    missed()  # whatever happened before this moment was not heard
                    pause = FIRST_PAUSE
                    self._hear(connection, noticed)
            except psycopg.Error as error:
                self._outage.failed(error)
                self._closing.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _hear(self, connection: Connection, noticed: Callable[[str, str], None]) -> None:
        quiet = 0.0
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=1.0):
                noticed(notice.channel, notice.payload)
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


def _run(connection: Connection, sql: str, **values: object) -> Rows:
    cursor = connection.execute(_placeholders(sql), values)
    return cursor.fetchall() if cursor.description else []


def _check(connection: Connection) -> None:
    connection.until = time.monotonic() + ALIVE_SECONDS
    ConnectionPool.check_connection(connection)


@cache
def _placeholders(sql: str) -> str:
    """The statement with its values named as psycopg does.

    >>> _placeholders("SELECT 1 WHERE id = :id")
    'SELECT 1 WHERE id = %(id)s'
    """
    return re.sub(r":(\w+)", r"%(\1)s", sql)


def _prepare(address: str) -> None:
    """Bring the database to its newest form; one try before the pool begins to try for ever."""
    try:
        with Connection.connect(address, **CONNECTION) as connection:
            connection.until = time.monotonic() + START_SECONDS
            with connection.transaction():
                run = partial(_run, connection)
                run("SELECT pg_advisory_xact_lock(:lock)", lock=MIGRATION_LOCK)
                migrate(run)
    except psycopg.Error as error:
        reason = (str(error).strip().splitlines() or ["no reason given"])[0]
        raise StorageError(f"cannot use the database: {reason}") from None


def _options(address: str) -> str:
    """What a connection asks of the database; what the address itself asks comes last.

    >>> _options("postgresql://localhost/x?options=-cwork_mem%3D8MB")[-14:]
    '-cwork_mem=8MB'
    """
    limits = [f"-c {name}={seconds * 1000:.0f}" for name, seconds in LIMITS.items()]
    asked = conninfo_to_dict(address).get("options") or ""
    return " ".join([*limits, str(asked)]).strip()
