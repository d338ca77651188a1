"""The restore drill of docs/deploy.md: a backup under load, a new server on it, compared."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pytest

from tests.web.helpers import PATIENCE, Player, Postgres, create, friends, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONG: dict[str, Any] = {"rules": {"digits": "1-9", "target": 10**9 + 7}}
GAMES = 6


class Match:
    """Two friends who move on and on."""

    def __init__(self, client: httpx.Client) -> None:
        self.players = friends(client, "ends", **LONG)
        self.moves: list[str] = []

    def move(self) -> None:
        ply = len(self.moves)
        move = f"{1 + ply % 9}{'LR'[ply % 2]}"
        assert self.players[ply % 2].move(move, ply=ply).status_code == 200
        self.moves.append(move)


@contextmanager
def moving(matches: list[Match]) -> Iterator[None]:
    """Everybody moves, from before until after."""
    over = threading.Event()

    def play(match: Match) -> None:
        while not over.is_set():
            match.move()

    threads = [threading.Thread(target=play, args=(match,)) for match in matches]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE)


def drill(database: str, back_up: Callable[[], None], restore: Callable[[], str]) -> None:
    """Every move acknowledged before the backup began is there; games go on, tokens work."""
    with (
        serving(database) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as client,
    ):
        matches = [Match(client) for _ in range(GAMES)]
        host, invite = create(client, "ends", **LONG)
        with moving(matches):
            while min(len(match.moves) for match in matches) < 5:
                pass
            before = [len(match.moves) for match in matches]
            back_up()
        assert all(len(match.moves) > made for match, made in zip(matches, before, strict=True))
    with (
        serving(restore()) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as client,
    ):
        for match, made in zip(matches, before, strict=True):
            players = [Player(client, player.id, player.token) for player in match.players]
            found = players[0].state()["moves"]
            assert len(found) >= made
            assert found == match.moves[: len(found)]
            assert players[len(found) % 2].move("5R", ply=len(found)).status_code == 200
            assert players[len(found) % 2].move("5R", ply=len(found) + 1).status_code == 409
        answer = client.post(f"/api/games/{host.id}/join", json={"invite": invite})
        assert answer.status_code == 200
        assert Player(client, host.id, "a-token-of-nobody").post("resign").status_code == 403


@pytest.mark.slow
def test_a_backup_of_sqlite_under_load_is_restored(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.db", tmp_path / "backup" / "games.db"
    copy.parent.mkdir()

    def back_up() -> None:
        """What `sqlite3 games.db ".backup ..."` does."""
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target, pages=5, sleep=0.001)

    def restore() -> str:
        for end in ("-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)
        copy.replace(file)
        return str(file)

    drill(str(file), back_up, restore)


@pytest.mark.slow
def test_a_backup_of_postgresql_under_load_is_restored(postgres: Postgres) -> None:
    address = postgres.database("drill")
    with TemporaryDirectory(prefix="digitduel-backup-") as folder:
        Path(folder).chmod(0o777)  # for the user that PostgreSQL's programs run as
        file = Path(folder) / "games.dump"

        def restore() -> str:
            restored = postgres.database("drill_restored")
            postgres.restore(file, restored)
            return restored

        drill(address, lambda: postgres.dump("drill", file), restore)
