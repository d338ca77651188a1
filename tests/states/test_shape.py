"""The states of a rule set are counted by arithmetic as if they had been listed."""

from __future__ import annotations

import itertools

import pytest

from digitduel import find_ruleset
from digitduel.states.shape import COUNTLESS, Shape

CONQUEST = find_ruleset("conquest")


@pytest.mark.parametrize("kinds", [1, 2, 4])
@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("total", [0, 1, 3, 5, 20])
def test_vectors_are_counted_as_if_they_were_listed(kinds: int, most: int, total: int) -> None:
    vectors = itertools.product(range(most + 1), repeat=kinds)
    shape = Shape(tuple(range(kinds)), most, "right", True, kinds * most)
    assert shape.count_vectors(total) == sum(sum(vector) <= total for vector in vectors)


@pytest.mark.parametrize("kinds", [1, 2, 3])
@pytest.mark.parametrize("uses", [1, 2, None])
def test_numbers_are_counted_as_if_they_were_listed(kinds: int, uses: int | None) -> None:
    digits, longest = tuple(range(kinds)), 5
    listed = [
        sum(
            uses is None or all(number.count(digit) <= uses for digit in digits)
            for number in itertools.product(digits, repeat=length)
        )
        for length in range(longest + 1)
    ]
    assert Shape(digits, uses, "right", True, longest).count_numbers() == listed


@pytest.mark.parametrize("modulus", [1, 2, 7, 8, 44, 99, 100, 996, 997])
def test_phases_are_all_that_ten_to_the_length_can_leave(modulus: int) -> None:
    shape = Shape((1, 2), None, "left", True, None)
    # 10^0 is 1 even where it would leave 0: that is how a position starts.
    assert set(shape.phases(modulus)) == {1} | {10**k % modulus for k in range(1, 1100)}
    assert list(shape.phases(modulus).values()) == list(range(shape.count_rows(modulus)))


def test_phases_are_counted_until_they_are_countless() -> None:
    shape, modulus = Shape((1, 2), None, "both", True, None), 10**7 + 19
    assert COUNTLESS < shape.count_rows(modulus) * modulus <= COUNTLESS + modulus


def test_where_digits_go_to_the_right_there_is_one_phase() -> None:
    shape = Shape((1, 2), None, "right", True, None)
    assert shape.phases(997) == {1: 0}
    assert shape.count_rows(997) == 1


def test_uses_that_nobody_can_exhaust_are_not_counted() -> None:
    assert Shape.of(CONQUEST.replace(uses=10)) == Shape.of(CONQUEST)
    assert Shape.of(CONQUEST.replace(uses=9)) != Shape.of(CONQUEST)
