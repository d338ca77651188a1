"""Many tabs of one browser share one stream; a move costs one answer, and is seen at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from digitduel.web.settings import Settings
from tests.web.browser.browsing import each_engine
from tests.web.helpers import Here, here, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Route

    from tests.web.browser.browsing import Visitor
    from tests.web.browser.conftest import Visit

WITHOUT_WORKER = "delete window.SharedWorker"
# Tabs of a headless browser are all in front: which of them is seen is said by the test.
VISIBILITY = 'Object.defineProperty(document, "hidden", {get: () => !!window.away});'
GO = "(away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }"


@pytest.fixture
def near(tmp_path: Path) -> Iterator[Here]:
    """A server in this process, so that its streams can be counted. Named before `visit` it ends
    after it, and no page misses it."""
    settings = Settings(database=str(tmp_path / "games.db"), creations_a_minute=1_000)
    with here(settings) as running:
        yield running


def streams(near: Here) -> int:
    count: int = near.server.config.app.state.hub.streams  # type: ignore[union-attr]
    return count


def friends(visit: Visit, near: Here) -> tuple[Visitor, Visitor]:
    ann, bob = visit(near.url), visit(near.url)
    ann.start("conquest", target="97")
    bob.join(ann.invitation())
    return ann, bob


def is_up(page: Page) -> None:
    expect(page.locator("main[data-connection=up]")).to_have_count(1)


def new_game(ann: Visitor, bob: Visitor) -> str:
    """The path of one more game of theirs, made without a page."""
    origin = {"Origin": ann.server}
    made = ann.context.request.post(
        "/games",
        form={"game": "conquest", "target": "97", "opponent": "friend"},
        headers=origin,
    )
    path = made.url.removeprefix(ann.server)
    bob.context.request.post(f"{path}/join", headers=origin)
    return path


def seconds_until_seen(mover: Visitor, digit: str, other: Visitor, number: str) -> float:
    """How long a move takes from the key to the other's screen."""
    mover.sees_turn("Your turn")
    began = time.monotonic()
    # Playwright's own click waits for frames, of which a tab behind others has one a second.
    mover.key(digit).dispatch_event("click")
    shown = "document.querySelector('.number .digits')?.textContent"
    wait_for(lambda: bool(other.page.evaluate(shown) == number))
    return time.monotonic() - began


def test_ten_tabs_share_a_stream_and_every_game_is_alive(near: Here, visit: Visit) -> None:
    ann, bob = visit(near.url), visit(near.url)
    ann_pages, bob_pages = [ann.page], [bob.page]
    ann.start("conquest", target="97")
    bob.join(ann.invitation())
    for _ in range(9):
        game = new_game(ann, bob)
        for visitor, pages in ((ann, ann_pages), (bob, bob_pages)):
            pages.append(visitor.context.new_page())
            pages[-1].goto(game)
    for page in ann_pages + bob_pages:
        is_up(page)
    wait_for(lambda: streams(near) == 2)
    times = []
    for ann.page, bob.page in zip(ann_pages, bob_pages, strict=True):
        times.append(seconds_until_seen(ann, "5", bob, "5"))
        times.append(seconds_until_seen(bob, "2", ann, "52"))
    assert sorted(times)[len(times) * 3 // 4] < 1  # a busy machine may be late with a few
    for page in ann_pages:
        page.close()
    wait_for(lambda: streams(near) == 1)


@pytest.mark.parametrize("worker", [True, False])
@each_engine
def test_a_seventh_page_loads_and_plays_beside_six_others(
    near: Here, visit: Visit, *, worker: bool
) -> None:
    ann, bob = friends(visit, near)
    if not worker:  # then each tab has a stream, and those that are not seen let go
        bob.context.add_init_script(WITHOUT_WORKER)
        bob.context.add_init_script(VISIBILITY)
    ann.play("5")
    eve = visit(near.url)
    over = eve.start("pool", target="12", opponent="device")
    eve.play("3")
    eve.sees_turn("Player 2's turn")
    eve.page.locator("#resign summary").click()
    eve.button("Yes, resign").click()
    eve.sees_turn("Player 1 wins")
    for path in (over, ann.path, over, ann.path, over, ann.path):
        page = bob.context.new_page()
        page.goto(path)
        expect(page.locator(".headline")).to_be_visible()
        if not worker:
            page.evaluate(GO, True)
    if not worker:
        wait_for(lambda: streams(near) == 3)  # Ann's, Eve's and the one that is seen
    bob.page = bob.context.new_page()
    bob.page.goto(ann.path)
    is_up(bob.page)
    assert seconds_until_seen(bob, "2", ann, "52") < 5  # not when a connection is free, after 30


def test_a_round_that_is_over_needs_no_stream_to_watch(near: Here, visit: Visit) -> None:
    ann, bob = friends(visit, near)
    ann.page.locator("#resign summary").click()
    ann.button("Yes, resign").click()
    bob.sees_turn("You won")
    eve = visit(near.url)
    eve.context.add_init_script(VISIBILITY)
    eve.go(ann.path).sees_turn("Player 2 wins")
    eve.page.wait_for_timeout(300)
    assert streams(near) == 2
    ann.button("Rematch").click()
    bob.button("Rematch").click()
    bob.sees_turn("Your turn")
    eve.page.evaluate(GO, True)
    eve.page.evaluate(GO, False)
    eve.sees_turn("Player 2's turn")
    wait_for(lambda: streams(near) == 3)


@each_engine
def test_a_hidden_tab_lets_go_and_catches_up_when_it_is_seen(near: Here, visit: Visit) -> None:
    ann, bob = friends(visit, near)
    bob.context.add_init_script(VISIBILITY)
    bob.page.reload()
    is_up(bob.page)
    keeper = bob.context.new_page()
    keeper.goto(bob.path)
    keeper.locator("main").evaluate("(main) => main.setAttribute('data-keep', '')")
    for page in (bob.page, keeper):
        page.evaluate(GO, True)
    expect(bob.page.locator("main[data-connection]")).to_have_count(0)
    ann.play("5")
    expect(keeper.locator(".digits")).to_have_text("5")  # waits for somebody: it is kept
    expect(bob.page.locator(".digits")).to_have_count(0)
    keeper.close()
    wait_for(lambda: streams(near) == 1)
    bob.page.evaluate(GO, False)
    bob.sees_number("5")
    is_up(bob.page)


def test_a_move_costs_one_answer_and_is_fetched_if_the_stream_is_silent(
    near: Here, visit: Visit
) -> None:
    ann, bob = friends(visit, near)
    is_up(ann.page)
    answers: list[tuple[str, int]] = []
    ann.page.on("response", lambda answer: answers.append((answer.request.method, answer.status)))
    ann.page.evaluate("window.swaps = 0")
    ann.page.evaluate("document.addEventListener('htmx:after:swap', () => void window.swaps++)")
    ann.play("5")
    ann.sees_number("5")
    bob.sees_number("5")
    ann.page.wait_for_timeout(1_800)
    assert answers == [("POST", 204)]
    assert ann.page.evaluate("window.swaps") == 1
    # A stream that says it is up, but brings nothing.
    bob.context.add_init_script(WITHOUT_WORKER)
    bob.context.route("**/live?*", lambda route: route.abort())
    bob._expects_failures = True
    bob.page.reload()
    bob.page.locator("main").evaluate("(main) => main.dataset.connection = 'up'")
    bob.play("2")
    bob.sees_number("52")


@each_engine
def test_a_pressed_digit_is_pending_until_the_answer(near: Here, visit: Visit) -> None:
    both = visit(near.url, expects_failures=True)
    both.start("ends", target="13", digits="1-9", opponent="device")
    both.play("5R")
    both.sees_number("5")
    held: list[Route] = []
    both.page.route("**/move", lambda route: held.append(route))
    both.play("4L")
    slot, form = both.page.locator(".slot.left"), both.page.locator("#move-form")
    expect(slot).to_have_text("4")
    expect(slot).to_have_class("slot left pending")
    expect(form).to_have_attribute("aria-busy", "true")
    expect(both.key(7)).to_have_attribute("aria-disabled", "true")
    both.page.keyboard.press("7")  # waits
    expect(both.page.locator("#message")).to_have_text("")
    held.pop().abort()  # lost, and sent again by itself
    expect(both.page.locator("#connection")).to_contain_text("Your move goes out")
    expect(slot).to_have_text("4")
    both.page.wait_for_timeout(2_000)
    held.pop().continue_()
    both.sees_number("45")
    expect(both.page.locator(".pending, [aria-busy]")).to_have_count(0)
    assert both.key(7).get_attribute("aria-disabled") is None
    assert held == []


@each_engine
def test_a_refused_digit_is_taken_away_and_the_reason_said(near: Here, visit: Visit) -> None:
    both = visit(near.url, expects_failures=True)
    both.start("conquest", target="97", opponent="device")
    both.page.locator("#move-form [name=ply]").evaluate("(ply) => (ply.value = 3)")
    both.play("5")
    expect(both.page.locator("#message")).not_to_have_text("")
    expect(both.page.locator(".pending, [aria-busy]")).to_have_count(0)
    both.play("5")
    both.sees_number("5")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_reply_of_the_computer_is_seen_to_come(near: Here, visit: Visit, motion: str) -> None:
    ann = visit(near.url, reduced_motion=motion)
    ann.start("conquest", target="1000000007", opponent="computer", level="1")
    is_up(ann.page)
    ann.page.evaluate(
        """() => {
          const headline = () => document.querySelector(".headline").textContent;
          window.seen = [];
          const note = (what) => window.seen.push([what, Date.now()]);
          document.addEventListener("htmx:config:request", () => note("pressed"));
          document.addEventListener("htmx:after:swap", () => note(headline()));
        }"""
    )
    pauses = []
    for number in (2, 4, 6):
        ann.play("5")
        expect(ann.page.locator(".history li")).to_have_count(number)
        seen = dict(ann.page.evaluate("seen.splice(0)"))
        # A busy server's stream may skip one's own move: then the pause begins with the key.
        own = seen.get("The computer is thinking", seen["pressed"])
        pauses.append(seen["Your turn"] - own)
    assert min(pauses) >= 650 if motion == "no-preference" else min(pauses) < 600
