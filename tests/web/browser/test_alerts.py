"""Sound, vibration and a notification: off until switched on, then when it is one's turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.web.browser.conftest import Visit

# What the page would play, shake and show.
LISTEN = """
window.alerted = [];
OscillatorNode.prototype.start = () => window.alerted.push("sound");
OscillatorNode.prototype.stop = () => {};
Navigator.prototype.vibrate = () => window.alerted.push("vibration");
window.Notification = class {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(words) { window.alerted.push(words); }
};
Object.defineProperty(document, "hidden", { get: () => window.away ?? false });
"""


def test_ones_turn_is_heard_felt_and_shown_once_that_is_wanted(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.context.add_init_script(LISTEN)
    ann.start("pool", target="97")
    bob.join(ann.path)
    ann.play("1")
    bob.play("2")
    ann.sees_turn("Your turn")
    assert ann.page.evaluate("alerted") == []
    keeps = ann.page.locator("main[data-keep]")
    expect(keeps).to_have_count(0)
    ann.page.get_by_text("Sound, keys and alerts").click()
    for label in ("Sound", "Vibration", "Notification while you look elsewhere"):
        ann.page.get_by_label(label, exact=True).check()
    assert ann.page.evaluate("alerted.splice(0)") == ["sound", "vibration"]  # to know them by
    expect(keeps).to_have_count(1)
    ann.page.reload()
    expect(keeps).to_have_count(1)
    ann.play("3")
    ann.sees_turn("Player 2's turn")
    ann.page.evaluate("window.away = true")
    bob.play("4")
    ann.sees_turn("Your turn")
    assert ann.page.evaluate("alerted") == ["sound", "vibration", "Your turn"]


def test_a_refused_notification_stays_off_and_says_why(visit: Visit) -> None:
    ann = visit()
    ann.context.add_init_script(LISTEN.replace("granted", "denied"))
    ann.start("pool", target="97")
    ann.page.get_by_text("Sound, keys and alerts").click()
    box = ann.page.get_by_label("Notification while you look elsewhere")
    box.click()
    expect(ann.page.locator("#alerts-note")).to_contain_text("does not allow notifications")
    expect(box).not_to_be_checked()
