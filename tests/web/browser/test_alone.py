"""One person: against the computer, or with a second at the same screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from digitduel.atlas import recommendations
from digitduel.ruleset import newcomers_game
from digitduel.text import sentence

if TYPE_CHECKING:
    from tests.web.browser.conftest import Visit


def test_against_the_computer(visit: Visit) -> None:
    ann = visit().go("/?game=conquest&target=97")
    ann.page.get_by_text("The computer", exact=True).click()
    ann.page.get_by_label("Level of the computer").select_option("8")
    ann.button("Start the game").click()
    ann.sees_turn("Your turn")
    ann.play("5")
    ann.sees("Computer (level 8) added")
    ann.sees_turn("Your turn")
    ann.button("Take back").click()
    ann.sees("Make the number divisible by 97.")
    ann.play("4")
    ann.sees("Computer (level 8) added")
    ann.page.locator("#resign summary").click()
    ann.button("Yes, resign").click()
    ann.sees_turn("You lost")
    ann.button("Rematch: Computer (level 8) starts").click()
    ann.sees("Computer (level 8) added")
    assert ann.score == ["0", "1"]


def test_two_people_on_one_device(visit: Visit) -> None:
    both = visit()
    both.start("pool", target="12", opponent="device", digits="1-4", uses="2")
    expect(both.key(4)).to_contain_text("2 left")
    for move, who, division in (
        ("3", "Player 2's turn", "3 = 12 × 0 + 3"),
        ("3", "Player 1's turn", "33 = 12 × 2 + 9"),
        ("1", "Player 2's turn", "331 = 12 × 27 + 7"),
    ):
        both.play(move)
        both.sees_turn(who)
        both.sees(division)
    expect(both.key(3)).to_be_disabled()
    expect(both.key(3)).to_contain_text("is used up")
    expect(both.page.locator(".history li")).to_have_count(3)
    both.button("Take back").click()
    both.sees_number("33")
    both.play("2")
    both.play("4")
    both.sees_turn("Player 2 wins")
    both.sees("3324 is divisible by 12")
    both.button("Take back").click()
    both.sees_turn("Player 2's turn")


def test_both_ends(visit: Visit) -> None:
    both = visit()
    both.start("ends", target="13", digits="1-9", opponent="device")
    for move, number in (("5R", "5"), ("4L", "45"), ("8R", "458")):
        both.play(move)
        both.sees_number(number)
    assert both.page.locator(".number b").inner_text() == "8"
    both.play("1L")
    both.sees("Player 2 added 1 on the left.")
    assert both.page.locator(".number b").inner_text() == "1"
    assert both.page.locator(".history b").all_inner_texts() == ["1L", "8R", "4L", "5R"]


def test_a_forbidden_divisor_that_struck_is_shown(visit: Visit) -> None:
    both = visit()
    both.start("forbidden", target="13", opponent="device")
    both.play("1")
    both.sees("1 = 13 × 0 + 1")
    both.play("2")
    both.sees_turn("Player 1 wins")
    both.sees("12 = 13 × 0 + 12")
    both.sees("12 = 2 × 6 + 0")
    both.sees("12 = 3 × 4 + 0")


def test_a_long_number_fits(visit: Visit) -> None:
    both = visit()
    both.start("conquest", target="1000003", opponent="device", limit="60")
    for length in range(1, 46):
        both.page.keyboard.press("7")
        expect(both.page.locator(".history li").first).to_have_attribute("value", str(length))
    assert "(45 digits)" in both.page.locator(".number").inner_text()
    assert not both.is_too_wide()
    expect(both.page.locator(".history")).to_contain_text("Earlier moves are in the analysis.")


def test_a_newcomer_only_presses_start(visit: Visit) -> None:
    both = visit().go("/")
    newcomers = recommendations(newcomers_game())[0]
    expect(both.page.locator(".offers [aria-current]")).to_contain_text(sentence(newcomers.heading))
    expect(both.page.get_by_label("Target")).to_have_value(str(newcomers.ruleset.target))
    expect(both.page.get_by_label("The digits in the game", exact=True)).to_be_hidden()
    expect(both.page.locator("#note")).to_contain_text(f"A real game. {sentence(newcomers.words)}.")
    both.button("Start the game").click()
    both.sees(f"Make the number divisible by {newcomers.ruleset.target}.")


def test_the_warning_comes_before_the_game_and_offers_another(visit: Visit) -> None:
    ann = visit().go("/?game=pool&opponent=device")
    note = ann.page.locator("#note")
    expect(note).to_contain_text("whoever starts plays 7 and wins.")
    ann.page.get_by_label("Target").fill("9")
    expect(note).to_contain_text("whoever starts plays 9 and wins.")  # without a reload
    ann.page.get_by_label("Target").fill("seven")
    expect(note).to_contain_text("'seven' is not a whole number")
    ann.page.get_by_label("Target").fill("8")
    ann.page.get_by_role("radio", name="Toss a coin").check()
    best = recommendations("pool")[0]
    ann.page.get_by_role("button", name=f"{sentence(best.heading)} {sentence(best.reason)}").click()
    expect(ann.page.get_by_label("Target")).to_have_value(str(best.ruleset.target))
    expect(ann.page.get_by_role("radio", name="Two people here")).to_be_checked()
    expect(ann.page.get_by_role("radio", name="Toss a coin")).to_be_checked()
    expect(note).to_contain_text(f"A real game. {sentence(best.words)}.")
    ann.button("Start the game").click()
    ann.sees(f"Make the number divisible by {best.ruleset.target}.")


def test_every_rule_can_be_changed(visit: Visit) -> None:
    ann = visit(expects_failures=True).go("/?game=pool&opponent=device")
    ann.page.get_by_text("Change the rules").click()
    ann.page.get_by_label("Target").fill("13")
    for label, text in (
        ("The digits in the game", "0-4"),
        ("How often each digit may be used", "3"),
        ("Divisors that lose", "7"),
        ("How long the number may get", "8"),
    ):
        ann.page.get_by_label(label, exact=True).fill(text)
    ann.page.get_by_label("Where a digit may go").select_option("both")
    ann.page.get_by_label("What happens when the number is full").select_option("closest")
    ann.page.get_by_label("Whether the number may begin with 0").select_option("false")
    ann.button("Start the game").click()
    expect(ann.page.locator(".terms")).to_contain_text(
        "Target 13, digits 0-4, each digit up to 3 times, either end, 7 forbidden, "
        "8 digits at most, the closest wins when full, no 0 in front."
    )
    ann.play("0R")
    expect(ann.page.locator("#message")).to_contain_text("would make the number begin with 0")
    ann.play("3R")
    ann.sees_number("3")
