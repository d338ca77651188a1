"""A minute of each campaign; `make faults` runs them for long."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.faults.campaign import SKIPPED, campaigns

SECONDS = 45  # with its start and its end about a minute
SEED = 1


@pytest.mark.slow
@pytest.mark.parametrize("name", campaigns())
def test_a_minute_without_a_fault(name: str) -> None:
    """In a process of its own, with everything it starts."""
    command = [sys.executable, "-m", "tests.faults", name, "--seconds", str(SECONDS)]
    ran = subprocess.run(
        [*command, "--seed", str(SEED)], capture_output=True, text=True, timeout=20 * SECONDS
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr[-5_000:]
    if ran.stdout.startswith(SKIPPED):
        assert not os.environ.get("CI"), ran.stdout
        pytest.skip(ran.stdout.strip())
