"""How levels choose: what they see of a move, when they slip, and where perfect play sets traps."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import Move, Position, find_ruleset, solve
from digitduel.players import LEVELS, levels, make_player, manner, skills_for, slip_chance
from digitduel.players.levels import (
    PERFECT,
    SIZES,
    LevelPlayer,
    PerfectPlayer,
    RankedPlayer,
    Skill,
    mean_chance,
    wrong_chance,
)
from digitduel.solver import Evaluation, Evaluator, Value, rules_key

if TYPE_CHECKING:
    from digitduel import Ruleset

START = Position(find_ruleset("pool").replace(target=101, digits="1-4"))
WIN, LOSS, OPEN = Value.WIN, Value.LOSS, Evaluation(Value.ENDLESS)


class Told(Evaluator):
    """Says of the moves in a position what it was told, and of others that they win."""

    def __init__(
        self, ruleset: Ruleset, told: dict[str, dict[int, Evaluation]], exact: bool = True
    ) -> None:
        super().__init__(ruleset)
        self.told, self.exact = told, exact

    def probe(self, position: Position) -> Evaluation:
        return max(self.move_values(position).values(), key=lambda worth: worth.merit)

    def move_values(self, position: Position) -> dict[Move, Evaluation]:
        told = self.told.get(position.number, {})
        return {move: told.get(move.digit, Evaluation(WIN, 1)) for move in position.legal_moves}


class Chances(Random):
    """Randomness whose chances are known; the last of them comes again and again."""

    def __init__(self, *chances: float) -> None:
        super().__init__(1)
        self.chances = list(chances)

    def random(self) -> float:
        return self.chances.pop(0) if len(self.chances) > 1 else self.chances[0]


def choices(
    worth: dict[int, Evaluation], skill: Skill, *chances: float, start: Position = START
) -> set[int]:
    """The digits that a player chooses from, with these chances for what it may overlook."""
    ask = Told(start.ruleset, {start.number: worth})
    return {
        LevelPlayer(skill, Chances(*chances, seed / 40), lambda _: ask).choose(start).digit
        for seed in range(40)
    }


def values(*worth: Evaluation) -> dict[int, Evaluation]:
    return dict(enumerate(worth, start=1))


def test_levels_are_those_of_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "learning.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d) \| (\d) \| ([\d.]+) \| (\d+)% \|$", text, re.MULTILINE)
    told = {int(level): Skill(int(sight), float(slip)) for level, sight, slip, _ in rows}
    assert told == LEVELS
    for _, _, slip, wrong in rows:
        assert f"{mean_chance(float(slip)):.0%}" == f"{wrong}%"
    assert max(LEVELS) + 1 == PERFECT == 8


def test_a_level_takes_the_quickest_win_it_sees() -> None:
    worth = values(Evaluation(WIN, 3), Evaluation(WIN, 5), OPEN, Evaluation(LOSS, 2))
    assert choices(worth, Skill(9, 0)) == {1}


def test_what_a_move_leads_to_is_seen_up_to_the_sight_and_not_beyond() -> None:
    worth = values(Evaluation(WIN, 3), *[Evaluation(LOSS, 2)] * 3)
    assert choices(worth, Skill(3, 0)) == {1}
    assert choices(worth, Skill(2, 0)) == {1}  # what is not seen may be better than a loss
    assert choices(worth, Skill(1, 0)) == {1, 2, 3, 4}


def test_what_cannot_be_judged_is_better_than_a_loss_and_a_slow_loss_than_a_quick_one() -> None:
    assert choices(values(Evaluation(LOSS, 2), OPEN, OPEN, OPEN), Skill(9, 0)) == {2, 3, 4}
    losses = [Evaluation(LOSS, plies) for plies in (2, 6, 4, 2)]
    assert choices(values(*losses), Skill(9, 0)) == {2}


def test_a_slip_is_as_likely_as_size_and_plies_say() -> None:
    # After 34 the sums are 341 to 344, into which 101 goes three times.
    start = Position(find_ruleset("conquest").replace(target=101, digits="1-4"), "34")
    worth = values(Evaluation(WIN, 1), *[Evaluation(LOSS, 2)] * 3)
    at_once, soon = slip_chance(0.8, 3, 1), slip_chance(0.8, 3, 2)
    assert (round(at_once, 3), round(soon, 3)) == (0.2, 0.488)
    # The win and two of the losses are not seen: then the three are alike.
    below = (at_once - 0.01, soon, soon - 0.01, soon - 0.01)
    assert choices(worth, Skill(9, 0.8), *below, start=start) == {1, 3, 4}
    assert choices(worth, Skill(9, 0.8), at_once, 0, 0, 0, start=start) == {1}


slips = st.floats(0, 5)


@given(slips, st.sampled_from(SIZES[:-1]), st.integers(1, 12))
def test_a_slip_is_likelier_with_the_size_of_the_sum_and_the_plies(
    slip: float, size: int, plies: int
) -> None:
    chance = slip_chance(slip, size, plies)
    assert 0 <= chance <= 1
    assert chance <= slip_chance(slip, size + 1, plies)
    assert chance <= slip_chance(slip, size, plies + 1)
    assert chance <= slip_chance(slip + 0.1, size, plies)
    assert slip_chance(0, size, plies) == 0


def test_one_sum_goes_wrong_by_its_size_and_those_to_come_may_have_any() -> None:
    assert [wrong_chance(0.8, size) for size in (0, 1, 5, 9)] == [0, 0, 0.4, 0.8]
    assert wrong_chance(4, 2) == 0.5
    assert wrong_chance(4, 3) == wrong_chance(4, 9) == 1
    assert mean_chance(0.8) == pytest.approx(0.36)
    assert slip_chance(0.8, 5, 3) == pytest.approx(1 - 0.6 * 0.64**2)


def test_nobody_misses_12_after_1() -> None:
    position = Position(find_ruleset("pool").replace(target=12), "1")
    for seed in range(50):
        assert make_player("level:1", Random(seed)).choose(position) == Move(2)


def test_level_1_misses_a_win_with_a_large_sum() -> None:
    position = Position(find_ruleset("pool").replace(target=12), "34")  # 10 x 10 + 8 = 9 x 12
    assert position.winning_moves == (Move(8),)
    chosen = {make_player("level:1", Random(seed)).choose(position) for seed in range(100)}
    assert len(chosen) > 3


# --- Skills by the rules. ---


def test_rules_that_nobody_chose_skills_for_have_the_usual_ones() -> None:
    assert skills_for(START.ruleset) == LEVELS


def test_a_level_plays_with_the_skill_that_was_chosen_for_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = find_ruleset("pool").replace(target=12)
    own = [Skill(9, 0)] * 7
    monkeypatch.setattr(levels, "_calibrated", lambda: {rules_key(rules): own})
    assert skills_for(rules) == dict.fromkeys(range(1, 8), Skill(9, 0))
    assert skills_for(START.ruleset) == LEVELS
    best = solve(rules).best_moves(Position(rules))
    assert {RankedPlayer(1, Random(seed)).choose(Position(rules)) for seed in range(40)} == {*best}


def test_the_manner_of_a_level_tells_its_skill_by_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = find_ruleset("pool").replace(target=12)
    assert manner("level:1", rules) == "sees 1 move ahead, gets 69% of sums wrong"
    assert manner("perfect", rules) == "the same as level:8"
    monkeypatch.setattr(levels, "_calibrated", lambda: {rules_key(rules): [Skill(3, 0.2)] * 7})
    assert manner("level:1", rules) == "sees 3 moves ahead, gets 9% of sums wrong"


@pytest.mark.parametrize(
    "player",
    [LevelPlayer(Skill(1, 0.5), Random(1)), RankedPlayer(1, Random(1)), PerfectPlayer(Random(1))],
)
def test_a_player_stays_as_it_was_made(
    player: LevelPlayer | RankedPlayer | PerfectPlayer,
) -> None:
    with pytest.raises(FrozenInstanceError):
        player.rng = Random(2)  # type: ignore[misc]


# --- Perfect play. ---

LOST = {number: Evaluation(LOSS, 4) for number in range(1, 5)}


def perfect(told: dict[str, dict[int, Evaluation]], exact: bool = True) -> set[int]:
    ask = Told(START.ruleset, told, exact)
    return {PerfectPlayer(Random(seed), lambda _: ask).choose(START).digit for seed in range(40)}


def test_perfect_play_takes_the_quickest_win() -> None:
    worth = values(Evaluation(WIN, 3), Evaluation(WIN, 1), Evaluation(WIN, 1), OPEN)
    assert perfect({"": worth}) == {2, 3}


def test_a_lost_game_goes_where_the_fewest_replies_keep_the_win() -> None:
    trap = {digit: Evaluation(LOSS, 2) for digit in (1, 2)}  # of three replies one wins
    assert perfect({"": LOST, "3": trap}) == {3}


def test_a_loser_delays_before_it_sets_traps() -> None:
    trap = {digit: Evaluation(LOSS, 2) for digit in (1, 2)}
    assert perfect({"": LOST | {2: Evaluation(LOSS, 6)}, "3": trap}) == {2}


def test_an_open_game_is_kept_open_and_the_fewest_replies_too() -> None:
    worth = values(OPEN, OPEN, OPEN, Evaluation(LOSS, 2))
    replies = {"1": [OPEN] * 3, "2": [OPEN, Evaluation(LOSS, 2), OPEN], "3": [OPEN] * 3}
    told = {
        number: dict(zip(sorted({1, 2, 3, 4} - {int(number)}), row, strict=True))
        for number, row in replies.items()
    }
    told["4"] = {1: Evaluation(LOSS, 2), 2: Evaluation(LOSS, 2)}  # one way out of a lost game
    assert perfect({"": worth, **told}) == {2}


def test_a_look_ahead_counts_no_ways_out() -> None:
    trap = {digit: Evaluation(LOSS, 2) for digit in (1, 2)}
    assert perfect({"": LOST, "3": trap}, exact=False) == {1, 2, 3, 4}


@pytest.mark.parametrize("ends", ["right", "both"])
def test_what_loses_at_once_is_no_trap_however_many_ways_out_the_others_leave(ends: str) -> None:
    rules = find_ruleset("forbidden").replace(digits="1,2", forbidden=[2], ends=ends, target=101)
    after = Position(rules).play(Move(1, "R" if ends == "both" else None))
    told = {"1": {1: Evaluation(LOSS, 2), 2: Evaluation(LOSS, 1)}}
    for seed in range(20):
        player = PerfectPlayer(Random(seed), lambda _: Told(rules, told))
        assert after.play(player.choose(after)).outcome() is None
