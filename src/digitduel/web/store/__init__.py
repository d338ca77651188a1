"""Games on disk: appended changes, and enough beside them to find a game."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from digitduel.errors import StorageError
from digitduel.events import event_from, event_json
from digitduel.web.hosted import Change, HostedDuel, Joined

if TYPE_CHECKING:
    from digitduel.web.settings import Settings
    from digitduel.web.store.database import Database, Run

MOST_VERSIONS = 2**62
COLUMNS = "version, event, request_key, request"


def open_store(settings: Settings) -> Store:
    """The store that the settings name, brought to its newest form."""
    if settings.is_postgres:
        try:
            from digitduel.web.store.postgres import Postgres
        except ModuleNotFoundError as error:
            raise StorageError(
                f"{error.name} is missing: install it with  pip install 'digitduel[web,postgres]'"
            ) from None
        return Store(Postgres(settings.database))
    from digitduel.web.store.sqlite import Sqlite

    return Store(Sqlite(settings.file))


class Store:
    """The one set of statements for both databases."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(self, duel: HostedDuel, change: Change) -> None:
        """Put a new game on disk."""
        with self.database.transaction() as run:
            run(
                "INSERT INTO games (id, version, is_over, created_at, changed_at, computer_due) "
                "VALUES (:id, :version, 0, :now, :now, :due)",
                id=duel.id,
                version=change.version,
                now=int(time.time()),
                due=int(duel.computer_due),
            )
            self._insert(run, duel.id, change)

    def append(self, duel: HostedDuel, change: Change) -> bool:
        """Put a change on disk that led to `duel`; False if another was there first."""
        try:
            with self.database.transaction() as run:
                self._advance(run, duel, change)
                self._insert(run, duel.id, change)
                self.database.announce(run, duel.id, change.version)
        except _TakenError:
            return False
        return True

    def _advance(self, run: Run, duel: HostedDuel, change: Change) -> None:
        # The row of the game is the lock: of two changes to one version the first gets it.
        advanced = run(
            "UPDATE games SET version = :version, is_over = :over, computer_due = :due, "
            "changed_at = :now WHERE id = :id AND version = :version - 1 RETURNING id",
            id=duel.id,
            version=change.version,
            over=int(duel.outcome() is not None),
            due=int(duel.computer_due),
            now=int(time.time()),
        )
        if not advanced:
            raise _TakenError

    def _insert(self, run: Run, game_id: str, change: Change) -> None:
        inserted = run(
            f"INSERT INTO changes (game_id, made_at, {COLUMNS}) "  # noqa: S608
            "VALUES (:id, :now, :version, :event, :key, :request) "
            "ON CONFLICT DO NOTHING RETURNING version",
            id=game_id,
            now=int(time.time()),
            version=change.version,
            event=json.dumps(event_json(change.event)),
            key=change.key,
            request=json.dumps(change.request),
        )
        if not inserted:
            raise _TakenError

    def changes(self, game_id: str, after: int = 0, upto: int | None = None) -> list[Change]:
        """What happened to a game after one version and up to another; none if it is unknown."""
        rows = self.database.read(
            f"SELECT {COLUMNS} FROM changes WHERE game_id = :id AND version > :after "  # noqa: S608
            "AND version <= :upto ORDER BY version",
            id=game_id,
            after=after,
            upto=MOST_VERSIONS if upto is None else upto,
        )
        return [_change(*row) for row in rows]

    def change_with_key(self, game_id: str, key: str) -> Change | None:
        """The change that a request with this key has made."""
        rows = self.database.read(
            f"SELECT {COLUMNS} FROM changes WHERE game_id = :id AND request_key = :key",  # noqa: S608
            id=game_id,
            key=key,
        )
        return _change(*rows[0]) if rows else None

    def computer_due(self, idle: float) -> list[str]:
        """Games that have waited for the computer for so many seconds."""
        rows = self.database.read(
            "SELECT id FROM games WHERE computer_due = 1 AND changed_at <= :before "
            "ORDER BY changed_at LIMIT 1000",
            before=int(time.time() - idle),
        )
        return [game_id for (game_id,) in rows]

    def remove_idle(self, keep_finished: float, keep_unfinished: float) -> list[str]:
        """Remove games that nobody has touched for so many seconds; which they were."""
        now = time.time()
        with self.database.transaction() as run:
            rows = run(
                "DELETE FROM games WHERE (is_over = 1 AND changed_at < :finished) "
                "OR (is_over = 0 AND changed_at < :unfinished) RETURNING id",
                finished=int(now - keep_finished),
                unfinished=int(now - keep_unfinished),
            )
        return [game_id for (game_id,) in rows]

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


class _TakenError(Exception):
    """The version or the key is there already: the transaction is undone."""


def _change(version: int, event: str, key: str, request: str) -> Change:
    return Change(version, event_from(json.loads(event), Joined), key, json.loads(request))
