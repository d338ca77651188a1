"""The checked examples: counts of lines, numbers, and what each reply makes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from digitduel import Game, Move, Position, Ruleset, find_ruleset, perft

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "conformance.json").read_text("utf-8")
)
NAMES = [f"{number}-{case['game']}" for number, case in enumerate(CASES)]

each_case = pytest.mark.parametrize("case", CASES, ids=NAMES)


def ruleset_of(case: dict[str, Any]) -> Ruleset:
    """The rules of a case; custom games are free to have any target, as `ends` is."""
    key = "ends" if case["game"] == "custom" else case["game"]
    return find_ruleset(key).replace(**case["rules"])


def position_of(case: dict[str, Any]) -> Position:
    return Game(ruleset_of(case), map(Move.parse, case["moves"])).position


def test_every_game_is_among_the_cases() -> None:
    games = {case["game"] for case in CASES}
    assert games == {"pool", "ends", "forbidden", "closest", "conquest", "custom"}
    assert len(CASES) == 75


@each_case
def test_rules_are_kept_as_given(case: dict[str, Any]) -> None:
    assert ruleset_of(case).rules == case["rules"]


@each_case
def test_perft(case: dict[str, Any]) -> None:
    start = Position(ruleset_of(case))
    assert [perft(start, depth) for depth in (1, 2, 3)] == case["perft"]


@each_case
def test_the_moves_lead_to_the_number(case: dict[str, Any]) -> None:
    position = position_of(case)
    assert position.number == case["number"]
    assert position.outcome() is None


@each_case
def test_the_replies_are_the_numbers_that_the_mover_can_make(case: dict[str, Any]) -> None:
    position = position_of(case)
    made = {position.play(move).number: position.play(move) for move in position.legal_moves}
    assert set(made) == set(case["replies"])
    for number, reply in case["replies"].items():
        ending = made[number].outcome()
        # One ply to the end is a move that ends the game, for better or worse.
        assert (ending is not None) == (reply["plies"] == 1)
        if ending is not None:
            assert (ending.winner is position.turn) == (reply["value"] == "win")
