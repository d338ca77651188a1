"""A first visit on a slow line: when the start page, the game and the first move are shown.

python -m benchmarks.first_visit           prints the times, and what each file weighs
                                           (needs Chromium and what the tests need)
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import Error, sync_playwright

from tests.web.browser.weights import Scales
from tests.web.helpers import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 390, "height": 844}
RUNS = 5
PAINTED = "performance.getEntriesByName('first-contentful-paint').length"
LOADED = "document.readyState === 'complete'"  # before, a press would load the whole page again


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


def wait_until(page: Page, condition: str) -> None:
    """Look every few milliseconds; Playwright's own waiting looks less and less often."""
    while True:
        with contextlib.suppress(Error):  # between two pages there is nothing to look at
            if page.evaluate(f"Boolean({condition})"):
                return
        time.sleep(0.005)


def visited(browser: Browser, url: str, line: Line) -> tuple[Visit, Scales]:
    """Somebody with an empty cache who presses whatever there is as soon as it is there."""
    context = browser.new_context(base_url=url, viewport=PHONE)  # type: ignore[arg-type]
    # The limits hold for the page, not for a worker: its stream would come unhindered.
    context.add_init_script("delete window.SharedWorker")
    page = context.new_page()
    scales = Scales(page)
    speed = line.bits / 8 or -1
    limits = {"latency": line.latency, "downloadThroughput": speed, "uploadThroughput": speed}
    scales.session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    times = [time.perf_counter()]

    def press_when(pressed: str, *conditions: str) -> None:
        """Press something as soon as all that is there, and note when that was."""
        wait_until(page, " && ".join(conditions))
        times.append(time.perf_counter())
        if pressed:
            page.locator(pressed).click(no_wait_after=True)

    page.goto("/", wait_until="commit")
    press_when("[value=computer]", PAINTED)
    page.locator(".start button").click(no_wait_after=True)
    press_when("#key-5", PAINTED, LOADED, "document.querySelector('#key-5')")
    press_when("", "document.querySelector('.number .digits')?.textContent.includes('5')")
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
        print(
            "| line | start page ms | game ms | first move ms | in all ms | of all runs | bytes |"
        )
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for line in LINES:
            print(row(line, [visited(browser, server.url, line)[0] for _ in range(RUNS)]))
        weigh(visited(browser, server.url, LINES[0])[1])
        browser.close()


def row(line: Line, visits: list[Visit]) -> str:
    """The middle one of some visits, and how far they were apart."""
    visits.sort(key=lambda visit: visit.total)
    *times, weight = visits[len(visits) // 2]
    apart = f"{visits[0].total:,.0f} to {visits[-1].total:,.0f}"
    return (
        f"| {line.name} | {' | '.join(f'{each:,.0f}' for each in times)} | {apart} | {weight:,} |"
    )


def weigh(scales: Scales) -> None:
    """What each file weighs, heaviest first."""
    print("\n| file | raw | on the line, with its head |")
    print("| --- | ---: | ---: |")
    for path, weight in sorted(scales.weights.items(), key=lambda each: -each[1]):
        print(f"| `{path}` | {scales.raw.get(path, 0):,} | {weight:,} |")
    print(f"| in all | {sum(scales.raw.values()):,} | {scales.total:,} |")


if __name__ == "__main__":
    main()
