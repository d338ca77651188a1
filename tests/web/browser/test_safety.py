"""What is given in addresses, forms and files is shown as text, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.web.browser.conftest import Visit

EVIL = "<img src=x onerror=window.evil=1>\"'><script>window.evil=1</script>"


def test_addresses_cannot_inject(visit: Visit) -> None:
    eve = visit(expects_failures=True)
    evil = quote(EVIL)
    for path in (
        f"/?game={evil}",
        f"/?game=pool&target={evil}&digits={evil}&ends={evil}&opponent={evil}",
        f"/note?game=pool&target={evil}",
        f"/rules/{evil}",
        f"/rules/pool?target={evil}",
        f"/analysis?game=pool&moves={evil}&why={evil}&ply={evil}",
        f"/analysis?game={evil}",
        f"/games/{evil}",
        f"/games/aaaaaaaaaaaaaaaa/join?invite={evil}",
        f"/{evil}",
    ):
        eve.go(path)
        assert eve.page.evaluate("window.evil") is None, path
        assert eve.page.locator("img[src=x]").count() == 0, path


def test_a_record_cannot_inject(visit: Visit) -> None:
    eve = visit(expects_failures=True).go("/analysis")
    record = '[Game "pool"]\n[Player1 "{0}"]\n[Player2 "b"]\n[First "1"]\n[Result "*"]\n\n5 2\n'
    name = EVIL.replace('"', '\\"')
    eve.page.get_by_label("Paste it").fill("\n".join([record.replace("{0}", name)] * 2))
    eve.button("Read it").click()
    expect(eve.page.locator("h1")).to_have_text("2 games in this record")
    expect(eve.page.locator(".cards")).to_contain_text("<script>")
    assert eve.page.evaluate("window.evil") is None


def test_only_our_own_scripts_run(visit: Visit) -> None:
    eve = visit(expects_failures=True).go("/")
    blocked: list[str] = []
    eve.page.on("console", lambda message: blocked.append(message.text))
    eve.troubles.clear()
    eve.page.evaluate(
        """() => {
          document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>');
          document.body.append(Object.assign(document.createElement('script'),
                               {textContent: 'window.evil = 1'}));
        }"""
    )
    assert eve.page.evaluate("window.evil") is None
    assert any("Content Security Policy" in text for text in blocked)
    eve.troubles.clear()


def test_a_seat_belongs_to_its_browser(visit: Visit) -> None:
    ann, eve = visit(), visit(expects_failures=True)
    path = ann.start("pool", target="12", opponent="device")
    eve.go(path)
    expect(eve.key(5)).to_be_disabled()
    status = eve.page.evaluate(
        """(path) => fetch(path, {method: 'POST', body: new URLSearchParams(
             {digit: 5, ply: 0, round: 1, key: 'v1'})}).then((answer) => answer.status)""",
        f"{path}/move",
    )
    assert status == 401
    eve.go("/").start("pool", target="12", opponent="device")
    status = eve.page.evaluate(
        """(path) => fetch(path, {method: 'POST', body: new URLSearchParams(
             {digit: 5, ply: 0, round: 1, key: 'v1'})}).then((answer) => answer.status)""",
        f"{path}/move",
    )
    assert status == 403
    ann.page.reload()
    ann.sees("Make the number divisible by 12.")
