"""The solved cases that came with the rulings: every value, by every layout that can hold it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from digitduel import Move, Position, Ruleset, find_ruleset
from digitduel.solver import Evaluation, solve
from digitduel.solver.size import LAYOUTS

CASES = json.loads((Path(__file__).parents[1] / "data" / "conformance.json").read_text())


def ruleset_of(case: dict[str, Any]) -> Ruleset:
    key = "ends" if case["game"] == "custom" else case["game"]
    return find_ruleset(key).replace(**case["rules"])


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    return {"value": evaluation.value.value, "plies": evaluation.plies}


def layouts_for(case: dict[str, Any]) -> list[str | None]:
    """The one that is chosen, and all that would not take long."""
    sizes = [make(ruleset_of(case)) for make in LAYOUTS.values()]
    return [None, *(size.layout for size in sizes if size.work < 5 * 10**7)]


@pytest.mark.parametrize(
    ("case", "layout"),
    [
        pytest.param(case, layout, id=f"{number}-{case['game']}-{layout}")
        for number, case in enumerate(CASES)
        for layout in layouts_for(case)
    ],
)
def test_conformance(case: dict[str, Any], layout: str | None) -> None:
    ruleset = ruleset_of(case)
    solution = solve(ruleset, layout=layout)
    assert as_json(solution.probe(Position(ruleset))) == case["start"]
    position = Position(ruleset)
    for move in case["moves"]:
        position = position.play(Move.parse(move))
    assert position.number == case["number"]
    assert as_json(solution.probe(position)) == {k: case[k] for k in ("value", "plies")}
    replies = {
        position.play(move).number: as_json(value)
        for move, value in solution.move_values(position).items()
    }
    assert replies == case["replies"]


def test_there_are_cases_of_every_game() -> None:
    assert {case["game"] for case in CASES} >= {
        "pool", "ends", "forbidden", "closest", "conquest", "custom"
    }  # fmt: skip
    assert len(CASES) == 75
