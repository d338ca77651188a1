"""A match with a record, killed at every system call of its saves, one after another."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from tests.cli.nursery import Nursery
from tests.faults.terminal_kills import check_end, is_over, live, new_plan

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.campaign import Campaign
    from tests.faults.terminal_kills import Plan

# Those that a save makes, the ones that change most first.
SYSCALLS = (
    *("rename", "write", "fsync", "unlink", "ftruncate", "flock", "mkdir", "openat"),
    *("lseek", "close", "newfstatat", "getdents64", "read"),
)
LANES = 4
# Long enough to have all there is to a match, and short enough to go through.
LEAST_EVENTS, MOST_EVENTS = 6, 16


def run(campaign: Campaign, folder: Path) -> None:
    """Go through all system calls of one match, then of another."""
    if shutil.which("strace") is None:
        campaign.skip("strace is not installed here")
        return
    seed = campaign.random.random()
    with ThreadPoolExecutor(LANES) as lanes:
        parts = [SYSCALLS[lane::LANES] for lane in range(LANES)]
        for lane in [lanes.submit(_lane, campaign, folder, part, seed) for part in parts]:
            lane.result()


def _lane(campaign: Campaign, folder: Path, syscalls: tuple[str, ...], seed: float) -> None:
    """Go through some system calls of one match after another."""
    random, talk, home = Random(seed), folder / f"talk-{syscalls[0]}", folder / syscalls[0]
    talk.mkdir()
    with Nursery(talk) as nursery:
        while campaign.goes_on():
            plan = _plan(random)
            for syscall in syscalls:
                _every(campaign, nursery, plan, home, syscall)


def _plan(random: Random) -> Plan:
    """A match with a record and some events."""
    while True:
        plan = new_plan(random)
        if "--record" in plan.args and LEAST_EVENTS <= len(plan.events) <= MOST_EVENTS:
            return plan


def _every(campaign: Campaign, nursery: Nursery, plan: Plan, home: Path, syscall: str) -> None:
    """Kill at this system call the first time, the second time, ...; resume each time."""
    for step in count(1):
        if not campaign.goes_on():
            return
        home.mkdir()
        done, killed = live(nursery, plan, home, 0, step=step, syscall=syscall)
        # The next life is killed at the same call, if it comes so far.
        for again in (step, None):
            if not is_over(home):
                traced = None if again is None else syscall
                done, _ = live(nursery, plan, home, done, step=again, syscall=traced)
        check_end(plan, home)
        shutil.rmtree(home)
        if not killed:
            return
        campaign.count(f"kills at {syscall}")
