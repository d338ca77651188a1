"""Sweeps of the atlas, killed again and again: what comes out at last is the same to the byte."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING

from tests.cli.nursery import Nursery

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.campaign import Campaign

QUICK = ("--columns", "value,plies,winning_first_moves")
SWEEPS = (
    ("pool", "--targets", "2..60", *QUICK, "--out", "a.json"),
    ("pool", "--targets", "10..14", "--out", "a.csv", "--plot", "a.svg"),
    ("closest", "--targets", "20..60", "--out", "a.parquet"),
    ("forbidden", "--targets", "7..40", "--out", "a.csv"),
    ("conquest", "--targets", "10..14", "--vary", "limit=4..7", "--out", "a.json"),
    ("forbidden", "--targets", "7..23", "--plot", "a.png"),
    ("conquest", "--targets", "7..40", *QUICK),
    ("conquest", "--limit", "4", "--all-targets", "--out", "a.csv"),
)
MODULES = (
    *("digitduel.cli.commands.atlas", "digitduel.cli.progress", "digitduel.atlas.alltargets"),
    *("digitduel.atlas.campaign", "digitduel.atlas.measures"),
    *("matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg"),
    *("pyarrow.parquet",),
)
LIVES = 10
LANES = 2


def run(campaign: Campaign, folder: Path) -> None:
    """Work out sweeps, two at a time."""
    seeds = [campaign.random.random() for _ in range(LANES)]
    with ThreadPoolExecutor(LANES) as lanes:
        for lane in [lanes.submit(_lane, campaign, folder / str(seed), seed) for seed in seeds]:
            lane.result()


def _lane(campaign: Campaign, folder: Path, seed: float) -> None:
    random, talk, whole = Random(seed), folder / "talk", folder / "whole"
    talk.mkdir(parents=True)
    with Nursery(talk, *MODULES) as nursery:
        while campaign.goes_on():
            whole.mkdir()
            args = ["atlas", *random.choice(SWEEPS)]
            if "--all-targets" not in args:
                args += ["--jobs", random.choice("112")]
            began = time.monotonic()
            said = nursery.run(*args, home=whole)
            assert said.code == 0, said
            took = time.monotonic() - began
            for _ in range(3):
                home = folder / "home"
                home.mkdir()
                again = _with_kills(campaign, nursery, args, home, took, random)
                assert again == said.out
                assert files(home) == files(whole), args
                shutil.rmtree(home)
                campaign.count("sweeps")
            shutil.rmtree(whole)


def _with_kills(
    campaign: Campaign, nursery: Nursery, args: list[str], home: Path, took: float, random: Random
) -> str:
    """Work a sweep out to its end, over some kills; what the last run said."""
    for life in range(LIVES + 1):
        by_step = random.random() < 0.3
        ended = nursery.run(
            *args,
            home=home,
            after=None if by_step or life == LIVES else random.uniform(0, took),
            step=random.randint(1, 60) if by_step and life < LIVES else None,
        )
        if not ended.killed:
            break
        campaign.count("kills")
    assert ended.code == 0, (args, ended)
    return ended.out


def files(home: Path) -> dict[str, bytes]:
    """All that is there, by name: no half of a sweep and no draft."""
    paths = (path for path in home.rglob("*") if path.is_file())
    return {str(path.relative_to(home)): path.read_bytes() for path in paths}
