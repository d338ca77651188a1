"""The states of a rule set are counted by arithmetic as if they had been listed."""

from __future__ import annotations

import itertools

import pytest

from digitduel import find_ruleset
from digitduel.states.shape import COUNTLESS, Shape, count_states

CONQUEST, POOL, ENDS = map(find_ruleset, ("conquest", "pool", "ends"))


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


def lines_of(shape: Shape, used: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Every line of play as the digits placed, as if no game ended early."""
    lines = [used]
    if len(used) == shape.capacity:
        return lines
    for _ in shape.ends_at(len(used)):
        for digit in shape.digits:
            if shape.uses is None or used.count(digit) < shape.uses:
                lines += lines_of(shape, (*used, digit))
    return lines


@pytest.mark.parametrize("ends", ["right", "left", "both"])
@pytest.mark.parametrize("uses", [1, 2, None])
@pytest.mark.parametrize("kinds", [1, 2, 3])
def test_lines_of_play_are_counted_as_if_they_were_listed(
    kinds: int, uses: int | None, ends: str
) -> None:
    capacity = min(kinds * (uses or 5), 5)
    shape = Shape(tuple(range(1, kinds + 1)), uses, ends, True, capacity)
    lines = lines_of(shape)
    full = sum(len(line) == capacity for line in lines)
    assert shape.count_lines() == (len(lines), full)


def test_lines_of_play_are_counted_until_they_are_countless() -> None:
    assert Shape((1, 2), None, "right", True, None).count_lines() == (COUNTLESS, COUNTLESS)
    assert Shape((7,), None, "right", True, 10**100).count_lines() == (10**100 + 1, 1)
    # 2^36 is the first power of two with which the sum is countless.
    assert Shape((1, 2), None, "right", True, 36).count_lines() == (2**37 - 1, 2**36)
    assert Shape((1, 2), None, "right", True, 50).count_lines() == (2**37 - 1, 2**36)
    total, last = Shape((1, 2), None, "right", True, 35).count_lines()
    assert (total, last) == (2**36 - 1, 2**35)


def test_numbers_of_64_digits_are_the_longest_that_are_counted() -> None:
    for capacity in (64, 65, None):
        assert len(Shape((1, 2), None, "right", True, capacity).count_numbers()) == 65
    assert len(Shape((1, 2), None, "right", True, 63).count_numbers()) == 64


def test_there_are_no_more_states_than_lines_of_play() -> None:
    assert count_states(POOL.replace(digits="1-3", target=10**9 + 7)) == 16  # lines
    assert count_states(POOL.replace(digits="1-3", target=2)) == 7 * 2  # vectors and remainders
    assert count_states(ENDS.replace(target=7, digits="1-9")) == 6 * 7


def test_every_count_matters_to_whoever_asks_for_it() -> None:
    assert Shape.of(CONQUEST.replace(uses=10)).uses is None
    assert Shape.of(CONQUEST.replace(uses=12), every_count=True).uses == 10
    assert Shape.of(CONQUEST.replace(uses=10), every_count=True).uses == 10
    assert Shape.of(CONQUEST.replace(uses=9), every_count=True).uses == 9


def test_zero_is_barred_from_coming_first_and_nowhere_else() -> None:
    shape = Shape((0, 5), None, "both", False, None)
    assert shape.digits_at(0, "R") == (5,)
    assert shape.digits_at(3, "L") == (5,)
    assert shape.digits_at(3, "R") == (0, 5)
    free = Shape((0, 5), None, "both", True, None)
    assert free.digits_at(0, "R") == free.digits_at(3, "L") == (0, 5)
