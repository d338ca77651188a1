"""Stores: brought to their newest form, claimed by one server, durable, tidied."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from digitduel.errors import StorageError
from digitduel.web.models import NewGame
from digitduel.web.service import Service
from digitduel.web.settings import Settings
from digitduel.web.store import migrations, open_store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.helpers import Postgres


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


def test_a_secret_is_made_once(settings: Settings) -> None:
    found = []
    for _ in range(2):
        store = open_store(settings)
        found += [store.secret("cookies"), store.secret("cookies")]
        other = store.secret("other")
        store.close()
    assert len(set(found)) == 1
    assert len(found[0]) >= 43  # 256 bits
    assert other not in found


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
