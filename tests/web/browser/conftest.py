"""Real browsers for the page tests. They come from the system, not from Playwright.

A test that asks for `visit` runs in Chromium. Under `@each_engine` (from browsing) it runs in
Chromium and in Firefox, and nothing else in it changes.

Firefox ignores `emulate_media`, `color_scheme`, `has_touch`, `is_mobile` and the like, without a
word. It shows no body of a request, so `route.fetch()` of a POST hangs: hold the route and
`continue_()` it later, or use `tests.web.proxy`. It measures no layout shift and knows no CDP.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

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
def playwright() -> Iterator[Playwright]:
    """What drives the browsers."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        yield playwright


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The browser; each visitor has a fresh profile in it."""
    program = installed("Chromium", "chromium", "chromium-browser")
    with playwright.chromium.launch(executable_path=program, args=FLAGS) as browser:
        yield browser


@pytest.fixture(scope="package")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """The other one, Mozilla's own build; each visitor has a fresh container in it."""
    program = installed("Firefox", "firefox-esr", "firefox")
    # The channel says how to talk to it: by WebDriver BiDi, as Firefox does unpatched.
    with playwright.firefox.launch(executable_path=program, channel="moz-firefox") as browser:
        yield browser


def installed(name: str, *commands: str) -> str:
    """Where the system has this browser; without it tests are skipped, in CI they fail."""
    program = next(filter(None, map(shutil.which, commands)), None)
    if program is None:
        reason = f"{name} is not installed here (no {commands[0]} on the path)"
        assert not os.environ.get("CI"), reason
        pytest.skip(reason)
    return program


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Browser:
    """The browser of this test: Chromium, unless the test is for each engine."""
    browser: Browser = request.getfixturevalue(getattr(request, "param", "chromium"))
    return browser


@pytest.fixture
def visit(engine: Browser, server: Server) -> Iterator[Visit]:
    """Somebody with a browser. At the end nothing may have gone wrong in any of them."""
    visitors: list[Visitor] = []

    def visit(url: str | None = None, **options: Any) -> Visitor:
        visitors.append(Visitor(engine, url or server.url, **options))
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
