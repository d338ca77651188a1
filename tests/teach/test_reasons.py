"""Reasons are true: what the words claim is what happens on the board."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from digitduel import DigitDuelError, Game, IllegalMoveError, Move, Position, find_ruleset
from digitduel.describe import shorten
from digitduel.solver import Evaluator, Value, solve
from digitduel.teach import Reason, explain
from digitduel.teach.patterns import find_pattern

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

SUM = re.compile(r"(?<![\d.])(\d+) = (\d+) x (\d+) \+ (\d+)")
ANSWER = re.compile(r"((?:\d[LR]?(?:, | or )?)+) with (\d[LR]?)")
LOSE_AT_ONCE = re.compile(r"((?:\d[LR]?(?:, | and )?)+) loses? at once")


def some_rulesets(rng: Random, count: int) -> list[Ruleset]:
    """Small rule sets of every kind, the five games among them."""
    found = [find_ruleset("pool").replace(target=t) for t in (7, 11, 12, 13)]
    found += [find_ruleset("conquest").replace(target=t) for t in (7, 11, 13)]
    found += [find_ruleset("closest").replace(target=t) for t in (12, 33)]
    found += [find_ruleset("forbidden").replace(target=t) for t in (7, 11, 13)]
    found += [find_ruleset("ends").replace(digits="1-9", target=t) for t in (11, 13, 17)]
    while len(found) < count:
        try:
            found.append(
                find_ruleset("ends").replace(
                    digits=sorted(rng.sample(range(10), rng.randint(2, 6))),
                    uses=rng.choice([None, None, 1, 2]),
                    ends=rng.choice(["right", "left", "both"]),
                    target=rng.randint(2, 40),
                    forbidden=rng.choice([[], [], [2], [3, 5]]),
                    limit=rng.choice([None, 4, 6, 7]),
                    full=rng.choice(["last-loses", "closest"]),
                    leading_zero=rng.choice([True, False]),
                )
            )
        except DigitDuelError:
            continue
    return found


def some_position(ruleset: Ruleset, rng: Random) -> Position:
    """A position in play, after a few random moves."""
    position = Position(ruleset)
    for _ in range(rng.randrange(7)):
        after = position.play(rng.choice(position.legal_moves))
        if after.outcome() is not None:
            break
        position = after
    return position


def check_arithmetic(reason: Reason) -> None:
    sums = SUM.findall(reason.text)
    assert sums, reason.text
    for number, divisor, times, rest in sums:
        assert int(number) == int(divisor) * int(times) + int(rest), reason.text
        assert int(rest) < int(divisor), reason.text


def check_line(position: Position, move: Move, reason: Reason) -> None:
    """The line begins with the move and ends the game when and how it is claimed."""
    assert reason.line[0] == move
    if reason.plies is None:
        return
    assert len(reason.line) == reason.plies
    mover = position.turn
    for each in reason.line:
        assert position.outcome() is None
        position = position.play(each)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner is mover) is (reason.value is Value.WIN)


def keeps_claim(
    after: Position, reply: Move, answer: Move, reason: Reason, evaluator: Evaluator
) -> bool:
    """Whether an answer leaves its player with at least what was claimed."""
    answered = after.play(reply).play(answer)
    outcome = answered.outcome()
    if outcome is not None:
        return outcome.winner is answered.turn.other
    worth = evaluator.probe(answered).before()
    if reason.value is Value.WIN:
        assert reason.plies is not None
        return worth.value is Value.WIN and (worth.plies or 0) <= reason.plies - 2
    return worth.value is not Value.LOSS


def check_answers(after: Position, reason: Reason, evaluator: Evaluator) -> None:
    """There is an answer to each reply that lets the game go on, and each keeps the claim."""
    going = [reply for reply in after.legal_moves if after.play(reply).outcome() is None]
    assert [reply for reply, _ in reason.answers] == going
    for reply, answer in reason.answers:
        assert keeps_claim(after, reply, answer, reason, evaluator), (reason.text, reply, answer)


def check_words(after: Position, reason: Reason, evaluator: Evaluator) -> None:
    """Each answer, pattern and reply that the words name does what they say."""
    for replies, answer in ANSWER.findall(reason.text):
        for reply in re.findall(r"\d[LR]?", replies):
            pair = Move.parse(reply), Move.parse(answer)
            assert keeps_claim(after, *pair, reason, evaluator), reason.text
    for replies in LOSE_AT_ONCE.findall(reason.text):
        for reply in re.findall(r"\d[LR]?", replies):
            outcome = after.play(Move.parse(reply)).outcome()
            assert outcome is not None, reason.text
            assert outcome.winner is after.turn.other, reason.text
    going = [reply for reply in after.legal_moves if after.play(reply).outcome() is None]
    if re.search("Copy the (next )?digit", reason.text):
        assert all(keeps_claim(after, reply, reply, reason, evaluator) for reply in going), (
            reason.text
        )
    if always := re.search(r"Answer (?:every|the next) digit with (\d[LR]?)", reason.text):
        answer = Move.parse(always[1])
        assert all(keeps_claim(after, reply, answer, reason, evaluator) for reply in going), (
            reason.text
        )
    if total := re.search(r"the two add up to (\d+)", reason.text):
        for reply in going:
            answer = Move(int(total[1]) - reply.digit, reply.end)
            assert keeps_claim(after, reply, answer, reason, evaluator), reason.text


def check_losing_pattern(position: Position, reason: Reason, evaluator: Evaluator) -> None:
    """Where one rule is said to beat every move, it does."""
    _, claim, rule = reason.text.partition("Every digit loses here: ")
    if not claim:
        return
    for move in position.legal_moves:
        after = position.play(move)
        if after.outcome() is not None:
            continue
        if re.search("copy the (next )?digit", rule):
            reply = move
        elif always := re.search(r"answer (?:every|the next) digit with (\d[LR]?)", rule):
            reply = Move.parse(always[1])
        else:
            total = re.search(r"the two add up to (\d+)", rule)
            assert total is not None, reason.text
            reply = Move(int(total[1]) - move.digit, move.end)
        assert evaluator.move_values(after)[reply].value is Value.WIN, reason.text


@pytest.mark.slow
def test_five_thousand_random_reasons_are_true() -> None:
    rng = Random(5000)
    minds = [(rules, solve(rules)) for rules in some_rulesets(rng, 120)]
    kinds: set[tuple[Value, bool]] = set()
    for _ in range(5_000):
        rules, evaluator = rng.choice(minds)
        position = some_position(rules, rng)
        move = rng.choice(position.legal_moves)
        reason = explain(position, move, evaluator)
        expected = evaluator.move_values(position)[move]
        assert (reason.value, reason.plies) == expected
        after = position.play(move)
        assert reason.text.startswith(f"{move} ")
        assert shorten(after.number) in reason.text
        check_arithmetic(reason)
        check_line(position, move, reason)
        if after.outcome() is None and reason.value is not Value.LOSS:
            check_answers(after, reason, evaluator)
            check_words(after, reason, evaluator)
        if reason.value is Value.LOSS:
            check_losing_pattern(position, reason, evaluator)
        kinds.add((reason.value, after.outcome() is None))
    # Every kind of reason came up, so every kind was checked.
    assert kinds == {
        (Value.WIN, True),
        (Value.WIN, False),
        (Value.LOSS, True),
        (Value.LOSS, False),
        (Value.ENDLESS, True),
    }


def test_against_target_11_in_conquest_the_reason_is_to_copy_the_digit() -> None:
    start = Position(find_ruleset("conquest").replace(target=11))
    reason = explain(start, Move(3))
    assert reason.text == (
        "3 loses: it leaves 3 = 11 x 0 + 3, and then 3 makes 33 = 11 x 3 + 0. "
        "Every digit loses here: the other can copy the digit."
    )


def test_an_illegal_move_has_no_reason() -> None:
    with pytest.raises(IllegalMoveError, match="0 is not in this game"):
        explain(Position(find_ruleset("pool")), Move(0))


def test_a_side_that_goes_without_saying_is_left_out() -> None:
    reason = explain(Position(find_ruleset("pool")), Move(7, "R"))
    assert reason.text == "7 wins: 7 = 7 x 1 + 0."
    assert reason.line == (Move(7),)


def test_a_game_too_large_to_solve_still_has_reasons() -> None:
    rules = find_ruleset("ends").replace(digits="1-9", target=10**15 + 37)
    reason = explain(Position(rules), Move(5, "R"))
    assert reason.value is Value.UNKNOWN
    assert "5 = 1000000000000037 x 0 + 5" in reason.text
    assert re.search(r"no win can be forced within \d+ moves", reason.text)


def test_long_numbers_are_shortened_in_reasons() -> None:
    rules = find_ruleset("forbidden").replace(target=13)
    game = Game(rules, [Move(1)])
    while len(game.move_stack) < 60:
        safe = [m for m in game.position.legal_moves if not game.position.play(m).outcome()]
        game.push(safe[0])
    for move in game.position.legal_moves:
        reason = explain(game.position, move)
        assert "(61 digits)" in reason.text
        assert len(reason.text) < 600


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, None),
        ({Move(1): (Move(1),)}, None),
        ({Move(1): (Move(1), Move(2)), Move(2): (Move(2),)}, "Copy the digit"),
        ({Move(1): (Move(3),), Move(2): (Move(3), Move(4))}, "Answer every digit with 3"),
        (
            {Move(1): (Move(8),), Move(2): (Move(7),)},
            "Answer every digit so that the two add up to 9",
        ),
        ({Move(1): (Move(8),), Move(2): (Move(5),)}, None),
        (
            {Move(1, "L"): (Move(1, "L"),), Move(1, "R"): (Move(1, "R"),)},
            "Copy the digit at the same end",
        ),
    ],
)
def test_patterns(options: dict[Move, tuple[Move, ...]], words: str | None) -> None:
    assert find_pattern(options, decides=True) == words
    only_next = words and words.replace("every", "the next").replace("the digit", "the next digit")
    assert find_pattern(options, decides=False) == only_next


def test_what_need_not_hold_to_the_end_is_said_of_the_next_digit_only() -> None:
    rules = find_ruleset("conquest").replace(target=101)
    position = Game(rules, map(Move, (6, 1, 6, 2))).position
    assert "Copy the next digit" in explain(position, Move(1)).text
    eleven = Position(find_ruleset("conquest").replace(target=11))
    assert "copy the digit" in explain(eleven, Move(5)).text
