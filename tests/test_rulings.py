"""The twelve rulings, R1 to R12, each held by tests that bear its number."""

from __future__ import annotations

import pickle
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import (
    Game,
    IllegalMoveError,
    InvalidMoveError,
    InvalidRulesetError,
    Match,
    Move,
    Outcome,
    Position,
    Record,
    Ruleset,
    Side,
    Termination,
    find_ruleset,
    perft,
    ruleset_keys,
)
from digitduel.match import seat_of, side_of
from digitduel.record import dumps, loads
from digitduel.text import quoted
from tests.strategies import law, positions, targets

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST, SECOND = Side.FIRST, Side.SECOND

POOL = find_ruleset("pool")
TWO_ENDS = find_ruleset("ends")
FORBIDDEN = find_ruleset("forbidden")
CLOSEST = find_ruleset("closest")
CONQUEST = find_ruleset("conquest")
ALL_FIVE = [POOL, TWO_ENDS, FORBIDDEN, CLOSEST, CONQUEST]


def played(rules: Ruleset, moves: str) -> Game:
    """A game after these moves: '5R 1L', or '5214' for one-digit moves."""
    words = moves.split() if " " in moves or "R" in moves or "L" in moves else moves
    return Game(rules, map(Move.parse, words))


def outcome(rules: Ruleset, moves: str) -> Outcome | None:
    return played(rules, moves).outcome()


def ended(termination: Termination, winner: Side | None) -> Outcome:
    return Outcome(termination, winner)


def legal(rules: Ruleset, moves: str = "") -> list[str]:
    return [str(move) for move in played(rules, moves).position.legal_moves]


# --- R1: the winning test is on a number formed by a move. ---


@pytest.mark.parametrize("rules", ALL_FIVE, ids=lambda rules: rules.key)
def test_r1_nothing_is_won_before_the_first_move(rules: Ruleset) -> None:
    start = Position(rules)
    assert start.number == ""
    assert start.outcome() is None
    assert start.legal_moves


def test_r1_the_shown_0_is_replaced_by_the_first_digit() -> None:
    for rules in (FORBIDDEN, CLOSEST):
        assert rules.wording.shown_empty == "0"
        game = played(rules, "1")
        assert game.position.number == "1"
        assert game.outcome() is None


# --- R2: 0 is divisible by every target. ---


@given(targets)
def test_r2_a_first_move_of_0_wins_in_ends_against_every_target(target: int) -> None:
    rules = TWO_ENDS.replace(target=target)
    for move in ("0R", "0L"):
        assert outcome(rules, move) == ended(Termination.TARGET, FIRST)


def test_r2_00_cannot_come_up_because_0_has_already_won() -> None:
    game = played(TWO_ENDS, "0R")
    for move in ("0L", "0R"):
        with pytest.raises(IllegalMoveError, match="the game is over"):
            game.push(Move.parse(move))
    assert game.position.number == "0"


# --- R3: leading zeros are digits placed. ---


def test_r3_a_leading_zero_counts_in_the_length_and_not_in_the_value() -> None:
    game = played(TWO_ENDS.replace(target=61), "5R 0L")
    assert game.position.number == "05"
    assert game.position.remainder == 5
    assert game.turn is FIRST


def test_r3_a_digit_left_of_05_makes_305() -> None:
    game = played(TWO_ENDS.replace(target=61), "5R 0L 3L")
    assert game.position.number == "305"
    assert 305 == 5 * 61
    assert game.outcome() == ended(Termination.TARGET, FIRST)


def test_r3_a_leading_zero_fills_a_place_of_the_limit() -> None:
    rules = TWO_ENDS.replace(target=61, limit=2)
    assert outcome(rules, "5R 0L") == ended(Termination.FULL, FIRST)


# --- R4: what is not a move; nothing is lost and the turn stays. ---


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "seven",
        "1.5",
        "-3",
        "²",
        "٣",
        "３",
        "12",
        "5X",
        "L",
        "R5",
        "5LR",
        "5 R",
        "+5",
        "5\0",
    ],
)
def test_r4_not_a_move(text: str) -> None:
    with pytest.raises(InvalidMoveError) as caught:
        Move.parse(text)
    assert quoted(text) in str(caught.value)
    assert "write one digit, and L or R behind it where both ends are open" in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "moves", "refused"),
    [
        (FORBIDDEN, "1397", "0"),  # not among the digits
        (POOL, "52", "5"),  # used up
        (CLOSEST, "52", "2"),
        (CONQUEST, "25", "0"),
        (POOL, "52", "1L"),  # that end is closed
        (TWO_ENDS, "5R 1L", "4"),  # no side
    ],
)
def test_r4_a_refused_move_loses_nothing_and_the_turn_stays(
    rules: Ruleset, moves: str, refused: str
) -> None:
    game = played(rules, moves)
    before = (game.position, game.turn, list(game.move_stack), game.outcome())
    with pytest.raises(IllegalMoveError, match=refused):
        game.push(Move.parse(refused))
    assert (game.position, game.turn, game.move_stack, game.outcome()) == before
    game.push(game.position.legal_moves[0])
    assert game.turn is not before[1]


# --- R5: a forbidden multiple is a move that loses. ---


def test_r5_forbidden_beats_target() -> None:
    assert 14 % 7 == 0
    game = played(FORBIDDEN, "14")
    assert game.position.number == "14"
    assert game.position.forbidden_divisors == (2,)
    assert game.outcome() == ended(Termination.FORBIDDEN, FIRST)


def test_r5_a_forbidden_multiple_is_a_legal_move_and_loses() -> None:
    assert legal(FORBIDDEN) == list("123456789")
    for digit in "2345689":
        assert outcome(FORBIDDEN, digit) == ended(Termination.FORBIDDEN, SECOND)


def test_r5_the_example_of_the_rulebook_ends_with_13971() -> None:
    assert outcome(FORBIDDEN, "1397") is None
    game = played(FORBIDDEN, "13971")
    assert game.position.forbidden_divisors == (3,)
    assert game.outcome() == ended(Termination.FORBIDDEN, SECOND)


def test_r5_the_target_wins_where_nothing_forbidden_divides() -> None:
    assert outcome(FORBIDDEN, "7") == ended(Termination.TARGET, FIRST)
    assert outcome(FORBIDDEN, "119") == ended(Termination.TARGET, FIRST)


def test_r5_no_safe_move_loses_without_moving() -> None:
    # After 11 both 111 = 3 x 37 and 115 = 5 x 23 are forbidden: the starter is not asked.
    rules = FORBIDDEN.replace(digits=[1, 5], forbidden=[3, 5])
    assert outcome(rules, "1") is None
    game = played(rules, "11")
    assert game.outcome() == ended(Termination.STUCK, SECOND)
    assert game.position.legal_moves == ()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.push(Move(1))


def test_r5_a_winning_multiple_that_is_forbidden_is_no_way_out() -> None:
    # 1 x leaves only 15 and 11; 15 is the target but forbidden as well.
    rules = FORBIDDEN.replace(digits=[1, 5], forbidden=[5, 11], target=15)
    assert outcome(rules, "1") == ended(Termination.STUCK, FIRST)


def test_r5_a_winning_move_is_a_safe_move() -> None:
    # After 1 the only safe reply is 11, and it wins: nobody is stuck before it.
    rules = FORBIDDEN.replace(digits=[1, 5], forbidden=[5], target=11)
    assert outcome(rules, "1") is None
    assert outcome(rules, "11") == ended(Termination.TARGET, SECOND)


def test_r5_no_legal_move_at_all_is_stuck_as_well() -> None:
    # Only 0 is left, and it may not be the leading digit: the number is not full, yet it ends.
    rules = POOL.replace(digits=[0, 5], ends="left", leading_zero=False)
    game = played(rules, "5")
    assert rules.capacity == 2
    assert game.outcome() == ended(Termination.STUCK, FIRST)


def test_r5_a_full_number_is_not_stuck() -> None:
    # Nothing can be placed after the last digit either, but there the rule for full numbers holds.
    rules = POOL.replace(digits=[5, 6])
    assert outcome(rules, "65") == ended(Termination.FULL, FIRST)


@law
@given(positions(targets.filter(lambda t: t > 1).map(lambda t: FORBIDDEN.replace(target=t))))
def test_r5_with_1_to_9_and_2_3_5_nobody_is_ever_stuck(position: Position) -> None:
    ending = position.outcome()
    assert ending is None or ending.termination is not Termination.STUCK
    if ending is None and position.number:
        for digit in (3, 9):
            assert position.play(Move(digit)).forbidden_divisors == ()


# --- R6: nine digits used, no win: the last mover, who is the starter, loses. ---


def test_r6_the_transcript_is_won_on_move_8_by_the_second_player() -> None:
    game = played(POOL, "52147368")
    assert game.position.number == "52147368"
    assert 52147368 == 7 * 7449624
    assert len(game.move_stack) == 8
    assert game.outcome() == ended(Termination.TARGET, SECOND)
    assert [outcome(POOL, "52147368"[:ply]) for ply in range(8)] == [None] * 8


def test_r6_the_last_mover_loses_a_full_pool_and_is_the_starter() -> None:
    game = played(POOL, "12345678")
    assert game.outcome() is None
    assert game.turn is FIRST
    game.push(Move(9))
    assert game.outcome() == ended(Termination.FULL, SECOND)


def test_r6_a_ninth_digit_that_makes_a_multiple_wins() -> None:
    rules = POOL.replace(target=123456789)
    assert outcome(rules, "12345678") is None
    assert outcome(rules, "123456789") == ended(Termination.TARGET, FIRST)


def test_r6_an_even_pool_is_filled_by_the_second_player_who_loses() -> None:
    rules = POOL.replace(digits="1-4", target=101)
    assert outcome(rules, "1234") == ended(Termination.FULL, FIRST)


# --- R7: each player's own last number; strictly closer wins, a tie loses for the last mover. ---


@pytest.mark.parametrize(
    ("number", "eighth", "ninth", "winner"),
    [
        ("123456789", 2, 1, FIRST),  # remainders 2 and 1
        ("123568794", 3, 1, FIRST),  # 3 and 6: one below a multiple is one away
        ("123458697", 3, 2, FIRST),  # 4 and 5
        ("123457896", 1, 2, SECOND),  # 1 and 2
        ("123456897", 1, 3, SECOND),  # 6 and 4
        ("123457869", 2, 3, SECOND),  # 5 and 3
        ("123456798", 3, 3, SECOND),  # 3 and 3: a tie
        ("123467598", 2, 2, SECOND),  # 5 and 2: a tie above and below
    ],
)
def test_r7_the_closer_of_the_last_two_numbers_wins(
    number: str, eighth: int, ninth: int, winner: Side
) -> None:
    game = played(CLOSEST, number)
    assert len(game.move_stack) == 9
    assert game.previous.distance == eighth
    assert game.position.distance == ninth
    assert game.outcome() == ended(Termination.CLOSEST, winner)


def test_r7_a_multiple_still_wins_on_the_last_move() -> None:
    assert 12345679 % 37 == 0
    assert outcome(CLOSEST.replace(target=37), "12345679") == ended(Termination.TARGET, SECOND)
    rules = CLOSEST.replace(target=123456789)
    assert outcome(rules, "123456789") == ended(Termination.TARGET, FIRST)


def test_r7_the_last_mover_may_be_the_second_player_in_a_custom_game() -> None:
    rules = CLOSEST.replace(digits="1-4", target=101)
    # 123 = 101 + 22 and 1234 = 12 x 101 + 22: a tie, and the second player moved last.
    assert outcome(rules, "1234") == ended(Termination.CLOSEST, FIRST)
    # 142 = 101 + 41 and 1423 = 14 x 101 + 9: closer, and the second player moved last.
    assert outcome(rules, "1423") == ended(Termination.CLOSEST, SECOND)


def test_r7_digits_on_the_left_compare_the_same_two_numbers() -> None:
    rules = CLOSEST.replace(digits="1-3", target=100, ends="left")
    # 21 is 21 away from 0 and 321 is 21 away from 300: a tie.
    assert outcome(rules, "123") == ended(Termination.CLOSEST, SECOND)
    # 12 is 12 away from 0 and 312 is 1 away from 311.
    assert outcome(rules.replace(target=311), "213") == ended(Termination.CLOSEST, FIRST)


# --- R8: leading zeros. ---


def test_r8_leading_zeros_are_on_in_all_five_games() -> None:
    assert [rules.leading_zero for rules in ALL_FIVE] == [True] * 5


def test_r8_0_may_come_first_and_wins_when_leading_zeros_are_on() -> None:
    rules = CLOSEST.replace(digits="0-9", leading_zero=True)
    assert outcome(rules, "0") == ended(Termination.TARGET, FIRST)


@pytest.mark.parametrize("ends", ["right", "left", "both"])
def test_r8_0_may_not_come_first_when_they_are_off(ends: str) -> None:
    start = Position(CLOSEST.replace(digits="0-9", leading_zero=False, ends=ends))
    assert {move.digit for move in start.legal_moves} == set(range(1, 10))
    for end in (None, "L", "R"):
        with pytest.raises(IllegalMoveError):
            start.play(Move(0, end))


def test_r8_0_may_not_go_to_the_left_when_they_are_off() -> None:
    both = played(TWO_ENDS.replace(leading_zero=False), "5R 1L").position
    assert "0L" not in map(str, both.legal_moves)
    assert "0R" in map(str, both.legal_moves)
    with pytest.raises(IllegalMoveError, match="begin with 0"):
        both.play(Move.parse("0L"))
    assert both.play(Move.parse("0R")).number == "150"
    left = played(CLOSEST.replace(digits="0-9", ends="left", leading_zero=False), "5").position
    assert {move.digit for move in left.legal_moves} == {1, 2, 3, 4, 6, 7, 8, 9}


def test_r8_0_may_go_to_the_right_of_a_number_when_they_are_off() -> None:
    rules = CLOSEST.replace(digits="0-9", leading_zero=False)
    assert played(rules, "50").position.number == "50"


@pytest.mark.parametrize(
    "changes", [{"limit": 1}, {"digits": [5]}, {"digits": [5], "uses": None, "limit": 1}]
)
def test_r8_closest_needs_two_numbers_to_compare(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidRulesetError, match="compares the last two numbers"):
        CLOSEST.replace(**changes)
    assert CLOSEST.replace(full="last-loses", **changes).capacity == 1
    assert CLOSEST.replace(limit=2).capacity == 2


# --- R9: conquest. ---


def test_r9_0_is_refused_unless_agreed_on() -> None:
    game = played(CONQUEST, "2517")
    with pytest.raises(IllegalMoveError, match="0 is not in this game"):
        game.push(Move(0))
    agreed = played(CONQUEST.replace(digits="0-9"), "25170")
    assert agreed.position.number == "25170"
    assert agreed.outcome() is None
    assert (25170 // 7, agreed.position.remainder) == (3595, 5)


def test_r9_a_tenth_digit_that_makes_a_multiple_wins() -> None:
    assert 9239768181 % 7 == 0
    assert outcome(CONQUEST, "923976818") is None
    assert outcome(CONQUEST, "9239768181") == ended(Termination.TARGET, SECOND)


def test_r9_a_tenth_digit_that_does_not_loses() -> None:
    assert outcome(CONQUEST, "923976818") is None
    assert outcome(CONQUEST, "9239768182") == ended(Termination.FULL, FIRST)


def test_r9_a_cap_on_uses_is_an_option() -> None:
    game = played(CONQUEST.replace(uses=2), "11")
    assert "1" not in map(str, game.position.legal_moves)
    with pytest.raises(IllegalMoveError, match="1 is used up"):
        game.push(Move(1))


# --- R10: a move is a digit and, where both ends are open, a side. ---


@pytest.mark.parametrize("rules", [POOL, FORBIDDEN, CLOSEST, CONQUEST], ids=lambda r: r.key)
@pytest.mark.parametrize("before", ["", "1"])
def test_r10_one_ended_a_digit_alone_goes_to_that_end(rules: Ruleset, before: str) -> None:
    rules = rules.replace(target=101)
    for end, number in (("right", f"{before}9"), ("left", f"9{before}")):
        game = played(rules.replace(ends=end), before)
        game.push(Move(9))
        assert game.position.number == number


@pytest.mark.parametrize("before", ["", "1"])
@pytest.mark.parametrize(
    ("end", "open_end", "closed_end"), [("right", "R", "L"), ("left", "L", "R")]
)
def test_r10_one_ended_the_open_end_may_be_named_and_the_closed_one_not(
    before: str, end: str, open_end: str, closed_end: str
) -> None:
    game = played(POOL.replace(ends=end), before)
    with pytest.raises(IllegalMoveError, match=f"digits only go to the {end} end"):
        game.push(Move(5, closed_end))
    silent = game.position.play(Move(5))
    game.push(Move(5, open_end))
    assert game.position == silent
    assert str(game.move_stack[-1]) == "5"


def test_r10_one_ended_moves_are_written_without_a_side() -> None:
    for end in ("right", "left"):
        assert legal(POOL.replace(ends=end)) == list("123456789")
        assert legal(POOL.replace(ends=end), "5") == list("12346789")
    record = Record.of(played(POOL, "5R 2R"))
    assert record.to_json()["moves"] == ["5", "2"]
    assert dumps([record]).endswith("\n5 2\n")


@pytest.mark.parametrize("before", ["", "1R", "1R 3L"])
def test_r10_with_both_ends_open_the_side_is_needed(before: str) -> None:
    game = played(TWO_ENDS, before)
    with pytest.raises(IllegalMoveError, match="write 5L for the left end or 5R for the right"):
        game.push(Move(5))


def test_r10_on_the_empty_number_left_and_right_are_one_move() -> None:
    start = Position(TWO_ENDS)
    assert [str(move) for move in start.legal_moves] == [f"{digit}R" for digit in range(10)]
    assert perft(start, 1) == 10
    assert start.play(Move(5, "L")) == start.play(Move(5, "R"))


@pytest.mark.parametrize("said", ["5L", "5R"])
def test_r10_on_the_empty_number_the_record_keeps_what_was_said(said: str) -> None:
    game = played(TWO_ENDS, f"{said} 1L")
    record = Record.of(game)
    assert [str(move) for move in record.moves] == [said, "1L"]
    assert record.to_json()["moves"] == [said, "1L"]
    assert loads(dumps([record])) == [record]


def test_r10_later_left_and_right_are_two_moves_even_for_the_same_digits() -> None:
    position = played(TWO_ENDS.replace(target=13), "5R 5R 5R").position
    moves = [str(move) for move in position.legal_moves]
    assert moves == [f"{digit}{end}" for digit in range(10) for end in "LR"]
    left, right = (position.play(Move(5, end)) for end in "LR")
    assert left.number == right.number == "5555"
    assert left == right
    assert perft(position, 1) == 20


# --- R11: no result is invented; long games stay small and exact. ---


@pytest.fixture
def short_integers() -> Iterator[None]:
    """Python refuses to turn more than 640 digits into an integer, or back."""
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(usual)


LONG = 20_000


def quiet_move(position: Position) -> Move:
    """A move that does not end the game, alternating ends and digits."""
    moves = position.legal_moves
    start = len(position.number) % len(moves)
    for move in (*moves[start:], *moves[:start]):
        if position.play(move).outcome() is None:
            return move
    raise AssertionError(f"every move from {position.number} ends the game")


@pytest.mark.slow
@pytest.mark.usefixtures("short_integers")
@pytest.mark.parametrize(
    "rules", [TWO_ENDS.replace(digits="1-9"), FORBIDDEN], ids=lambda rules: rules.key
)
def test_r11_an_endless_game_goes_on_for_20000_moves(rules: Ruleset) -> None:
    game, residue, place = Game(rules), 0, 1
    modulus = rules.modulus
    for _ in range(LONG):
        move = quiet_move(game.position)
        game.push(move)
        residue = move.digit * place + residue if move.end == "L" else 10 * residue + move.digit
        residue, place = residue % modulus, place * 10 % modulus
    assert len(game.position.number) == LONG
    assert game.outcome() is None
    assert game.position.remainder == residue % rules.target
    # History is moves and small states. A copy of each number would be 200 million digits.
    assert len(pickle.dumps(game)) < 40 * LONG
    record = Record.of(game)
    assert (record.result, record.termination) == ("*", None)
    text = dumps([record])
    assert len(text) < 4 * LONG
    assert loads(text) == [record]
    last = game.position
    assert game.pop() == record.moves[-1]
    game.push(record.moves[-1])
    assert game.position == last


@pytest.mark.usefixtures("short_integers")
@pytest.mark.parametrize("end", ["L", "R"])
def test_r11_a_long_game_ends_at_the_very_move_that_makes_the_target(end: str) -> None:
    # 5021 is prime and 10 has order 5020 there: 11...1 is a multiple at 5020 digits, not before.
    game = Game(TWO_ENDS.replace(target=5021))
    while game.outcome() is None:
        game.push(Move(1, end))
    assert len(game.move_stack) == 5020
    assert game.outcome() == ended(Termination.TARGET, SECOND)


@pytest.mark.parametrize(("rules", "most"), [(POOL, 9), (CLOSEST, 9), (CONQUEST, 10)])
def test_r11_three_games_end_after_so_many_moves(rules: Ruleset, most: int) -> None:
    assert rules.capacity == most
    game = Game(rules.replace(target=9_876_543_211))
    while game.outcome() is None:
        game.push(game.position.legal_moves[0])
    assert len(game.move_stack) == most


def test_r11_two_games_have_no_length_by_themselves_and_a_limit_is_an_option() -> None:
    for rules in (TWO_ENDS, FORBIDDEN):
        assert rules.capacity is None
        limited = rules.replace(limit=3, target=101)
        side = "R" if rules is TWO_ENDS else ""
        moves = f"1{side} 1{side} 3{side}"
        assert outcome(limited, moves) == ended(Termination.FULL, SECOND)


def test_r11_a_game_called_off_has_no_winner_and_no_point() -> None:
    game = played(FORBIDDEN, "1397")
    game.call_off()
    assert game.outcome() == ended(Termination.CALLED_OFF, None)
    record = Record.of(game)
    assert (record.result, record.termination) == ("*", Termination.CALLED_OFF)
    assert Match(rounds=3).after(None).score == (0, 0)


# --- R12: who starts, seats, matches. ---


def test_r12_first_is_the_starter_of_a_round_and_seats_stay() -> None:
    assert [seat_of(side, starter) for starter in (1, 2) for side in Side] == [1, 2, 2, 1]
    assert [side_of(seat, starter) for starter in (1, 2) for seat in (1, 2)] == [
        *(FIRST, SECOND),
        *(SECOND, FIRST),
    ]


@pytest.mark.parametrize(("first", "result"), [(1, "1-0"), (2, "0-1")])
def test_r12_the_starter_s_win_is_a_point_for_the_seat_that_started(
    first: int, result: str
) -> None:
    record = Record.of(played(POOL, "7"), ("Ann", "Bob"), first=first)
    assert record.result == result
    assert record.players == ("Ann", "Bob")


@given(st.integers(1, 2), st.integers(1, 20))
def test_r12_the_start_alternates_unless_told_otherwise(first: int, rounds: int) -> None:
    match, same = Match(rounds, first=first), Match(rounds, first=first, alternate=False)
    for number in range(rounds):
        assert match.starter == (first if number % 2 == 0 else 3 - first)
        assert same.starter == first
        match, same = match.after(1), same.after(1)


@pytest.mark.parametrize("resigning", list(Side))
@pytest.mark.parametrize("first", [1, 2])
def test_r12_resigning_gives_the_point_to_the_other(resigning: Side, first: int) -> None:
    game = played(FORBIDDEN, "1")
    game.resign(resigning)
    assert game.outcome() == ended(Termination.RESIGNED, resigning.other)
    winner = seat_of(resigning.other, first)
    assert Record.of(game, first=first).result == {1: "1-0", 2: "0-1"}[winner]
    assert Match(rounds=1, first=first).after(winner).champion == winner


def test_r12_a_round_is_one_point_and_a_match_plays_all_its_rounds() -> None:
    match = Match(rounds=4)
    for winner, score in ((1, (1, 0)), (1, (2, 0)), (1, (3, 0)), (2, (3, 1))):
        assert not match.over
        match = match.after(winner)
        assert match.score == score
    assert match.over
    assert match.champion == 1


def test_r12_equal_points_is_a_tied_match() -> None:
    match = Match(rounds=2).after(1).after(2)
    assert match.over
    assert match.champion is None


def test_r12_best_of_n_is_odd_and_stops_when_decided() -> None:
    match = Match(rounds=5, best_of=True).after(2).after(2)
    assert not match.over
    assert match.after(2).over
    assert match.after(2).champion == 2
    with pytest.raises(InvalidRulesetError, match="best of 4 could end even"):
        Match(rounds=4, best_of=True)


# --- What the rulebooks do not say, as far as no solver is needed. ---


@pytest.mark.parametrize("rules", [POOL, CLOSEST, CONQUEST], ids=lambda rules: rules.key)
def test_targets_2_to_9_are_over_on_move_1(rules: Ruleset) -> None:
    for target in range(2, 10):
        aimed = rules.replace(target=target)
        assert outcome(aimed, str(target)) == ended(Termination.TARGET, FIRST)
        assert Move(target) in Position(aimed).winning_moves
    for target in range(10, 100):
        assert Position(rules.replace(target=target)).winning_moves == ()


def test_7_wins_forbidden_at_once() -> None:
    assert Position(FORBIDDEN).winning_moves == (Move(7),)


def test_0_wins_ends_at_once() -> None:
    assert Position(TWO_ENDS.replace(target=10**100)).winning_moves == (Move(0, "R"),)
    assert Position(TWO_ENDS).winning_moves == (Move(0, "R"), Move(7, "R"))


def test_the_second_player_answers_11_in_two_in_conquest() -> None:
    for digit in "123456789":
        assert outcome(CONQUEST.replace(target=11), digit) is None
        assert outcome(CONQUEST.replace(target=11), digit * 2) == ended(Termination.TARGET, SECOND)


def test_these_rulings_are_about_every_game_there_is() -> None:
    assert sorted(rules.key for rules in ALL_FIVE) == sorted(ruleset_keys())
