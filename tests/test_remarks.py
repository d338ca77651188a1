"""Tips and rulings: shown only where they are true, and every one of them is proved."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import factorial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from digitduel import (
    DigitDuelError,
    Game,
    IllegalMoveError,
    InvalidMoveError,
    InvalidRulesetError,
    Match,
    Move,
    Position,
    Ruleset,
    Side,
    Termination,
    Value,
    describe,
    find_ruleset,
    perft,
    ruleset_keys,
    solve,
)
from digitduel.states.endings import distance
from digitduel.wording import Remark, holds, remarks_that_hold
from tests.strategies import rulesets, short_law

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POOL = find_ruleset("pool")

# --- Conditions. ---


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("", True),
        ("target = 7", True),
        ("target != 7", False),
        ("target >= 7 and target <= 7", True),
        ("target > 7", False),
        ("target < 8", True),
        ("digits = 1-9", True),
        ("digits = 0-9", False),
        ("digits with 3 and digits without 0", True),
        ("digits without 3", False),
        ("forbidden = none and forbidden without 2", True),
        ("uses = 1", True),
        ("uses = unlimited", False),
        ("limit = none and limit > 1000", True),
        ("capacity = 9 and capacity is odd", True),
        ("capacity is even", False),
        ("limit is even", False),
        ("limit is odd", False),
        ("ends = right and full = last-loses and leading_zero = true", True),
    ],
)
def test_a_condition_is_about_the_rules(when: str, expected: bool) -> None:
    assert holds(when, POOL) is expected


@pytest.mark.parametrize(
    "when",
    [
        *("target", "target 7", "tarjet = 7", "target = seven", "target = 0", "target ~ 7"),
        *("ends > right", "ends = top", "digits >= 3", "digits with x", "ends with 3"),
        *("capacity is prime", "ends is odd", "target = 7 and", "and", " ", "uses = none"),
        *(
            "__class__ = 3",
            "key = pool",
            "target >= 1e3",
            "target with 7",
            "uses < unlimited",
        ),
    ],
)
def test_what_is_no_condition_is_refused_with_an_example(when: str) -> None:
    with pytest.raises(InvalidRulesetError, match="is no condition") as caught:
        POOL.replace(tips=[{"text": "Think.", "when": when}])
    assert str(caught.value).startswith("tips: when = ")
    assert str(caught.value).endswith("digits without 0 or capacity is odd.")


@pytest.mark.parametrize(
    ("given_tips", "message"),
    [
        ([{"when": "target = 7"}], "each has a text, and may have when, clause and why."),
        ([{"text": 5}], "tips: text = 5 is not text: write it in quotes."),
        ([{"text": "Think.", "wen": ""}], "each has a text, and may have when, clause and why."),
        ([{"text": "Think.", "when": 5}], "tips: when = 5 is not text: write it in quotes."),
        (["{capacty}"], "tips: text has an unknown placeholder '{capacty}': did you mean"),
        ([{"text": "", "why": "{target}"}], "tips: why has an unknown placeholder '{target}'"),
    ],
)
def test_a_remark_that_is_none_is_refused(given_tips: list[Any], message: str) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        POOL.replace(tips=given_tips)
    assert message in str(caught.value)


def test_a_remark_has_the_figures_of_the_rules_it_is_shown_with() -> None:
    tips = ["{capacity} digits, {digits}, for {target}.", Remark("Never.", "target = 8")]
    changed = POOL.replace(tips=tips, target=12, limit=8)
    assert describe.tips(changed) == ["8 digits, 1-9, for 12."]


@short_law
@given(rulesets())
def test_conditions_can_be_asked_of_any_rules(rules: Ruleset) -> None:
    for key in ruleset_keys():
        game = find_ruleset(key)
        shown = remarks_that_hold((*game.tips, *game.rulings), rules)
        assert all("{" not in remark.text for remark in shown)


# --- Every tip and every ruling of the shipped games is proved. ---

CHANGES: tuple[dict[str, Any], ...] = (
    *({"target": target} for target in (10, 11, 12, 13, 27)),
    *({"digits": digits} for digits in ("0-9", "1-8", "1-3", "0,2,5")),
    *({"uses": uses} for uses in (None, 1, 2)),
    *({"ends": ends} for ends in ("right", "left", "both")),
    *({"forbidden": divisors} for divisors in ([], [3], [2, 3, 5], [2, 5, 11])),
    *({"limit": limit} for limit in (None, 1, 2, 5, 8, 10)),
    *({"full": full} for full in ("last-loses", "closest")),
    {"leading_zero": False},
    # Where a 0 that is left cannot be placed, a game ends before the number is full.
    {"digits": "0-4", "ends": "left", "uses": 1, "target": 97, "leading_zero": False},
    {"digits": "0-1", "ends": "left", "uses": 1, "target": 11, "leading_zero": False},
)


@cache
def variants(key: str) -> list[Ruleset]:
    """A game and what it becomes with one or two changes."""
    changed = dict.fromkeys([find_ruleset(key)])
    for count in (1, 2):
        for some in combinations(CHANGES, count):
            try:
                rules = find_ruleset(key).replace(
                    **{name: value for change in some for name, value in change.items()}
                )
            except DigitDuelError:
                continue
            changed |= {rules: None}
    return list(changed)


def playout(rules: Ruleset, seed: int = 1, most: int = 12) -> Iterator[tuple[Position, Move]]:
    """Some moves of a random game that avoids its end: each position and the move made there."""
    random, position = Random(f"{seed}/{rules.rules}"), Position(rules)
    while position.legal_moves and len(position.number) < most:
        moves = list(position.legal_moves)
        move = random.choice([m for m in moves if not position.play(m).outcome()] or moves)
        yield position, move
        position = position.play(move)


def ends_of_games(rules: Ruleset, games: int = 3) -> Iterator[Position]:
    for seed in range(games):
        *_, (position, move) = playout(rules, seed)
        if position.play(move).outcome():
            yield position.play(move)


def right_moves_follow_the_formula(rules: Ruleset) -> None:
    for position, move in playout(rules):
        if not position.goes_left(move):
            after = (10 * position.remainder + move.digit) % rules.target
            assert position.play(move).remainder == after


def both_ends_follow_their_formulas(rules: Ruleset) -> None:
    right_moves_follow_the_formula(rules)
    for position, move in playout(rules):
        if position.goes_left(move) and position.number:
            after = move.digit * 10 ** len(position.number) + position.remainder
            assert position.play(move).remainder == after % rules.target


def a_digit_used_up_is_out_of_the_game(rules: Ruleset) -> None:
    for position, _ in playout(rules):
        for digit in rules.digits:
            used_up = position.number.count(str(digit)) == rules.uses
            assert not used_up or all(move.digit != digit for move in position.legal_moves)


def the_starter_has_the_last_word_and_the_other_wins_at_the_end(rules: Ruleset) -> None:
    for last in ends_of_games(rules):
        outcome = last.outcome()
        assert outcome is not None
        if outcome.termination is not Termination.TARGET:
            assert len(last.number) == rules.capacity
            assert (last.turn.other, outcome.winner) == (Side.FIRST, Side.SECOND)


def holding_out_wins_for(value: Value) -> Callable[[Ruleset], None]:
    def check(rules: Ruleset) -> None:
        worth = solve(rules).probe(Position(rules))
        assert (worth.value, worth.plies) == (value, rules.capacity)

    return check


def either_end_may_be_open(rules: Ruleset) -> None:
    ends = {move.end for position, _ in playout(rules) for move in position.legal_moves}
    assert ends >= {"L", "R"} or rules.capacity == 1


def a_zero_on_the_left_keeps_the_number(rules: Ruleset) -> None:
    for position, _ in playout(rules):
        if position.number and position.refusal(Move(0, "L")) is None:
            after = position.play(Move(0, "L"))
            assert int(after.number) == int(position.number)
            assert after.remainder == position.remainder
            assert len(after.number) == len(position.number) + 1


def only_1_3_7_and_9_are_safe(rules: Ruleset) -> None:
    for position, _ in playout(rules):
        for move in position.legal_moves:
            assert move.digit in (1, 3, 7, 9) or position.play(move).forbidden_divisors


def three_and_nine_keep_a_safe_number_safe(rules: Ruleset) -> None:
    assert rules.forbidden == (2, 3, 5)
    for number in range(1, 10_000):
        if all(number % divisor for divisor in rules.forbidden):
            assert all((10 * number + digit) % d for digit in (3, 9) for d in rules.forbidden)
            assert all((10 * number + digit - number) % 3 == 1 for digit in (1, 7))


def what_finishes_the_target_is_safe(rules: Ruleset) -> None:
    for position, _ in playout(rules):
        for move in position.winning_moves:
            assert not position.play(move).forbidden_divisors


def the_starter_has_the_last_number_and_the_closer_one_wins(rules: Ruleset) -> None:
    for last in ends_of_games(rules):
        outcome = last.outcome()
        assert outcome is not None
        assert outcome.termination in (Termination.TARGET, Termination.CLOSEST)
        if outcome.termination is Termination.CLOSEST:
            assert last.turn.other is Side.FIRST
            distances = [
                min(int(number) % rules.target, -int(number) % rules.target)
                for number in numbers_of(last)
            ]
            assert (outcome.winner is Side.FIRST) == (distances[0] < distances[1])


def numbers_of(last: Position) -> tuple[str, str]:
    """The last number, and the one before it, in a game with one end."""
    ends = last.ruleset.ends
    before = last.number[1:] if ends == "left" else last.number[:-1]
    if ends != "both":
        return last.number, before
    for seed in range(3):  # with two ends the game itself must be asked
        *_, (position, move) = playout(last.ruleset, seed)
        if position.play(move) == last:
            before = position.number
    return last.number, before


def below_is_as_close_as_above(rules: Ruleset) -> None:
    assert distance(rules.target, 1) == distance(rules.target, rules.target - 1)


def little_can_happen_late(rules: Ruleset) -> None:
    for position, _ in playout(rules):
        left = len(rules.digits) - len(position.number)
        if left <= 3:
            assert perft(position, left) <= factorial(left) * 2**left


def at_most_one_digit_finishes(rules: Ruleset) -> None:
    for target in {max(rules.target, 10), 10, 12, 25, 97}:
        for position, _ in playout(rules.replace(target=target)):
            outcomes = {move.digit: position.play(move).outcome() for move in position.legal_moves}
            reached = [o for o in outcomes.values() if o and o.termination is Termination.TARGET]
            assert len(reached) <= 1


def the_other_has_the_last_word_and_loses_unless_it_completes(rules: Ruleset) -> None:
    for last in ends_of_games(rules):
        outcome = last.outcome()
        assert outcome is not None
        assert outcome.termination in (Termination.TARGET, Termination.FULL)
        if len(last.number) == rules.capacity:
            assert last.turn.other is Side.SECOND
            completed = outcome.termination is Termination.TARGET
            assert (outcome.winner is Side.SECOND) == completed


def copying_wins_against_11(rules: Ruleset) -> None:
    start = Position(rules.replace(target=11))
    for move in start.legal_moves:
        answer = start.play(move).play(move)
        assert answer.outcome() == (Termination.TARGET, Side.SECOND)


TIPS: dict[str, Callable[[Ruleset], None]] = {
    "Work with remainders": right_moves_follow_the_formula,
    "Before you play a digit": a_digit_used_up_is_out_of_the_game,
    "The number is full after": the_starter_has_the_last_word_and_the_other_wins_at_the_end,
    "Whoever does not start can win by holding out": holding_out_wins_for(Value.LOSS),
    "A digit that completes the target for your opponent": a_digit_used_up_is_out_of_the_game,
    "On the right, r becomes 10 r + x": both_ends_follow_their_formulas,
    "Count both ends": either_end_may_be_open,
    "A 0 on the left changes nothing": a_zero_on_the_left_keeps_the_number,
    "Only 1, 3, 7 and 9": only_1_3_7_and_9_are_safe,
    "For 3, add up the digits": three_and_nine_keep_a_safe_number_safe,
    "Of the safe digits": what_finishes_the_target_is_safe,
    "Think of the end": the_starter_has_the_last_number_and_the_closer_one_wins,
    "Being one below": below_is_as_close_as_above,
    "Keep count of the digits": little_can_happen_late,
    "With a target of 10 or more": at_most_one_digit_finishes,
    "The last digit is placed by whoever did not": (
        the_other_has_the_last_word_and_loses_unless_it_completes
    ),
    "Whoever starts can win by holding out": holding_out_wins_for(Value.WIN),
    "Against target 11": copying_wins_against_11,
}


def any_target_from_the_smallest_on(rules: Ruleset) -> None:
    shipped = find_ruleset(rules.key)
    assert (shipped.target, shipped.smallest_target) == (7, 2)
    assert shipped.replace(target=2).target == 2


def any_target_from_1_on(rules: Ruleset) -> None:
    shipped = find_ruleset(rules.key)
    assert (shipped.target, shipped.smallest_target) == (7, 1)
    start = Position(shipped.replace(target=1))
    assert start.winning_moves == start.legal_moves


def the_long_example_ends_on_move_8(rules: Ruleset) -> None:
    game = Game(find_ruleset(rules.key), map(Move, (5, 2, 1, 4, 7, 3, 6)))
    assert game.outcome() is None
    game.push(Move(8))
    assert game.position.number == str(7 * 7449624)
    assert game.outcome() == (Termination.TARGET, Side.SECOND)
    assert game.position.turn is Side.FIRST  # whose move the ninth would be


def the_starter_loses_when_the_number_is_full(rules: Ruleset) -> None:
    for last in ends_of_games(rules):
        outcome = last.outcome()
        if outcome and outcome.termination is Termination.FULL:
            assert (last.turn.other, outcome.winner) == (Side.FIRST, Side.SECOND)


def no_move_makes_the_number_shorter(rules: Ruleset) -> None:
    for position, move in playout(rules):
        assert len(position.play(move).number) == len(position.number) + 1


def zero_first_wins(rules: Ruleset) -> None:
    assert 0 in {move.digit for move in Position(rules).winning_moves}
    real = Position(find_ruleset(rules.key).replace(digits="1-9", target=10))
    assert not real.winning_moves


def leading_zeros_are_digits(rules: Ruleset) -> None:
    for position, _ in playout(rules):
        if position.number and position.refusal(Move(0, "L")) is None:
            after = position.play(Move(0, "L")).number
            assert (len(after), int(after)) == (len(position.number) + 1, int(position.number))


def left_and_right_are_one_move_at_first(rules: Ruleset) -> None:
    start = Position(rules)
    for move in start.legal_moves:
        assert start.play(Move(move.digit, "L")) == start.play(Move(move.digit, "R"))
    assert len(start.legal_moves) == len({move.digit for move in start.legal_moves})


def neither_can_force_a_win_with_many_targets(rules: Ruleset) -> None:
    digits = [digit for digit in rules.digits if digit]
    games = [rules.replace(digits=digits, target=target) for target in range(10, 40, 3)]
    worth = [solve(game).probe(Position(game)).value for game in games]
    assert worth.count(Value.ENDLESS) >= 3


def neither_can_force_a_win_with_most_targets(rules: Ruleset) -> None:
    games = [rules.replace(target=target) for target in range(10, 60)]
    worth = [solve(game).probe(Position(game)).value for game in games]
    assert worth.count(Value.ENDLESS) > len(games) / 2
    three_and_nine_keep_a_safe_number_safe(rules)


def a_forbidden_multiple_is_played_and_loses(rules: Ruleset) -> None:
    for position, _ in playout(rules):
        for move in position.legal_moves:
            after = position.play(move)
            if after.forbidden_divisors:
                assert after.outcome() == (Termination.FORBIDDEN, position.turn.other)


def who_has_no_safe_digit_has_lost(rules: Ruleset) -> None:
    for position, move in playout(rules):
        safe = [m for m in position.legal_moves if not position.play(m).forbidden_divisors]
        assert safe  # or the game would have been over before
        outcome = position.play(move).outcome()
        if outcome and outcome.termination is Termination.STUCK:
            assert outcome.winner is position.turn


def the_shown_zero_decides_nothing(rules: Ruleset) -> None:
    assert find_ruleset(rules.key).wording.shown_empty == "0"
    start = Position(rules)
    assert start.outcome() is None
    for move in start.legal_moves:
        assert start.play(move).number == str(move.digit)


def what_is_no_move_is_refused(rules: Ruleset) -> None:
    start = Position(rules)
    for text in ("", "x", "1.5", "-3"):
        with pytest.raises(InvalidMoveError):
            Move.parse(text)
    for digit in set(range(10)) - set(rules.digits):
        with pytest.raises(IllegalMoveError):
            start.play(Move(digit))
    assert start.turn is Side.FIRST


def the_last_two_numbers_are_compared(rules: Ruleset) -> None:
    for last in ends_of_games(rules):
        outcome = last.outcome()
        if outcome and outcome.termination is Termination.CLOSEST:
            ours, theirs = (
                min(int(n) % rules.target, -int(n) % rules.target) for n in numbers_of(last)
            )
            assert (outcome.winner is last.turn.other) == (ours < theirs)


def zero_may_come_first_if_it_is_there(rules: Ruleset) -> None:
    added = rules.replace(digits=sorted({0, *rules.digits}))
    assert 0 in {move.digit for move in Position(added.replace(leading_zero=True)).winning_moves}
    refused = Position(added.replace(leading_zero=False))
    assert all(move.digit for move in refused.legal_moves)


def a_last_digit_wins_or_loses(rules: Ruleset) -> None:
    for last in ends_of_games(rules):
        outcome = last.outcome()
        if outcome and len(last.number) == rules.capacity:
            assert (outcome.winner is last.turn.other) == (last.remainder == 0)


def zero_and_a_cap_are_options(rules: Ruleset) -> None:
    shipped = find_ruleset(rules.key)
    assert 0 not in shipped.digits
    assert shipped.replace(digits="0-9", uses=2).changed == ("digits", "uses")


def the_division_of_the_example(_: Ruleset) -> None:
    assert divmod(25170, 7) == (3595, 5)
    assert f"{25170 / 7:.3f}" == "3595.714"


def a_single_round_is_a_point(_: Ruleset) -> None:
    match = Match(1).after(2)
    assert (match.score, match.over) == ((0, 1), True)


RULINGS: dict[str, Callable[[Ruleset], None]] = {
    "The target is 7 unless you choose another, from 2": any_target_from_the_smallest_on,
    "The target is 7 unless you choose another, from 1": any_target_from_1_on,
    "At {capacity} digits, when nobody has won": the_starter_loses_when_the_number_is_full,
    "The ninth move of the rulebook's long example": the_long_example_ends_on_move_8,
    "A move is taken back only": no_move_makes_the_number_shorter,
    "0 is divisible by every number": zero_first_wins,
    "Leading zeros count as digits": leading_zeros_are_digits,
    "On the empty number": left_and_right_are_one_move_at_first,
    "Without the digit 0": neither_can_force_a_win_with_many_targets,
    "A digit that makes a forbidden multiple": a_forbidden_multiple_is_played_and_loses,
    "Whoever has no safe digit left": who_has_no_safe_digit_has_lost,
    "The 0 that is shown": the_shown_zero_decides_nothing,
    "Whatever is no move": what_is_no_move_is_refused,
    "With most targets the game need not end": neither_can_force_a_win_with_most_targets,
    "At the end each player's own last number": the_last_two_numbers_are_compared,
    "Leading zeros only matter": zero_may_come_first_if_it_is_there,
    "A last digit that completes": a_last_digit_wins_or_loses,
    "0 is in the game only": zero_and_a_cap_are_options,
    "25170 divided by 7": the_division_of_the_example,
    "A single round": a_single_round_is_a_point,
}
REMARKS = [
    pytest.param(key, remark, checks, id=f"{key}: {remark.text[:40]}")
    for key in ruleset_keys()
    for remarks, checks in (
        (find_ruleset(key).tips, TIPS),
        (find_ruleset(key).rulings, RULINGS),
    )
    for remark in remarks
]
MOST_TRIED = 40


@pytest.mark.parametrize(("key", "remark", "checks"), REMARKS)
def test_every_tip_and_ruling_is_true_wherever_it_is_shown(
    key: str, remark: Remark, checks: dict[str, Callable[[Ruleset], None]]
) -> None:
    [check] = [check for start, check in checks.items() if remark.text.startswith(start)]
    claimed = [rules for rules in variants(key) if holds(remark.when, rules)]
    assert len(claimed) >= 3
    for rules in Random(remark.text).sample(claimed, min(MOST_TRIED, len(claimed))):
        check(rules)


@pytest.mark.parametrize("key", ruleset_keys())
def test_every_ruling_holds_for_the_game_as_it_ships(key: str) -> None:
    game = find_ruleset(key)
    assert len(describe.rulings(game)) == len(game.rulings)
    assert all(ruling.clause and ruling.why for ruling in game.rulings)


@pytest.mark.parametrize(
    ("key", "changes", "words"),
    [
        ("pool", {}, "can win by holding out"),
        ("pool", {"target": 12}, "can win by holding out"),
        ("pool", {"target": 13, "limit": 8}, "the last is the starter's"),
        ("closest", {"digits": "1-8"}, "the last number is the starter's"),
        ("conquest", {"target": 11}, "Whoever starts can win"),
        ("conquest", {"limit": 9}, "placed by whoever did not start"),
        ("ends", {"digits": "1-9"}, "0 on the left"),
        ("forbidden", {"forbidden": [3]}, "Only 1, 3, 7 and 9"),
    ],
)
def test_what_changed_rules_make_untrue_is_not_shown(
    key: str, changes: dict[str, Any], words: str
) -> None:
    game = find_ruleset(key)
    assert any(words in tip.text for tip in game.tips)
    assert not any(words in tip for tip in describe.tips(game.replace(**changes)))


def test_holding_out_is_advised_where_it_wins() -> None:
    assert "Whoever does not start can win by holding out." in describe.tips(
        POOL.replace(target=13)
    )
    assert "Whoever starts can win by holding out." in describe.tips(
        find_ruleset("conquest").replace(target=51)
    )
