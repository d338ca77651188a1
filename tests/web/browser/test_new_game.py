"""The start page remembers, understands what people type, and keeps what they chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Route, expect

from tests.web.helpers import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.web.browser.browsing import Visitor
    from tests.web.browser.conftest import Visit
    from tests.web.helpers import Server

with_and_without_script = pytest.mark.parametrize("script", [True, False], ids=["script", "none"])


def choose(visitor: Visitor) -> None:
    """Other rules, an opponent, who starts; all as people type it."""
    page = visitor.page
    page.get_by_label("Target").fill("1,013")
    page.get_by_text("Change the rules").click()
    page.get_by_label("Digits: the digits in the game").fill("135")
    page.get_by_label("Forbidden: divisors that lose").fill("2 7")
    page.get_by_role("radio", name="The computer").check()
    page.get_by_label("Level of the computer").select_option("6")
    page.get_by_role("radio", name="Toss a coin").check()


def sees_what_was_chosen(
    visitor: Visitor, texts: tuple[str, str, str], *, unfolded: bool = True
) -> None:
    page = visitor.page
    expect(page.get_by_label("Target")).to_have_value(texts[0])
    expect(page.get_by_label("Digits: the digits in the game")).to_be_visible(visible=unfolded)
    expect(page.get_by_label("Digits: the digits in the game")).to_have_value(texts[1])
    expect(page.get_by_label("Forbidden: divisors that lose")).to_have_value(texts[2])
    expect(page.get_by_role("radio", name="The computer")).to_be_checked()
    expect(page.get_by_label("Level of the computer")).to_have_value("6")
    expect(page.get_by_role("radio", name="Toss a coin")).to_be_checked()


TYPED, READ = ("1,013", "135", "2 7"), ("1013", "1,3,5", "2,7")


@with_and_without_script
def test_the_last_game_is_remembered(script: bool, visit: Visit) -> None:
    ann = visit(java_script_enabled=script).go("/?game=pool")
    choose(ann)
    ann.button("Start the game").click()
    expect(ann.page.locator(".terms")).to_contain_text("Target 1013")
    ann.go("/")
    sees_what_was_chosen(ann, READ)
    expect(ann.page.locator("#chosen")).to_have_text("Divisor Duel")
    ann.go("/?game=closest:easy")  # an address is what it says
    expect(ann.page.get_by_role("radio", name="A friend, by link")).to_be_checked()


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One game a minute for a browser; the first comes before it is known."""
    file = tmp_path_factory.mktemp("strict") / "games.db"
    with serving(str(file), "--create-rate", "1") as server:
        yield server


@with_and_without_script
def test_too_many_games_keep_the_form(script: bool, visit: Visit, strict_server: Server) -> None:
    ann = visit(strict_server.url, java_script_enabled=script, expects_failures=True)
    for _ in range(2):
        ann.start("closest:easy")
    ann.go("/?game=pool")
    choose(ann)
    ann.button("Start the game").click()
    expect(ann.page.locator("#note")).to_contain_text("Too many new games from this browser")
    expect(ann.page.locator("#note")).to_be_focused()
    sees_what_was_chosen(ann, TYPED if script else READ)


def refused(route: Route) -> None:
    route.fulfill(status=429, content_type="text/plain", body="More than 400 requests at once.")


def proxied(route: Route) -> None:
    route.fulfill(status=502, content_type="text/html", body="<html><h1>Bad Gateway</h1></html>")


def cut(route: Route) -> None:
    route.abort()


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (refused, "Not now. More than 400 requests at once."),
        (proxied, "The server does not answer. Your settings are kept: try again."),
        (cut, "The server does not answer. Your settings are kept: try again."),
    ],
)
def test_whatever_happens_the_form_stays(
    happens: Callable[[Route], None], words: str, visit: Visit
) -> None:
    ann = visit(expects_failures=True).go("/?game=pool")
    choose(ann)
    ann.page.route("**/games", happens)
    ann.button("Start the game").click()
    expect(ann.page.locator("#note")).to_contain_text(words)
    sees_what_was_chosen(ann, TYPED)
    ann.page.unroute("**/games")
    ann.button("Start the game").click()
    expect(ann.page.locator(".terms")).to_contain_text("Target 1013")


def test_an_answer_that_comes_late_does_not_hide_a_refusal(visit: Visit) -> None:
    ann = visit(expects_failures=True).go("/?game=pool")
    held: list[Route] = []
    ann.page.route("**/note?*", lambda route: held.append(route))
    choose(ann)
    while not held:  # what is said of the rules is on its way
        ann.page.wait_for_timeout(50)
    ann.page.route("**/games", refused)
    ann.button("Start the game").click()
    expect(ann.page.locator("#note")).to_contain_text("Not now.")
    for route in held:
        with ann.page.expect_response("**/note?*") as answer:
            route.continue_()
        answer.value.finished()
    ann.page.evaluate("new Promise((done) => setTimeout(done, 50))")  # what it does is done
    expect(ann.page.locator("#note")).to_contain_text("Not now.")


def test_going_back_without_a_script_finds_the_form_as_it_was(visit: Visit) -> None:
    ann = visit(java_script_enabled=False, expects_failures=True).go("/?game=pool")
    choose(ann)
    ann.page.route("**/games", refused)  # by the guard, before the form is read
    ann.button("Start the game").click()
    expect(ann.page.locator("body")).to_contain_text("at once")
    ann.page.go_back()
    sees_what_was_chosen(ann, TYPED, unfolded=False)  # which no browser restores


@with_and_without_script
def test_unfolded_rules_stay_unfolded(script: bool, visit: Visit) -> None:
    ann = visit(java_script_enabled=script, expects_failures=True).go("/?game=pool")
    digits = ann.page.get_by_label("Digits: the digits in the game")
    expect(digits).to_be_hidden()
    ann.page.get_by_text("Change the rules").click()
    if not script:  # then only a change tells that they are in sight
        digits.fill("1-5")
    ann.page.locator(".offers button").first.click()
    expect(ann.page.locator(".offers [aria-current]")).to_have_count(1)
    expect(digits).to_be_visible()
    ann.page.get_by_label("Target").fill("x")
    ann.button("Start the game").click()
    expect(ann.page.locator("#note")).to_contain_text("Target = 'x' is not a whole number")
    expect(digits).to_be_visible()


def test_what_is_chosen_shows_in_forced_colours(visit: Visit) -> None:
    ann = visit(forced_colors="active").go("/?game=pool")
    for chosen in (".games [aria-current]", ".offers [aria-current]"):
        ann.page.locator(".offers button").first.click()
        style = ann.page.locator(chosen).evaluate("(e) => getComputedStyle(e).outlineStyle")
        assert style == "solid", chosen


def test_nothing_stays_lit_on_a_touch_screen(visit: Visit) -> None:
    ann = visit(has_touch=True, is_mobile=True).go("/")
    lit = ann.page.evaluate(
        """[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
             .filter((rule) => rule.selectorText?.includes(':hover')).map((rule) => rule.cssText)"""
    )
    assert lit == []


def test_equations_keep_their_direction(visit: Visit) -> None:
    ann = visit()
    ann.start("ends", target="13", digits="1-9", opponent="device")
    ann.play("5R")
    ann.sees("5 = 13 × 0 + 5")
    ann.page.evaluate("document.documentElement.dir = 'rtl'")
    for equation in (".division bdi", ".history bdi", ".number"):
        found = ann.page.locator(equation).first
        assert found.evaluate("(e) => getComputedStyle(e).direction") == "ltr", equation
