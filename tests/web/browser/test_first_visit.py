"""Somebody comes for the first time: little to load, and nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.browser.weights import Scales

if TYPE_CHECKING:
    from tests.web.browser.conftest import Visit

LIGHT = 40_000  # bytes in all, heads included


def test_a_first_visit_is_light(visit: Visit) -> None:
    ann = visit()
    scales = Scales(ann.page)
    ann.go("/")
    ann.page.wait_for_load_state("networkidle")
    home = dict(scales.weights)
    ann.page.get_by_text("The computer", exact=True).click()
    ann.button("Start the game").click()
    ann.sees_turn("Your turn")
    ann.page.wait_for_load_state("load")
    # All that a game's page loads besides itself was loaded while the game was chosen.
    loaded = {path for path, weight in scales.weights.items() if weight != home.get(path, 0)}
    assert loaded == {ann.path, "/games"}
    needed: list[str] = ann.page.evaluate(
        "performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname)"
    )
    assert {path for path in needed if path.startswith("/static/")} <= set(home)
    assert scales.total < LIGHT, scales.weights
