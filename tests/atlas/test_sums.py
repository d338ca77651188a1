"""How hard the sums are: a table that is agreed on, and the laws that a model of it must keep."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from digitduel import Ruleset, find_ruleset
from digitduel.atlas.sums import Signs, effort, explain_sums, sums
from tests.strategies import law, rulesets

POOL, FORBIDDEN = find_ruleset("pool"), find_ruleset("forbidden")

# The targets of each step, with one end open.
TABLE = {
    1: (2, 3, 4, 5, 9, 10, 20, 25, 40, 50, 100, 1000),
    2: (6, 8, 11, 12, 15, 18, 30, 36, 45, 60, 75, 90),
    3: (7, 13, 16, 22, 24, 27, 33, 44, 55, 72, 99),
    4: (14, 17, 19, 21, 23, 26, 28, 29, 31, 32, 35, 37, 63, 66, 81, 88),
    5: (34, 41, 43, 49, 51, 64, 71, 73, 77, 83, 85, 87, 89, 91, 92, 95, 97, 98, 1001, 10**9 + 7),
}
tested = st.builds(
    lambda last, digit_sum, alternating: last * digit_sum * alternating,
    st.sampled_from([1, 2, 4, 5, 8, 10, 20, 25, 50, 100]),
    st.sampled_from([1, 3, 9]),
    st.sampled_from([1, 11]),
).filter(lambda target: target > 1)
untested = st.integers(7, 10**6).filter(lambda number: all(number % p for p in (2, 3, 5, 11)))


def steps(target: int, ends: str = "right") -> int:
    return sums(POOL.replace(target=target, ends=ends))


@pytest.mark.parametrize("step", TABLE)
def test_the_steps_that_are_agreed_on(step: int) -> None:
    assert {target: steps(target) for target in TABLE[step]} == dict.fromkeys(TABLE[step], step)


def test_a_class_can_do_the_sums_with_12_at_either_end() -> None:
    assert [steps(12, ends) for ends in ("right", "left", "both")] == [2, 2, 2]


def test_digits_on_the_left_make_remainders_harder_and_last_digits_no_harder() -> None:
    assert [steps(7, ends) for ends in ("right", "left", "both")] == [3, 4, 4]
    assert [steps(8, ends) for ends in ("right", "left", "both")] == [2, 1, 2]
    assert [steps(33, ends) for ends in ("right", "left", "both")] == [3, 3, 3]


def test_what_is_forbidden_has_to_be_kept_in_view() -> None:
    free = FORBIDDEN.replace(forbidden=())
    assert effort(free) < effort(FORBIDDEN) < effort(FORBIDDEN.replace(forbidden=(2, 3, 5, 13)))
    assert [sums(FORBIDDEN.replace(target=target)) for target in (7, 13, 17)] == [3, 4, 4]


@law
@given(rulesets())
def test_sums_are_from_1_to_5(ruleset: Ruleset) -> None:
    assert sums(ruleset) in range(1, 6)
    assert explain_sums(ruleset)


@law
@given(tested, untested, st.sampled_from(["right", "left", "both"]))
def test_a_target_with_tests_is_no_harder_than_a_larger_one_without(
    target: int, other: int, ends: str
) -> None:
    assume(other > target)
    assert steps(target, ends) <= steps(other, ends)


@law
@given(untested, untested)
def test_a_larger_remainder_is_no_easier_to_carry(one: int, other: int) -> None:
    small, large = sorted((one, other))
    assert Signs.of(small).rest == small
    assert effort(POOL.replace(target=small)) <= effort(POOL.replace(target=large))


@law
@given(st.integers(2, 10**6), st.integers(2, 100))
def test_a_multiple_without_a_zero_more_at_its_end_is_no_easier(target: int, times: int) -> None:
    assume(target % 10 and target * times % 10)
    assert effort(POOL.replace(target=target)) <= effort(POOL.replace(target=target * times))


@law
@given(rulesets())
def test_a_second_end_adds_at_most_a_step_and_takes_none(ruleset: Ruleset) -> None:
    right, left, both = (
        sums(ruleset.replace(ends=ends, forbidden=())) for ends in ("right", "left", "both")
    )
    assert right <= both <= right + 1
    assert left <= both


@law
@given(rulesets())
def test_only_the_divisors_and_the_ends_matter(ruleset: Ruleset) -> None:
    assert effort(ruleset.replace(limit=7, uses=3, full="closest")) == effort(ruleset)


@pytest.mark.parametrize("target", [10**100, 10**100 - 797, 2**332, 5**143, 33 * 10**98])
def test_huge_targets_are_not_factored(target: int) -> None:
    assert steps(target) in range(1, 6)
    assert explain_sums(POOL.replace(target=target))


@pytest.mark.parametrize(
    ("target", "clause"),
    [
        (2, "last digit"),
        (12, "last two digits and digit sum"),
        (11, "alternating sum"),
        (17, "no test: carry the remainder"),
        (27, "digit sum, then carry the remainder"),
        (85, "last digit, then carry the remainder"),
        (198, "last digit, digit sum and alternating sum"),
        (16, "last four digits"),
        (32, "last 5 digits"),
    ],
)
def test_which_test_there_is_is_said_in_words(target: int, clause: str) -> None:
    assert explain_sums(POOL.replace(target=target)) == clause


def test_a_target_of_1_needs_no_sums() -> None:
    everything = find_ruleset("ends").replace(target=1)
    assert (sums(everything), explain_sums(everything)) == (1, "every number will do")
