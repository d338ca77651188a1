"""Solutions are kept for the next who asks, within bounds, whatever interrupts a solve."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from digitduel import DigitDuelError, Position, TooLargeError, find_ruleset
from digitduel.solver import (
    Budget,
    Lookahead,
    Solution,
    estimate,
    evaluator_for,
    evaluator_meanwhile,
    evaluators,
    solve,
)
from digitduel.solver.evaluation import rules_key
from digitduel.solver.evaluators import MOST_KEPT, SOLUTIONS
from digitduel.solver.size import Estimate
from digitduel.solver.table import TableLayout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel import Evaluator, Ruleset

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


THIRDS = [0.2, 1 / 3, 1.0]  # an endless game is thought to go round four times


@pytest.mark.parametrize(
    ("ruleset", "layout", "told"),
    [
        (POOL.replace(digits="1-4", target=13), "table", [0.25, 0.5, 0.75, 1.0]),
        (POOL.replace(digits="1-4", target=13), "tree", [0.0, 0.75, 0.875, 1.0]),
        (POOL.replace(digits="1-4", target=13), "sparse", [0.0, 0.25, 0.5, 0.75, 1.0]),
        (
            POOL.replace(target=10_007),
            "tree",  # half of it is to grow three pieces, half to score nine layers
            [0, 1 / 6, 1 / 3, *((10 + layer) / 18 for layer in range(1, 9))],
        ),
        (ENDS.replace(digits="1-9", target=12), "table", THIRDS),
        (
            ENDS.replace(digits="1-9", target=7),
            "table",  # six phases
            [*(turn / (turn + 24) for turn in range(1, 8)), 1.0],
        ),
        (find_ruleset("forbidden").replace(target=13), "table", THIRDS),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_progress_is_the_part_of_the_work_that_is_done(
    ruleset: Ruleset, layout: str, told: list[float]
) -> None:
    seen: list[float] = []
    solve(ruleset, layout=layout, progress=seen.append)
    assert seen == pytest.approx(told)


@pytest.mark.parametrize(
    ("ruleset", "layout", "size"),
    [
        # One byte for each state, and the rows of a dictionary.
        (POOL.replace(digits="1-4", target=13), "table", 15 * (13 + 100)),
        (ENDS.replace(digits="1-9", target=12), "table", 3 * (12 + 100)),
        # One for each line of play and some room, and two ways to find them.
        (POOL.replace(digits="1-4", target=13), "tree", 41 + 6 + 80 * (150 + ord("0"))),
        (POOL.replace(digits="1-3", uses=2, target=11), "tree", 181 + 30 + 80 * (260 + ord("0"))),
        (POOL.replace(digits="1-4", target=13), "sparse", 12 * 150),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_solution_says_what_it_holds(ruleset: Ruleset, layout: str, size: int) -> None:
    assert solve(ruleset, layout=layout).bytes == size


def test_budgets_are_as_they_are_told() -> None:
    assert Budget() == evaluators.PATIENT == Budget(work=10**11, memory=2**30)
    assert Budget(work=10**9) == evaluators.PROMPT
    assert Budget(work=10**8) == evaluators.INSTANT
    assert Budget(work=0) == evaluators.AHEAD_ONLY


def test_a_budget_allows_what_just_fits() -> None:
    budget = Budget(work=10, memory=20)
    assert budget.allows(Estimate("table", 1, 20, 10))
    assert not budget.allows(Estimate("table", 1, 21, 10))
    assert not budget.allows(Estimate("table", 1, 20, 11))


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


def test_memory_that_runs_out_is_said_and_looked_ahead_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def starve(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(TableLayout, "solve", starve)
    for ruleset in (POOL, ENDS):
        with pytest.raises(TooLargeError, match="of memory"):
            solve(ruleset)
        assert isinstance(evaluator_for(ruleset), Lookahead)


def test_a_layout_that_is_none_is_refused() -> None:
    with pytest.raises(DigitDuelError, match="there is no layout 'foo': known are table, tree"):
        solve(POOL, layout="foo")


def test_one_game_at_a_time_is_solved_in_the_background_and_the_newest_is_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evaluators, "PROMPT", Budget(0))
    began, go_on = threading.Event(), threading.Event()
    solving: list[int] = []
    most = [0]

    def slowly(ruleset: Ruleset, budget: Budget | None = None) -> Evaluator:
        if budget is not None:  # asked before a thread is started
            return Lookahead(ruleset)
        solving.append(ruleset.target)
        most[0] = max(most[0], len(solving))
        began.set()
        assert go_on.wait(60)
        solving.pop()
        return Lookahead(ruleset)

    monkeypatch.setattr(evaluators, "evaluator_for", slowly)
    threads = []
    for target in range(30, 36):
        evaluator_meanwhile(POOL.replace(target=target))
        threads.append(evaluators._newest[0])
        assert began.wait(60)
    go_on.set()
    for thread in threads:
        thread.join()
    # The first was running, and is not stopped; of those that waited the newest is solved.
    assert [bool(thread.evaluator) for thread in threads] == [True, *[False] * 4, True]
    assert most == [1]


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
few = evaluator_for(pool)  # so few states that looking ahead tells everything
assert few.exact and evaluator_for(pool) is few
assert "numpy" not in sys.modules
many, endless = pool.replace(target=101), find_ruleset("forbidden")
assert evaluator_for(many).exact and evaluator_for(endless).exact
assert "numpy" in sys.modules
solved = evaluator_for(pool)
assert solved is not few and solved.move_values(Position(pool)) == few.move_values(Position(pool))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
