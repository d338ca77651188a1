"""Contests between levels: exact, held to every pattern of slips tried one by one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digitduel import DigitDuelError, Position, Ruleset, find_ruleset, solve
from digitduel.atlas.calibration import calibrate
from digitduel.atlas.contests import evenly, level_chances, most_even
from digitduel.players import LEVELS, LevelPlayer, PerfectPlayer, Skill, slip_chance
from tests.strategies import rulesets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from digitduel import Evaluator, Move

CLOSEST = find_ruleset("closest")
CONQUEST = find_ruleset("conquest").replace(full="closest", limit=6, target=22)

# --- Every pattern of slips, through the players themselves. ---


class Told(Random):
    """Randomness that slips as it is told, and keeps what it was to choose from."""

    def __init__(self, slips: Sequence[bool] = ()) -> None:
        super().__init__(1)
        self.slips = list(slips)
        self.options: list[Move] = []

    def random(self) -> float:
        return 0.0 if self.slips.pop(0) else 1.0

    def choice(self, seq: Any) -> Any:
        self.options = list(seq)
        return seq[0]


def size(position: Position, move: Move) -> int:
    """How often the target goes into the sum of a move, from the digits themselves."""
    target = position.ruleset.target
    rest = int(position.number or "0") % target
    if position.goes_left(move):
        place = pow(10, len(position.number), target)
        return (move.digit * place + rest) // target
    return (10 * rest + move.digit) // target


def slips_at(position: Position, skill: Skill, evaluator: Evaluator) -> list[Fraction]:
    """The chance of each slip that a player asks for, in order."""
    return [
        Fraction(slip_chance(skill.slip, size(position, move), worth.plies))
        for move, worth in evaluator.move_values(position).items()
        if worth.plies is not None and worth.plies <= skill.sight
    ]


def moves_of(
    position: Position, player: Skill | None, evaluator: Evaluator
) -> dict[Move, Fraction]:
    """The chance of each move."""
    found = dict.fromkeys(position.legal_moves, Fraction(0))
    chances = [] if player is None else slips_at(position, player, evaluator)
    for pattern in product(*([True, False] if chance else [False] for chance in chances)):
        weight, rng = Fraction(1), Told(pattern)
        for slips, chance in zip(pattern, chances, strict=True):
            weight *= chance if slips else 1 - chance
        if player is None:
            PerfectPlayer(rng, lambda _: evaluator).choose(position)
        else:
            LevelPlayer(player, rng, lambda _: evaluator).choose(position)
        for move in rng.options:
            found[move] += weight / len(rng.options)
    return found


def starter_chances(ruleset: Ruleset, players: Sequence[Skill | None]) -> list[list[float]]:
    """The chance of whoever starts, for each player against each, by recursion over numbers."""
    evaluator = solve(ruleset)
    moves = cache(lambda position, player: moves_of(position, players[player], evaluator))

    @cache
    def chance(position: Position, mover: int, other: int) -> Fraction:
        total = Fraction(0)
        for move, weight in moves(position, mover).items():
            after = position.play(move)
            if after.ending is None:
                total += weight * (1 - chance(after, other, mover))
            elif after.ending.winner is position.turn:
                total += weight
        return total

    everyone = range(len(players))
    start = Position(ruleset)
    return [[float(chance(start, mover, other)) for other in everyone] for mover in everyone]


@st.composite
def small_rulesets(draw: st.DrawFn) -> Ruleset:
    """Any mix of the parameters, with few enough moves to try every pattern of slips."""
    digits = draw(st.sets(st.integers(0, 9), min_size=2, max_size=3))
    return draw(
        rulesets(
            digits=tuple(digits),
            target=draw(st.integers(2, 40)),
            limit=draw(st.integers(2, 4)),
            forbidden=tuple(draw(st.sets(st.integers(3, 7), max_size=1))),
        )
    )


skills = st.builds(Skill, st.integers(0, 5), st.floats(0, 3).map(lambda slip: round(slip, 2)))


@given(small_rulesets(), skills, skills)
@settings(max_examples=30, deadline=None)
def test_chances_are_those_of_every_pattern_of_slips(
    ruleset: Ruleset, one: Skill, other: Skill
) -> None:
    expected = starter_chances(ruleset, [one, other, None])
    assert np.allclose(level_chances(ruleset, [one, other]).first, expected, rtol=1e-9, atol=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_one_is_taken_evenly_of_those_that_happen_to_be_there(members: list[float]) -> None:
    expected = [0.0] * len(members)
    for there in product([True, False], repeat=len(members)):
        weight = prod(m if t else 1 - m for m, t in zip(members, there, strict=True))
        for place, taken in enumerate(there):
            expected[place] += weight / sum(there) if taken else 0
    assert np.allclose(evenly(np.array(members)[:, None])[:, 0], expected)


# --- What the figures mean. ---


def test_without_slips_a_level_is_a_player_by_sight() -> None:
    """The ladder's steps of pool 12, as they were given."""
    pool = find_ruleset("pool").replace(target=12)
    steps = level_chances(pool, [Skill(sight, 0) for sight in range(7)]).steps
    assert [round(step, 3) for step in steps[:6]] == [0.855, 0.923, 0.553, 0.567, 0.639, 0.5]


def test_seats_and_pairs_fit_together() -> None:
    chances = level_chances(CONQUEST)
    assert chances.first.shape == (8, 8)
    assert np.allclose(chances.both + chances.both.T, 1)
    assert np.allclose(chances.both.diagonal(), 0.5)
    first, second = chances.between(6, 3)
    assert (first, second) == (chances.first[5, 2], 1 - chances.first[2, 5])
    assert chances.steps[3] == chances.both[4, 3]


def test_the_usual_levels_climb_on_every_setting_of_the_sample() -> None:
    for ruleset in (CONQUEST, CLOSEST.replace(target=12, limit=7), CLOSEST.replace(target=27)):
        assert min(level_chances(ruleset, LEVELS.values()).steps) > 0.5


def test_games_that_may_never_end_are_refused_in_words() -> None:
    with pytest.raises(DigitDuelError, match=r"ends with target 33 may never end.*give a limit"):
        level_chances(find_ruleset("ends").replace(target=33))


# --- Levels that climb evenly. ---


@pytest.mark.parametrize(
    "ruleset",
    [
        CLOSEST.replace(target=12, digits="1-8", limit=6),
        CONQUEST,
        find_ruleset("ends").replace(target=33, digits="1-6", limit=9),
    ],
    ids=["closest", "conquest", "ends"],
)
def test_calibrated_levels_climb_evenly(ruleset: Ruleset) -> None:
    chosen = calibrate(ruleset)
    assert len(chosen) == 7
    assert all(0.6 <= step <= 0.72 for step in level_chances(ruleset, chosen).steps)
    assert chosen[0].sight == 1
    assert chosen[0].slip >= 1
    for below, above in pairwise(chosen):
        assert above.sight >= below.sight
        assert above.slip <= below.slip


def test_rules_without_room_for_eight_levels_are_said_to_have_none() -> None:
    with pytest.raises(DigitDuelError, match=r"pool with target 33 has no 8 levels.*with 85%"):
        calibrate(find_ruleset("pool").replace(target=33))


# --- Settings for people of different strength. ---


def test_the_most_even_setting_comes_first_and_what_may_never_end_is_left_out() -> None:
    offered = [
        ("twelve", CLOSEST.replace(target=12, limit=6)),
        ("endless", find_ruleset("ends").replace(target=33)),
        ("thirty-three", find_ruleset("pool").replace(target=33, digits="1-6")),
    ]
    rows = most_even(offered, 3, 6)
    assert [row.name for row in rows] == ["thirty-three", "twelve"]
    for row in rows:
        assert (row.first, row.second) == level_chances(row.ruleset).between(3, 6)
        assert row.both == (row.first + row.second) / 2
    distances = [abs(row.second - 0.5) for row in most_even(offered, 3, 6, seat="second")]
    assert distances == sorted(distances)


@pytest.mark.parametrize("levels", [(0, 3), (3, 9)])
def test_levels_that_there_are_not_are_refused(levels: tuple[int, int]) -> None:
    with pytest.raises(DigitDuelError, match=r"there is no level [09]: choose from 1 to 8"):
        most_even([], *levels)
