"""An evening with a friend: a whole match with all that happens, strangers who meet, clocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from digitduel.record import loads
from tests.web.browser.browsing import each_engine
from tests.web.helpers import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browser.browsing import Visitor
    from tests.web.browser.conftest import Visit

PHONE = {"width": 390, "height": 664}


def resign(visitor: Visitor) -> None:
    visitor.page.locator("#resign summary").click()
    visitor.button("Yes, resign").click()
    visitor.sees_turn("You lost")


def next_round(asks: Visitor, agrees: Visitor, starter: Visitor) -> None:
    asks.button("Next round").click()
    expect(agrees.page.locator(".proposal")).to_contain_text("ready for the next round")
    agrees.button("Next round").click()
    starter.sees_turn("Your turn")


def test_a_match_of_five_rounds_with_all_that_happens(visit: Visit, tmp_path: Path) -> None:
    with serving(str(tmp_path / "games.db")) as server:
        url, look = server.url, {"viewport": PHONE, "expects_failures": True}
        ann, tablet, bob = (visit(url, **look) for _ in range(3))
        path = ann.start("conquest", target="97", match="all", rounds="5")
        bob.join(path)
        ann.play("1")
        bob.sees_number("1")
        bob.page.reload()  # in the middle of a round
        bob.play("2")
        ann.sees_number("12")
        resign(ann)

        next_round(ann, bob, starter=bob)
        server.kill()
        bob.play("3")  # while there is no connection
        expect(bob.page.locator("#connection")).not_to_have_text("")
        server.start()
        ann.sees_number("3")
        bob.sees_turn("Player 1's turn")
        resign(bob)

        next_round(bob, ann, starter=ann)
        ann.page.locator("#handover summary").click()
        ann.button("Make the link").click()
        tablet.go(ann.page.locator("#seat-link").input_value().removeprefix(url))
        tablet.button("Yes, play on here").click()  # Ann's seat moves
        tablet.sees_turn("Your turn")
        tablet.play("4")
        bob.sees_number("4")
        resign(bob)

        next_round(tablet, bob, starter=bob)
        bob.play("5")
        tablet.play("6")
        bob.sees_number("56")
        tablet.button("Ask to take back").click()
        bob.button("Agree: take it back").click()
        for each in (tablet, bob):
            each.sees_number("5")
        tablet.play("7")
        bob.sees_number("57")
        resign(tablet)

        next_round(tablet, bob, starter=tablet)
        for mover, other, digit in ((tablet, bob, "9"), (bob, tablet, "7")):
            mover.sees_turn("Your turn")
            mover.play(digit)
            other.sees(f"added {digit}")
        bob.sees_turn("You won")
        bob.sees("You win the match, 3 to 2.")
        expect(bob.page.locator(".rounds li")).to_have_count(4)
        records = loads(bob.context.request.get(f"{path}/record").text())
        assert [record.result for record in records] == ["0-1", "1-0", "1-0", "0-1", "0-1"]
        assert [" ".join(map(str, record.moves)) for record in records] == [
            "1 2",
            "3",
            "4",
            "5 7",
            "9 7",
        ]
        bob.button("Rematch").click()  # no dead end: another match on the same terms
        tablet.button("Rematch").click()
        bob.sees_turn("Your turn")


@each_engine
def test_names_and_who_is_here(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.go("/?game=pool&target=97")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.button("Start the game").click()
    ann.page.wait_for_url("**/games/*")
    bob.go(ann.path)
    bob.page.get_by_label("Your name").fill("Bob")
    bob.button("Join the game").click()
    bob.sees_turn("Ann's turn")
    expect(ann.page.locator("[data-presence='2']")).to_have_text("here")
    expect(bob.page.locator("[data-presence='1']")).to_have_text("here")
    bob.page.close()
    expect(ann.page.locator("[data-presence='2']")).to_have_text("away")
    expect(ann.page.locator("#presence")).to_have_text("Bob is away.")
    expect(ann.go("/").page.get_by_label("Your name")).to_have_value("Ann")


def test_whoever_is_there_can_be_met_and_a_challenge_left(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.start("pool:easy", opponent="anyone")
    expect(ann.page.locator("#invite-heading")).to_contain_text("Somebody may come")
    ann.button("Leave").click()
    ann.sees_turn("Called off")
    ann.start("pool:easy", opponent="anyone")
    expect(ann.page.locator("main.game")).to_have_attribute("data-connection", "up")
    bob.go("/")
    bob.page.locator("#waiting button").click()
    bob.page.wait_for_url(re.compile(r"/games/[^/]+$"))
    expect(ann.page.locator("#invite-heading")).to_have_text("Somebody is here")
    assert ann.path == bob.path
    expect(bob.page.locator(".name").first).to_have_text("Player 1")


def test_clocks_run_down_and_end_a_round(visit: Visit) -> None:
    ann, bob = visit(), visit()
    made = ann.context.request.post(
        "/api/games", data={"game": "pool", "rules": {"target": 97}, "clock": "0.05+0"}
    ).json()
    secret = ann.context.request.post(
        f"/api/games/{made['id']}/handover",
        headers={"Authorization": f"Bearer {made['token']}"},
    ).json()["link"]
    ann.go(secret.removeprefix(ann.server))
    ann.button("Yes, play on here").click()
    bob.join(f"/games/{made['id']}")
    ann.play("1")
    bob.sees_turn("Your turn")
    expect(bob.page.locator(".clock").nth(1)).to_have_text(re.compile(r"0:0[12]\.\d"))  # it runs
    for each, headline in ((ann, "You won"), (bob, "You lost")):
        each.sees_turn(headline)
        each.sees("time is up")
