"""A real browser for the page tests. Chromium comes from the system, not from Playwright."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.web.browser.browsing import Visitor
from tests.web.helpers import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.web.helpers import Postgres, Server

    Visit = Callable[..., Visitor]

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
# A busy machine is no failure.
PATIENCE = 45_000


# For the package, not the session: while Playwright runs, no other test can have an event loop.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser; each visitor has a fresh profile in it."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        reason = "Chromium is not installed here (no chromium on the path)"
        assert not os.environ.get("CI"), reason
        pytest.skip(reason)
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Visit]:
    """Somebody with a browser. At the end nothing may have gone wrong in any of them."""
    visitors: list[Visitor] = []

    def visit(url: str | None = None, **options: Any) -> Visitor:
        visitors.append(Visitor(chromium, url or server.url, **options))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.context.close()
    assert [each for visitor in visitors for each in visitor.troubles] == []


@pytest.fixture(scope="module", params=["sqlite", "postgresql with two servers"])
def two_servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """Where each of two players goes: the same server, or two on one database."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            file = tmp_path_factory.mktemp("browser") / "games.db"
            server = stack.enter_context(serving(str(file)))
            yield server.url, server.url
        else:
            postgres: Postgres = request.getfixturevalue("postgres")
            database = postgres.database("browser")
            both = [stack.enter_context(serving(database)) for _ in range(2)]
            yield both[0].url, both[1].url
