"""The ladder against figures worked out elsewhere, and the laws it obeys."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from digitduel import Ruleset, find_ruleset
from digitduel.atlas import measure
from digitduel.atlas.ladder import LineLadder
from digitduel.atlas.measures import figures
from digitduel.atlas.policies import OPTIMAL, SIGHTS, layers_of
from digitduel.states.graph import graph_of
from tests.atlas.test_measures import rulesets

CASES = json.loads((Path(__file__).parents[1] / "data" / "ladder.json").read_text("utf-8"))


@pytest.mark.parametrize(
    "case", CASES["ladder"], ids=lambda case: f"{case['game']}-{case['rules']}"
)
def test_figures_that_were_worked_out_elsewhere(case: dict[str, Any]) -> None:
    ruleset = find_ruleset(case["game"]).replace(**case["rules"])
    found = figures(ruleset, case["ladder"].keys())
    assert found == pytest.approx(case["ladder"], abs=6e-10)


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("forbidden", {"target": 23, "digits": "1-8"}),
        ("forbidden", {"target": 17, "digits": "1-6", "limit": 12}),
    ],
)
def test_four_moves_of_five_are_forced_there(key: str, changes: dict[str, Any]) -> None:
    forced = measure(find_ruleset(key).replace(**changes)).forced
    assert forced == pytest.approx(0.8, abs=0.05)


@given(ruleset=rulesets(bounded=True))
@settings(max_examples=40, deadline=None)
def test_two_players_share_what_there_is_to_win(ruleset: Ruleset) -> None:
    ladder = LineLadder(layers_of(graph_of(ruleset)))
    for player, other in pairwise((*SIGHTS, OPTIMAL)):
        assert ladder.beats(player, other) + ladder.beats(other, player) == pytest.approx(1)
        assert ladder.beats(player, player) == 0.5
    assert all(sum(ladder.equals(sight)) == pytest.approx(1) for sight in SIGHTS)
    assert 1 <= ladder.depth() <= OPTIMAL + 1


@given(ruleset=rulesets(bounded=True))
@settings(max_examples=40, deadline=None)
def test_whoever_sees_to_the_end_plays_as_the_optimal_player_does(ruleset: Ruleset) -> None:
    layers = layers_of(graph_of(ruleset))
    for left, layer in enumerate(reversed(layers), start=1):
        for sight in range(left, OPTIMAL):
            assert (layer.chosen(sight) == layer.chosen(OPTIMAL)).all()
