"""How large a solution would be: said by arithmetic, before anything is allocated, and kept."""

from __future__ import annotations

import itertools
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from digitduel import TooLargeError, find_ruleset
from digitduel.solver import Lookahead, estimate, evaluator_for, solve
from digitduel.solver.size import LAYOUTS, MEMORY
from digitduel.solver.table import TableLayout
from digitduel.states.shape import (
    COUNTLESS,
    Shape,
    count_phases,
    count_vectors,
    count_words,
    phases,
)

if TYPE_CHECKING:
    from digitduel import Ruleset

POOL, CLOSEST = find_ruleset("pool"), find_ruleset("closest")
CONQUEST, FORBIDDEN = find_ruleset("conquest"), find_ruleset("forbidden")
ENDS = find_ruleset("ends").replace(digits=tuple(range(1, 10)))


@pytest.mark.parametrize("kinds", [1, 2, 4])
@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("total", [0, 1, 3, 5, 20])
def test_vectors_are_counted_as_if_they_were_listed(kinds: int, most: int, total: int) -> None:
    vectors = itertools.product(range(most + 1), repeat=kinds)
    assert count_vectors(kinds, most, total) == sum(sum(each) <= total for each in vectors)


@pytest.mark.parametrize("kinds", [1, 2, 3])
@pytest.mark.parametrize("uses", [1, 2, None])
def test_words_are_counted_as_if_they_were_listed(kinds: int, uses: int | None) -> None:
    letters, longest = "abc"[:kinds], 5
    listed = [
        sum(
            uses is None or all(word.count(letter) <= uses for letter in letters)
            for word in itertools.product(letters, repeat=length)
        )
        for length in range(longest + 1)
    ]
    assert list(count_words(kinds, uses, longest)) == listed


@pytest.mark.parametrize("modulus", [1, 2, 7, 8, 44, 99, 100, 996, 997])
def test_phases_are_all_that_ten_to_the_length_can_leave(modulus: int) -> None:
    # 10^0 is 1 even where it would leave 0: that is how a position starts.
    assert set(phases(modulus)) == {1} | {10**k % modulus for k in range(1, 1100)}
    assert list(phases(modulus).values()) == list(range(count_phases(modulus)))


@pytest.mark.parametrize(
    ("ruleset", "layout", "states"),
    [
        (POOL, "table", 511 * 7),
        (POOL, "tree", sum([1, 9, 72, 504, 3024, 15120, 60480, 181440, 362880])),
        (CONQUEST.replace(target=10**6), "table", 10 * 10**6),
        (FORBIDDEN.replace(target=10_007), "table", 30 * 10_007),
        (ENDS.replace(target=7), "table", 6 * 7),
        (POOL.replace(uses=2, limit=3), "table", (1 + 9 + 45) * 7),
    ],
)
def test_states_are_counted(ruleset: Ruleset, layout: str, states: int) -> None:
    assert LAYOUTS[layout](ruleset).states == states
    assert solve(ruleset, layout=layout).states == states


@pytest.mark.parametrize(
    "ruleset",
    [
        FORBIDDEN.replace(target=10**100),
        ENDS.replace(target=10**12 + 39),
        ENDS.replace(target=10**6 + 3),
        CONQUEST.replace(limit=10**12),
        CONQUEST.replace(limit=10**100, ends="both"),
        CONQUEST.replace(limit=10**100, digits=(7,)),
        CONQUEST.replace(limit=40, target=10**9 + 7),
        POOL.replace(uses=10**6, limit=10**7),
        POOL.replace(uses=10**99),
        POOL.replace(uses=50, digits=tuple(range(10)), target=10**9, full="closest"),
        CLOSEST.replace(uses=30, target=10**50),
    ],
    ids=lambda rules: f"{rules.key}-{rules.uses}-{rules.limit}-{len(str(rules.target))}",
)
def test_what_is_too_large_is_refused_at_once(ruleset: Ruleset) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(TooLargeError, match=r"would take .* states and .* but only 1\.0 GiB"):
            solve(ruleset)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10**6
    assert estimate(ruleset).bytes > MEMORY
    assert isinstance(evaluator_for(ruleset), Lookahead)


def test_too_large_says_how_large_and_what_was_allowed() -> None:
    ruleset = FORBIDDEN.replace(target=101)
    with pytest.raises(TooLargeError) as error:
        solve(ruleset, memory=100_000)
    assert str(error.value) == (
        "solving forbidden with target 101 would take 3,030 states and "
        f"{estimate(ruleset).bytes / 2**20:.1f} MiB of memory, but only 97.7 KiB may be used: "
        "choose a smaller target, a shorter limit or fewer digits, or allow more memory."
    )
    enough = estimate(ruleset).bytes
    assert solve(ruleset, memory=enough).states == 3030
    with pytest.raises(TooLargeError):
        solve(ruleset, memory=enough - 1)


def test_another_layout_is_taken_where_the_quickest_does_not_fit() -> None:
    ruleset = POOL.replace(target=1000)
    quick, small = estimate(ruleset), estimate(ruleset, memory=5 * 10**6)
    assert quick.bytes <= MEMORY
    assert small.bytes <= 5 * 10**6
    assert solve(ruleset, memory=5 * 10**6).layout == small.layout


@pytest.mark.parametrize(
    ("ruleset", "layout"),
    [
        (POOL.replace(target=7), "table"),
        (POOL.replace(target=997), "tree"),
        (POOL.replace(target=10_007), "table"),
        (POOL.replace(target=10_007), "sparse"),
        (POOL.replace(target=9_973, ends="both"), "table"),
        (POOL.replace(target=31, uses=2, ends="both"), "table"),
        (POOL.replace(target=11, uses=3), "table"),
        (CLOSEST.replace(target=9_973), "table"),
        (CLOSEST.replace(target=10**7), "tree"),
        (CLOSEST.replace(target=1009, uses=2, limit=7), "table"),
        (CONQUEST.replace(target=10**6), "table"),
        (CONQUEST.replace(target=300_007, limit=4, ends="left", full="closest"), "table"),
        (CONQUEST.replace(target=10**12, limit=6, full="closest"), "tree"),
        (FORBIDDEN.replace(target=99_991), "table"),
        (FORBIDDEN.replace(target=503, ends="left"), "table"),
        (ENDS.replace(target=997), "table"),
        (ENDS.replace(target=149, digits=(1,)), "table"),
    ],
    ids=lambda each: each if isinstance(each, str) else f"{each.key}-{each.target}-{each.ends}",
)
def test_the_peak_stays_within_the_estimate(ruleset: Ruleset, layout: str) -> None:
    size = LAYOUTS[layout](ruleset)
    tracemalloc.start()
    try:
        solve(ruleset, layout=layout)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # At least a byte for each state, unless only multiples are kept.
    assert (0 if layout == "sparse" else size.states) < peak <= size.bytes


def test_scores_too_narrow_for_the_longest_way_are_noticed() -> None:
    # 19 is won by the first player in 9, and 9 plies are the most there is to tell.
    ruleset = ENDS.replace(target=19)
    longest = max(value.plies or 0 for _, value in solve(ruleset).walk())
    for bound in range(2, longest + 4):
        table = TableLayout(ruleset, bound, "int8")
        table.solve(lambda _: None)
        assert table.overflows() == (bound <= longest + 1), bound


def test_uses_that_nobody_can_exhaust_are_not_counted() -> None:
    assert Shape.of(CONQUEST.replace(uses=10)) == Shape.of(CONQUEST)
    assert Shape.of(CONQUEST.replace(uses=9)) != Shape.of(CONQUEST)


def test_layouts_that_cannot_hold_a_game_are_countless() -> None:
    assert LAYOUTS["tree"](ENDS).states > COUNTLESS
    assert LAYOUTS["sparse"](CLOSEST).states > COUNTLESS
