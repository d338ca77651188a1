"""SQLite files that are full, held, removed, replaced or damaged: 503, and the cause told once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from digitduel.errors import StorageError
from digitduel.web.app import create_app
from digitduel.web.settings import Settings
from digitduel.web.store import open_store, sqlite
from tests.web.helpers import Player, create

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx2 as httpx

LONG: dict[str, Any] = {
    "game": "ends",
    "opponent": "device",
    "rules": {"digits": "1-9", "target": 10**9 + 7},
}


@pytest.fixture
def ann(client: httpx.Client) -> Player:
    """A game in which one person moves for both."""
    player, _ = create(client, **LONG)
    assert player.move("5R", ply=0).status_code == 200
    return player


def writer(client: httpx.Client) -> sqlite3.Connection:
    store: Any = client.app.state.service.store  # type: ignore[attr-defined]
    connection: sqlite3.Connection = store._writer
    return connection


def file_of(client: httpx.Client) -> Path:
    settings: Settings = client.app.state.settings  # type: ignore[attr-defined]
    return settings.file


def health(client: httpx.Client) -> int:
    """What /health says once it looks again."""
    client.app.state.health._written_at = float("-inf")  # type: ignore[attr-defined]
    return client.get("/health").status_code


@pytest.fixture
def statements(client: httpx.Client) -> Iterator[list[str]]:
    """What is said to the connection that writes."""
    said: list[str] = []
    writer(client).set_trace_callback(said.append)
    yield said
    writer(client).set_trace_callback(None)


def is_refused(answer: httpx.Response) -> bool:
    return answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0


def test_a_full_disk_refuses_changes_at_once_and_is_told_once(
    client: httpx.Client, ann: Player, statements: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    ((pages,),) = writer(client).execute("PRAGMA page_count").fetchall()
    writer(client).execute(f"PRAGMA max_page_count = {pages}")
    full = False
    while not full:  # the last pages have some room
        full = create_answer(client).status_code == 503
    statements.clear()
    caplog.clear()
    assert all(is_refused(create_answer(client)) for _ in range(10))
    assert statements.count("BEGIN IMMEDIATE") == 10
    assert caplog.messages == []
    assert health(client) == 503  # though there is room for a row
    assert ann.state()["ply"] == 1
    writer(client).execute("PRAGMA max_page_count = 100000")
    assert create_answer(client).status_code == 201
    assert health(client) == 200


def create_answer(client: httpx.Client) -> httpx.Response:
    return client.post("/api/games", json=LONG)


def test_a_change_is_not_tried_more_than_twice(
    client: httpx.Client, ann: Player, statements: list[str]
) -> None:
    writer(client).execute("PRAGMA query_only = 1")
    assert is_refused(ann.move("6R", ply=1))
    assert statements.count("BEGIN IMMEDIATE") <= 2


def test_health_sees_that_nothing_can_be_written(
    client: httpx.Client, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    writer(client).execute("PRAGMA query_only = 1")
    assert [health(client) for _ in range(3)] == [503] * 3
    assert caplog.messages == [
        "the database, written to, does not answer: attempt to write a readonly database"
    ]
    assert is_refused(client.get("/health"))
    assert ann.state()["ply"] == 1  # who watches sees no fault
    writer(client).execute("PRAGMA query_only = 0")
    assert health(client) == 200


def test_a_file_held_by_another_program_refuses_changes_at_once(
    client: httpx.Client, ann: Player, statements: list[str]
) -> None:
    with closing(sqlite3.connect(file_of(client), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answers = [ann.move("6R", ply=1, key="late") for _ in range(20)]
        assert all(map(is_refused, answers))
        # One waited for all, and perhaps one or two that tried again after a pause.
        assert statements.count("BEGIN IMMEDIATE") < 10
        assert health(client) == 503
        assert ann.state()["ply"] == 1
        other.execute("ROLLBACK")
    while (answer := ann.move("6R", ply=1, key="late")).status_code == 503:
        pass
    assert answer.json()["moves"] == ["5R", "6R"]


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(
    settings: Settings, caplog: pytest.LogCaptureFixture, end: str, replaced: bool
) -> None:
    file = settings.file.with_name(settings.file.name + end)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        ann, _ = create(client, **LONG)
        ann.move("5R", ply=0)
        moved = file.rename(file.with_name("moved"))
        if replaced:
            file.write_bytes(moved.read_bytes())
        assert all(is_refused(ann.move("6R", ply=1)) for _ in range(3))
        assert is_refused(client.get(f"/api/games/{ann.id}"))
        assert is_refused(client.get(f"/games/{ann.id}"))
        assert is_refused(client.get("/health"))
        assert (
            len(
                [
                    line
                    for line in caplog.messages
                    if "was removed, replaced or written over" in line
                ]
            )
            <= 2
        )
        moved.replace(file)
        assert is_refused(ann.move("6R", ply=1))  # who knows what it has been through
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        again = Player(client, ann.id, ann.token)
        assert again.state()["moves"] == ["5R"]
        assert again.move("6R", ply=1).status_code == 200


def truncate(file: Path, _backup: bytes) -> None:
    with file.open("r+b") as opened:
        opened.truncate(0)


def copy_over(file: Path, backup: bytes) -> None:
    """As `cp` does: the file stays the same one."""
    with file.open("r+b") as opened:
        opened.write(backup)
        opened.truncate()


@pytest.mark.parametrize("spoil", [truncate, copy_over])
@pytest.mark.parametrize("in_commit", [False, True])
def test_nothing_is_acknowledged_into_a_file_that_was_written_over(
    client: httpx.Client,
    ann: Player,
    caplog: pytest.LogCaptureFixture,
    spoil: Callable[[Path, bytes], None],
    in_commit: bool,
) -> None:
    file = file_of(client)
    backup = file.read_bytes()

    def interfere(statement: str) -> None:
        if statement == "COMMIT":
            writer(client).set_trace_callback(None)
            spoil(file, backup)

    if in_commit:
        writer(client).set_trace_callback(interfere)
    else:
        spoil(file, backup)
    assert all(is_refused(ann.move("6R", ply=1)) for _ in range(3))
    assert health(client) == 503
    told = [line for line in caplog.messages if "was removed, replaced or written over" in line]
    assert len(told) <= 2  # by who reads, and by who writes
    spoiled = file.stat().st_mtime_ns
    assert is_refused(ann.move("6R", ply=1))
    assert file.stat().st_mtime_ns == spoiled  # nothing is mixed into what is there now


def test_changes_move_into_the_file_now_and_then(
    client: httpx.Client, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "MOVE_EVERY", 10)
    wal = file_of(client).with_name(f"{file_of(client).name}-wal")
    sizes = []
    for ply in range(1, 60):
        assert ann.move("5R", ply=ply).status_code == 200
        sizes.append(wal.stat().st_size)
    assert sizes[-1] < 2 * sizes[10]  # its room is used again
    assert health(client) == 200


def test_a_file_that_goes_in_the_middle_of_a_commit(client: httpx.Client, ann: Player) -> None:
    def vanish(statement: str) -> None:
        if statement == "COMMIT":
            file_of(client).unlink()
            writer(client).set_trace_callback(None)

    writer(client).set_trace_callback(vanish)
    assert is_refused(ann.move("6R", ply=1))


def test_a_removed_wal_is_saved_into_the_file(settings: Settings) -> None:
    """What was acknowledged before is not lost, even if the server is killed now."""
    with TestClient(create_app(settings)) as client:
        ann, _ = create(client, **LONG)
        ann.move("5R", ply=0)
        settings.file.with_name(settings.file.name + "-wal").unlink()
        assert is_refused(client.get("/health"))
        saved = settings.file.read_bytes()
    copy = settings.file.with_name("copy.db")
    copy.write_bytes(saved)
    with TestClient(create_app(Settings(database=str(copy)))) as client:
        assert Player(client, ann.id).state()["moves"] == ["5R"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_file_is_no_error_of_the_server(settings: Settings, seed: int) -> None:
    with TestClient(create_app(settings)) as client:
        games = [create(client, **LONG)[0] for _ in range(30)]
        for game in games:
            game.move("5R", ply=0)
    random, data = Random(seed), bytearray(settings.file.read_bytes())
    for _ in range(len(data) // 100):
        data[random.randrange(20_000, len(data))] = random.randrange(256)
    settings.file.write_bytes(data)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        seen = [client.get(f"/api/games/{game.id}").status_code for game in games]
        seen += [
            Player(client, game.id, game.token).move("6R", ply=1).status_code for game in games
        ]
        seen += [client.post("/api/games", json=LONG).status_code]
        assert 503 in seen
        assert 500 not in seen


def test_a_second_server_through_a_link_is_refused(settings: Settings, tmp_path: Path) -> None:
    store = open_store(settings)
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    try:
        link.symlink_to(settings.file)
        with pytest.raises(StorageError, match="in use by another server"):
            open_store(Settings(database=str(link)))
        link.unlink()
        link.hardlink_to(settings.file)
        with pytest.raises(StorageError, match="second name"):
            open_store(Settings(database=str(link)))
    finally:
        store.close()
