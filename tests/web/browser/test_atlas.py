"""The atlas in the browser: pictures, a table in any order, and rows whose ladder starts a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from digitduel import ruleset_keys
from digitduel.atlas import atlas_rows, recommendations
from digitduel.text import sentence
from digitduel.web.pages.atlas import NAMES, cell

if TYPE_CHECKING:
    from tests.web.browser.browsing import Visitor
    from tests.web.browser.conftest import Visit


def targets(visitor: Visitor) -> list[int]:
    return [int(text) for text in visitor.page.locator("#all ~ .scroll tbody a").all_inner_texts()]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_table_can_be_sorted_by_every_column(visit: Visit, script: bool) -> None:
    ann = visit(java_script_enabled=script).go("/atlas?game=closest")
    rows = {row["target"]: row for row in atlas_rows("closest")}
    by_appeal = sorted(rows, key=lambda target: -rows[target]["appeal"])
    assert targets(ann) == by_appeal
    assert ann.page.locator("tbody tr").first.locator("td").all_inner_texts() == [
        cell(rows[by_appeal[0]], name) for name in NAMES[1:]
    ]
    for heading, column in (("Target", "target"), ("3 against 2", "step_3")):
        orders = []
        for _ in range(2):
            with ann.page.expect_navigation():
                ann.page.locator("thead a").filter(has_text=heading).click()
            shown = [rows[target][column] for target in targets(ann)]
            orders.append("ascending" if shown == sorted(shown) else "descending")
            assert shown in (sorted(shown), sorted(shown, reverse=True))
            sorted_by = ann.page.locator("th[aria-sort]")
            expect(sorted_by).to_have_attribute("aria-sort", orders[-1])
            expect(sorted_by).to_contain_text(heading)
        assert len(set(orders)) == 2


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_row_shows_its_ladder_and_starts_a_game(visit: Visit, script: bool) -> None:
    ann = visit(java_script_enabled=script).go("/atlas?game=ends&sort=target&order=up")
    ann.page.get_by_role("link", name="Target 27", exact=True).press("Enter")
    expect(ann.page.locator("#setting")).to_contain_text("with target 27, digits 1-9")
    expect(ann.page.locator("#setting")).to_be_in_viewport()
    ladder = ann.page.get_by_role("img", name="The ladder of target 27", exact=True)
    expect(ladder).to_contain_text("Seeing one move further wins")
    assert targets(ann)[:3] == [1, 2, 3]
    ann.page.get_by_text("The same in figures").click()
    assert ann.page.locator(".setting tbody tr").count() == 8
    ann.page.get_by_label("somebody here").check()
    ann.button("Play with target 27").click()
    ann.sees("Make the number divisible by 27.")
    expect(ann.key(0)).to_have_count(0)  # measured without 0, and played so
    ann.play("5R")
    ann.sees_number("5")


def test_a_row_that_is_over_on_move_1_says_so_first(visit: Visit) -> None:
    ann = visit().go("/atlas?game=pool&target=7")
    ann.button("Play with target 7").first.click()
    expect(ann.page.locator("#note")).to_contain_text("whoever starts plays 7 and wins.")
    ann.button("Start the game").click()
    ann.sees_turn("Your turn")


def test_the_ladder_takes_the_colours_of_the_page(visit: Visit) -> None:
    colour = "(e) => getComputedStyle(e).fill"
    found = set()
    for scheme in ("light", "dark"):
        ann = visit(color_scheme=scheme).go("/atlas?game=closest&target=12")
        found.add(ann.page.locator(".setting .ladder .bars").evaluate(colour))
    assert len(found) == 2


@pytest.mark.parametrize("key", ruleset_keys())
def test_each_game_has_its_picture_and_recommended_settings(visit: Visit, key: str) -> None:
    ann = visit().go(f"/atlas?game={key}")
    wide = "(e) => e.decode().then(() => e.naturalWidth)"
    assert ann.page.locator(".plot img").evaluate(wide) > 500
    best = recommendations(key)[0]
    ann.page.get_by_role("link", name=sentence(best.heading)).first.click()
    expect(ann.page.get_by_label("Target")).to_have_value(str(best.ruleset.target))
    expect(ann.page.locator(".offers [aria-current]")).to_contain_text(sentence(best.reason))
    expect(ann.page.locator("#note")).to_contain_text("A real game.")


def test_what_is_not_there_is_said_in_words(visit: Visit) -> None:
    ann = visit(expects_failures=True).go("/atlas?game=poool")
    expect(ann.page.locator("main")).to_contain_text("did you mean 'pool'")
    ann.go("/atlas/poool.svg")
    expect(ann.page.locator("main")).to_contain_text("did you mean 'pool'")
    ann.go("/atlas?game=pool&target=201")
    expect(ann.page.locator("main")).to_contain_text("only 2 to 200")
    ann.go("/atlas?game=pool&sort=nonsense&order=nonsense")
    assert len(targets(ann)) == 199
