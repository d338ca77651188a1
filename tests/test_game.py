"""A game's history: push, pop, resigning and calling off."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from digitduel import (
    DigitDuelError,
    Game,
    IllegalMoveError,
    InvalidMoveError,
    InvalidRulesetError,
    Move,
    Outcome,
    Position,
    Ruleset,
    Side,
    Termination,
    find_ruleset,
)
from digitduel.game import read_line
from tests.reference import PlainGame
from tests.strategies import (
    accepted_moves,
    games,
    games_in_play,
    law,
    rulesets,
    shipped_rulesets,
)

POOL = find_ruleset("pool")
TWO_ENDS = find_ruleset("ends")


def snapshot(game: Game) -> tuple[object, ...]:
    """All that a game says about itself."""
    return (
        game.position,
        game.position.legal_moves,
        game.turn,
        tuple(game.move_stack),
        game.outcome(),
        game.previous,
    )


@law
@given(games_in_play(), st.data())
def test_pop_undoes_push_exactly(game: Game, data: st.DataObject) -> None:
    if game.outcome() is not None:
        game.pop()
    before = snapshot(game)
    move = data.draw(st.sampled_from(accepted_moves(game.position)))
    game.push(move)
    after = snapshot(game)
    assert game.previous == before[0]
    popped = game.pop()
    assert snapshot(game) == before
    game.push(popped)
    assert snapshot(game) == after


@law
@given(games())
def test_popping_every_move_leads_back_to_the_start(game: Game) -> None:
    moves = list(game.move_stack)
    popped = [game.pop() for _ in moves]
    assert popped == moves[::-1]
    assert game.position == Position(game.ruleset)
    if moves:
        assert game.outcome() is None
        assert snapshot(game) == snapshot(Game(game.ruleset))


@law
@given(games())
def test_numbers_are_those_that_the_moves_made(game: Game) -> None:
    plain = PlainGame(game.ruleset)
    for move in game.move_stack:
        following = plain.after(move.digit, move.end)
        assert following is not None
        plain = following
    numbers = ["", *game.numbers()]
    assert numbers == ["", *plain.numbers]
    assert numbers[-1] == game.position.number
    assert game.previous.number == (numbers[-2] if game.move_stack else "")


@law
@given(games())
def test_a_game_is_its_rules_and_moves(game: Game) -> None:
    again = Game(game.ruleset, game.move_stack)
    assert again.position == game.position
    assert again.move_stack == game.move_stack
    assert again.outcome() == game.position.outcome()


@law
@given(games())
def test_moves_are_kept_as_the_notation_writes_them(game: Game) -> None:
    two_ends = game.ruleset.ends == "both"
    assert all((move.end is not None) == two_ends for move in game.move_stack)


@law
@given(games())
def test_nothing_is_possible_after_the_end_but_taking_back(game: Game) -> None:
    if game.outcome() is None:
        game.call_off()
    before = snapshot(game)
    for digit in range(10):
        for end in (None, "L", "R"):
            move = Move(digit, end)
            with pytest.raises(IllegalMoveError, match=f"^{move} comes too late"):
                game.push(move)
    for side in (None, *Side):
        with pytest.raises(IllegalMoveError, match="resigning comes too late: the game is over"):
            game.resign(side)
    with pytest.raises(IllegalMoveError, match="calling it off comes too late: the game is over"):
        game.call_off()
    assert snapshot(game) == before


def test_a_game_takes_a_key_and_moves_as_text() -> None:
    game = Game("pool", ["5"])
    game.push("2")
    game.push(" 1r ")
    assert game.move_stack == [Move(5), Move(2), Move(1)]
    assert game.ruleset is POOL
    with pytest.raises(InvalidRulesetError, match="no game called 'pol': did you mean 'pool'"):
        Game("pol")
    with pytest.raises(InvalidMoveError, match="'52' is not a move: write one digit"):
        game.push("52")


def test_a_game_shows_its_moves_and_who_is_to_move() -> None:
    game = Game(POOL.replace(key="a-b"))
    assert repr(game) == "<Game of a-b 7: no move yet; first to move>"
    game.push("7")
    assert repr(game) == "<Game of a-b 7: 7; target>"
    shown = game._repr_html_()
    assert "&lt;Position &#x27;7&#x27; of a-b 7: target&gt;" in shown
    assert "<tr><th>moves</th><td>7</td></tr>" in shown
    assert "<tr><th>moves</th><td>none yet</td></tr>" in Game(POOL)._repr_html_()
    assert "<td>5 2</td>" in Game(POOL, "52")._repr_html_()


@pytest.mark.parametrize("moves", [[], [Move(1)], [Move(1), Move(2)]], ids=len)
def test_without_a_side_whoever_is_to_move_resigns(moves: list[Move]) -> None:
    game = Game(POOL, moves)
    resigning = game.turn
    game.resign()
    assert game.outcome() == Outcome(Termination.RESIGNED, resigning.other)
    assert game.turn is resigning


@pytest.mark.parametrize("side", list(Side))
def test_either_side_may_resign_at_any_time(side: Side) -> None:
    for moves in ([], [Move(1)]):
        game = Game(POOL, moves)
        game.resign(side)
        assert game.outcome() == Outcome(Termination.RESIGNED, side.other)
        assert game.position.outcome() is None


def test_pop_takes_back_the_agreement_with_the_move() -> None:
    game = Game(POOL, [Move(1), Move(2)])
    game.call_off()
    assert game.pop() == Move(2)
    assert game.outcome() is None
    assert game.position == Game(POOL, [Move(1)]).position
    game.resign()
    assert game.outcome() == Outcome(Termination.RESIGNED, Side.FIRST)
    game.pop()
    assert game.outcome() is None


def test_pop_without_a_move_is_refused_and_changes_nothing() -> None:
    game = Game(POOL)
    reason = "there is no move to take back: none has been played"
    with pytest.raises(IllegalMoveError, match=reason):
        game.pop()
    game.resign(Side.FIRST)
    with pytest.raises(IllegalMoveError, match=reason):
        game.pop()
    assert game.outcome() == Outcome(Termination.RESIGNED, Side.SECOND)


def test_before_the_first_move_there_is_no_other_position() -> None:
    game = Game(TWO_ENDS)
    assert game.previous == game.position
    assert game.previous.number == ""
    assert list(game.numbers()) == []


def test_the_previous_number_lacks_the_digit_of_the_last_move() -> None:
    game = Game(TWO_ENDS, map(Move.parse, ("5R", "1L", "1R")))
    assert game.position.number == "151"
    assert game.previous.number == "15"
    assert list(game.numbers()) == ["5", "15", "151"]
    game.pop()
    assert game.previous.number == "5"
    left = Game(POOL.replace(ends="left"), map(Move, (5, 1, 6)))
    assert (left.position.number, left.previous.number) == ("615", "15")


def test_moves_that_are_not_allowed_make_no_game() -> None:
    with pytest.raises(IllegalMoveError, match="5 is used up: choose from"):
        Game(POOL, [Move(5), Move(5)])
    with pytest.raises(IllegalMoveError, match="1 comes too late"):
        Game(POOL, [Move(7), Move(1)])


def test_every_refusal_is_one_of_the_package_s_own_errors() -> None:
    assert issubclass(IllegalMoveError, DigitDuelError)
    assert issubclass(DigitDuelError, ValueError)


# --- A line of moves as text. ---


@law
@given(games_in_play(), st.sampled_from([" ", ",", ", ", "\n", "  ,"]))
def test_a_line_of_moves_leads_to_its_game(game: Game, between: str) -> None:
    line = between.join(map(str, game.move_stack))
    read = read_line(game.ruleset, line)
    assert read.position == game.position
    assert read.move_stack == game.move_stack


@pytest.mark.parametrize(
    ("line", "error", "message"),
    [
        ("5 2 x", InvalidMoveError, "move 3: 'x' is not a move: write one digit"),
        ("521", InvalidMoveError, "move 1: '521' is not a move: write one digit"),
        ("5 2 5", IllegalMoveError, "move 3: 5 is used up: choose from"),
        ("5L", IllegalMoveError, "move 1: 5L is not possible: digits only go to the right end"),
        ("7, 1", IllegalMoveError, "move 2: 1 comes too late: the game is over."),
    ],
)
def test_a_line_is_refused_with_the_move_that_is_wrong(
    line: str, error: type[DigitDuelError], message: str
) -> None:
    with pytest.raises(error) as caught:
        read_line(POOL, line)
    assert str(caught.value).startswith(message)


class History(RuleBasedStateMachine):
    """Any order of push, pop, resign and call off, against a plain list of moves."""

    @initialize(rules=rulesets() | shipped_rulesets())
    def start(self, rules: Ruleset) -> None:
        self.game = Game(rules)
        self.moves: list[Move] = []
        self.agreed: Outcome | None = None

    def going_on(self) -> bool:
        return self.game.outcome() is None

    @precondition(going_on)
    @rule(data=st.data())
    def push(self, data: st.DataObject) -> None:
        move = data.draw(st.sampled_from(self.game.position.legal_moves))
        self.game.push(move)
        self.moves.append(move)

    @rule()
    def pop(self) -> None:
        if self.moves:
            assert self.game.pop() == self.moves.pop()
            self.agreed = None
        else:
            with pytest.raises(IllegalMoveError):
                self.game.pop()

    @precondition(going_on)
    @rule(side=st.sampled_from(Side))
    def resign(self, side: Side) -> None:
        self.game.resign(side)
        self.agreed = Outcome(Termination.RESIGNED, side.other)

    @precondition(going_on)
    @rule()
    def call_off(self) -> None:
        self.game.call_off()
        self.agreed = Outcome(Termination.CALLED_OFF, None)

    @invariant()
    def is_as_if_played_anew(self) -> None:
        fresh = Game(self.game.ruleset, self.moves)
        assert self.game.move_stack == self.moves
        assert self.game.position == fresh.position
        assert self.game.outcome() == (fresh.outcome() or self.agreed)


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
