"""The rules on remainders: for a number as plain arithmetic says, for arrays as for each number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel.solver.table import TableLayout
from digitduel.states.endings import (
    distance,
    divides,
    grown,
    last_mover_loses,
    remainder,
    spoiled,
    stuck,
    wins_full,
)
from tests.solver.test_brute_force import small_rulesets
from tests.strategies import law, rulesets

if TYPE_CHECKING:
    from digitduel import Ruleset

# Machine words hold numbers below a quarter of what they can count to.
WORDS: dict[Any, int] = {np.int32: 2**29, np.uint32: 2**30, np.int64: 2**61, np.uint64: 2**62}
divisors = st.integers(1, 200) | st.integers(1, 2**33) | st.integers(1, 2**65)


@st.composite
def arrays(draw: st.DrawFn) -> Any:
    """Some numbers, small and large, as an array of machine words or of Python's own."""
    dtype = draw(st.sampled_from([*WORDS, object]))
    most = WORDS.get(dtype, 10**100)
    numbers = st.integers(0, min(most, 1000)) | st.integers(0, most - 1)
    return np.array(draw(st.lists(numbers, min_size=1, max_size=20)), dtype)


@law
@given(st.integers(0, 10**40), divisors)
def test_a_number_is_divided_as_plain_arithmetic_does(number: int, divisor: int) -> None:
    rest = number - number // divisor * divisor
    assert remainder(number, divisor) == rest
    assert divides(divisor, number) is (rest == 0)
    assert distance(divisor, number) == min(rest, divisor - rest)


@law
@given(st.integers(0, 10**20), st.integers(0, 9))
def test_a_number_grows_as_its_digits_do(number: int, digit: int) -> None:
    assert grown(number, digit) == int(f"{number}{digit}")
    assert grown(number, digit, 10 ** len(str(number))) == int(f"{digit}{number}")


@law
@given(arrays(), divisors, st.lists(divisors, max_size=3))
def test_an_array_is_judged_as_each_of_its_numbers(
    array: Any, divisor: int, forbidden: list[int]
) -> None:
    numbers, before = array.tolist(), array.copy()
    assert remainder(array, divisor).tolist() == [remainder(n, divisor) for n in numbers]
    assert distance(divisor, array).tolist() == [distance(divisor, n) for n in numbers]
    for judged, plain in (
        (divides(divisor, array), [divides(divisor, n) for n in numbers]),
        (spoiled(forbidden, array), [spoiled(forbidden, n) for n in numbers]),
    ):
        assert judged.dtype == bool
        assert judged.tolist() == plain
    assert (array == before).all()


@law
@given(
    st.lists(st.integers(1, 200) | st.integers(1, 2**51), min_size=1),
    st.lists(st.integers(0, 1000) | st.integers(0, 2**50), min_size=1),
    st.integers(1, 2**20),
)
def test_many_divisors_judge_as_each_of_them(
    divisors: list[int], numbers: list[int], times: int
) -> None:
    # Multiples, and half way between two of them, where a quotient is rounded.
    numbers += [number for n in divisors for number in (n, n * times // 2) if number < 2**50]
    columns = np.array(numbers, float)[:, None]
    judged = divides(np.array(divisors, float), columns)
    assert judged.tolist() == [[divides(n, number) for n in divisors] for number in numbers]
    far = distance(np.array(divisors, float), columns)
    assert far.tolist() == [[distance(n, number) for n in divisors] for number in numbers]


@law
@given(st.lists(divisors, max_size=3), st.lists(st.lists(st.booleans(), min_size=4, max_size=4)))
def test_whoever_has_no_safe_move_is_stuck(forbidden: list[int], missing: list[list[bool]]) -> None:
    numbers = [np.arange(move, move + 4) for move in range(len(missing))]
    for state, lost in enumerate(np.broadcast_to(stuck(forbidden, numbers, np.array(missing)), 4)):
        made = [
            int(row[state]) for row, gone in zip(numbers, missing, strict=True) if not gone[state]
        ]
        assert lost == stuck(forbidden, made) == all(spoiled(forbidden, number) for number in made)


@law
@given(rulesets(), st.lists(st.tuples(st.integers(0, 2**29), st.integers(0, 2**29)), min_size=1))
def test_full_numbers_are_judged_alike(ruleset: Ruleset, pairs: list[tuple[int, int]]) -> None:
    numbers, before = np.array(pairs).T
    plain = [wins_full(ruleset, number, previous) for number, previous in pairs]
    assert wins_full(ruleset, numbers, before).tolist() == plain


@pytest.mark.parametrize("left", range(6))
def test_whoever_places_the_last_digit_loses(left: int) -> None:
    assert last_mover_loses(left) == (1 if left == 0 else -last_mover_loses(left - 1))


@law
@given(small_rulesets(endless=True) | small_rulesets(endless=False))
def test_the_table_marks_by_strides_what_the_endings_say(ruleset: Ruleset) -> None:
    table = TableLayout(ruleset, 9)
    rows, residues = np.zeros((2, ruleset.modulus), np.int8), np.arange(ruleset.modulus)
    table._mark_ended(rows, -3)
    expected = np.where(divides(ruleset.target, residues), -3, 0)
    expected[spoiled(ruleset.forbidden, residues)] = 9
    assert (rows == expected).all()
