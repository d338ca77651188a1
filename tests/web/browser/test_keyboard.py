"""Everything by keyboard alone, and the news where a screen reader finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.web.browser.browsing import each_engine

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Locator, Route

    from tests.web.browser.browsing import Visitor
    from tests.web.browser.conftest import Visit


def tab_to(visitor: Visitor, name: str, key: str = "Tab") -> None:
    """Press Tab until the control of this name has focus; the ring must be there to see.

    Not all the way around: that leads through Firefox's own bar, and the page lacks focus then.
    """
    for _ in range(80):
        visitor.page.keyboard.press(key)
        focused = visitor.page.evaluate(
            """() => {
              const e = document.activeElement;
              const seen = e.type === 'radio' && e.closest('.sides') ? e.nextElementSibling : e;
              const ring = getComputedStyle(seen).outlineStyle !== 'none';
              const words = e.labels?.[0]?.textContent ?? e.ariaLabel ?? e.textContent;
              return [words.trim().replace(/\\s+/g, ' '), ring];
            }"""
        )
        if focused[0].startswith(name):
            assert focused[1], f"{name} has focus, but nothing shows it"
            return
    raise AssertionError(f"no Tab leads to {name}")


@each_engine
def test_a_key_that_does_nothing_says_why(visit: Visit) -> None:
    both = visit()
    both.start("pool", target="97", opponent="device")
    both.page.keyboard.press("5")
    both.sees_number("5")
    both.page.keyboard.press("5")
    expect(both.page.locator("#message")).to_have_text("5 is used up.")
    both.page.keyboard.press("6")
    both.sees_number("56")
    expect(both.page.locator("#message")).to_have_text("")


def test_why_a_key_does_nothing_stays_when_the_answer_to_the_last_one_comes_late(
    visit: Visit,
) -> None:
    both = visit()
    both.start("pool", target="97", opponent="device")
    late: list[tuple[Route, APIResponse]] = []
    both.page.route("**/move", lambda route: late.append((route, route.fetch())))
    both.page.keyboard.press("5")
    both.sees_number("5")  # by the stream, which is quicker
    both.page.keyboard.press("5")
    expect(both.page.locator("#message")).to_have_text("5 is used up.")
    with both.page.expect_response("**/move") as answer:
        late[0][0].fulfill(response=late[0][1])
    answer.value.finished()
    both.page.wait_for_timeout(300)  # for what the page would do with it
    expect(both.page.locator("#message")).to_have_text("5 is used up.")


def test_another_game_is_for_the_same_players(visit: Visit) -> None:
    ann = visit().go("/")
    ann.page.get_by_label("Two people here").check()
    ann.page.get_by_role("link", name="Divisor Duel (two-ended)").click()
    expect(ann.page.locator("#chosen")).to_have_text("Divisor Duel (two-ended)")
    expect(ann.page.get_by_label("Two people here")).to_be_checked()


def test_settings_that_are_refused_are_seen(visit: Visit) -> None:
    ann = visit(expects_failures=True)
    ann.context.route("**/note?*", lambda route: route.abort())  # pressed before the note is there
    ann.go("/?game=pool&target=13")
    for target, words in (("1x", "make no game"), ("7", "Over before it begins")):
        ann.page.get_by_label("Target").fill(target)
        ann.page.get_by_role("button", name="Start the game").click(no_wait_after=True)
        expect(ann.page.locator("#note")).to_contain_text(words)
        expect(ann.page.locator("#note")).to_be_focused()
        expect(ann.page.locator("#note p").first).to_be_in_viewport()


@each_engine
def test_a_game_from_start_to_rematch(visit: Visit) -> None:
    both = visit(expects_failures=True).go("/")
    press = both.page.keyboard.press
    tab_to(both, "Divisor Duel (two-ended)")
    press("Enter")
    both.page.wait_for_url("**/?game=ends*#setup")
    tab_to(both, "Target 7")  # the rulebook's setting
    press("Enter")
    both.page.wait_for_url("**instead=*#setup")
    tab_to(both, "Target:")
    press("Control+a")
    both.page.keyboard.type("13")
    expect(both.page.locator("#note")).to_contain_text("whoever starts plays 0 and wins.")
    tab_to(both, "A friend")
    press("ArrowDown")
    press("ArrowDown")
    tab_to(both, "Start the game")
    press("Enter")
    both.page.wait_for_url("**/games/*")  # with its script, that is
    both.sees_turn("Player 1's turn")
    press("5")
    both.sees_number("5")
    press("ArrowLeft")
    press("4")
    both.sees_number("45")
    press("r")
    press("8")
    both.sees_number("458")
    press("L")
    press("6")
    both.sees_number("6458")
    # Without the shortcuts: by Tab, arrows and space.
    tab_to(both, "\N{LEFTWARDS ARROW} Left")
    press("Enter")  # plays nothing
    expect(both.page.locator("#message")).to_contain_text("No digit was chosen")
    both.sees_number("6458")
    press("ArrowRight")
    tab_to(both, "1")
    press("Space")
    both.sees_number("64581")
    tab_to(both, "Resign", "Shift+Tab")
    press("Enter")
    tab_to(both, "Yes, resign")
    press("Enter")
    both.sees_turn("Player 1 wins")
    expect(both.page.locator("#status")).to_be_focused()
    tab_to(both, "Rematch")
    press("Enter")
    both.sees_turn("Player 2's turn")


def test_typing_into_a_field_plays_nothing(visit: Visit) -> None:
    both = visit()
    both.start("pool", target="12", opponent="device")
    both.page.locator("#watch-link").focus()
    both.page.keyboard.press("5")
    both.page.keyboard.press("Control+5")
    both.page.wait_for_timeout(200)
    expect(both.page.locator(".history li")).to_have_count(0)


def test_keys_play_only_where_the_pad_or_nothing_has_focus(visit: Visit) -> None:
    both = visit()
    both.start("pool", target="97", opponent="device")
    both.play("1")  # now the key has focus, or the news
    for elsewhere in (".terms a", "#resign summary", "#undo-form button", "#watch-link"):
        both.page.locator(elsewhere).focus()
        both.page.keyboard.press("5")
    both.page.locator("#key-7").focus()
    both.page.keyboard.press("2")
    both.sees_number("12")


@each_engine
def test_keys_can_be_switched_off(visit: Visit) -> None:
    both = visit()
    both.start("ends", target="97", opponent="device")
    both.page.get_by_text("Sound, keys and alerts").click()
    both.page.get_by_label("Digits on the keyboard play").uncheck()
    for _ in range(2):
        both.page.locator("#key-7").focus()
        for key in ("5", "l"):
            both.page.keyboard.press(key)
        expect(both.page.get_by_role("radio", name="Right")).to_be_checked()
        both.page.keyboard.press("Enter")  # the button itself can still be pressed
        expect(both.page.locator(".history li").first).to_contain_text("7R")
        both.page.reload()
    both.page.get_by_text("Sound, keys and alerts").click()
    both.page.get_by_label("Digits on the keyboard play").check()
    both.page.locator("#key-7").focus()
    both.page.keyboard.press("5")
    both.sees_number("775")


def test_a_key_after_the_end_or_of_who_watches_says_nothing(visit: Visit) -> None:
    ann, bob = visit(), visit()
    path = ann.start("pool", target="12")
    bob.join(path)
    ann.play("5")
    eve = visit().go(path)
    expect(eve.page.locator("#talk")).to_have_text("You are watching.")
    expect(eve.page).to_have_title("Player 2's turn - Divisor Duel")
    eve.page.keyboard.press("5")
    eve.page.keyboard.press("6")
    bob.page.locator("#resign summary").click()
    bob.button("Yes, resign").click()
    for each in (ann, bob, eve):
        each.sees("Player 2 resigns")
        each.page.locator("body").press("5")
        each.page.keyboard.press("7")
        expect(each.page.locator("#message")).to_be_empty()


@each_engine
def test_focus_never_falls_to_the_body(visit: Visit) -> None:
    """Whatever had it may be gone or used up: then the news has it."""
    ann, bob = visit(), visit()

    def kept(*visitors: Visitor) -> None:
        for each in visitors:
            each.page.wait_for_timeout(100)  # for what browsers do about a button gone grey
            assert each.page.evaluate("document.activeElement.closest('main') !== null")

    def enter(visitor: Visitor, button: Locator) -> None:
        visitor.page.bring_to_front()  # in Firefox only the window in front has its buttons pressed
        button.press("Enter")

    ann.start("pool", target="97")
    ann.page.locator("[data-copy=invite-link]").focus()
    bob.join(ann.path)
    expect(ann.page.locator("#invite-heading")).to_have_text("Your friend is here")
    kept(ann)
    enter(ann, ann.key(5))  # used up by that
    bob.sees_number("5")
    ann.sees_turn("Player 2's turn")
    kept(ann)
    enter(ann, ann.button("Ask to take back"))
    expect(bob.page.locator(".proposal")).to_be_visible()
    expect(ann.page.locator(".asked")).to_be_visible()
    kept(ann)
    enter(bob, bob.button("No, thanks"))
    expect(bob.page.locator(".proposal")).to_have_count(0)
    expect(ann.page.locator("#talk")).to_have_text("Player 2 would rather play on.")
    kept(ann, bob)
    enter(bob, bob.page.locator("#resign summary"))
    enter(bob, bob.button("Yes, resign"))
    bob.sees_turn("You lost")
    kept(ann, bob)
    enter(bob, bob.button("Rematch"))
    expect(ann.page.locator(".proposal")).to_be_visible()
    kept(bob)
    enter(ann, ann.button("Rematch"))
    bob.sees_turn("Your turn")
    ann.sees_turn("Player 2's turn")
    kept(ann, bob)


@each_engine
def test_focus_and_open_parts_stay_when_the_game_moves_on(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.start("conquest", target="97")
    bob.join(ann.invitation())
    bob.sees_turn("Player 1's turn")
    bob.page.locator("#resign summary").click()
    bob.key(7).focus()
    ann.play("5")
    bob.sees_number("5")
    expect(bob.key(7)).to_be_focused()
    expect(bob.button("Yes, resign")).to_be_visible()


def test_the_news_is_said_and_the_regions_stay(visit: Visit) -> None:
    both = visit()
    both.start("pool", target="12", opponent="device")
    for region in ("#status[role=status]", "#message[role=alert]", "#connection[role=status]"):
        expect(both.page.locator(region)).to_have_count(1)
    # A live region is only heard if it is the same element before and after.
    both.page.evaluate("document.querySelector('#status').mark = 1")
    both.play("5")
    both.sees("Player 1 added 5.")
    assert both.page.evaluate("document.querySelector('#status').mark") == 1
    expect(both.page).to_have_title("Player 2's turn - Divisor Duel")


@each_engine
def test_what_the_other_does_is_said_where_it_is_listened_for(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.start("pool", target="97")
    # What changes in elements that listened before: those that come later are not heard.
    ann.page.evaluate(
        """() => {
          window.heard = [];
          for (const region of document.querySelectorAll("[role=status], [role=alert]")) {
            new MutationObserver(() => window.heard.push(region.innerText.replace(/\\s+/g, " ")))
              .observe(region, { childList: true, subtree: true, characterData: true });
          }
        }"""
    )

    def hears(words: str) -> None:
        ann.page.wait_for_function("(words) => heard.some((e) => e.includes(words))", arg=words)

    bob.join(ann.path)
    hears("Your friend is here")
    ann.play("5")
    bob.play("6")
    hears("Player 2 added 6.")
    bob.button("Ask to take back").click()
    hears("Player 2 asks to take a move back.")
    ann.button("No, thanks").click()
    ann.button("Ask to take back").click()
    bob.button("No, thanks").click()
    hears("Player 2 would rather play on.")
    bob.page.locator("#resign summary").click()
    bob.button("Yes, resign").click()
    hears("You won")
    bob.button("Rematch").click()
    hears("Player 2 offers a rematch.")


def test_arrows_step_through_an_analysis(visit: Visit) -> None:
    ann = visit().go("/analysis?game=pool&target=12&moves=5+2+1&ply=1")
    steps = ann.page.locator(".steps")
    ann.page.keyboard.press("ArrowRight")
    expect(steps).to_contain_text("after 2 of 3")
    ann.page.keyboard.press("ArrowLeft")
    expect(steps).to_contain_text("after 1 of 3")
