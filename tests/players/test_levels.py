"""How levels choose: what they see of a move, when they slip, and where perfect play sets traps."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from digitduel import Move, Position, find_ruleset
from digitduel.players import LEVELS
from digitduel.players.levels import PERFECT, LevelPlayer, PerfectPlayer, Skill
from digitduel.solver import Evaluation, Evaluator, Value

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
    """Randomness whose chances are known."""

    def __init__(self, *chances: float) -> None:
        super().__init__(1)
        self.chances = list(chances)

    def random(self) -> float:
        return self.chances.pop(0)


def choices(worth: dict[int, Evaluation], skill: Skill) -> set[int]:
    """The digits that a player chooses from, if it never slips by chance."""
    ask = Told(START.ruleset, {"": worth})
    return {
        LevelPlayer(skill, Chances(*[0.5] * 4 + [seed / 40] * 4), lambda _: ask).choose(START).digit
        for seed in range(40)
    }


def values(*worth: Evaluation) -> dict[int, Evaluation]:
    return dict(enumerate(worth, start=1))


def test_levels_are_those_of_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "learning.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d) \| (\d) \| (\d+)% \|$", text, re.MULTILINE)
    told = {int(level): Skill(int(sight), int(slip) / 100) for level, sight, slip in rows}
    assert told == LEVELS
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


def test_a_slip_is_as_likely_as_the_skill_says() -> None:
    worth = values(Evaluation(WIN, 1), *[Evaluation(LOSS, 2)] * 3)
    ask = Told(START.ruleset, {"": worth})
    # The win and two of the losses are not seen: then the three are alike.
    chosen = set()
    for seed in range(30):
        chances = Chances(0.29, 0.3, 0.29, 0.29, seed / 30)
        chosen.add(LevelPlayer(Skill(9, 0.3), chances, lambda _: ask).choose(START).digit)
    assert chosen == {1, 3, 4}


@pytest.mark.parametrize(
    "player", [LevelPlayer(Skill(1, 0.5), Random(1)), PerfectPlayer(Random(1))]
)
def test_a_player_stays_as_it_was_made(player: LevelPlayer | PerfectPlayer) -> None:
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


def test_among_equal_traps_the_slowest_is_chosen() -> None:
    assert perfect({"": LOST | {2: Evaluation(LOSS, 6)}}) == {2}


def test_a_trap_is_worth_more_than_time() -> None:
    trap = {1: Evaluation(LOSS, 2)}
    assert perfect({"": LOST | {2: Evaluation(LOSS, 6)}, "3": trap}) == {3}


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
