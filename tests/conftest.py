"""What all tests share: markers that nobody can forget, and examples that can be repeated."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

# In CI the property tests try the same examples each time: a red run can be repeated.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("fast", max_examples=15, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")

# A run in the background may have been started deaf to Ctrl-C, and what it starts would be too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The fast tests are installed without a browser's driver.
collect_ignore = [] if find_spec("playwright") else ["web/browser"]

TESTS = Path(__file__).parent
BROWSER, CLUSTER = TESTS / "web" / "browser", TESTS / "atlas" / "test_cluster.py"


def pytest_report_header() -> list[str]:
    """Say what cannot be run here at all."""
    return [f"left out, for playwright is not installed: tests/{name}" for name in collect_ignore]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs more than Python, by where it stands and by what it asks for."""
    if BROWSER in item.path.parents:
        item.add_marker(pytest.mark.browser)
    if item.path == CLUSTER:
        item.add_marker(pytest.mark.cluster)
    if "postgres" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.postgres)
