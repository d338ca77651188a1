"""Every page on a phone and a desk, in dark and light: nothing sticks out, axe finds nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from tests.web.browser.browsing import DESK, PHONE

if TYPE_CHECKING:
    from tests.web.browser.browsing import Visitor
    from tests.web.browser.conftest import Visit

PICTURES = Path(__file__).parents[3] / "docs" / "images"
SMALLEST_TARGET = 44

PLAIN_PAGES = {
    "home": "/?game=ends",
    "home with every rule": "/?game=forbidden&target=13&digits=1-8&opponent=computer",
    "home with a problem": "/?game=pool&target=x",
    "rules": "/rules/closest",
    "games": "/rules",
    "analysis": "/analysis?game=ends&target=13&digits=1-9&moves=5R+4L&why=3L",
    "analysis of a game": "/analysis?game=pool&target=12&moves=5+2+1+7+9+3+4&ply=3",
    "analysis with a problem": "/analysis?game=pool&moves=5+5",
    "atlas": "/atlas",
    "atlas of endless games": "/atlas?game=forbidden&sort=casual_first&order=up",
    "atlas of one setting": "/atlas?game=conquest&target=11&sort=second_5",
    "error": "/nowhere",
}


def open_everything(visitor: Visitor) -> None:
    visitor.page.evaluate("document.querySelectorAll('details').forEach((e) => (e.open = true))")


def check(visitor: Visitor, name: str) -> None:
    """No sideways scrolling, nothing that axe finds, nothing too small for a finger."""
    assert not visitor.is_too_wide(), f"{name} is wider than the screen"
    found = Axe().run(visitor.page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == [], name
    small = visitor.page.evaluate(
        """(least) => [...document.querySelectorAll('button, summary, select, .button, .keys *,' +
             'input:not([type=hidden], [type=radio]), .values a, .swing a, .decisive a, nav a')]
           .filter((e) => e.checkVisibility() && !e.closest('.hidden') && e.tagName !== 'SMALL')
           .filter((e) => { const r = e.getBoundingClientRect();
                            return r.height + 0.5 < least || r.width + 0.5 < least; })
           .map((e) => e.outerHTML.slice(0, 100))""",
        SMALLEST_TARGET,
    )
    assert small == [], f"{name} has targets under {SMALLEST_TARGET} px"


@pytest.mark.parametrize(
    ("size", "scheme"),
    [(PHONE, "light"), (PHONE, "dark"), (DESK, "light")],
    ids=["phone-light", "phone-dark", "desk-light"],
)
def test_every_page(size: dict[str, int], scheme: str, visit: Visit) -> None:
    options = {"viewport": size, "color_scheme": scheme, "expects_failures": True}
    ann = visit(**options)
    for name, path in PLAIN_PAGES.items():
        ann.go(path)
        open_everything(ann)
        check(ann, name)
    ann.start("ends", target="13", digits="1-9")
    open_everything(ann)
    check(ann, "waiting for a friend")
    invitation = ann.invitation()
    bob = visit(**options).go(invitation)
    check(bob, "an invitation")
    bob.join(invitation)
    ann.play("5R")
    bob.play("4L")
    ann.sees_number("45")
    check(ann, "a game")
    bob.page.locator("#call-off summary").click()
    bob.button("Yes, propose it").click()
    expect(ann.page.locator(".proposal")).to_be_visible()
    check(ann, "a proposal")
    ann.play("8L")
    ann.sees_turn("You won")
    check(ann, "a game that is over")
    check(visit(**options).go(ann.path), "watching")


def test_nothing_jumps_while_playing(visit: Visit) -> None:
    """The pad stays where the finger is, from the friend's coming to the end."""
    ann, bob = visit(), visit()
    ann.start("ends", target="13", digits="1-9")
    key = ann.key(8)
    before = key.bounding_box()
    assert before is not None
    bob.join(ann.invitation())
    expect(ann.page.locator("#invite-heading")).to_have_text("Your friend is here")
    assert key.bounding_box() == before
    ann.play("5R")
    ann.sees_turn("Player 2's turn")
    playing = key.bounding_box()
    for mover, move, number in ((bob, "4L", "45"), (ann, "1R", "451"), (bob, "7L", "7451")):
        mover.play(move)
        ann.sees_number(number)
        assert key.bounding_box() == playing


# What the browser itself counts as a jump: anything that moves without having been asked to.
WATCH_FOR_JUMPS = """
window.jumps = [];
new PerformanceObserver((found) => {
  for (const each of found.getEntries()) if (!each.hadRecentInput) window.jumps.push(each.value);
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("first", ["1", "2"])
@pytest.mark.parametrize("game", ["pool", "forbidden"])
def test_nothing_jumps_when_the_friend_comes_and_plays(visit: Visit, game: str, first: str) -> None:
    ann, bob = visit(), visit()
    for each in (ann, bob):
        each.context.add_init_script(WATCH_FOR_JUMPS)
    ann.start(game, target="97", first=first)
    invitation = ann.invitation()
    movers = (ann, bob) if first == "1" else (bob, ann)
    if first == "1":  # before the friend is there
        ann.play("1")
        ann.sees_turn("Waiting for your friend")
    bob.join(invitation)
    expect(ann.page.locator("#invite-heading")).to_have_text("Your friend is here")
    number = "1" if first == "1" else ""
    for digit in "1793"[len(number) :]:
        movers[len(number) % 2].play(digit)
        number += digit
        for each in movers:
            each.sees_number(number)
    for each in movers:
        # A list that grows is none; the pad of a whole screen would be a fifth.
        assert sum(each.page.evaluate("window.jumps")) < 0.05


def test_motion_is_kept_from_those_who_do_not_want_it(visit: Visit) -> None:
    ann = visit(reduced_motion="reduce").go("/")
    moving = ann.page.evaluate(
        """[...document.querySelectorAll('*')].filter((e) =>
             parseFloat(getComputedStyle(e).transitionDuration) > 0).length"""
    )
    assert moving == 0


def picture(visitor: Visitor, name: str, folder: Path, *, whole: bool = False) -> None:
    """A screenshot: into the docs when asked to, else just to see that it can be made."""
    target = PICTURES if os.environ.get("UPDATE_SCREENSHOTS") else folder
    visitor.page.evaluate("document.activeElement?.blur()")
    visitor.page.mouse.move(0, 0)
    visitor.page.screenshot(path=target / f"web-{name}.png", full_page=whole, animations="disabled")
    assert (target / f"web-{name}.png").stat().st_size > 10_000


# A phone as most people have it; the tests above use the smallest.
USUAL_PHONE = {"width": 390, "height": 844}


def test_screenshots(visit: Visit, tmp_path: Path) -> None:
    looks = (
        ("", {"viewport": {"width": 1180, "height": 860}, "color_scheme": "light"}),
        ("-phone", {"viewport": USUAL_PHONE, "color_scheme": "dark", "device_scale_factor": 2}),
    )
    for suffix, look in looks:
        ann, bob = visit(**look), visit()
        ann.go("/?game=pool&target=12")
        picture(ann, f"home{suffix}", tmp_path, whole=not suffix)
        ann.start("ends", target="13", digits="1-9")
        bob.join(ann.invitation())
        for mover, move, number in (
            (ann, "5R", "5"),
            (bob, "4L", "45"),
            (ann, "1R", "451"),
            (bob, "7L", "7451"),
        ):
            mover.play(move)
            ann.sees_number(number)
        picture(ann, f"game{suffix}", tmp_path)
        if not suffix:  # tall enough for the remainders
            ann.page.set_viewport_size({"width": 1180, "height": 1340})
        ann.go("/analysis?game=pool&target=12&moves=5+2+1+7&ply=3&why=4")
        picture(ann, f"analysis{suffix}", tmp_path)


@pytest.mark.parametrize(
    ("game", "settings", "moves"),
    [
        ("ends", {"target": "97", "digits": "1-9"}, "1R 2L 3L 4R 5R 6L 7R 8R 9R 1L 2L 3R 4R"),
        ("closest", {"target": "89"}, "1 2 3 4 5 6 7 8"),
    ],
)
def test_the_pad_stays_where_it_is_while_the_number_grows(
    game: str, settings: dict[str, str], moves: str, visit: Visit
) -> None:
    both = visit(viewport=PHONE)
    both.start(game, opponent="device", **settings)
    tops = []
    for count, move in enumerate(moves.split(), start=1):
        both.play(move)
        expect(both.page.locator(".history li")).to_have_count(count)
        tops.append(both.key(9).first.evaluate("(e) => e.getBoundingClientRect().top + scrollY"))
    assert max(tops) - min(tops) < 1, tops
    assert not both.is_too_wide()
