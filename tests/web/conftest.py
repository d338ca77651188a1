"""Servers and databases for the web tests."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from digitduel.web.app import create_app
from digitduel.web.service import Service
from digitduel.web.settings import Settings
from digitduel.web.store import open_store
from tests.web.helpers import Postgres, postgres_programs, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx2 as httpx

    from tests.web.helpers import Server


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A fresh file, and no limit on how often."""
    return Settings(
        database=str(tmp_path / "games.db"),
        creations_a_minute=10**6,
        creations_per_address=10**6,
        moves_a_second=10**6,
    )


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """Games without HTTP, on a fresh file."""
    store = open_store(settings)
    yield Service(store, settings)
    store.close()


@pytest.fixture
def client(settings: Settings) -> Iterator[httpx.Client]:
    """The application in this process."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server on SQLite."""
    with serving(str(tmp_path_factory.mktemp("server") / "games.db")) as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL."""
    programs = postgres_programs()
    if programs is None:
        reason = "PostgreSQL is not installed here (initdb and pg_ctl are not found)"
        assert not os.environ.get("CI"), reason
        pytest.skip(reason)
    # Not pytest's own folder: its parents are closed to the user that PostgreSQL runs as.
    with TemporaryDirectory(prefix="digitduel-postgres-") as folder:
        cluster = Postgres(Path(folder), programs)
        try:
            yield cluster
        finally:
            cluster.stop("immediate")
