"""Each way to have used the digits has one row, and every move leads to the right one."""

from __future__ import annotations

import pytest

from digitduel.states.shape import Shape
from digitduel.states.vectors import FEW, Vectors


@pytest.mark.parametrize("uses", [1, 2])
def test_every_way_to_use_digits_has_its_row(uses: int) -> None:
    vectors = Vectors(Shape(tuple(range(10)), uses, "right", True, 8))
    used = [tuple(vector) for codes in vectors.codes for vector in vectors.counts(codes).tolist()]
    assert [vectors.row_of[vector] for vector in used] == list(range(len(used)))
    # With two uses there are more of them than are looked up.
    assert (len(used) > FEW) == (uses == 2)
    assert all(sum(vector) <= 8 and max(vector) <= uses for vector in used)


@pytest.mark.parametrize("ends", ["right", "left", "both"])
@pytest.mark.parametrize("uses", [1, 2])
@pytest.mark.parametrize("leading_zero", [True, False])
def test_a_move_leads_to_the_row_with_one_more_use(
    ends: str, uses: int, leading_zero: bool
) -> None:
    shape = Shape((0, 3, 5), uses, ends, leading_zero, 3 * uses)
    vectors = Vectors(shape)
    for length in range(3 * uses):
        moves = vectors.moves(length)
        for row, used in enumerate(vectors.counts(vectors.codes[length]).tolist()):
            expected = [
                (end, digit)
                for end in shape.ends_at(length)
                for digit in shape.digits_at(length, end)
                if used[shape.digits.index(digit)] < uses
            ]
            there = []
            for move, (digit, after) in enumerate(
                zip(moves.digits[row], moves.rows[row], strict=True)
            ):
                if after == moves.none:
                    continue
                there.append(("R" if move < moves.rights else "L", int(digit)))
                more = list(used)
                more[shape.digits.index(digit)] += 1
                assert vectors.row_of[tuple(more)] == vectors.first(length + 1) + after
            assert there == expected


@pytest.mark.parametrize("ends", ["right", "left", "both"])
def test_digits_that_nobody_can_use_up_have_one_row_for_each_length(ends: str) -> None:
    shape = Shape((0, 3, 5), None, ends, False, 40)
    vectors = Vectors(shape)
    for length in range(40):
        moves = vectors.moves(length)
        assert vectors.first(length) == length
        assert (moves.none, moves.gaps) == (1, False)
        assert not moves.rows.any()
        sides = [shape.digits_at(length, end) for end in shape.ends_at(length)]
        assert moves.digits.tolist() == [list(sum(sides, ()))]
        assert moves.rights == (0 if ends == "left" else len(sides[0]))
