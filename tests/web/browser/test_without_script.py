"""Plain forms do everything; while waiting the page looks again by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.web.browser.conftest import Visit


def test_a_game_between_friends(visit: Visit) -> None:
    ann, bob = visit(java_script_enabled=False), visit(java_script_enabled=False)
    ann.start("pool", target="12")
    assert not ann.page.locator("[data-copy]").first.is_visible()
    bob.join(ann.invitation())
    ann.play("5")
    ann.sees_turn("Player 2's turn")
    bob.sees_turn("Your turn")  # the page has looked again
    bob.play("2")
    ann.sees("52 = 12 × 4 + 4")
    bob.page.get_by_role("link", name="Resign").click()
    bob.page.wait_for_timeout(5_000)  # longer than a page that waits takes to look again
    assert bob.button("Yes, resign").is_visible()
    ann.page.get_by_role("link", name="Resign").click()
    ann.button("Yes, resign").click()
    ann.sees_turn("You lost")
    bob.page.reload()
    bob.button("Rematch: you start").click()
    ann.page.reload()
    ann.button("Rematch: Player 2 starts").click()
    bob.page.reload()
    bob.sees_turn("Your turn")
    assert bob.score == ["0", "1"]


def test_a_move_out_of_turn_leaves_the_player_in_the_game(visit: Visit) -> None:
    ann, bob = (visit(java_script_enabled=False, expects_failures=True) for _ in range(2))
    ann.start("pool", target="12")
    bob.join(ann.invitation())
    bob.key(5).click(force=True)
    expect(bob.page.locator("#message")).to_contain_text("out of turn")
    ann.play("5")
    bob.sees_turn("Your turn")  # the page has looked again, and at the game
    bob.play("2")
    bob.sees_number("52")


def test_both_ends_and_a_refused_move(visit: Visit) -> None:
    both = visit(java_script_enabled=False, expects_failures=True)
    path = both.start("ends", target="13", digits="0-5", opponent="device", leading_zero="false")
    both.play("3L")
    both.play("0L")
    expect(both.page.locator("#message")).to_contain_text("would make the number begin with 0")
    both.go(path).play("4L")
    both.sees_number("43")
    both.button("Take back").click()
    both.sees_number("3")


def test_the_computer_and_the_warning(visit: Visit) -> None:
    ann = visit(java_script_enabled=False).go("/?game=pool&target=97&opponent=computer&level=1")
    ann.page.get_by_label("Target").fill("9")
    ann.button("Start the game").click()
    expect(ann.page.locator("#note")).to_contain_text("whoever starts plays 9 and wins.")
    ann.page.locator(".offers button").first.click()
    ann.button("Start the game").click()
    ann.play("1")
    ann.sees("Computer (level 1) added")


def test_analysis(visit: Visit) -> None:
    ann = visit(java_script_enabled=False).go("/analysis?game=pool&target=12&moves=5+2")
    ann.page.locator(".values a").first.click()
    expect(ann.page.locator("#why")).to_contain_text("1 loses")
    ann.page.get_by_role("link", name="Play 1").click()
    expect(ann.page.locator(".number")).to_contain_text("521")
    ann.page.get_by_role("link", name="One move back").click()
    expect(ann.page.locator(".steps")).to_contain_text("after 2 of 3")
