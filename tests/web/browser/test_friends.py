"""Two browsers, one game: all five to the end by link, and everything two people can do in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.web.browser.browsing import each_engine

if TYPE_CHECKING:
    from tests.web.browser.conftest import Visit

# Each game with settings and a line to its end, and who wins it why.
GAMES = {
    "pool": ({"target": "97"}, "7 8 1 4 9 6 3 5 2", 2, "The digit pool is empty"),
    "closest": ({"target": "97"}, "7 8 1 4 9 6 3 5 2", 2, "the closer number wins"),
    "conquest": ({"target": "23"}, "1 2 2 6 3 5 5 4", 2, "12263554 is divisible by 23"),
    "ends": (
        {"target": "13", "digits": "1-9"},
        "4R 9R 3L 6R 8R 2L 1L 8R",
        2,
        "12349688 is divisible by 13",
    ),
    "forbidden": ({"target": "13"}, "1 9 9 1 3 9 9 7", 1, "19913997 is divisible by 3"),
}

IN_ENGINES = [*((game, "chromium") for game in GAMES), ("ends", "firefox")]


@pytest.mark.parametrize(("game", "engine"), IN_ENGINES, indirect=["engine"])
def test_a_game_by_link_to_its_end(game: str, two_servers: tuple[str, str], visit: Visit) -> None:
    settings, line, winner, reason = GAMES[game]
    here, there = two_servers
    ann, bob = visit(here), visit(there)
    path = ann.start(game, **settings)
    bob.join(ann.invitation())
    watcher = visit(there).go(path)
    for each in (ann, bob, watcher):
        each.marks_page()
    players, title = (ann, bob), ann.page.locator("h1").inner_text()
    for ply, move in enumerate(line.split()):
        mover, other = players[ply % 2], players[1 - ply % 2]
        mover.sees_turn("Your turn")
        mover.play(move)
        other.sees(f"added {move[0]}")
    for seat, player in enumerate(players, start=1):
        player.sees_turn("You won" if seat == winner else "You lost")
        player.sees(reason)
        expect(player.page).to_have_title(
            f"{'You won' if seat == winner else 'You lost'} - {title}"
        )
        assert player.score == [str(int(seat == winner)) for seat in (1, 2)]
    watcher.sees_turn(f"Player {winner} wins")
    assert all(each.has_not_reloaded() for each in (ann, bob, watcher))


@each_engine
def test_rematch_resigning_and_calling_off(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.start("pool", target="12")
    bob.join(ann.invitation())
    for each in (ann, bob):
        each.marks_page()

    ann.page.locator("#resign summary").click()
    assert ann.page.locator("#resign").inner_text().endswith("Yes, resign"), "asked once more"
    ann.sees_turn("Your turn")
    ann.button("Yes, resign").click()
    bob.sees_turn("You won")
    ann.sees_turn("You lost")
    ann.sees("Player 1 resigns")

    ann.button("Rematch: Player 2 starts").click()
    expect(bob.page.locator(".proposal")).to_contain_text("Player 1 offers a rematch.")
    bob.sees_turn("You won")  # until both want it
    bob.button("Rematch: you start").click()
    bob.sees_turn("Your turn")
    assert bob.score == ["0", "1"]
    bob.play("3")
    ann.sees("Player 2 added 3.")

    bob.page.locator("#call-off summary").click()
    bob.button("Yes, propose it").click()
    expect(bob.page.locator(".asked")).to_contain_text("You propose")
    expect(ann.page.locator(".proposal")).to_contain_text("Player 2 proposes to call the game off")
    ann.play("9")  # a move withdraws it
    expect(bob.page.locator("#call-off")).to_be_visible()
    expect(ann.page.locator(".proposal")).to_have_count(0)

    ann.page.locator("#call-off summary").click()
    ann.button("Yes, propose it").click()
    bob.button("Agree: call it off").click()
    for each in (ann, bob):
        each.sees_turn("Called off")
        assert each.score == ["0", "1"]
        assert each.has_not_reloaded()


@each_engine
def test_an_invitation_is_for_one(visit: Visit) -> None:
    ann, bob, eve = visit(), visit(), visit(expects_failures=True)
    path = ann.start("pool", target="12")
    invitation = ann.invitation()
    eve.go(invitation)
    expect(ann.page.locator("#invite-heading")).to_have_text("Invite a friend")  # looking joins not
    bob.join(invitation)
    expect(ann.page.locator("#invite-heading")).to_have_text("Your friend is here")
    eve.button("Join the game").click()
    expect(eve.page.locator(".problem")).to_contain_text("taken this seat already")
    eve.page.get_by_role("link", name="Watch the game").click()
    eve.sees_turn("Player 1's turn")
    expect(eve.key(5)).to_be_disabled()
    assert ann.go(invitation).path == path, "one's own invitation leads to the game"


def test_the_links_can_be_copied(visit: Visit) -> None:
    ann = visit(permissions=["clipboard-read", "clipboard-write"])
    path = ann.start("pool", target="12")
    for name in ("invite", "watch"):
        ann.page.locator(f"[data-copy={name}-link]").click()
        expect(ann.page.locator(f"[data-copy={name}-link]")).to_have_text("Copied")
        assert ann.page.evaluate("navigator.clipboard.readText()") == ann.server + path


def test_whoever_does_not_start_waits(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.start("pool", target="12", first="2")
    ann.sees_turn("Waiting for your friend")
    bob.join(ann.invitation())
    bob.sees_turn("Your turn")
    ann.sees_turn("Player 2's turn")
    ann.key(5).click(force=True)  # can have focus, does nothing
    bob.play("1")
    ann.sees_turn("Your turn")
    ann.sees_number("1")
