"""What a store needs of a database: rows, transactions, and word of changes made elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from digitduel.web.errors import BusyError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

Rows = list[tuple[Any, ...]]


class Run(Protocol):
    """Run one statement, its values written as :name, and give its rows."""

    def __call__(self, sql: str, **values: object) -> Rows: ...


class Database(Protocol):
    """SQLite or PostgreSQL."""

    @property
    def kind(self) -> Literal["sqlite", "postgresql"]:
        """Which of the two."""

    def read(self, sql: str, **values: object) -> Rows:
        """The rows of one query."""

    def transaction(self) -> AbstractContextManager[Run]:
        """All or nothing; on disk when it ends without an error."""

    def announce(self, run: Run, game_id: str, version: int) -> None:
        """Tell other processes of a change, once the transaction is on disk."""

    def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """Hear of changes made by other processes; `missed` when some may have gone unheard."""

    def close(self) -> None:
        """Let go of everything."""


class LostError(BusyError):
    """The database did not answer; whether the last transaction took effect is not known."""
