"""Whatever happens to the connection, the game goes on, and no page needs a reload for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.web.browser.browsing import each_engine
from tests.web.helpers import Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Route

    from tests.web.browser.browsing import Visitor
    from tests.web.browser.conftest import Visit


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    with serving(str(tmp_path / "games.db")) as server:
        yield server


# Playwright cuts off pages only: what it does to the network, a shared worker does not feel.
WITHOUT_WORKER = "delete window.SharedWorker"


def friends(
    visit: Visit, url: str | None = None, *, with_worker: bool = True
) -> tuple[Visitor, Visitor]:
    """Two people in a game, each ready for trouble."""
    ann, bob = visit(url, expects_failures=True), visit(url, expects_failures=True)
    for each in (ann, bob):
        if not with_worker:
            each.context.add_init_script(WITHOUT_WORKER)
    ann.start("conquest", target="97")
    bob.join(ann.invitation())
    for each in (ann, bob):
        each.marks_page()
    return ann, bob


@each_engine
def test_reload_and_second_tab(visit: Visit) -> None:
    ann, bob = friends(visit)
    ann.play("5")
    bob.sees("added 5")
    ann.page.reload()
    ann.sees_number("5")
    first, second = ann.page, ann.context.new_page()
    second.goto(ann.path)
    bob.play("2")
    ann.sees_turn("Your turn")
    ann.page = second
    # Sooner than Firefox lets one request wait for another of the same address, which is 20 s.
    expect(second.locator(".headline")).to_have_text("Your turn", timeout=15_000)
    ann.play("1")  # in the second tab; the first follows
    ann.page = first
    ann.sees_number("521")
    ann.sees_turn("Player 2's turn")


@each_engine
def test_offline_and_back(visit: Visit) -> None:
    ann, bob = friends(visit, with_worker=False)
    bob.context.set_offline(True)
    expect(bob.page.locator("#connection")).to_contain_text("Connection lost")
    ann.play("5")
    ann.sees_number("5")
    bob.context.set_offline(False)
    bob.sees_number("5")
    expect(bob.page.locator("#connection")).to_have_text("")
    assert bob.has_not_reloaded()


def test_offline_before_the_stream_is_there(visit: Visit) -> None:
    ann, bob = friends(visit, with_worker=False)
    held: list[Route] = []
    bob.context.route("**/live?*", lambda route: route.continue_() if held else held.append(route))
    with bob.page.expect_request("**/live?*"):
        bob.page.reload()
    bob.context.set_offline(True)
    connection = bob.page.locator("#connection")
    expect(connection).to_contain_text("Connection lost")
    ann.play("5")
    ann.sees_number("5")
    expect(bob.page.locator(".number .digits")).to_have_count(0)
    bob.context.set_offline(False)
    bob.sees_number("5")
    expect(connection).to_have_text("")


@each_engine
def test_a_move_made_offline_goes_out_once_when_the_connection_is_back(visit: Visit) -> None:
    ann, bob = friends(visit, with_worker=False)
    ann.context.set_offline(True)
    ann.play("5")
    expect(ann.page.locator("#connection")).to_contain_text("Your move goes out")
    ann.context.set_offline(False)
    bob.sees_number("5")
    ann.sees_turn("Player 2's turn")
    bob.play("2")
    ann.sees_number("52")
    assert ann.has_not_reloaded()


def test_killed_and_started_again_mid_game(visit: Visit, mortal: Server) -> None:
    ann, bob = friends(visit, mortal.url)
    ann.play("5")
    bob.sees_turn("Your turn")
    for number, (mover, other), move in (("52", (bob, ann), "2"), ("521", (ann, bob), "1")):
        mortal.kill()
        mover.play(move)
        expect(mover.page.locator("#connection")).not_to_have_text("")
        mortal.start()
        mover.sees_number(number)
        other.sees_number(number)
        other.sees_turn("Your turn")
    assert ann.has_not_reloaded()
    assert bob.has_not_reloaded()


def test_a_page_opened_while_the_stream_fails_heals_too(visit: Visit) -> None:
    ann, bob = friends(visit, with_worker=False)
    blocked = True
    ann.context.route("**/live?*", lambda route: route.abort() if blocked else route.continue_())
    ann.page.reload()
    expect(ann.page.locator("#connection")).to_contain_text("Connection lost")
    blocked = False
    expect(ann.page.locator("#connection")).to_have_text("")
    ann.play("5")
    bob.sees_number("5")
    bob.play("2")
    ann.sees_number("52")


def test_an_old_answer_does_not_undo_a_newer_page(visit: Visit) -> None:
    ann, bob = friends(visit)
    held: list[str] = []

    # The answer to Ann's move arrives only after Bob's reply has.
    def late(route: object) -> None:
        response = route.fetch()  # type: ignore[attr-defined]
        bob.sees_turn("Your turn")
        bob.play("2")
        ann.page.wait_for_timeout(300)
        held.append("late")
        route.fulfill(response=response)  # type: ignore[attr-defined]

    ann.context.route("**/move", late)
    ann.play("5")
    ann.sees_turn("Your turn")
    ann.sees_number("52")
    ann.page.wait_for_timeout(300)
    ann.sees_number("52")
    assert held == ["late"]


@each_engine
def test_a_stale_tab_is_told_and_shown_the_game(visit: Visit) -> None:
    ann, bob = friends(visit, with_worker=False)
    second = ann.context.new_page()
    second.goto(ann.path)
    # A tab whose stream is silent: it does not know of the first tab's move.
    second.route("**/live?*", lambda route: route.abort())
    second.reload()
    ann.play("5")
    bob.sees_number("5")
    first, ann.page = ann.page, second
    ann.play("7")
    expect(second.locator("#message")).to_have_text("You have moved meanwhile: look again.")
    ann.sees_number("5")
    ann.page = first
