"""A seat taken by the game's own address, moved to another device, and found again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.web.browser.browsing import each_engine

if TYPE_CHECKING:
    from tests.web.browser.conftest import Visit


@each_engine
def test_the_pages_own_address_invites_and_then_watches(visit: Visit) -> None:
    ann, bob, eve = visit(), visit(), visit()
    path = ann.start("pool", target="97")
    bob.go(path)
    expect(bob.page.locator("h1")).to_have_text("A friend invites you")
    bob.button("Join the game").click()
    bob.page.wait_for_url(re.compile(r"/games/[^/]+$"))
    ann.play("1")
    bob.sees_turn("Your turn")
    eve.go(path)
    expect(eve.page.locator("main")).to_contain_text("watching")
    expect(eve.key(5)).to_be_disabled()


# What a phone's own sheet for sharing would be given.
SHARING = "navigator.share = async (given) => { window.given = given; };"


def test_the_share_button_gives_the_pages_own_address(visit: Visit) -> None:
    ann = visit(permissions=["clipboard-read", "clipboard-write"])
    ann.context.add_init_script(SHARING)
    path = ann.start("pool", target="97")
    ann.page.locator("[data-share=invite-link]").click()
    while not (given := ann.page.evaluate("window.given?.url")):
        ann.page.wait_for_timeout(20)
    assert given == ann.server + path
    ann.page.evaluate("navigator.share = undefined")
    ann.page.locator("[data-share=invite-link]").click()
    expect(ann.page.locator("[data-share=invite-link]")).to_have_text("Copied")
    assert ann.page.evaluate("navigator.clipboard.readText()") == ann.server + path


def test_the_address_as_a_code_for_a_camera(visit: Visit) -> None:
    ann = visit()
    path = ann.start("pool", target="97")
    ann.page.locator("#qr summary").click()
    picture = ann.page.locator("#qr img")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("(image) => image.naturalWidth") > 100
    assert ann.context.request.get(f"{path}/qr.svg").headers["content-type"] == "image/svg+xml"


@each_engine
def test_going_on_on_another_device_and_what_the_first_one_sees(visit: Visit) -> None:
    desk, phone, bob = visit(), visit(), visit(expects_failures=True)
    path = desk.start("pool", target="97")
    bob.join(desk.invitation())
    desk.play("1")
    desk.page.locator("#handover summary").click()
    desk.button("Make the link").click()
    link = desk.page.locator("#seat-link").input_value()
    expect(desk.page.get_by_role("img", name="QR code")).to_be_visible()
    desk.page.get_by_role("link", name="Back to the game").click()
    phone.go(link.removeprefix(phone.server))
    phone.button("Yes, play on here").click()
    phone.sees_number("1")
    expect(desk.page.locator("main")).to_contain_text("watching")
    bob.play("2")
    phone.sees_turn("Your turn")
    phone.play("3")
    for each in (desk, bob):
        each.sees_number("123")
    assert phone.path == path
    bob.go(link.removeprefix(bob.server))  # with a seat of his own he comes to the game
    assert bob.path == path
    eve = visit(expects_failures=True).go(link.removeprefix(bob.server))
    eve.button("Yes, play on here").click()
    expect(eve.page.locator("main")).to_contain_text("has been used")


@each_engine
def test_joined_in_a_messengers_browser_and_then_in_the_real_one(visit: Visit) -> None:
    ann, messenger, bob = visit(), visit(), visit()
    path = ann.start("pool", target="97")
    messenger.join(path)
    ann.play("1")
    bob.go(path)
    expect(bob.page.locator("main")).to_contain_text("watching")
    bob.button("It was me, in another browser").click()
    bob.sees_turn("Your turn")
    bob.play("2")
    ann.sees_number("12")
    expect(messenger.page.locator("main")).to_contain_text("watching")


def test_the_start_page_lists_this_browsers_running_games(visit: Visit) -> None:
    ann = visit()
    first = ann.start("pool", target="97", opponent="device")
    second = ann.start("closest", target="97", opponent="device")
    ann.go("/")
    games = ann.page.locator("#running a")
    expect(games).to_have_count(2)
    assert {games.nth(n).get_attribute("href") for n in range(2)} == {first, second}
    assert visit().go("/").page.locator("#running a").count() == 0
