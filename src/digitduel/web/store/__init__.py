"""Games on disk: appended changes, and enough beside them to find a game."""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, Protocol

from digitduel.errors import DigitDuelError, StorageError
from digitduel.events import event_from, event_json
from digitduel.web.errors import BusyError, LostError
from digitduel.web.hosted import SEATING, Change, HostedDuel
from digitduel.web.models import MOST_VERSIONS
from digitduel.web.snapshots import EVERY, duel_from, snapshot
from digitduel.web.store.outage import Outage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from digitduel.web.settings import Settings

COLUMNS = "version, event, request_key, request"
DAY = 24 * 60 * 60
# In a pass, which is made once an hour, the store's own time moves on by no more than this.
STEP = 2 * 60 * 60
# Removed in one transaction, which others wait for.
MOST_AT_ONCE = 20
MOST_WAITING = 500  # games that are looked at for whoever comes
JUST_NOW = 5  # seconds: whoever has made a game may not have its page yet
LARGE = 5_000  # rows of a few bytes, which are more than a change takes
Rows = list[tuple[Any, ...]]
DAMAGE = Outage("a game that is damaged on disk")

logger = logging.getLogger(__name__)


class Run(Protocol):
    """Run one statement, its values written as :name, and give its rows."""

    def __call__(self, sql: str, **values: object) -> Rows: ...


def open_store(settings: Settings) -> Store:
    """The store that the settings name, brought to its newest form."""
    if settings.is_postgres:
        try:
            from digitduel.web.store.postgres import Postgres
        except ModuleNotFoundError as error:
            raise StorageError(
                f"{error.name} is missing: install it with  pip install 'digitduel[web,postgres]'"
            ) from None
        return Postgres(settings.database)
    from digitduel.web.store.sqlite import Sqlite

    return Sqlite(settings.file)


class Store(ABC):
    """The one set of statements; a subclass for each database runs them."""

    kind: Literal["sqlite", "postgresql"]

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the seconds that changes are stamped with."""
        self._clock = clock
        self._own_time = 0
        self._refusing = False  # whether the last change was refused

    # --- What each database does in its own way. ---

    @abstractmethod
    def read(self, sql: str, **values: object) -> Rows:
        """The rows of one query."""

    @abstractmethod
    @contextlib.contextmanager
    def transaction(self) -> Iterator[Run]:
        """All or nothing; on disk when it ends without an error."""

    @abstractmethod
    def quick_transaction(self) -> contextlib.AbstractContextManager[Run]:
        """The same without waiting for the disk: a power cut may lose it, a kill does not."""

    @abstractmethod
    def announce(self, run: Run, game_id: str, version: int) -> None:
        """Tell other processes of a change, once the transaction is on disk."""

    @abstractmethod
    def listen(
        self,
        heard: Callable[[str, int], None],
        missed: Callable[[], None],
        told: Callable[[str], None],
    ) -> None:
        """Hear of changes made by other processes; `missed` when some may have gone unheard, `told`
        for what they `tell`."""

    @abstractmethod
    def tell(self, text: str) -> None:
        """Tell other processes something that need not be kept."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything."""

    # --- What all do alike. ---

    def create(self, duel: HostedDuel, change: Change) -> None:
        """Put a new game on disk."""
        with self._changing() as run:
            run(
                "INSERT INTO games "
                "(id, version, is_over, computer_due, time_up_at, waiting, created_at, changed_at) "
                "VALUES (:id, :version, :over, :due, :time_up_at, :waiting, :now, :now)",
                **_row(duel, now=self._now()),
            )
            _insert(run, duel.id, change, now=self._now())
            _seat(run, duel)

    def append(self, duel: HostedDuel, change: Change) -> bool:
        """Put a change on disk that led to `duel`; False if another was there first."""
        try:
            with self._changing() as run:
                # The row of the game is the lock: of two changes to one version the first gets it.
                advanced = run(
                    "UPDATE games SET version = :version, is_over = :over, computer_due = :due, "
                    "time_up_at = :time_up_at, waiting = :waiting, changed_at = :now "
                    "WHERE id = :id AND version = :version - 1 RETURNING id",
                    **_row(duel, now=self._now()),
                )
                if not advanced or not _insert(run, duel.id, change, now=self._now()):
                    raise _TakenError
                if isinstance(change.event, SEATING):
                    _seat(run, duel)
                if change.version % EVERY == 0:
                    _keep(run, duel)
                self.announce(run, duel.id, change.version)
        except _TakenError:
            return False
        return True

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Run]:
        """A transaction for a player: whether it was refused is for others to know."""
        try:
            with self.transaction() as run:
                yield run
            self._refusing = False
        except BusyError:
            self._refusing = True
            raise

    def changes(self, game_id: str, after: int = 0, upto: int = MOST_VERSIONS) -> list[Change]:
        """What happened to a game after one version and up to another; none if it is unknown."""
        rows = self.read(
            f"SELECT {COLUMNS} FROM changes WHERE game_id = :id AND version > :after "  # noqa: S608
            "AND version <= :upto ORDER BY version",
            id=game_id,
            after=after,
            upto=upto,
        )
        return _whole([_change(*row) for row in rows], after)

    def duel_at(self, game_id: str, version: int = MOST_VERSIONS) -> HostedDuel | None:
        """A game as it stood at a version, or stands; None if it is unknown."""
        rows = self.read(
            "SELECT version, state FROM snapshots WHERE game_id = :id AND version <= :version "
            "ORDER BY version DESC LIMIT 1",
            id=game_id,
            version=version,
        )
        near = _snapshot(game_id, *rows[0]) if rows else None
        changes = self.changes(game_id, after=near.version if near else 0, upto=version)
        duel = HostedDuel.of(game_id, changes, near)
        if duel is not None and len(changes) > 2 * EVERY:  # from before there were snapshots
            with self.transaction() as run:
                _keep(run, duel)
        return duel

    def change_with_key(self, game_id: str, key: str) -> Change | None:
        """The change that a request with this key has made."""
        rows = self.read(
            f"SELECT {COLUMNS} FROM changes WHERE game_id = :id AND request_key = :key",  # noqa: S608
            id=game_id,
            key=key,
        )
        return _change(*rows[0]) if rows else None

    def secret(self, name: str) -> str:
        """What only this installation knows: made once, whichever server asks first."""
        with self.transaction() as run:
            run(
                "INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING",
                name=name,
                value=secrets.token_urlsafe(32),
            )
            rows = run("SELECT value FROM secrets WHERE name = :name", name=name)
        if not rows:
            raise _damaged(f"the secret {name} is missing")
        return str(rows[0][0])

    def computer_due(self, idle: float) -> list[str]:
        """Games that have waited for the computer for so many seconds, or until a time to come."""
        now = self._clock()
        rows = self.read(
            "SELECT id FROM games WHERE computer_due = 1 "
            "AND (changed_at <= :before OR changed_at > :now) ORDER BY changed_at LIMIT 1000",
            before=int(now - idle),
            now=int(now),
        )
        return [game_id for (game_id,) in rows]

    # --- Clocks. ---

    def keep_playing_time(self, own: int) -> int:
        """Keep the playing time; what is there if another server is further on.

        It need not wait for the disk, which may take longer than a clock may be off.
        """
        with self.quick_transaction() as run:
            rows = run(
                "INSERT INTO playing_time (id, value) VALUES (1, :own) ON CONFLICT (id) DO UPDATE "
                "SET value = CASE WHEN playing_time.value > :own THEN playing_time.value "
                "ELSE :own END RETURNING value",
                own=own,
            )
        return int(rows[0][0])

    def running_clocks(self) -> list[tuple[str, int]]:
        """Games in which somebody's time runs, and when it is up, the next to be so first."""
        rows = self.read(
            "SELECT id, time_up_at FROM games WHERE time_up_at IS NOT NULL "
            "ORDER BY time_up_at LIMIT 100"
        )
        return [(game_id, up_at) for game_id, up_at in rows]

    # --- Whose games there are. ---

    def running(self, holder: str, most: int) -> list[str]:
        """The games that are not over in which a holder has a seat, newest first."""
        rows = self.read(
            "SELECT id FROM games WHERE is_over = 0 AND id IN "
            "(SELECT game_id FROM seats WHERE holder = :holder) "
            "ORDER BY changed_at DESC, created_at DESC LIMIT :most",
            holder=holder,
            most=most,
        )
        return [game_id for (game_id,) in rows]

    def waiting(self, here: Collection[str]) -> list[tuple[str, str]]:
        """Of the games whose makers are here, and of those just made, the ones that wait for
        anybody, and under which setting; those that have waited longest come first."""
        names = {f"g{number}": game_id for number, game_id in enumerate(list(here)[:MOST_WAITING])}
        among = ", ".join(f":{name}" for name in names) or "''"
        rows = self.read(
            "SELECT id, waiting FROM games WHERE waiting IS NOT NULL "  # noqa: S608  (names of ours)
            f"AND (created_at >= :just_now OR id IN ({among})) ORDER BY created_at, id LIMIT :most",
            just_now=self._now() - JUST_NOW,
            most=MOST_WAITING,
            **names,
        )
        return [(game_id, setting) for game_id, setting in rows]

    def seat_older_games(self, after: str = "") -> str | None:
        """Note whose the seats are of some games from before that was noted: those after a name.

        The name to go on after; None when all are done.
        """
        rows = self.read(
            "SELECT id FROM games WHERE id > :after AND NOT EXISTS "
            "(SELECT 1 FROM seats WHERE game_id = games.id) ORDER BY id LIMIT :most",
            after=after,
            most=MOST_AT_ONCE,
        )
        for (game_id,) in rows:
            with contextlib.suppress(BusyError):  # a game that is damaged keeps no others waiting
                if duel := self.duel_at(game_id):
                    with self.transaction() as run:
                        _seat(run, duel)
        return rows[-1][0] if rows else None

    # --- Whether it works. ---

    def check_reading(self) -> None:
        """LostError if games cannot be read."""
        self.read("SELECT id, version FROM games LIMIT 1")

    def check_writing(self) -> None:
        """LostError if nothing can be written; after a refused change, if nothing of its size."""
        rows = LARGE if self._refusing else 1
        with self.transaction() as run:
            run("DELETE FROM health_checks WHERE id > :rows", rows=rows)
            run(
                "INSERT INTO health_checks (id, checked_at) "
                "WITH RECURSIVE numbers (id) AS "
                "(SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < :rows) "
                "SELECT id, CAST(:now AS BIGINT) FROM numbers WHERE true "
                "ON CONFLICT (id) DO UPDATE SET checked_at = :now",
                rows=rows,
                now=self._now(),
            )
        self._refusing = False

    # --- Age, by a clock that cannot jump. ---

    def _now(self) -> int:
        """What a change is stamped with: never before the store's own time."""
        return max(int(self._clock()), self._own_time)

    def _read_own_time(self) -> None:
        rows = self.read("SELECT upto FROM removals")
        self._own_time = rows[0][0] if rows else 0

    def _move_on(self) -> int:
        """The store's own time, moved on: up to the newest change and to the clock, but by one
        step at most, and never back. A clock that jumps makes no game older than it is."""
        with self.transaction() as run:
            ((oldest, newest),) = run("SELECT min(changed_at), max(changed_at) FROM games")
            if newest is None:
                return self._own_time
            rows = run("SELECT upto FROM removals")
            before: int = rows[0][0] if rows else oldest
            self._own_time = max(before, min(newest, int(self._clock()), before + STEP))
            run(
                "INSERT INTO removals (id, upto) VALUES (1, :upto) "
                "ON CONFLICT (id) DO UPDATE SET upto = :upto",
                upto=self._own_time,
            )
        return self._own_time

    def remove_idle(self, keep_finished: float, keep_unfinished: float) -> list[str]:
        """Remove games that nobody has touched for so many seconds; which they were.

        To be called once an hour, or less often.
        """
        now, removed = self._move_on(), dict[str, int]()
        with contextlib.suppress(LostError):  # the next pass goes on
            while rows := self._remove_some(now - keep_finished, now - keep_unfinished):
                removed |= rows
        if removed:
            days = [(now - changed_at) / DAY for changed_at in removed.values()]
            logger.warning(
                *("removed %d games that had rested for %.1f to %.1f days",),
                *(len(removed), min(days), max(days)),
            )
        return list(removed)

    def _remove_some(self, finished: float, unfinished: float) -> dict[str, int]:
        with self.transaction() as run:
            rows = run(
                "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE "
                "(is_over = 1 AND changed_at < :finished) OR "
                "(is_over = 0 AND changed_at < :unfinished) LIMIT :most) RETURNING id, changed_at",
                finished=int(finished),
                unfinished=int(unfinished),
                most=MOST_AT_ONCE,
            )
        return dict(rows)


class _TakenError(Exception):
    """The version or the key is there already: the transaction is undone."""


def _row(duel: HostedDuel, now: int) -> dict[str, object]:
    return {
        "id": duel.id,
        "version": duel.version,
        "over": int(duel.is_over),
        "due": int(duel.computer_due),
        "time_up_at": duel.time_up_at,
        "waiting": duel.waiting,
        "now": now,
    }


def _keep(run: Run, duel: HostedDuel) -> None:
    """Keep how a game stands, in case it is not there already."""
    run(
        "INSERT INTO snapshots (game_id, version, state) VALUES (:id, :version, :state) "
        "ON CONFLICT DO NOTHING",
        id=duel.id,
        version=duel.version,
        state=json.dumps(snapshot(duel)),
    )


def _seat(run: Run, duel: HostedDuel) -> None:
    """Note whose the seats are."""
    for seat, holder in ((1, duel.host), (2, duel.friend)):
        if holder is not None:
            run(
                "INSERT INTO seats (game_id, seat, holder) VALUES (:id, :seat, :holder) "
                "ON CONFLICT (game_id, seat) DO UPDATE SET holder = :holder",
                id=duel.id,
                seat=seat,
                holder=holder,
            )


def _insert(run: Run, game_id: str, change: Change, now: int) -> Rows:
    return run(
        f"INSERT INTO changes (game_id, made_at, {COLUMNS}) "  # noqa: S608
        "VALUES (:id, :now, :version, :event, :key, :request) "
        "ON CONFLICT DO NOTHING RETURNING version",
        id=game_id,
        now=now,
        version=change.version,
        event=json.dumps(event_json(change.event)),
        key=change.key,
        request=json.dumps(change.request),
    )


def _whole(changes: list[Change], after: int) -> list[Change]:
    """The changes, each the next of the one before; in a damaged file some may be missing."""
    if [change.version for change in changes] != [*range(after + 1, after + 1 + len(changes))]:
        raise _damaged(f"changes are missing after version {after}")
    return changes


def _change(version: int, event: str, key: str, request: str) -> Change:
    try:
        return Change(version, event_from(json.loads(event), *SEATING), key, json.loads(request))
    except (ValueError, TypeError, LookupError) as error:
        raise _damaged(str(error)) from None


def _snapshot(game_id: str, version: int, state: str) -> HostedDuel:
    try:
        return duel_from(game_id, version, json.loads(state))
    except (ValueError, TypeError, LookupError, DigitDuelError) as error:
        raise _damaged(str(error)) from None


def _damaged(cause: str) -> BusyError:
    DAMAGE.failed(ValueError(cause))
    return BusyError("this game is damaged on disk: it cannot be shown.", wait=60)
