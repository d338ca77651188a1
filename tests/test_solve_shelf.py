"""Solutions are kept for the next who asks, within bounds, whatever interrupts a solve."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from digitduel import Position, find_ruleset
from digitduel.solve import Lookahead, Solution, estimate, judge, solve, solved
from digitduel.solve.shelf import SHELF, Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel import Ruleset

POOL, ENDS, CONQUEST = map(find_ruleset, ("pool", "ends", "conquest"))


@pytest.fixture(autouse=True)
def _empty_shelf() -> Iterator[None]:
    SHELF.clear()
    yield
    SHELF.clear()


def test_judge_solves_once_and_solve_always() -> None:
    assert solved(POOL) is None
    first = judge(POOL)
    assert isinstance(first, Solution)
    assert judge(POOL) is first is solved(POOL)
    assert solve(POOL) is not solve(POOL)


def test_only_the_rules_tell_solutions_apart() -> None:
    first = judge(POOL)
    renamed = POOL.replace(key="other", title="Other", goal="Other.")
    assert judge(renamed) is first
    assert first.probe(Position(renamed)) == first.probe(Position(POOL))
    assert judge(POOL.replace(target=8)) is not first


def test_the_number_of_solutions_is_bounded_and_the_oldest_go() -> None:
    shelf = Shelf(most=2)
    a, b, c = (solve(POOL.replace(target=target)) for target in (11, 12, 13))
    shelf.put(a)
    shelf.put(b)
    assert shelf.get(a.ruleset) is a  # now b is the one not used for longest
    shelf.put(c)
    assert len(shelf) == 2
    assert shelf.get(a.ruleset) is a
    assert shelf.get(b.ruleset) is None


def test_their_bytes_are_bounded() -> None:
    a, b = (solve(POOL.replace(target=target), layout="table") for target in (101, 103))
    shelf = Shelf(most_bytes=a.bytes + b.bytes - 1)
    shelf.put(a)
    shelf.put(b)
    assert shelf.bytes == b.bytes
    assert shelf.get(b.ruleset) is b
    # One that would fill the shelf alone is not kept, and drives nothing out.
    shelf.put(solve(POOL.replace(target=499), layout="table"))
    assert shelf.get(b.ruleset) is b
    assert len(shelf) == 1


def test_judge_looks_ahead_where_solving_takes_too_much() -> None:
    ruleset = ENDS.replace(target=13)
    assert isinstance(judge(ruleset, memory=1000), Lookahead)
    assert isinstance(judge(ruleset, work=estimate(ruleset).work - 1), Lookahead)
    assert solved(ruleset) is None
    assert isinstance(judge(ruleset, work=estimate(ruleset).work), Solution)
    # Once it is there, it answers whatever is allowed.
    assert isinstance(judge(ruleset, memory=1000), Solution)


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
        judge(ruleset, progress=interrupt)
    assert solved(ruleset) is None
    found = judge(ruleset)
    fresh = solve(ruleset)
    assert [found.probe(p) for p, _ in fresh.walk()] == [value for _, value in fresh.walk()]


def test_threads_may_solve_and_ask_at_the_same_time() -> None:
    rulesets = [POOL.replace(target=target) for target in range(10, 22)]
    expected = [solve(ruleset).probe(Position(ruleset)) for ruleset in rulesets]
    answers: list[list[object]] = [[] for _ in range(4)]

    def ask(mine: list[object]) -> None:
        mine.extend(judge(ruleset).probe(Position(ruleset)) for ruleset in rulesets)

    threads = [threading.Thread(target=ask, args=(mine,)) for mine in answers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def test_numpy_is_loaded_only_when_something_is_solved() -> None:
    program = """
import sys, digitduel, digitduel.solve
from digitduel import Position, find_ruleset
from digitduel.solve import Lookahead, estimate, judge, solve
pool = find_ruleset("pool")
estimate(pool), judge(find_ruleset("ends").replace(target=10**50)), Lookahead(pool)
assert "numpy" not in sys.modules
solve(pool)
assert "numpy" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
