"""Some of each campaign; `make faults` runs them for long."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.faults.campaign import SKIPPED, campaigns

SECONDS = 12  # and its start and its end
# The first goes through them one after the other, the second takes a while to gather; the third
# is `web_kills` with more players.
OTHERS = {"save_syscalls": 45, "hostile_visitors": 25, "group_kills": 4}
SEED = 1
PATIENCE = 900


@pytest.mark.slow
@pytest.mark.parametrize("name", campaigns())
def test_some_seconds_without_a_fault(name: str) -> None:
    """In a process of its own, with everything it starts."""
    seconds = OTHERS.get(name, SECONDS)
    command = [sys.executable, "-m", "tests.faults", name, "--seconds", str(seconds)]
    ran = subprocess.run(
        [*command, "--seed", str(SEED)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr[-5_000:]
    if ran.stdout.startswith(SKIPPED):
        assert not os.environ.get("CI"), ran.stdout
        pytest.skip(ran.stdout.strip())
