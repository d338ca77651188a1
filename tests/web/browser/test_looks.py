"""Every page on a phone and a desk, in dark and light: nothing sticks out, axe finds nothing."""

from __future__ import annotations

import os
import re
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


def open_everything(visitor: Visitor, *, then: bool = True) -> None:
    visitor.page.eval_on_selector_all(
        "details", "(all, open) => all.forEach((e) => (e.open = open))", then
    )


def check(visitor: Visitor, name: str) -> None:
    """No sideways scrolling, nothing that axe finds, nothing too small for a finger."""
    assert not visitor.is_too_wide(), f"{name} is wider than the screen"
    found = Axe().run(visitor.page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == [], name
    small = visitor.page.evaluate(
        """(least) => [...document.querySelectorAll('button, summary, select, .button, .keys *,' +
             'input:not([type=hidden], [type=radio], [type=checkbox]), .choice, .values a,' +
             '.swing a, .decisive a, nav a')]
           .filter((e) => e.checkVisibility() && !e.closest('.hidden') && e.tagName !== 'SMALL')
           .filter((e) => getComputedStyle(e).clipPath === 'none')
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_of_a_game(scheme: str, visit: Visit) -> None:
    options = {"color_scheme": scheme, "expects_failures": True}
    ann, bob = visit(**options), visit(**options)
    path = ann.start("ends", target="13", digits="1-9")
    open_everything(ann)
    check(ann, "waiting for a friend")
    check(visit(**options).go(f"{path}?watch=yes"), "watching while a seat is free")
    bob.go(path)
    check(bob, "an invitation")
    bob.join(path)
    expect(ann.page.locator("#invite-heading")).to_have_text("Your friend is here")
    check(ann, "a friend who is here")
    ann.play("5R")
    bob.play("4L")
    ann.sees_number("45")
    check(ann, "a game")
    bob.page.locator("#call-off summary").click()
    bob.button("Yes, propose it").click()
    expect(ann.page.locator(".proposal")).to_contain_text("proposes to call the game off")
    check(ann, "a proposal to call it off")
    ann.button("No, thanks").click()
    expect(bob.page.locator("#talk")).to_have_text("Player 1 would rather play on.")
    bob.button("Ask to take back").click()
    expect(ann.page.locator(".proposal")).to_have_text(re.compile("asks to take a move back"))
    check(ann, "a move to be taken back")
    check(bob, "waiting for an answer")
    ann.play("8L")
    ann.sees_turn("You won")
    check(ann, "a game that is over")
    ann.button("Rematch").click()
    expect(bob.page.locator(".proposal")).to_contain_text("Player 1 offers a rematch.")
    check(bob, "a rematch offered")
    check(visit(**options).go(path), "watching")
    bob.button("Rematch: you start").click()
    ann.sees_turn("Player 2's turn")
    expect(ann.page.locator(".rounds li")).to_have_text("Round 1: you won")
    check(ann, "the next round")


# Each with a setting of its own: whoever has just left the other may still be taken for here.
@pytest.mark.parametrize(("scheme", "setting"), [("light", "closest:easy"), ("dark", "pool:easy")])
def test_every_page_around_a_game(scheme: str, setting: str, visit: Visit) -> None:
    options = {"color_scheme": scheme, "expects_failures": True}
    ann, bob = visit(**options), visit(**options)
    ann.start(setting, opponent="anyone")
    expect(ann.page.locator("main.game")).to_have_attribute("data-connection", "up")
    check(ann, "waiting for anybody")
    expect(bob.go("/").page.locator("#waiting button").first).to_be_visible()
    check(bob, "somebody is waiting")
    path = bob.start("pool", target="12", clock="5%2B3")
    eve = visit(**options)
    eve.join(path)
    check(eve, "a game with a clock")
    check(visit(**options).go(path), "a seat that may be taken over")
    bob.page.locator("#handover summary").click()
    bob.button("Make the link").click()
    link = bob.page.locator("#seat-link").input_value()
    check(bob, "a link to one's seat")
    check(visit(**options).go(link.removeprefix(bob.server)), "a seat that goes on here")
    check(bob.go("/"), "running games")


def test_a_match_to_its_end(visit: Visit) -> None:
    """Rounds count, stay reachable, and the last says who wins the match."""
    ann, bob = visit(viewport=DESK), visit(expects_failures=True)
    new = {"game": "pool", "rules": {"target": 12}, "best_of": 3}
    seated = ann.page.request.post("/api/games", data=new).json()
    cookie = {"name": "digitduel", "value": seated["token"], "url": ann.server}
    ann.context.add_cookies([cookie])  # type: ignore[list-item]
    ann.go(f"/games/{seated['id']}")
    bob.join(ann.path)
    for number, (loser, winner) in enumerate(((ann, bob), (bob, ann), (bob, ann)), start=1):
        expect(loser.page.locator(".round")).to_have_text(f"Best of 3, round {number}")
        loser.page.locator("#resign summary").click()
        loser.button("Yes, resign").click()
        winner.sees_turn("You won")
        if number < 3:
            loser.button("Next round").click()
            expect(winner.page.locator("#talk")).to_contain_text("is ready for the next round.")
            winner.button("Next round").click()
            expect(loser.page.locator(".rounds li")).to_have_count(number)
    ann.sees("You win the match, 2 to 1.")
    bob.sees("You lose the match, 2 to 1.")
    assert ann.page.locator(".rounds li").all_inner_texts() == [
        "Round 2: you won",
        "Round 1: Player 2 won",
    ]
    check(ann, "a match that is over")
    check(bob, "a match that is lost")
    ann.page.locator(".rounds a").first.click()
    expect(ann.page.locator("h1")).to_have_text("Analysis")


# Every size that the first screen has to do with, the scale of the letters, and a game for it.
SCREENS = {
    "390x844": (390, 844, 1, "ends"),
    "390x664": (390, 664, 1, "forbidden"),
    "320x640": (320, 640, 1, "ends"),
    "320x640 with long sentences": (320, 640, 1, "forbidden"),
    "844x390": (844, 390, 1, "ends"),
    "1280x800 at 200%": (640, 400, 1, "ends"),
    "390x844 with letters of 200%": (390, 844, 2, "ends"),
}
LARGE_LETTERS = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("html { font-size: 200% }");
document.adoptedStyleSheets = [sheet];
"""
# What the browser itself counts as a jump: anything that moves without having been asked to.
WATCH_FOR_JUMPS = """
window.jumps = []; // which stays empty in Firefox: there the boxes alone have to tell
const jumped = (found) => {
  const [page] = performance.getEntriesByType("navigation"); // a page that loads is not played yet
  for (const each of found.getEntries()) {
    const inPlay = page.loadEventStart && each.startTime > page.loadEventStart;
    if (inPlay && !each.hadRecentInput) window.jumps.push(each.value);
  }
};
if (PerformanceObserver.supportedEntryTypes.includes("layout-shift")) {
  new PerformanceObserver(jumped).observe({ type: "layout-shift", buffered: true });
}
"""
# The number, whose turn it is and the pad: what of them cannot be seen, and where the keys are.
FIRST_SCREEN = """() => {
  const box = (e) => e.getBoundingClientRect();
  const room = box(document.querySelector("#status"));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const outside = all(".number, .headline, .sides span, .key").filter((e) => {
    const { top, bottom, left, right } = box(e);
    const lowest = e.matches(".headline") ? Math.min(innerHeight, room.bottom + 1) : innerHeight;
    return top < 0 || left < 0 || bottom > lowest || right > innerWidth;
  });
  return [scrollY, outside.map((e) => e.outerHTML), JSON.stringify(all(".key").map(box))];
}"""


def first_screen(visitor: Visitor) -> tuple[int, list[str], str]:
    """How far it is scrolled, what is not on it, and where the pad is."""
    browser = visitor.context.browser
    if browser and browser.browser_type.name == "firefox":  # there Playwright scrolls to click
        visitor.page.evaluate("scrollTo(0, 0)")
    scrolled, outside, pad = visitor.page.evaluate(FIRST_SCREEN)
    return scrolled, outside, pad


@pytest.mark.parametrize(
    ("engine", "screen"),
    [*(("chromium", screen) for screen in SCREENS), ("firefox", "390x664"), ("firefox", "844x390")],
    indirect=["engine"],
)
def test_the_pad_is_on_the_first_screen_and_stays_there(screen: str, visit: Visit) -> None:
    """For both players, from the invitation to the next round."""
    width, height, scale, game = SCREENS[screen]
    options = {"viewport": {"width": width, "height": height}, "expects_failures": True}
    ann, bob = visit(**options), visit(**options)
    for each in (ann, bob):
        each.context.add_init_script(WATCH_FOR_JUMPS)
        if scale > 1:
            each.context.add_init_script(LARGE_LETTERS)
    pads: dict[Visitor, str] = {}

    def look(stage: str, *visitors: Visitor) -> None:
        for each in visitors or (ann, bob):
            scrolled, outside, pad = first_screen(each)
            assert (scrolled, outside) == (0, []), f"{stage}: not on the first screen"
            assert pads.setdefault(each, pad) == pad, f"{stage}: the pad has moved"
            assert not each.is_too_wide(), stage

    ann.start(game, target="97", leading_zero="false")
    look("waiting", ann)
    bob.join(ann.invitation())
    expect(ann.page.locator("#invite-heading")).to_have_text("Your friend is here")
    look("the friend is here")
    end, players = ("R" if game == "ends" else ""), (ann, bob)
    for count, digit in enumerate("17939"):
        players[count % 2].play(digit + end)
        for each in players:
            each.sees_number("17939"[: count + 1])
        look(f"after move {count + 1}")
    if game == "ends":
        bob.play("0L")
        expect(bob.page.locator("#message")).to_contain_text("begin with 0")
        look("a refusal", bob)
    for what in ("call-off", "resign"):
        bob.page.locator(f"#{what} summary").click()
        look("asked once more", bob)
        bob.page.locator(f"#{what} summary").click()
    ann.button("Ask to take back").click()
    expect(bob.page.locator(".proposal")).to_be_visible()
    look("a proposal")
    bob.button("No, thanks").click()
    expect(ann.page.locator("#talk")).to_contain_text("would rather play on")
    look("a refused proposal")
    bob.page.locator("#resign summary").click()
    bob.button("Yes, resign").click()
    ann.sees_turn("You won")
    bob.sees_turn("You lost")
    look("the end")
    bob.button("Rematch").click()
    expect(ann.page.locator(".proposal")).to_be_visible()
    look("a rematch offered")
    ann.button("Rematch").click()
    bob.sees_turn("Your turn")
    look("the next round")
    for each in (ann, bob):
        # A list that grows is none; the pad of a whole screen would be a fifth.
        assert sum(each.page.evaluate("window.jumps")) < 0.1


BROKEN_WORDS = """() => {
  const broken = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, parent = text.parentElement;
    if (!parent.checkVisibility()) continue;
    if (parent.closest(".number, .division, .sum, .hidden, script")) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\d']+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
      if (tops.size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""


def test_letters_of_twice_the_size_break_no_word(visit: Visit) -> None:
    ann, bob = visit(), visit()
    for each in (ann, bob):
        each.context.add_init_script(LARGE_LETTERS)

    def look(stage: str, *visitors: Visitor) -> None:
        for each in visitors:
            open_everything(each)
            assert each.page.evaluate(BROKEN_WORDS) == [], stage
            assert not each.is_too_wide(), stage
            open_everything(each, then=False)

    for path in ("/?game=closest&target=12&opponent=computer", "/rules/closest"):
        look(path, ann.go(path))
    ann.start("forbidden", target="97", uses="3")
    look("waiting", ann)
    bob.join(ann.invitation())
    ann.play("1")
    bob.sees_number("1")
    look("playing", ann, bob)
    ann.button("Ask to take back").click()
    expect(bob.page.locator(".proposal")).to_be_visible()
    look("a proposal", ann, bob)
    bob.play("2")
    ann.sees_turn("You won")
    look("the end", ann, bob)


def test_the_chosen_side_shows_in_forced_colours_and_outlives_a_reload(visit: Visit) -> None:
    both = visit(forced_colors="active")
    both.start("ends", target="97", digits="1-9", opponent="device")
    both.play("5L")
    both.sees_number("5")
    chosen = both.page.get_by_role("radio", name="Left")
    expect(chosen).to_be_checked()
    both.page.reload()
    expect(chosen).to_be_checked()
    colours = both.page.eval_on_selector_all(
        ".sides span", "(all) => all.map((e) => getComputedStyle(e).backgroundColor)"
    )
    assert colours[0] != colours[1]
    to_move, other = both.page.eval_on_selector_all(
        ".chairs li", "(all) => all.map((e) => getComputedStyle(e).outlineStyle)"
    )[::-1]
    assert (to_move, other) == ("solid", "none")


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
