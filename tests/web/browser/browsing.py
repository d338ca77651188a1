"""People with browsers: they click, type and look, and note whatever goes wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request

PHONE = {"width": 320, "height": 640}
DESK = {"width": 1180, "height": 820}

# For a test that visits: once in each browser.
each_engine = pytest.mark.parametrize("engine", ["chromium", "firefox"], indirect=True)

# What a browser says by itself of a connection that is down or an answer that is an error.
EXPECTED_FAILURES = re.compile(
    r"Failed to load resource|htmx: htmx:error|ERR_\w+|Firefox can.t establish|was interrupted"
)


class Visitor:
    """One person with one browser of their own."""

    def __init__(
        self, browser: Browser, server: str, *, expects_failures: bool = False, **options: Any
    ) -> None:
        self.server = server
        self.troubles: list[str] = []
        self._expects_failures = expects_failures
        options = {"viewport": PHONE} | options
        self.context: BrowserContext = browser.new_context(base_url=server, **options)
        self.context.set_default_timeout(45_000)
        self.context.on("request", self._requested)
        self.context.on("console", self._logged)
        self.context.on("weberror", lambda error: self._note("error", str(error.error)))
        self.page: Page = self.context.new_page()

    def _requested(self, request: Request) -> None:
        if not request.url.startswith((f"{self.server}/", "data:", "about:")):
            self.troubles.append(f"a request elsewhere: {request.url}")

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(message.type, message.text)

    def _note(self, kind: str, text: str) -> None:
        if not (self._expects_failures and EXPECTED_FAILURES.search(text)):
            self.troubles.append(f"{kind}: {text}")

    # --- Getting to a game. ---

    def go(self, path: str) -> Visitor:
        self.page.goto(path)
        return self

    def start(self, game: str, **settings: str) -> str:
        """Make a game on the start page; the path of its page."""
        query = "&".join(f"{name}={text}" for name, text in {"game": game, **settings}.items())
        self.go(f"/?{query}")
        self.button("Start the game").click()
        self.page.wait_for_url("**/games/*")
        return self.path

    def invitation(self) -> str:
        """The path of the invitation shown: the game's own."""
        return self.page.locator("#invite-link").input_value().removeprefix(self.server)

    def join(self, invitation: str) -> None:
        self.go(invitation)
        self.button("Join the game").click()
        self.page.wait_for_url(re.compile(r"/games/[^/]+$"))

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.server)

    # --- Playing. ---

    def key(self, digit: str | int) -> Locator:
        return self.page.locator(f"#key-{digit}")

    def play(self, move: str) -> None:
        """Choose the side, where there is one, and the digit."""
        if len(move) > 1:
            self.page.get_by_role("radio", name="Left" if move[1] == "L" else "Right").check(
                force=True
            )
        self.key(move[0]).click()

    def sees_number(self, number: str) -> None:
        expect(self.page.locator(".number .digits")).to_have_text(number)

    def sees(self, words: str) -> None:
        """The news holds these words."""
        expect(self.page.locator("#status")).to_contain_text(words)

    def sees_turn(self, headline: str) -> None:
        expect(self.page.locator(".headline")).to_have_text(headline)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    @property
    def score(self) -> list[str]:
        points = self.page.locator(".points").all_inner_texts()
        return [text.split()[-1] for text in points]

    # --- Looking at the page itself. ---

    def marks_page(self) -> None:
        """Leave a mark that a reload would wipe out."""
        self.page.evaluate("window.mark = true")

    def has_not_reloaded(self) -> bool:
        return bool(self.page.evaluate("window.mark === true"))

    def is_too_wide(self) -> bool:
        wide: int = self.page.evaluate("document.documentElement.scrollWidth")
        shown: int = self.page.evaluate("document.documentElement.clientWidth")
        return wide > shown
