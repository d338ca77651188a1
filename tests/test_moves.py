"""The table of moves: the same choices whoever asked before, and never more than fit."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from hypothesis import given

from digitduel import Move, Position, find_ruleset, moves
from digitduel.moves import MoveTable, move_table
from digitduel.states.shape import Shape
from tests.strategies import law, positions, short_law

if TYPE_CHECKING:
    import pytest

ENDS = find_ruleset("ends")


@law
@given(positions())
def test_legal_moves_are_those_that_nothing_is_to_be_said_against(position: Position) -> None:
    spellings = [Move(digit, end) for digit in range(10) for end in (None, "L", "R")]
    allowed = [move for move in spellings if position.refusal(move) is None]
    assert set(position.legal_moves) <= set(allowed)
    # Another spelling of a move makes the same number.
    numbers = {position.play(move).number for move in position.legal_moves}
    assert {position.play(move).number for move in allowed} == numbers


def test_targets_share_their_moves() -> None:
    assert move_table(ENDS) is move_table(ENDS.replace(target=12345))
    assert move_table(ENDS) is not move_table(ENDS.replace(digits="1-9"))


@short_law
@given(positions())
def test_a_copy_is_the_same_position(position: Position) -> None:
    again = copy.deepcopy(position)
    assert again == position
    assert again.legal_moves == position.legal_moves


def test_the_table_forgets_before_it_grows_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "MOST_KEPT", 3)
    table = MoveTable(Shape((0, 1), 9, "both", False, 18))
    for zeros in range(9):
        for ones in range(1, 9):
            legal = table[zeros, ones].legal
            assert [str(move) for move in legal] == ["0R", "1L", "1R"]
            assert table[zeros, ones].placements[Move(1, "L")].used == (zeros, ones + 1)
            assert len(table) <= 3
