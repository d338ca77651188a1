"""Many targets in one search: what solving each of them says, however much is laid out at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from digitduel import Position, find_ruleset, solve
from digitduel.solver import Value, manytargets
from digitduel.solver.manytargets import ManyTargets
from digitduel.solver.size import LONGEST_SEARCHED, targets_at_once
from tests.solver.test_brute_force import small_rulesets
from tests.strategies import law

if TYPE_CHECKING:
    from digitduel import Ruleset
    from digitduel.solver import Evaluation

POOL, CLOSEST = find_ruleset("pool"), find_ruleset("closest")
targets = st.integers(1, 2) | st.integers(1, 200) | st.integers(1, 10**6) | st.integers(1, 10**30)


def solved(ruleset: Ruleset, target: int) -> tuple[Evaluation, int]:
    """What a target is worth to whoever starts, and how many first moves win."""
    ruleset = ruleset.replace(target=target)
    start, solution = Position(ruleset), solve(ruleset)
    firsts = solution.move_values(start).values()
    return solution.probe(start), sum(worth.value is Value.WIN for worth in firsts)


@law
@given(small_rulesets(endless=False), st.lists(targets, min_size=1, max_size=8), st.data())
def test_a_search_says_of_each_target_what_solving_it_says(
    ruleset: Ruleset, asked: list[int], data: st.DataObject
) -> None:
    assume(1 < (ruleset.capacity or 0) <= LONGEST_SEARCHED)
    cells = data.draw(st.sampled_from([0, 20, 300, manytargets.CELLS]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manytargets, "CELLS", cells)
        found = ManyTargets(ruleset).starts(asked)
    assert found == [solved(ruleset, target) for target in asked]


@pytest.mark.parametrize("ruleset", [POOL, CLOSEST, POOL.replace(forbidden=(7, 11), limit=7)])
def test_a_search_for_large_games(ruleset: Ruleset) -> None:
    asked = [2, 9, 12, 13, 97, 1001, 12345, 50_001, 987_654_321, 1_010_101_008, 2**70]
    assert ManyTargets(ruleset).starts(asked) == [solved(ruleset, target) for target in asked]


def test_no_target_at_all() -> None:
    assert ManyTargets(POOL).starts([]) == []


@pytest.mark.parametrize(
    ("ruleset", "count", "at_once"),
    [
        (CLOSEST, 500, False),
        (CLOSEST, 10**5, True),
        (POOL.replace(target=2001), 18_000, True),
        (POOL.replace(limit=1), 10**6, False),  # over after one move
        (find_ruleset("ends"), 10**6, False),  # may never end
        (find_ruleset("conquest").replace(limit=16, digits=(1, 2)), 10**6, False),  # no float
        (find_ruleset("conquest"), 10**6, False),  # too many lines
    ],
)
def test_wide_ranges_are_searched_and_narrow_ones_solved(
    ruleset: Ruleset, count: int, at_once: bool
) -> None:
    found = targets_at_once(ruleset, count)
    assert (found > 0) is at_once
    assert found <= count
