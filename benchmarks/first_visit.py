"""A first visit on a slow line: when the start page, the game and the first move are shown.

python -m benchmarks.first_visit           prints the times, and what each file weighs
                                           (needs Chromium and what the tests need)
"""

from __future__ import annotations

import shutil
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import expect, sync_playwright

from tests.web.browser.weights import Scales
from tests.web.helpers import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 390, "height": 844}
RUNS = 5
PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"


class Line(NamedTuple):
    """How long an answer takes to begin, and how much comes in a second."""

    name: str
    latency: float  # milliseconds
    bits: float  # a second, either way


LINES = (
    Line("no limit", 0, 0),
    Line("slow 3G: 400 ms, 400 kbit/s", 400, 400_000),
    Line("DevTools' slow 3G: 2,000 ms, 400 kbit/s", 2_000, 400_000),
)


class Visit(NamedTuple):
    """Milliseconds until something is shown, each counted from the press before, and bytes."""

    home: float
    game: float
    move: float
    total: float
    weight: int


def visited(browser: Browser, url: str, line: Line) -> tuple[Visit, Scales]:
    """Somebody with an empty cache who presses whatever there is as soon as it is there."""
    context = browser.new_context(base_url=url, viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    scales = Scales(page)
    speed = line.bits / 8 or -1
    limits = {"latency": line.latency, "downloadThroughput": speed, "uploadThroughput": speed}
    scales.session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    times = [time.perf_counter()]

    def shown() -> None:
        times.append(time.perf_counter())

    page.goto("/", wait_until="commit")
    while not page.evaluate(PAINTED):
        time.sleep(0.005)
    shown()
    page.get_by_text("The computer", exact=True).click()
    page.get_by_role("button", name="Start the game").click(no_wait_after=True)
    expect(page.locator(".headline")).to_have_text("Your turn")
    shown()
    page.locator("#key-5").click(no_wait_after=True)
    expect(page.locator(".number .digits")).to_contain_text("5")
    shown()
    page.wait_for_timeout(200)
    weight = scales.total
    context.close()
    parts = [1000 * (after - before) for before, after in pairwise(times)]
    return Visit(*parts, 1000 * (times[-1] - times[0]), weight), scales


def main() -> None:
    """Visit over each line, and print the middle one of some visits."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(str(Path(folder) / "games.db")) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        visited(browser, server.url, LINES[0])  # the server's own first time
        print("| line | start page ms | game ms | first move ms | in all ms | bytes |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for line in LINES:
            runs = sorted(
                (visited(browser, server.url, line)[0] for _ in range(RUNS)),
                key=lambda visit: visit.total,
            )
            middle = runs[RUNS // 2]
            print(f"| {line.name} | {' | '.join(f'{each:,.0f}' for each in middle)} |")
        weigh(visited(browser, server.url, LINES[0])[1])
        browser.close()


def weigh(scales: Scales) -> None:
    """What each file weighs, heaviest first."""
    print("\n| file | raw | on the line, with its head |")
    print("| --- | ---: | ---: |")
    for path, weight in sorted(scales.weights.items(), key=lambda each: -each[1]):
        print(f"| `{path}` | {scales.raw.get(path, 0):,} | {weight:,} |")
    print(f"| in all | {sum(scales.raw.values()):,} | {scales.total:,} |")


if __name__ == "__main__":
    main()
