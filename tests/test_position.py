"""The engine against a plain reading of the rules, over random rule sets."""

from __future__ import annotations

import dataclasses
import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from digitduel import (
    DigitDuelError,
    Game,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Move,
    Outcome,
    Position,
    Ruleset,
    Side,
    Termination,
    find_ruleset,
    perft,
    solve,
)
from digitduel.position import State
from digitduel.teach import explain
from tests.reference import ENDS, PlainGame
from tests.strategies import law, positions, rulesets, shipped_rulesets, short_law

if TYPE_CHECKING:
    from collections.abc import Callable

any_rules = rulesets() | shipped_rulesets()
# The rarer endings: a full number compared, and a player without a safe move.
ending_rules = (
    rulesets(uses=1, full="closest", forbidden=[])
    | rulesets(limit=4, full="closest", target=1001)
    | rulesets(digits=[1, 5, 7], forbidden=[3, 5])
    | rulesets(digits=[0, 4, 9], uses=1, leading_zero=False, forbidden=[])
)

ENDS_GAME, POOL = find_ruleset("ends"), find_ruleset("pool")


def agree(position: Position, plain: PlainGame) -> None:
    """All that the two say about where they are."""
    result = plain.result()
    ending = result and Outcome(Termination(result.reason), Side(result.winner))
    assert position.number == plain.number
    assert position.turn is Side(plain.turn)
    assert position.outcome() == ending
    assert [str(move) for move in position.legal_moves] == plain.moves()
    assert (position.legal_moves == ()) == (position.outcome() is not None)
    for digit in range(10):
        for end in ENDS:
            agree_on(position, plain, Move(digit, end))


def agree_on(position: Position, plain: PlainGame, move: Move) -> None:
    after = plain.after(move.digit, move.end)
    if after is None:
        assert position.refusal(move)
        with pytest.raises(IllegalMoveError, match=str(move.digit)):
            position.play(move)
    else:
        assert position.refusal(move) is None
        assert position.play(move).number == after.number


@law
@given(any_rules | ending_rules, st.data())
def test_the_engine_plays_as_the_plain_reading_does(rules: Ruleset, data: st.DataObject) -> None:
    position, plain = Position(rules), PlainGame(rules)
    agree(position, plain)
    for _ in range(data.draw(st.integers(0, 12))):
        if not position.legal_moves:
            break
        moves = position.legal_moves
        quiet = [move for move in moves if position.play(move).outcome() is None]
        move = data.draw(st.sampled_from(quiet or moves) | st.sampled_from(moves))
        position = position.play(move)
        following = plain.after(move.digit, move.end)
        assert following is not None
        plain = following
        agree(position, plain)
    ending = position.outcome()
    event(ending.termination.value if ending else "goes on")


@short_law
@given(any_rules)
def test_perft_counts_the_lines_of_the_plain_reading(rules: Ruleset) -> None:
    for depth in range(3):
        assert perft(Position(rules), depth) == PlainGame(rules).lines(depth)


@short_law
@given(rulesets(digits=[0, 1, 3], target=11))
def test_perft_counts_deeper_lines_where_digits_are_few(rules: Ruleset) -> None:
    assert perft(Position(rules), 4) == PlainGame(rules).lines(4)


def test_perft_stops_at_the_end_of_a_game() -> None:
    over = Position(find_ruleset("pool")).play(Move(7))
    assert [perft(over, depth) for depth in range(3)] == [1, 0, 0]


@law
@given(positions())
def test_remainders_are_those_of_the_number(position: Position) -> None:
    value = int(position.number or "0")
    assert position.remainder == value % position.ruleset.target
    assert position.state.residue == value % position.ruleset.modulus
    divide = tuple(each for each in position.ruleset.forbidden if value % each == 0)
    assert position.forbidden_divisors == (divide if position.number else ())


@law
@given(positions())
def test_residues_are_told_before_a_move_is_made(position: Position) -> None:
    for move in position.legal_moves:
        made = int(position.play(move).number)
        assert position.residue_after(move) == made % position.ruleset.modulus


@law
@given(positions())
def test_distance_is_to_the_nearest_multiple_above_or_below(position: Position) -> None:
    target, value = position.ruleset.target, int(position.number or "0")
    nearest = min(
        abs(value - value // target * target), abs(value - (value // target + 1) * target)
    )
    assert position.distance == nearest


@law
@given(positions())
def test_available_digits_are_those_not_used_up(position: Position) -> None:
    rules = position.ruleset
    most = len(position.number) + 1 if rules.uses is None else rules.uses
    left = tuple(each for each in rules.digits if position.number.count(str(each)) < most)
    assert position.available_digits == left


@law
@given(positions())
def test_winning_moves_are_the_legal_ones_that_win_at_once(position: Position) -> None:
    for move in position.legal_moves:
        ending = position.play(move).outcome()
        wins = ending is not None and ending.winner is position.turn
        assert (move in position.winning_moves) == wins


@law
@given(positions())
def test_a_move_changes_no_position_but_makes_a_new_one(position: Position) -> None:
    before = (position.number, position.turn, position.outcome(), position.legal_moves)
    for move in position.legal_moves:
        after = position.play(move)
        assert len(after.number) == len(position.number) + 1
        assert after.turn is position.turn.other
    assert (position.number, position.turn, position.outcome(), position.legal_moves) == before


@law
@given(positions())
def test_a_position_is_made_of_its_number(position: Position) -> None:
    rules, number = position.ruleset, position.number
    if rules.ends == "both" and rules.full == "closest" and len(number) == rules.capacity:
        with pytest.raises(InvalidPositionError, match="the last move decides"):
            Position(rules, number)
    else:
        assert Position(rules, number) == position


@law
@given(any_rules, st.text("0123456789", max_size=12))
def test_a_number_is_a_position_exactly_where_its_digits_can_be_played(
    rules: Ruleset, number: str
) -> None:
    position, way = Position(rules), number
    if rules.ends == "both":
        return  # there are many ways
    for digit in map(int, reversed(way) if rules.ends == "left" else way):
        if position.refusal(Move(digit)):
            with pytest.raises(InvalidPositionError, match="is no number of"):
                Position(rules, number)
            return
        position = position.play(Move(digit))
    assert Position(rules, number) == position


@pytest.mark.parametrize(
    ("game", "number", "words"),
    [
        ("pool", "55", "'55' is no number of pool: after '5': 5 is used up: choose from 1-4,6-9."),
        ("pool", "71", "after '7': 1 comes too late: the game is over."),
        ("pool", "0", "after '': 0 is not in this game: choose from 1-9."),
        ("pool", "1234567891", "it has 10 digits, and 9 are the most."),
        ("ends", "5 2", "write its digits as a text, 0 to 9 and nothing else."),
        ("ends", "٣", "write its digits as a text, 0 to 9 and nothing else."),
        ("ends", "-3", "write its digits as a text, 0 to 9 and nothing else."),
    ],
)
def test_what_is_no_number_of_a_game_is_refused(game: str, number: str, words: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        Position(find_ruleset(game), number)
    assert str(caught.value).endswith(words)


def test_a_number_may_be_longer_than_python_reads() -> None:
    # 10^6000 leaves 1 divided by 9, and so does every digit 1 before it.
    rules = ENDS_GAME.replace(digits="1-9", target=9 * 10**50)
    assert Position(rules, "1" * 6000).state.residue % 9 == 6000 % 9


def test_a_position_leads_back_to_the_one_before() -> None:
    start = Position(ENDS_GAME)
    one = start.play(Move(5, "R"))
    for move in one.legal_moves:
        assert one.play(move).before(move, one.state) == one
    assert one.before(Move(5, "R"), start.state) == start


def test_a_position_shows_its_number_and_who_is_to_move() -> None:
    pool = find_ruleset("pool")
    assert repr(Position(pool, "52")) == "<Position '52' of pool 7: first to move>"
    assert repr(Position(pool, "14")) == "<Position '14' of pool 7: target>"
    shown = Position(pool, "52")._repr_html_()
    assert shown.startswith("<b>&lt;Position &#x27;52&#x27; of pool 7: first to move&gt;</b>")
    assert "<th>remainder by 7</th><td>3</td>" in shown
    assert "<th>digits left</th><td>1,3,4,6-9</td>" in shown


def test_state_and_ending_are_not_a_callers_business() -> None:
    pool = find_ruleset("pool")
    with pytest.raises(TypeError):
        Position(pool, "52", State(0, 1, ()))  # type: ignore[call-arg]
    assert dataclasses.replace(Position(pool, "52"), number="53") == Position(pool, "53")
    assert pickle.loads(pickle.dumps(Position(pool, "14"))) == Position(pool, "14")  # noqa: S301


@pytest.mark.parametrize(
    ("call", "given", "says"),
    [
        (Position, ("pool",), "'pool' is no rule set: give find_ruleset"),
        (Position, (POOL, 52), "52 is no number of pool: write its digits"),
        (Position(POOL).play, ("52",), "'52' is not a move"),
        (Position(POOL).play, (None,), "'None' is not a move"),
        (Game, (5,), "there is no game called '5'"),
        (solve, (None,), "there is no game called 'None'"),
        (find_ruleset, (5,), "there is no game called 5"),
        (explain, (Position(POOL), "x"), "'x' is not a move"),
        (explain, (Position(POOL), "5L"), "5L"),  # the closed end (R10)
    ],
)
def test_what_is_given_wrongly_is_said(
    call: Callable[..., object], given: tuple[object, ...], says: str
) -> None:
    with pytest.raises(DigitDuelError, match=says):
        call(*given)


def test_a_game_may_be_given_by_its_key_and_a_move_as_text() -> None:
    pool = find_ruleset("pool")
    assert Position(pool).play("5").play("2") == Position(pool, "52")
    assert Game("pool", ["5", "2"]).position == Position(pool, "52")
    assert solve("pool").probe(Position(pool)) == solve(pool).probe(Position(pool))
    assert explain(Position(pool), "7") == explain(Position(pool), Move(7))


def test_a_position_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Position(ENDS_GAME).number = "7"  # type: ignore[misc]


def test_equal_positions_are_one_key_whatever_the_way_there() -> None:
    left_first = Position(ENDS_GAME).play(Move(5, "R")).play(Move(1, "L"))
    right_first = Position(ENDS_GAME).play(Move(1, "L")).play(Move(5, "R"))
    assert left_first == right_first
    assert len({left_first, right_first}) == 1
    assert left_first != Position(ENDS_GAME.replace(target=11)).play(Move(1, "R")).play(
        Move(5, "R")
    )


@given(st.integers(0, 9), st.sampled_from(ENDS))
def test_a_move_is_written_as_it_is_read(digit: int, end: str | None) -> None:
    move = Move(digit, end)
    assert Move.parse(str(move)) == move
    assert Move.parse(f" {str(move).lower()}\n") == move


@given(st.text())
@example("5l")
@example("٣")
@example("²")
@example("")
def test_text_is_a_move_or_refused_as_none(text: str) -> None:
    plain = text.strip().upper()
    if plain in {f"{digit}{end or ''}" for digit in range(10) for end in ENDS}:
        assert str(Move.parse(text)) == plain
    else:
        with pytest.raises(InvalidMoveError, match="is not a move: write one digit, and L or R"):
            Move.parse(text)


def refused(game: str, moves: str, text: str, **changes: object) -> str:
    """The reason a move is refused after these ones."""
    position = Position(find_ruleset(game).replace(**changes))
    for each in moves.split():
        position = position.play(Move.parse(each))
    with pytest.raises(IllegalMoveError) as caught:
        position.play(Move.parse(text))
    return str(caught.value)


def test_a_refusal_says_why_and_what_would_be_accepted() -> None:
    assert refused("forbidden", "", "0") == ("0 is not in this game: choose from 1-9.")
    assert refused("pool", "5 2 1", "2", digits="1-5") == "2 is used up: choose from 3,4."
    assert refused("pool", "5 2 1", "9", digits="1-5") == (
        "9 is not in this game: choose from 3,4."
    )
    assert refused("ends", "5R", "4") == (
        "4 needs a side: write 4L for the left end or 4R for the right."
    )
    assert refused("pool", "5", "4L") == (
        "4L is not possible: digits only go to the right end here."
    )
    assert refused("pool", "5", "4R", ends="left") == (
        "4R is not possible: digits only go to the left end here."
    )
    assert refused("ends", "5R", "0L", leading_zero=False) == (
        "0L would make the number begin with 0, which is switched off here."
    )
    assert refused("pool", "7", "1") == "1 comes too late: the game is over."


def test_a_refusal_never_proposes_a_digit_that_cannot_be_played() -> None:
    advice = refused("pool", "5 2", "5", digits="0-2,5", ends="left", leading_zero=False)
    assert advice == "5 is used up: choose from 1."


def test_an_end_that_is_neither_left_nor_right_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="digits only go to the left or right end here"):
        Position(ENDS_GAME).play(Move(5, "X"))
