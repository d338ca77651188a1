"""Every target at once, against solving them one by one."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from digitduel import DigitDuelError, InvalidRulesetError, Position, Ruleset, find_ruleset
from digitduel.atlas.alltargets import AllTargets, all_targets, default_from
from digitduel.cli import main
from digitduel.solver import Solution, Value, solve
from digitduel.states.endings import last_mover_loses
from digitduel.states.shape import Shape

if TYPE_CHECKING:
    from pathlib import Path

    from hypothesis.strategies import DrawFn

POOL = find_ruleset("pool")


def signed_plies(ruleset: Ruleset, target: int) -> int:
    worth = solve(ruleset.replace(target=target)).probe(Position(ruleset.replace(target=target)))
    return (worth.plies or 0) * (1 if worth.value is Value.WIN else -1)


@st.composite
def small_rulesets(draw: DrawFn) -> Ruleset:
    digits = draw(st.sets(st.integers(0, 9), min_size=2, max_size=5))
    try:
        return Ruleset(
            *("small", "Small", "Any."),
            digits=tuple(digits),
            target=2,
            uses=draw(st.none() | st.integers(1, 2)),
            ends="right" if 0 in digits else draw(st.sampled_from(["right", "left", "both"])),
            limit=draw(st.integers(1, 4)),
            leading_zero=0 not in digits,
        )
    except InvalidRulesetError:
        assume(False)
        raise


@given(ruleset=small_rulesets(), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_small_games_come_out_as_solved_one_by_one(ruleset: Ruleset, seed: int) -> None:
    found = all_targets(ruleset)
    plies = dict(zip(found.targets.tolist(), found.plies.tolist(), strict=True))
    for target in [*range(2, 40), *Random(seed).sample(sorted(plies), min(40, len(plies)))]:
        default = (found.default.plies or 0) * (1 if found.default.value is Value.WIN else -1)
        assert plies.get(target, default) == signed_plies(ruleset, target), target


@given(ruleset=small_rulesets())
@settings(max_examples=60, deadline=None)
def test_from_the_bound_on_every_target_has_the_default(ruleset: Ruleset) -> None:
    bound, capacity = default_from(Shape.of(ruleset)), ruleset.capacity or 0
    assume(bound is not None)
    largest = int(str(max(ruleset.digits)) * capacity)
    targets = list(range(bound or 0, largest + 3))
    for target in targets[:300] + targets[300 :: max(1, len(targets) // 200)]:
        plies = signed_plies(ruleset, target)
        assert plies == last_mover_loses(capacity) * capacity, target


@given(ruleset=small_rulesets())
@settings(max_examples=60, deadline=None)
def test_with_the_bound_or_without_it_every_target_comes_out_the_same(ruleset: Ruleset) -> None:
    found = all_targets(ruleset)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("digitduel.atlas.alltargets.default_from", lambda _: None)
        followed = all_targets(ruleset)
    assert (found.numbers, found.pairs) == (followed.numbers, followed.pairs)
    assert found.targets.tolist() == followed.targets.tolist()
    assert found.plies.tolist() == followed.plies.tolist()


@pytest.mark.parametrize(
    ("changes", "bound"),
    [
        ({}, 89),  # two digits may be left, as far from each other as 1 and 9
        ({"limit": 4}, 19),  # two of the seven or more that are left are neighbours
        ({"uses": None, "limit": 10}, 19),
        ({"uses": 2}, None),  # what is left may be one digit twice
        ({"uses": 2, "limit": 17}, 89),
        ({"digits": "3,5", "uses": None, "limit": 8}, 23),
        ({"digits": "0,5", "uses": None, "limit": 8, "leading_zero": False}, None),  # 5 is forced
        ({"digits": "0,4,5", "leading_zero": False}, 56),
        ({"digits": "5"}, None),
        ({"ends": "left"}, None),
        ({"ends": "both"}, None),
    ],
)
def test_the_bound_depends_on_how_near_two_digits_must_be(
    changes: dict[str, object], bound: int | None
) -> None:
    assert default_from(Shape.of(POOL.replace(**changes))) == bound


def test_only_targets_below_the_bound_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []

    def watched(ruleset: Ruleset) -> Solution:
        solved.append(ruleset.target)
        return solve(ruleset)

    monkeypatch.setattr("digitduel.atlas.alltargets.solve", watched)
    found = all_targets(POOL.replace(digits="1-5", target=12, smallest_target=10))
    assert solved == [target for target in found.targets.tolist() if target < 45]


def test_the_divisors_are_those_of_the_numbers() -> None:
    ruleset = POOL.replace(digits="2,4,7")
    numbers = [24, 27, 42, 47, 72, 74, 2, 4, 7, 247, 274, 427, 472, 724, 742]
    found = all_targets(ruleset)
    pairs = [(n, d) for n in numbers for d in range(2, n + 1) if n % d == 0]
    assert found.numbers == len(numbers)
    assert found.pairs == len(pairs)
    assert found.targets.tolist() == sorted({divisor for _, divisor in pairs})


@pytest.mark.slow
def test_pool_the_starter_wins_exactly_for_2_to_9_and_12() -> None:
    found = all_targets(POOL)
    assert found.numbers == 986_409
    assert found.pairs == 22_091_939
    assert len(found.targets) == 5_804_972
    assert found.exceptions == {1: list(range(2, 10)), 7: [12]}
    assert found.sentences[1] == (
        "With best play the starter wins exactly for 2-9 and 12: "
        "in 1 move for 2-9 and 7 moves for 12."
    )
    check_sample(found, Random(5))


def check_sample(found: AllTargets, random: Random) -> None:
    """Some targets solved on their own: divisors of numbers, and others."""
    places = [random.randrange(len(found.targets)) for _ in range(150)] + list(range(100))
    for place in places:
        target = int(found.targets[place])
        assert int(found.plies[place]) == signed_plies(POOL, target), target
    divisors = set(found.targets.tolist())
    others = [n for n in (random.randrange(10**9) for _ in range(60)) if n not in divisors]
    for target in [*others[:30], 987654322, 10**30]:
        assert signed_plies(POOL, target) == -9, target


@pytest.mark.parametrize(
    ("key", "changes", "words"),
    [
        ("closest", {}, "distances"),
        ("ends", {}, "without end"),
        ("forbidden", {"limit": 5}, "forbidden"),
        ("conquest", {}, "3,922,632,451"),
        ("pool", {"digits": "0-5"}, "leave 0 out, or take ends = right"),
        (
            "pool",
            {"digits": "0-5", "leading_zero": False, "ends": "left"},
            "leave 0 out, or take ends = right",
        ),
    ],
)
def test_what_cannot_be_solved_for_all_targets(
    key: str, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(DigitDuelError, match=words):
        all_targets(find_ruleset(key).replace(**changes))


def test_the_command_answers_in_words_and_as_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "all.json"
    words = ["atlas", "pool", "--digits", "1-5", "--all-targets", "--out", str(out)]
    for _ in range(2):
        assert main(words) == 0
    said = capsys.readouterr().out
    assert "325 numbers can be formed, and" in said
    assert (
        "the starter wins exactly for 2-6 and 9: in 1 move for 2-5 and 3 moves for 6 and 9" in said
    )
    rows = json.loads(out.read_text())
    assert rows[0] == {"target": 2, "value": "win", "plies": 1}
    assert {row["target"] for row in rows} >= {2, 3, 54321}
    out.write_text("mine")
    assert main(words) == 1
    assert out.read_text() == "mine"


def test_where_every_target_has_the_same_winner_nobody_else_is_named() -> None:
    said = " ".join(all_targets(POOL.replace(limit=4)).sentences)
    assert "With each of these targets the starter wins" in said
    assert "other" not in said
