"""The graph: sizes of sums, held to positions one by one, and states that are one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from digitduel import Position, find_ruleset, solve
from digitduel.states.endings import sum_size
from digitduel.states.graph import NONE, graph_of, merged
from tests.solver.test_brute_force import small_rulesets
from tests.strategies import law, positions

if TYPE_CHECKING:
    from digitduel import Move, Ruleset


def size(position: Position, move: Move) -> int:
    residue, place, _ = position.state
    left = place if position.goes_left(move) else None
    return int(sum_size(position.ruleset.target, residue, move.digit, left))


def check(ruleset: Ruleset) -> None:
    """In each layer there are as many moves with sums of each size as positions say."""
    graph = graph_of(ruleset, sums=True)
    found = [
        Counter(sizes[child != NONE].tolist())
        for sizes, child in zip(graph.sizes, graph.layers, strict=True)
    ]
    expected: list[Counter[int]] = [Counter() for _ in found]
    for position, _ in solve(ruleset).walk():
        expected[len(position.number)].update(size(position, m) for m in position.legal_moves)
    assert found == expected


@given(small_rulesets(endless=False))
@law
def test_sums_on_the_graph_have_the_sizes_they_have_in_positions(ruleset: Ruleset) -> None:
    check(ruleset)


@pytest.mark.parametrize("target", [10**9 + 7, 10**20 + 39])
def test_sums_below_a_large_target_have_no_size(target: int) -> None:
    check(find_ruleset("pool").replace(digits="7-9", target=target))


def test_a_sum_beyond_a_machine_word_has_its_size() -> None:
    check(find_ruleset("conquest").replace(digits="9", limit=19, target=3 * 10**18, ends="both"))


def test_a_target_that_no_array_can_hold_goes_into_nothing() -> None:
    assert sum_size(10**30, np.array([5, 10**9]), np.array([1, 2])).tolist() == [0, 0]


def test_sums_are_left_out_unless_they_are_asked_for() -> None:
    assert graph_of(find_ruleset("pool")).sizes == []


@given(positions())
@law
def test_the_target_goes_into_a_sum_nine_times_at_most(position: Position) -> None:
    for move in position.legal_moves:
        assert 0 <= size(position, move) <= 9


def test_the_sum_of_a_move_is_what_people_divide() -> None:
    closest = Position(find_ruleset("closest").replace(target=12), "1")
    assert [size(closest, move) for move in closest.legal_moves] == [1] * 8
    ends = Position(find_ruleset("ends").replace(target=33), "52")  # leaves 19; 100 leaves 1
    assert {str(move): size(ends, move) for move in ends.legal_moves if move.digit == 9} == {
        "9L": 0,  # 9 x 1 + 19 = 28
        "9R": 6,  # 10 x 19 + 9 = 199
    }


@pytest.mark.parametrize(("target", "forbidden"), [(13, [2, 3, 5]), (28, [3]), (91, [4, 10])])
def test_states_are_one_that_lead_to_the_same_places(target: int, forbidden: list[int]) -> None:
    ruleset = find_ruleset("forbidden").replace(target=target, forbidden=forbidden)
    graph = graph_of(ruleset)
    fewer = merged(graph, ruleset)
    counts = Counter(map(tuple, graph.layers[1].T.tolist()))
    # Those with nothing but ends ahead may stand side by side.
    live = [count for moves, count in counts.items() if max(moves) >= 0]
    ahead = fewer.layers[1].max(axis=0) >= 0
    assert sorted(live) == sorted(np.broadcast_to(fewer.weights, ahead.shape)[ahead].tolist())
    assert np.sum(fewer.weights) == graph.layers[1].shape[1] > fewer.layers[1].shape[1]


def test_with_digits_on_the_left_no_states_are_one() -> None:
    for ends in ("left", "both"):
        ruleset = find_ruleset("forbidden").replace(target=7, ends=ends)
        graph = graph_of(ruleset)
        assert merged(graph, ruleset) is graph
