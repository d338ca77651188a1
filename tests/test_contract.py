"""One contract that every rule set keeps, shipped or made up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import (
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    Position,
    Record,
    Ruleset,
    Side,
    Termination,
    find_ruleset,
    ruleset_keys,
)
from digitduel.record import dumps, loads
from digitduel.ruleset import ruleset_from, table_from
from tests.strategies import rulesets, short_law

if TYPE_CHECKING:
    from random import Random

MOST_MOVES = 60

CUSTOM: dict[str, dict[str, Any]] = {
    "limit and two ends": {"ends": "both", "limit": 6, "target": 13},
    "forbidden and pool": {"uses": 1, "forbidden": [2, 5], "target": 11},
    "three uses": {"uses": 3, "digits": "1-3", "target": 101},
    "left and no leading zero": {"ends": "left", "digits": "0-3", "leading_zero": False},
    "two ends, no leading zero": {"ends": "both", "digits": "0,5,7", "leading_zero": False},
    "closest on the left": {"full": "closest", "ends": "left", "uses": 2, "digits": "2-5"},
    "closest with a limit": {"full": "closest", "limit": 5, "uses": None, "target": 997},
    "stuck soon": {"digits": [1, 5], "forbidden": [3, 5], "target": 97, "uses": None},
    "one digit": {"digits": [3], "target": 1001, "uses": None},
    "huge target": {"target": 10**100 - 1, "uses": None, "limit": 40},
    "every number wins": {"target": 1, "smallest_target": 1},
    "nobody can win by the target": {"target": 10, "forbidden": [7], "uses": None, "limit": 9},
}
RULESETS = {
    **{key: find_ruleset(key) for key in ruleset_keys()},
    **{name: find_ruleset("pool").replace(key="custom", **each) for name, each in CUSTOM.items()},
}

every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
chance = st.randoms(use_true_random=False)


def playout(rules: Ruleset, random: Random) -> list[Position]:
    """A random game, as its positions from the start on."""
    positions = [Position(rules)]
    while positions[-1].legal_moves and len(positions) <= MOST_MOVES:
        move = random.choice(positions[-1].legal_moves)
        positions.append(positions[-1].play(move))
    return positions


def keeps_the_contract(position: Position, ply: int) -> None:
    moves, ending = position.legal_moves, position.outcome()
    assert len(position.number) == ply
    assert position.turn is (Side.SECOND if ply % 2 else Side.FIRST)
    assert set(position.number) <= set(map(str, position.ruleset.digits))
    assert (ending is None) == bool(moves)
    assert len(set(moves)) == len(moves)
    assert list(moves) == sorted(moves, key=str)
    for move in moves:
        assert Move.parse(str(move)) == move
        assert position.as_written(move) == move
        assert position.refusal(move) is None
        assert position.play(move).turn is position.turn.other
    if ending is not None:
        with pytest.raises(IllegalMoveError, match="comes too late"):
            position.play(Move(position.ruleset.digits[0], "R"))
        judged_by_these_rules(position, ending)


def judged_by_these_rules(position: Position, ending: Outcome) -> None:
    """An ending has a winner, and a reason that the rule set knows."""
    rules, mover = position.ruleset, position.turn.other
    full = len(position.number) == rules.capacity
    assert isinstance(ending.winner, Side)
    match ending.termination:
        case Termination.TARGET:
            assert position.remainder == 0
            assert ending.winner is mover
        case Termination.FORBIDDEN:
            assert position.forbidden_divisors
            assert ending.winner is not mover
        case Termination.STUCK:
            assert rules.forbidden or not rules.leading_zero
            assert not full
            assert ending.winner is mover
        case Termination.FULL:
            assert full
            assert rules.full == "last-loses"
            assert ending.winner is not mover
        case Termination.CLOSEST:
            assert full
            assert rules.full == "closest"
        case agreed:
            raise AssertionError(f"nobody agreed on {agreed}")


@every_ruleset
@short_law
@given(random=chance)
def test_random_games_end_or_stay_legal(rules: Ruleset, random: Random) -> None:
    positions = playout(rules, random)
    for ply, position in enumerate(positions):
        keeps_the_contract(position, ply)
    assert all(position.outcome() is None for position in positions[:-1])
    if rules.capacity is not None and rules.capacity <= MOST_MOVES:
        assert positions[-1].outcome() is not None
        assert len(positions) <= rules.capacity + 1


@short_law
@given(rulesets(), chance)
def test_random_games_of_random_rules_end_or_stay_legal(rules: Ruleset, random: Random) -> None:
    for ply, position in enumerate(playout(rules, random)):
        keeps_the_contract(position, ply)


@every_ruleset
def test_the_start_is_no_end_and_has_a_safe_move(rules: Ruleset) -> None:
    start = Position(rules)
    assert start.outcome() is None
    endings = [start.play(move).outcome() for move in start.legal_moves]
    assert any(each is None or each.termination is not Termination.FORBIDDEN for each in endings)


@every_ruleset
@short_law
@given(random=chance)
def test_a_game_does_not_depend_on_its_name(rules: Ruleset, random: Random) -> None:
    renamed = rules.replace(key="renamed", title="Renamed", goal="None.")
    game, other = Game(rules), Game(renamed)
    while game.position.legal_moves and len(game.move_stack) < 20:
        assert other.position.legal_moves == game.position.legal_moves
        move = random.choice(game.position.legal_moves)
        game.push(move)
        other.push(move)
        assert other.position.number == game.position.number
        assert other.outcome() == game.outcome()


@every_ruleset
def test_a_rule_set_travels_as_a_table_and_in_a_record(rules: Ruleset) -> None:
    assert ruleset_from(table_from(rules)) == rules
    game = Game(rules, Position(rules).legal_moves[:1])
    [record] = loads(dumps([Record.of(game)]))
    assert record.ruleset == rules
    assert record.replay().position == game.position
