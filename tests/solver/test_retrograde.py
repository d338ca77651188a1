"""The backward pass over the graph of states, held to the layouts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from digitduel import Position, find_ruleset
from digitduel.solver import solve
from digitduel.solver.evaluation import ENDLESS, LOSSES, WINS, Evaluation
from digitduel.solver.retrograde import BOUND, move_values, retrograde
from digitduel.states.graph import graph_of
from digitduel.states.shape import count_states
from tests.solver.test_brute_force import small_rulesets
from tests.strategies import law

if TYPE_CHECKING:
    from digitduel import Ruleset


def evaluation(score: int) -> Evaluation:
    return WINS[BOUND - score] if score > 0 else LOSSES[BOUND + score] if score else ENDLESS


def check(ruleset: Ruleset) -> None:
    """Every state that play can reach is in its layer, and worth what the solution says."""
    solution, graph = solve(ruleset), graph_of(ruleset)
    layers = list(retrograde(graph))[::-1]
    expected: list[Counter[Evaluation]] = [Counter() for _ in layers]
    for position, worth in solution.walk():
        expected[min(len(position.number), len(layers) - 1)][worth] += 1
    assert [Counter(map(evaluation, layer.states.tolist())) for layer in layers] == expected
    assert sum(map(Counter.total, expected)) <= count_states(ruleset) + 1
    first = solution.move_values(Position(ruleset)).values()
    assert Counter(move_values(layers[0].replies[:, 0])) == Counter(first)


@given(small_rulesets(endless=False))
@law
def test_where_games_end_the_graph_is_worth_what_the_layouts_say(ruleset: Ruleset) -> None:
    check(ruleset)


@given(small_rulesets(endless=True))
@law
def test_where_they_may_not_the_graph_is_worth_what_the_layouts_say(ruleset: Ruleset) -> None:
    check(ruleset)


@pytest.mark.parametrize("key", ["pool", "forbidden", "ends", "closest", "conquest"])
@pytest.mark.parametrize("target", [11, 12, 37])
def test_shipped_games_are_worth_the_same(key: str, target: int) -> None:
    check(find_ruleset(key).replace(digits="1-6", target=target))


@pytest.mark.parametrize("ends", ["right", "left", "both"])
@pytest.mark.parametrize(
    "rules",
    [
        # Numbers that never get as far as the target, of one length and of mixed uses.
        {"key": "pool", "digits": "7-9", "target": 10**6 + 3},
        {"key": "pool", "digits": "0,9", "uses": 3, "target": 10**9 + 7},
        # Remainders beyond a machine word.
        {"key": "conquest", "digits": "7", "limit": 19, "target": 10**20 + 39},
        {"key": "conquest", "digits": "9", "limit": 19, "target": 3 * 10**18},
        # Without a safe move, and where 0 may not come first.
        {"key": "pool", "digits": "0-4", "target": 7, "forbidden": [2, 3]},
        {"key": "pool", "digits": "0-3", "target": 11, "leading_zero": False},
        {"key": "closest", "digits": "1-5", "target": 13, "forbidden": [5]},
    ],
    ids=lambda rules: f"{rules['key']}-{rules['digits']}",
)
def test_short_long_and_barred_numbers_are_worth_the_same(
    rules: dict[str, object], ends: str
) -> None:
    key = str(rules["key"])
    changes = {name: value for name, value in rules.items() if name != "key"}
    check(find_ruleset(key).replace(ends=ends, **changes))


@pytest.mark.parametrize("ends", ["right", "left"])
def test_numbers_of_many_nines_are_worth_the_same(ends: str) -> None:
    """Of 22 digits one less than the most has 21, all of them as high as can be."""
    rules = find_ruleset("conquest").replace(digits="9", limit=22, target=10**22 + 9, ends=ends)
    check(rules)
