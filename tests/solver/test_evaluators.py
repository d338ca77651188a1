"""Solutions are kept for the next who asks, within bounds, whatever interrupts a solve."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from digitduel import Position, find_ruleset
from digitduel.solver import Budget, Lookahead, Solution, estimate, evaluator_for, solve
from digitduel.solver.evaluation import rules_key
from digitduel.solver.evaluators import MOST_KEPT, SOLUTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel import Ruleset

POOL, ENDS, CONQUEST = map(find_ruleset, ("pool", "ends", "conquest"))


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    SOLUTIONS.clear()
    yield
    SOLUTIONS.clear()


def solved(ruleset: Ruleset) -> Solution | None:
    return SOLUTIONS.get(rules_key(ruleset))


def test_an_evaluator_solves_once_and_solve_always() -> None:
    assert solved(POOL) is None
    first = evaluator_for(POOL)
    assert isinstance(first, Solution)
    assert evaluator_for(POOL) is first is solved(POOL)
    assert solve(POOL) is not solve(POOL)


def test_only_the_rules_tell_solutions_apart() -> None:
    first = evaluator_for(POOL)
    renamed = POOL.replace(key="other", title="Other", goal="Other.")
    assert evaluator_for(renamed) is first
    assert first.probe(Position(renamed)) == first.probe(Position(POOL))
    assert evaluator_for(POOL.replace(target=8)) is not first


def test_solutions_are_bounded_in_number_and_in_bytes() -> None:
    a, b = (solve(POOL.replace(target=target), layout="table") for target in (101, 103))
    SOLUTIONS.put("a", a)
    assert SOLUTIONS.weight == SOLUTIONS.room // MOST_KEPT > a.bytes
    for number in range(2 * MOST_KEPT):
        SOLUTIONS.put(number, b)
    assert len(SOLUTIONS) == MOST_KEPT
    assert SOLUTIONS.get("a") is None


def test_an_evaluator_looks_ahead_where_solving_takes_too_much() -> None:
    ruleset = ENDS.replace(target=13)
    assert isinstance(evaluator_for(ruleset, Budget(memory=1000)), Lookahead)
    assert isinstance(evaluator_for(ruleset, Budget(estimate(ruleset).work - 1)), Lookahead)
    assert solved(ruleset) is None
    assert isinstance(evaluator_for(ruleset, Budget(estimate(ruleset).work)), Solution)
    # Once it is there, it answers whatever is allowed.
    assert isinstance(evaluator_for(ruleset, Budget(memory=1000)), Solution)


@pytest.mark.parametrize(
    "ruleset",
    [
        POOL.replace(target=101),
        POOL.replace(target=10**6 + 3),
        find_ruleset("closest").replace(target=10**8),
        CONQUEST.replace(target=101),
        ENDS.replace(target=97),
        find_ruleset("forbidden"),
    ],
    ids=lambda ruleset: f"{ruleset.key}-{ruleset.target}",
)
def test_progress_goes_up_to_one(ruleset: Ruleset) -> None:
    seen: list[float] = []
    solve(ruleset, progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 1
    assert seen[0] >= 0
    assert seen[-1] == 1


def test_ctrl_c_leaves_nothing_behind() -> None:
    ruleset = ENDS.replace(target=13)

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluator_for(ruleset, progress=interrupt)
    assert solved(ruleset) is None
    found = evaluator_for(ruleset)
    fresh = solve(ruleset)
    assert [found.probe(p) for p, _ in fresh.walk()] == [value for _, value in fresh.walk()]


def test_threads_may_solve_and_ask_at_the_same_time() -> None:
    rulesets = [POOL.replace(target=target) for target in range(10, 22)]
    expected = [solve(ruleset).probe(Position(ruleset)) for ruleset in rulesets]
    answers: list[list[object]] = [[] for _ in range(4)]

    def ask(mine: list[object]) -> None:
        mine.extend(evaluator_for(ruleset).probe(Position(ruleset)) for ruleset in rulesets)

    threads = [threading.Thread(target=ask, args=(mine,)) for mine in answers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def test_numpy_is_loaded_only_when_something_is_solved() -> None:
    program = """
import sys, digitduel, digitduel.solver
from digitduel import Position, find_ruleset
from digitduel.solver import Lookahead, estimate, evaluator_for, solve
pool = find_ruleset("pool")
estimate(pool), evaluator_for(find_ruleset("ends").replace(target=10**50)), Lookahead(pool)
assert "numpy" not in sys.modules
solve(pool)
assert "numpy" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
