"""How large a solution would be: said by arithmetic, before anything is allocated, and kept."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

from digitduel import TooLargeError, find_ruleset
from digitduel.solver import Lookahead, estimate, evaluator_for, solve
from digitduel.solver.size import (
    LAYOUTS,
    MEMORY,
    Estimate,
    refuse_if_too_large,
    score_bytes,
    size_in_words,
)
from digitduel.solver.table import TableLayout
from digitduel.states.shape import COUNTLESS

if TYPE_CHECKING:
    from digitduel import Ruleset

POOL, CLOSEST = find_ruleset("pool"), find_ruleset("closest")
CONQUEST, FORBIDDEN = find_ruleset("conquest"), find_ruleset("forbidden")
ENDS = find_ruleset("ends").replace(digits=tuple(range(1, 10)))


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
        (CONQUEST.replace(target=10**6 + 3, limit=2, ends="left"), "table"),
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
        table = TableLayout(ruleset, bound)
        table.solve(lambda _: None)
        assert table.overflows() == (bound <= longest + 1), bound


def test_layouts_that_cannot_hold_a_game_are_countless() -> None:
    assert LAYOUTS["tree"](ENDS).states > COUNTLESS
    assert LAYOUTS["sparse"](CLOSEST).states > COUNTLESS


# Estimates decide what is refused, what is solved while somebody waits and in which layout. They
# were compared with measurements: one that changes by accident is a change nobody compared.
ESTIMATES = {
    POOL: [
        ("table", 3577, 589803, 545376),
        ("tree", 623530, 13184596, 3772820),
        ("sparse", 623530, 395219360, 1710581510),
    ],
    POOL.replace(ends="left", target=10_007): [
        ("table", 5113577, 11983172, 8225376),
        ("tree", 623530, 13184596, 3772820),
        ("sparse", 623530, 40630960, 1375390),
    ],
    POOL.replace(uses=2, limit=7, ends="both"): [
        ("table", 21427, 7682882, 530796),
        ("tree", 14689324, 70434184, 460428568),
        ("sparse", 14689324, 572086560, 1113725780),
    ],
    CLOSEST.replace(target=101): [
        ("table", 51611, 4336859, 617568),
        ("tree", 623530, 13184596, 3772820),
    ],
    CONQUEST: [
        ("table", 70, 68200, 600210),
        ("tree", 435848050, 885427636, 15692529804),
        ("sparse", 435848050, 571429230560, 1135038042380),
    ],
    CONQUEST.replace(limit=9, digits=(1, 2, 3)): [
        ("table", 63, 66513, 540063),
        ("tree", 9841, 2743330, 1859048),
        ("sparse", 9841, 12464960, 1437185510),
    ],
    CONQUEST.replace(limit=18, digits=(1, 2)): [
        ("table", 126, 66296, 1080084),
        ("tree", 262143, 14303822, 5697148),
        ("sparse", 262143, 210370160, 1428571428721584750),
    ],
    CONQUEST.replace(limit=19, digits=(1,)): [
        ("table", 133, 66023, 1140044),
        ("tree", 19, 224774, 3804000),
    ],
    # From here on a score takes two bytes.
    CONQUEST.replace(limit=127, digits=(1,)): [
        ("table", 889, 67742, 7620592),
        ("tree", 127, 1084924, 25425600),
    ],
    CONQUEST.replace(limit=126, digits=(1, 2)): [("table", 882, 67052, 7560588)],
    CONQUEST.replace(target=10**5): [("table", 10**6, 5865554, 3600000)],
    FORBIDDEN.replace(target=101): [("table", 3030, 1211112, 312720)],
    ENDS.replace(target=101): [("table", 404, 141920, 979392)],
    ENDS.replace(target=149, digits=(1,)): [("table", 22052, 154176, 35637608)],
}


@pytest.mark.parametrize(
    ("ruleset", "expected"),
    [
        pytest.param(rules, Estimate(*figures), id=f"{rules.key}-{number}-{figures[0]}")
        for number, (rules, estimates) in enumerate(ESTIMATES.items())
        for figures in estimates
    ],
)
def test_estimates_are_those_that_were_compared_with_measurements(
    ruleset: Ruleset, expected: Estimate
) -> None:
    assert LAYOUTS[expected.layout](ruleset) == expected


@pytest.mark.parametrize(
    ("ruleset", "layout"),
    [
        (ENDS, "tree"),
        (ENDS, "sparse"),
        (CLOSEST, "sparse"),
        (POOL.replace(forbidden=(11,)), "sparse"),
        (CONQUEST.replace(digits=(0, 1), leading_zero=False), "sparse"),
        (CONQUEST.replace(limit=19, digits=(1,)), "sparse"),
    ],
)
def test_a_layout_that_cannot_hold_a_game_is_larger_and_slower_than_any(
    ruleset: Ruleset, layout: str
) -> None:
    endless = COUNTLESS**2
    assert LAYOUTS[layout](ruleset) == Estimate(layout, COUNTLESS + 1, endless, endless)


@pytest.mark.parametrize(("bytes_", "bits"), [(1, 7), (2, 15), (4, 31)])
def test_a_score_gets_as_many_bytes_as_its_bound_needs(bytes_: int, bits: int) -> None:
    assert score_bytes(2**bits - 1) == bytes_
    assert score_bytes(2**bits) == 2 * bytes_


def test_the_quickest_layout_that_fits_is_taken_else_the_smallest() -> None:
    ruleset = POOL.replace(target=997)
    sizes = [make(ruleset) for make in LAYOUTS.values()]
    quickest, smallest = min(sizes, key=lambda s: s.work), min(sizes, key=lambda s: s.bytes)
    assert estimate(ruleset) == quickest
    assert estimate(ruleset, memory=smallest.bytes) == smallest
    assert estimate(ruleset, memory=1) == smallest


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (1023, "1023 bytes"),
        (1024, "1.0 KiB"),
        (2**20 - 1, "1,024.0 KiB"),
        (2**20, "1.0 MiB"),
        (1_500_000, "1.4 MiB"),
        (2**30, "1.0 GiB"),
        (2**60 - 2**40, "1,073,740,800.0 GiB"),
        (2**60, "1,073,741,824 GiB"),
    ],
)
def test_memory_is_told_in_units_that_people_read(size: int, words: str) -> None:
    told = size_in_words(POOL, Estimate("table", COUNTLESS, size, 1))
    assert told == (
        f"solving pool with target 7 would take 100,000,000,000 states and {words} of memory"
    )


def test_beyond_what_is_counted_there_are_at_least_so_many_states() -> None:
    beyond = Estimate("table", COUNTLESS + 1, 5, 1)
    assert "would take at least " in size_in_words(POOL, beyond)


def test_memory_that_is_just_enough_is_not_refused() -> None:
    size = Estimate("table", 10, 5000, 1)
    refuse_if_too_large(POOL, size, 5000)
    with pytest.raises(TooLargeError, match=r"but only 4\.9 KiB may be used"):
        refuse_if_too_large(POOL, size, 4999)


def test_a_gibibyte_is_used_unless_somebody_says_otherwise() -> None:
    assert MEMORY == 2**30
