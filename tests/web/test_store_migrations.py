"""Stores: brought up to date step by step, removed from when idle, never shared by mistake."""

from __future__ import annotations

import json
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from digitduel.errors import StorageError
from digitduel.events import EVENTS, kind_of
from digitduel.position import Position
from digitduel.web.errors import LostError, RefusedError, UnknownGameError
from digitduel.web.models import Action, MoveRequest, NewGame
from digitduel.web.service import Service
from digitduel.web.settings import DAY, Settings
from digitduel.web.store import migrations, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from digitduel.position import Move
    from tests.web.helpers import Postgres


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    store = open_store(settings)
    yield Service(store, settings)
    store.close()


def test_from_an_empty_file(service: Service) -> None:
    done = service.store.read("SELECT number FROM migrations ORDER BY number")
    assert [number for (number,) in done] == sorted(migrations.steps())
    assert service.create(NewGame(game="pool"), "x").duel.version == 1


def test_a_further_step_keeps_the_games(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(settings)
    ann = Service(store, settings).create(NewGame(game="pool", rules={"target": 12}), "x")
    store.close()
    steps = migrations.steps() | {max(migrations.steps()) + 1: ["CREATE TABLE more (id TEXT)"]}
    monkeypatch.setattr(migrations, "steps", lambda: steps)
    store = open_store(settings)
    try:
        assert Service(store, settings).find(ann.duel.id) == ann.duel
        assert store.read("SELECT * FROM more") == []
    finally:
        store.close()


def test_an_older_file_is_left_alone(settings: Settings) -> None:
    with sqlite3.connect(settings.file) as database:
        database.execute("CREATE TABLE migrations (number INTEGER PRIMARY KEY)")
        database.execute("INSERT INTO migrations VALUES (1), (2)")
        database.execute("CREATE TABLE games (id TEXT PRIMARY KEY)")
        before = list(database.iterdump())
    database.close()
    with pytest.raises(StorageError, match="older version") as caught:
        open_store(settings)
    assert len(str(caught.value).splitlines()) == 1
    with sqlite3.connect(settings.file) as database:
        assert list(database.iterdump()) == before
    database.close()


def test_a_newer_file_is_left_alone(settings: Settings) -> None:
    open_store(settings).close()
    with sqlite3.connect(settings.file) as database:
        database.execute("INSERT INTO migrations VALUES (999)")
    database.close()
    with pytest.raises(StorageError, match="newer version"):
        open_store(settings)


def test_from_an_empty_postgresql(postgres: Postgres) -> None:
    settings = Settings(database=postgres.database("migrations"))
    for _ in range(2):  # the second time there is nothing to do
        store = open_store(settings)
        done = store.read("SELECT number FROM migrations ORDER BY number")
        assert [number for (number,) in done] == sorted(migrations.steps())
        store.close()


def test_one_server_per_file(settings: Settings, service: Service) -> None:
    assert service.store.kind == "sqlite"
    with pytest.raises(StorageError, match="in use by another server"):
        open_store(settings)


@pytest.mark.parametrize(
    "text",
    [b"hello", b"\0" * 4096, b"SQLite format 3\0" + b"x" * 5000],
    ids=["text", "nothing", "damaged"],
)
def test_a_file_that_is_no_database(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(text)
    with pytest.raises(StorageError, match="cannot use the database"):
        open_store(Settings(database=str(file)))
    assert file.read_bytes() == text


def test_durable(service: Service) -> None:
    """Full: what was acknowledged survives a power cut too."""
    database = service.store
    assert database.read("PRAGMA synchronous") == [(2,)]
    assert database.read("PRAGMA journal_mode") == [("wal",)]


def test_idle_games_are_removed(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = service.create(NewGame(game="pool"), "x")
    won = service.create(NewGame(game="pool"), "x")
    service.act("move", won.duel.id, won.token, MoveRequest(move="7", ply=0))
    later = time.time() + 40 * DAY
    monkeypatch.setattr(time, "time", lambda: later)
    assert service.remove_idle() == 1  # a finished game goes after 30 days
    with pytest.raises(UnknownGameError):
        service.find(won.duel.id)
    assert service.find(ann.duel.id).version == 1
    monkeypatch.setattr(time, "time", lambda: later + 400 * DAY)
    assert service.remove_idle() == 1  # an unfinished one after a year
    with pytest.raises(UnknownGameError):
        service.find(ann.duel.id)
    with pytest.raises(UnknownGameError):
        service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0))


def test_a_lost_answer_of_the_store_is_not_played_twice(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit: whether it took effect is found out by the key."""
    ann = service.create(NewGame(game="pool", rules={"target": 101}, opponent="device"), "x")
    append = service.store.append

    def append_and_lose(*given: object) -> bool:
        monkeypatch.undo()
        append(*given)  # type: ignore[arg-type]
        raise LostError("lost")

    monkeypatch.setattr(service.store, "append", append_and_lose)
    duel = service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0))
    assert [str(move) for move in duel.moves] == ["5"]

    def lose(*_: object) -> bool:
        monkeypatch.undo()
        raise LostError("lost")

    monkeypatch.setattr(service.store, "append", lose)
    duel = service.act("move", ann.duel.id, ann.token, MoveRequest(move="6", ply=1))
    assert [str(move) for move in duel.moves] == ["5", "6"]


def test_one_browser_does_not_take_both_seats(service: Service) -> None:
    ann = service.create(NewGame(game="pool"), "x")
    assert ann.invite is not None
    with pytest.raises(RefusedError, match="you are Player 1"):
        service.join(ann.duel.id, ann.invite, ann.token)
    bob = service.join(ann.duel.id, ann.invite)
    again = service.join(ann.duel.id, ann.invite, bob.token)  # the button pressed twice
    assert (again.token, again.duel.version) == (bob.token, bob.duel.version)


def test_joining_survives_a_lost_answer_of_the_store(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = service.create(NewGame(game="pool"), "x")
    assert ann.invite is not None
    append = service.store.append

    def append_and_lose(*given: object) -> bool:
        monkeypatch.undo()
        append(*given)  # type: ignore[arg-type]
        raise LostError("lost")

    monkeypatch.setattr(service.store, "append", append_and_lose)
    assert service.join(ann.duel.id, ann.invite).duel.version == 2


def test_events_have_the_names_that_save_files_have(service: Service) -> None:
    ann = service.create(NewGame(game="pool", rules={"target": 101}, opponent="device"), "x")
    service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0))
    for what in ("undo", "resign", "rematch", "off"):
        service.act(what, ann.duel.id, ann.token, Action())
    bob = service.create(NewGame(game="pool", rules={"target": 101}), "x")
    assert bob.invite is not None
    service.join(bob.duel.id, bob.invite)
    service.act("off", bob.duel.id, bob.token, Action())
    rows = service.store.read("SELECT event FROM changes")
    assert {json.loads(event)["kind"] for (event,) in rows} == {
        *map(kind_of, EVENTS),
        "joined",
    }


def test_a_takeback_does_not_play_the_game_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = {"digits": "1-9", "target": 10**9 + 7}
    ann = service.create(NewGame(game="ends", rules=rules, opponent="device"), "x")
    for ply in range(20):
        service.act(
            "move", ann.duel.id, ann.token, MoveRequest(move="5L" if ply % 3 else "4R", ply=ply)
        )
    before = service.find(ann.duel.id)
    played: list[Move] = []
    monkeypatch.setattr(Position, "play", lambda _, move: played.append(move))
    after = service.act("undo", ann.duel.id, ann.token, Action())
    assert after.state.moves == before.state.moves[:-1]
    assert not played


def test_a_game_is_the_sum_of_its_changes(service: Service) -> None:
    ann = service.create(NewGame(game="pool", rules={"target": 101}, opponent="device"), "x")
    for ply, digit in enumerate("123"):
        service.act("move", ann.duel.id, ann.token, MoveRequest(move=digit, ply=ply))
    service.act("undo", ann.duel.id, ann.token, Action())
    service.act("resign", ann.duel.id, ann.token, Action())
    known = service.act("rematch", ann.duel.id, ann.token, Action())
    afresh = Service(service.store, service.settings).find(ann.duel.id)
    assert afresh.json == known.json
    assert afresh.finished == known.finished
    assert afresh == known
