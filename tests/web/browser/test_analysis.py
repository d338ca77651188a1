"""Analysis: values by sign and word, reasons, steps, records in and out, an address for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browser.conftest import Visit

RECORD = """[Game "pool"]
[Target "12"]
[Player1 "Ann"]
[Player2 "Bob"]
[First "1"]
[Result "0-1"]
[Termination "resigned"]

5 2 1
"""


def test_values_reasons_and_steps(visit: Visit) -> None:
    ann = visit().go("/analysis?game=pool&target=12&moves=5+2+1+7&ply=3")
    page = ann.page
    expect(page.locator(".number")).to_contain_text("521")
    expect(page.locator(".division")).to_contain_text("521 = 12 × 43 + 5")
    expect(page.locator(".verdict")).to_have_text(
        "The second player is to move and wins with best play, in 6 moves."
    )
    values = {
        link.locator(".digit").inner_text(): link.inner_text().split("\n")[1:]
        for link in page.locator(".values a").all()
    }
    assert values["6"] == ["\N{MINUS SIGN}", "loses in 2 moves"]
    assert values["4"] == ["+", "wins in 6 moves, best"]
    for _ in range(30):  # the swing is left out while the server is busy, and is there next time
        if page.locator(".swing a").count():
            break
        page.reload()
    expect(page.locator(".swing a")).to_have_count(5)
    expect(page.locator(".swing [aria-current=step]")).to_contain_text("1")
    expect(page.locator(".grade")).to_contain_text("the starter's 1: gave it away; 8 won in 1 move")
    decisive = page.get_by_role("link", name="Decisive: move 4, the second player's 7: it gave")
    decisive.click()
    expect(page.locator(".steps")).to_contain_text("after 4 of 4")
    page.get_by_role("link", name="One move back").click()
    page.locator(".values a", has=page.get_by_text("6", exact=True)).click()
    expect(page.locator("#why")).to_contain_text("6 loses")
    page.get_by_role("link", name="Play 6").click()
    expect(page.locator(".steps")).to_contain_text("after 4 of 4")
    assert "moves=5+2+1+6" in page.url, "another move makes a line of its own"
    page.get_by_role("link", name="To the start").click()
    expect(page.locator(".verdict")).to_contain_text("Whoever starts wins with best play, in 7")
    expect(page.locator("figure svg title")).to_have_count(1)
    # The address alone brings all of it back, elsewhere too.
    other = visit().go(ann.path)
    expect(other.page.locator(".verdict")).to_contain_text("Whoever starts wins")
    assert other.page.locator("#share-link").input_value() == page.url


def test_a_finished_game_can_be_looked_at(visit: Visit) -> None:
    both = visit()
    both.start("pool", target="12", opponent="device")
    both.play("2")
    both.sees_number("2")
    both.play("4")
    both.page.get_by_role("link", name="Analyse it").click()
    expect(both.page.locator(".verdict")).to_contain_text("24 is divisible by 12")
    both.page.get_by_role("link", name="One move back").click()
    expect(both.page.locator(".verdict")).to_contain_text("in 1 move")


def test_records_in_and_out(visit: Visit, tmp_path: Path) -> None:
    ann = visit(expects_failures=True).go("/analysis")
    ann.page.get_by_label("Paste it").fill(RECORD)
    ann.button("Read it").click()
    expect(ann.page.locator(".steps")).to_contain_text("after 0 of 3")
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Download as a record").click()
    saved = tmp_path / "line.txt"
    download.value.save_as(saved)
    assert saved.read_text().splitlines()[:2] == ['[Game "pool"]', '[Target "12"]']
    ann.page.get_by_label("Or choose the file").set_input_files(saved)
    with ann.page.expect_navigation():
        ann.button("Read it").click()
    expect(ann.page.locator(".steps")).to_contain_text("after 0 of 3")
    ann.page.get_by_label("Paste it").fill("five two one")
    ann.button("Read it").click()
    expect(ann.page.locator(".problem")).to_contain_text("comes before the tags")
    assert ann.page.get_by_label("Paste it").input_value() == "five two one"


def test_a_game_can_be_downloaded_with_all_its_rounds(visit: Visit, tmp_path: Path) -> None:
    both = visit()
    both.start("pool", target="12", opponent="device")
    both.page.locator("#resign summary").click()
    both.button("Yes, resign").click()
    both.button("Rematch").click()
    both.play("2")
    both.sees_number("2")
    both.play("4")
    with both.page.expect_download() as download:
        both.page.get_by_role("link", name="Download").click()
    saved = tmp_path / "match.txt"
    download.value.save_as(saved)
    assert saved.read_text().count("[Game ") == 2
    both.go("/analysis").page.get_by_label("Or choose the file").set_input_files(saved)
    both.button("Read it").click()
    both.page.get_by_role("link", name="2 moves").click()
    expect(both.page.locator(".steps")).to_contain_text("after 0 of 2")


def test_what_is_too_large_is_looked_at_as_far_as_it_goes(visit: Visit) -> None:
    ann = visit(expects_failures=True)
    ann.go("/analysis?game=conquest&target=1000000007&limit=30&moves=5+2")
    expect(ann.page.locator(".verdict")).to_contain_text("too large to solve")
    expect(ann.page.locator(".values .words").first).to_have_text("not known")
    ann.page.locator(".values a").first.click()
    for _ in range(5):  # on a busy machine it may not be one's turn in time
        if ann.page.locator("h1").inner_text() == "Analysis":
            break
        ann.page.reload()
    expect(ann.page.locator("#why")).to_contain_text("no win can be forced within")


def test_another_position_by_the_form(visit: Visit) -> None:
    ann = visit().go("/analysis")
    ann.page.get_by_label("Game", exact=True).select_option("ends")
    ann.page.get_by_label("Target").fill("13")
    ann.page.get_by_label("Moves", exact=True).fill("5R, 1L")
    ann.page.get_by_text("Change the rules").click()
    ann.page.get_by_label("The digits in the game").fill("1-9")
    ann.page.get_by_label("How often each digit may be used").fill("unlimited")
    ann.page.get_by_label("Where a digit may go").select_option("both")
    ann.page.get_by_label("What happens when the number is full").select_option("last-loses")
    ann.button("Show it").click()
    expect(ann.page.locator(".number")).to_contain_text("15")
    expect(ann.page.locator("h3")).to_have_text(["On the left", "On the right"])
