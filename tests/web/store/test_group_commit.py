"""Changes that wait for the disk share one commit, and yet each is made or refused by itself."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from digitduel.events import Moved
from digitduel.position import Move
from digitduel.web.errors import LostError
from digitduel.web.hosted import Change
from digitduel.web.models import MoveRequest, NewGame
from digitduel.web.store import open_store, sqlite
from tests.web.helpers import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.web.hosted import HostedDuel
    from digitduel.web.service import SeatTaken, Service
    from digitduel.web.settings import Settings

MANY = 20
GAME = NewGame(game="ends", opponent="device", rules={"digits": "1-9", "target": 10**9 + 7})


class Writer:
    """The connection that writes, and what is done beside a statement before it is said."""

    def __init__(self, store: Any) -> None:
        self._connection: sqlite3.Connection = store._writer
        self.said: list[str] = []
        self.beside: Callable[[str], None] = lambda _: None
        store._writer = self

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        self.said.append(sql)
        self.beside(sql)
        return self._connection.execute(sql, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.fixture
def writer(service: Service) -> Writer:
    return Writer(service.store)


def at_once(store: Any, *calls: Callable[[], object]) -> list[object]:
    """What comes of calls that wait for their turn to write, one behind the other."""
    with ThreadPoolExecutor(len(calls)) as pool:
        with store._turn_to_write():
            futures = []
            for call in calls:
                futures.append(pool.submit(call))
                wait_for(lambda: store._coming == len(futures))
        return [future.exception() or future.result() for future in futures]


def appending(service: Service, duel: HostedDuel, move: str = "5R") -> Callable[[], bool]:
    """A move that goes to the store in the version after a game as it stands."""
    event = Moved(Move.parse(move))
    change = Change(duel.version + 1, event, f"key {move} {duel.version}", {})
    after = replace(duel.after(event), version=change.version)
    return lambda: service.store.append(after, change)


def games(service: Service, count: int) -> list[HostedDuel]:
    return [service.create(GAME, "x").duel for _ in range(count)]


def on_disk(settings: Settings, duel: HostedDuel) -> int:
    """The version that another program finds."""
    with closing(sqlite3.connect(settings.file)) as other:
        ((version,),) = other.execute("SELECT version FROM games WHERE id = ?", (duel.id,))
        ((changes,),) = other.execute("SELECT count(*) FROM changes WHERE game_id = ?", (duel.id,))
    assert changes == version
    return int(version)


def refuse() -> None:
    raise ValueError("refused")


def test_changes_that_wait_share_one_commit(
    service: Service, settings: Settings, writer: Writer
) -> None:
    duels = games(service, MANY)
    writer.said.clear()
    assert at_once(service.store, *(appending(service, duel) for duel in duels)) == [True] * MANY
    assert writer.said.count("COMMIT") == 1
    assert [on_disk(settings, duel) for duel in duels] == [2] * MANY


def test_players_who_move_all_the_time_need_fewer_commits_than_moves(
    service: Service, writer: Writer
) -> None:
    seats = [service.create(GAME, "x") for _ in range(8)]
    began = Event()

    def play(seat: SeatTaken) -> list[str]:
        began.wait()
        for ply in range(10):
            request = MoveRequest(move="5R", ply=ply)
            duel = service.act("move", seat.duel.id, seat.token, request)
        return [str(move) for move in duel.moves]

    writer.said.clear()
    with ThreadPoolExecutor(len(seats)) as pool:
        with service.store._turn_to_write():  # type: ignore[attr-defined]
            played = [pool.submit(play, seat) for seat in seats]
            began.set()
            wait_for(lambda: service.store._coming == len(seats))  # type: ignore[attr-defined]
        assert [future.result() for future in played] == [["5R"] * 10] * len(seats)
    assert writer.said.count("COMMIT") < 10 * len(seats)


def test_a_refused_change_leaves_the_others_of_its_group(
    service: Service, settings: Settings, writer: Writer
) -> None:
    store, (one, two) = service.store, games(service, 2)

    def refused(fault: Callable[[], object]) -> None:
        with store.transaction() as run:
            run("UPDATE games SET version = 9")
            fault()

    def interrupt() -> None:
        raise KeyboardInterrupt

    def wrong() -> None:
        with store.transaction() as run:
            run("UPDATE games SET version = 9")
            run("INSERT INTO changes (game_id) VALUES ('nobody')")

    writer.said.clear()
    calls = (
        *(appending(service, one), lambda: refused(refuse), lambda: refused(interrupt)),
        *(wrong, appending(service, two)),
    )
    found = at_once(store, *calls)
    kinds = [type(each) for each in found]
    assert kinds == [bool, ValueError, KeyboardInterrupt, LostError, bool]
    assert writer.said.count("COMMIT") == 1
    assert [on_disk(settings, duel) for duel in (one, two)] == [2, 2]


def test_of_two_changes_to_one_version_in_a_group_the_first_gets_it(
    service: Service, settings: Settings
) -> None:
    (duel,) = games(service, 1)
    calls = [appending(service, duel, move) for move in ("5R", "6R", "7R")]
    assert at_once(service.store, *calls) == [True, False, False]
    assert on_disk(settings, duel) == 2
    assert [str(move) for move in service.find(duel.id).moves] == ["5R"]


def test_who_was_slower_finds_what_the_quicker_one_did(service: Service) -> None:
    seat = service.create(GAME, "x")

    def move(text: str) -> Callable[[], object]:
        request = MoveRequest(move=text, ply=0)
        return lambda: service.act("move", seat.duel.id, seat.token, request)

    found = at_once(service.store, move("5R"), move("6R"))
    assert [str(move) for move in found[0].moves] == ["5R"]  # type: ignore[attr-defined]
    assert "moved meanwhile" in str(found[1])


def test_changes_are_made_in_the_order_in_which_they_came(
    service: Service, settings: Settings
) -> None:
    (duel,) = games(service, 1)
    calls = []
    for move in ("1R", "2R", "3R", "4R"):
        calls.append(appending(service, duel, move))
        duel = replace(duel.after(Moved(Move.parse(move))), version=duel.version + 1)
    assert at_once(service.store, *calls) == [True] * 4
    assert on_disk(settings, duel) == 5
    assert service.find(duel.id) == duel


def test_nobody_reads_what_is_not_on_disk(service: Service, writer: Writer) -> None:
    duels, seen = games(service, 3), list[int]()

    def look(sql: str) -> None:
        if sql == "COMMIT":
            seen.extend(service.find(duel.id).version for duel in duels)

    writer.beside = look
    assert at_once(service.store, *(appending(service, duel) for duel in duels)) == [True] * 3
    assert seen == [1, 1, 1]
    assert [service.find(duel.id).version for duel in duels] == [2, 2, 2]


def test_a_commit_that_fails_is_acknowledged_to_nobody(
    service: Service,
    settings: Settings,
    writer: Writer,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    duels = games(service, 3)
    monkeypatch.setattr(sqlite, "MOVE_EVERY", 1)

    def fail(sql: str) -> None:
        if sql == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")

    def taken() -> bool:
        return appending(service, duels[0], "6R")()  # its version is taken, it seems

    writer.beside = fail
    found = at_once(service.store, *(appending(service, duel) for duel in duels), taken)
    assert [type(each) for each in found] == [LostError] * 4
    assert caplog.messages == ["the database, written to, does not answer: disk I/O error"]
    assert [on_disk(settings, duel) for duel in duels] == [1, 1, 1]
    assert "PRAGMA wal_checkpoint" not in writer.said  # or the file would be half written
    writer.beside = lambda _: None
    assert at_once(service.store, *(appending(service, duel) for duel in duels)) == [True] * 3
    assert [on_disk(settings, duel) for duel in duels] == [2, 2, 2]


def test_a_fault_that_ends_the_transaction_is_told_to_all_before(
    service: Service, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    store, (one, two) = service.store, games(service, 2)

    def fill() -> None:
        with store.transaction() as run:
            run("ROLLBACK")  # as SQLite does by itself
            raise sqlite3.OperationalError("database or disk is full")

    found = at_once(store, appending(service, one), fill, appending(service, two))
    assert [type(each) for each in found] == [LostError, LostError, bool]
    assert caplog.messages == [
        "the database, written to, does not answer: database or disk is full"
    ]
    assert [on_disk(settings, duel) for duel in (one, two)] == [1, 2]
    assert at_once(store, appending(service, one)) == [True]


def test_who_waits_for_a_commit_does_so_for_a_while_only(
    service: Service, settings: Settings, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    duels, disk = games(service, 2), Event()

    def wait(sql: str) -> None:
        if sql == "COMMIT":
            disk.wait()

    monkeypatch.setattr(sqlite, "MOST_SECONDS", 0.05)
    writer.beside = wait
    calls = [appending(service, duel) for duel in duels]

    def first() -> bool:
        try:
            return calls[0]()
        finally:
            disk.set()

    # The second commits for both, and learns how it went when the disk answers.
    found = at_once(service.store, first, calls[1])
    assert [type(each) for each in found] == [LostError, bool]
    assert [on_disk(settings, duel) for duel in duels] == [2, 2]


def test_the_time_is_kept_between_two_groups(service: Service, writer: Writer) -> None:
    store, (one, two) = service.store, games(service, 2)
    calls = (appending(service, one), lambda: store.keep_playing_time(7), appending(service, two))
    writer.said.clear()
    assert at_once(store, *calls) == [True, 7, True]
    assert writer.said.count("COMMIT") == 3
    assert writer.execute("PRAGMA synchronous").fetchall() == [(2,)]  # FULL


def test_who_waits_while_the_store_is_closed_is_told(settings: Settings, service: Service) -> None:
    service.store.close()
    store = open_store(settings)
    service.store = store
    duels = games(service, 3)
    one, two, three = (appending(service, duel) for duel in duels)
    found = at_once(store, one, two, store.close, three)
    assert [type(each) for each in found] == [bool, bool, type(None), LostError]
    assert [on_disk(settings, duel) for duel in duels] == [2, 2, 1]
