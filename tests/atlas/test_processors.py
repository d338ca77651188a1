"""Figures are the same to the byte on every processor: other kernels, other vector units."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from digitduel import find_ruleset
from digitduel.atlas import COLUMNS
from digitduel.atlas.sweep import measured
from scripts.processors import settings, unfit

# Games that end and games that may not, short ones and such as take some ten thousand moves.
SAMPLE = (
    ("pool", {"target": 36}),
    ("pool", {"target": 44, "digits": "1-6", "uses": 2}),
    ("closest", {"target": 71}),
    ("conquest", {"target": 51}),
    ("forbidden", {"target": 13}),
    ("forbidden", {"target": 97}),
    ("ends", {"target": 23, "digits": "1-9"}),
    ("ends", {"target": 109, "digits": "1-9"}),
    ("ends", {"target": 163, "digits": "1-9"}),
    ("ends", {"target": 90, "uses": 1, "leading_zero": False}),
)


def rows() -> str:
    """The sample as files hold it."""
    figures = [measured(find_ruleset(key).replace(**changes), COLUMNS) for key, changes in SAMPLE]
    return json.dumps(figures)


@cache
def rows_here() -> str:
    return rows()


@pytest.mark.slow
@pytest.mark.parametrize("name", settings())
def test_figures_are_the_same_on_every_processor(name: str) -> None:
    variables = settings()[name]
    if reason := unfit(variables):
        pytest.skip(f"{name}: {reason}")
    code = "from tests.atlas.test_processors import rows; print(rows())"
    elsewhere = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | variables,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert elsewhere.stdout.strip() == rows_here()
