"""Levels that climb evenly: skills for one rule set, each a step above the one below.

From readable skills a chain of seven is chosen, with perfect play above. Of all chains in which
nobody sees less or slips more than the one below, it is one whose steps are nearly alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from digitduel.atlas.contests import starters
from digitduel.errors import DigitDuelError
from digitduel.players import PERFECT, Skill

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from digitduel.ruleset import Ruleset

    Numbers = NDArray[np.float64]

# What a level should win against the one below: at least, at most, and what is tried for.
LEAST, MOST = 0.58, 0.74
GOALS = [percent / 200 for percent in range(120, 141)]
# Ten to each power of ten.
SLIPS = (
    *(4.0, 3.2, 2.5, 2.0, 1.6, 1.2, 1.0, 0.8, 0.63, 0.5, 0.4, 0.32, 0.25, 0.2, 0.16, 0.12, 0.1),
    *(0.08, 0.063, 0.05, 0.04, 0.032, 0.025, 0.02, 0.016, 0.012, 0.01),
)
FARTHEST = 10
# Whoever sees n plies slips about so much, divided by n: fewer slips are for who sees farther,
# and with more it would not get that far.
FEWEST, MANY = 0.5, 2.2
BEGINNER = 1.0  # the fewest slips of level 1, who sees one ply


def calibrate(ruleset: Ruleset) -> list[Skill]:
    """Seven skills that climb evenly to perfect play; DigitDuelError if there are none.

    >>> from digitduel import find_ruleset
    >>> calibrate(find_ruleset("conquest").replace(target=22, limit=6, full="closest"))[0]
    Skill(sight=1, slip=2.0)
    """
    skills = candidates(ruleset)
    steps = _steps(ruleset, skills)
    chains = [chain for goal in GOALS if (chain := _chain(skills, steps, goal))]
    if not chains:
        raise DigitDuelError(
            f"{ruleset.key} with target {ruleset.target} has no {PERFECT} levels that climb "
            f"evenly: perfect play beats a beginner with {steps[-1, 0]:.0%}, and each level should "
            f"beat the one below with {LEAST:.0%} at least."
        )
    best = max(chains, key=lambda chain: steps[chain[1:], chain[:-1]].min())
    return [skills[place] for place in best[:-1]]


def candidates(ruleset: Ruleset) -> list[Skill]:
    """The skills that levels are chosen from, beginners first."""
    farthest = min(ruleset.capacity or FARTHEST, FARTHEST)
    return [
        Skill(sight, slip)
        for sight in range(1, farthest + 1)
        for slip in SLIPS
        if (sight == 1 or sight * slip <= MANY) and (sight == farthest or sight * slip >= FEWEST)
    ]


def _steps(ruleset: Ruleset, skills: list[Skill]) -> Numbers:
    """[i, j]: the chance that i beats j; the last is perfect. Not a number where i is not above."""
    top = len(skills)
    pairs = [
        (above, below)
        for above in range(top + 1)
        for below in range(top)
        if above == top or _is_above(skills[above], skills[below])
    ]
    ones, others = np.array(pairs).T
    first, second = starters(ruleset, [*skills, None], pairs)
    steps = np.full((top + 1, top + 1), np.nan)
    steps[ones, others] = (first + 1 - second) / 2
    return steps


def _is_above(skill: Skill, other: Skill) -> bool:
    return skill != other and skill.sight >= other.sight and skill.slip <= other.slip


def _chain(skills: list[Skill], steps: Numbers, goal: float) -> list[int] | None:
    """The levels whose steps are nearest to a goal, as places in `steps`; None if there are none.

    Level by level, the best way up to each skill is the best way to one below and a step.
    """
    allowed = (steps >= LEAST) & (steps <= MOST)
    price = np.where(allowed, (steps - goal) ** 2, np.inf)
    begins = [skill.sight == 1 and skill.slip >= BEGINNER for skill in skills]
    cost = np.where([*begins, False], 0, np.inf)
    ways = []
    for _ in range(1, PERFECT):
        total = price + cost
        ways.append(total.argmin(axis=1))
        cost = total.min(axis=1)
    if np.isinf(cost[-1]):
        return None
    chain = [len(skills)]
    for way in reversed(ways):
        chain.append(int(way[chain[-1]]))
    return chain[::-1]
