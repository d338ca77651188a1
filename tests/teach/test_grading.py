"""Looking at a game again: grades, accuracy, what decided it, and how the value swung."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import FrozenInstanceError
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import Game, Move, Outcome, Position, Side, Termination, find_ruleset
from digitduel.solver import Evaluation, Value, solve
from digitduel.teach import (
    Grade,
    analyse,
    remainder_graph,
    remainder_table,
    swing_svg,
    swing_text,
)
from digitduel.teach.grading import grade_of
from digitduel.teach.verdicts import decisive_words
from tests.strategies import positions, rulesets, short_law

if TYPE_CHECKING:
    from digitduel import Ruleset

WIN3, WIN5 = Evaluation(Value.WIN, 3), Evaluation(Value.WIN, 5)
LOSS2, LOSS4 = Evaluation(Value.LOSS, 2), Evaluation(Value.LOSS, 4)
OPEN, UNSEEN = Evaluation(Value.ENDLESS), Evaluation(Value.UNKNOWN)


@pytest.mark.parametrize(
    ("had", "got", "expected"),
    [
        (WIN3, WIN3, Grade.BEST),
        (WIN3, WIN5, Grade.KEPT),
        (WIN3, OPEN, Grade.GAVE_AWAY),
        (WIN3, LOSS4, Grade.GAVE_AWAY),
        (OPEN, OPEN, Grade.BEST),
        (OPEN, LOSS4, Grade.GAVE_AWAY),
        (LOSS4, LOSS4, Grade.BEST),
        (LOSS4, LOSS2, Grade.KEPT),
        (UNSEEN, UNSEEN, Grade.UNKNOWN),
        (UNSEEN, LOSS2, Grade.UNKNOWN),
    ],
)
def test_grades(had: Evaluation, got: Evaluation, expected: Grade) -> None:
    assert grade_of(got, [had, got, LOSS2]) is expected


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ([WIN3], Grade.FORCED),
        ([UNSEEN], Grade.FORCED),
        ([LOSS4, LOSS4], Grade.FORCED),
        ([OPEN, OPEN, OPEN], Grade.FORCED),
        ([UNSEEN, UNSEEN], Grade.UNKNOWN),
        ([LOSS4, LOSS2], Grade.BEST),
    ],
)
def test_a_move_without_a_choice_is_forced(choices: list[Evaluation], expected: Grade) -> None:
    assert grade_of(choices[0], choices) is expected


def test_grades_are_told_in_these_words() -> None:
    told = ["best", "kept the result", "gave it away", "forced", "not known"]
    assert [grade.value for grade in Grade] == told


def test_what_was_graded_stays_as_it_is() -> None:
    analysis = analyse(game_of("pool", "5 2"))
    with pytest.raises(FrozenInstanceError):
        analysis.moves[0].ply = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        analysis.winner = Side.FIRST  # type: ignore[misc]


def test_plies_numbers_and_sides_are_those_of_the_game() -> None:
    moves = analyse(game_of("pool", "5 2 1")).moves
    assert [move.ply for move in moves] == [1, 2, 3]
    assert [move.number for move in moves] == ["5", "52", "521"]
    assert [move.side for move in moves] == [Side.FIRST, Side.SECOND, Side.FIRST]


def game_of(key: str, moves: str, **rules: object) -> Game:
    return Game(find_ruleset(key).replace(**rules), map(Move.parse, moves.split()))


def test_the_rulebook_game_is_graded_move_by_move() -> None:
    analysis = analyse(game_of("pool", "5 2 1 4 7 3 6 8"))
    assert analysis.moves[0].grade is Grade.GAVE_AWAY
    assert analysis.moves[0].best == (Move(7),)
    assert analysis.moves[-1].grade is Grade.BEST
    assert analysis.moves[-1].got == Evaluation(Value.WIN, 1)
    assert len(swing_text(analysis)) == 9
    assert swing_text(analysis)[0] == "+"
    assert swing_text(analysis)[-1] == "-"


def test_accuracy_is_one_for_best_play_and_none_without_moves() -> None:
    analysis = analyse(game_of("pool", "7"))
    assert analysis.accuracy(Side.FIRST) == 1.0
    assert analysis.accuracy(Side.SECOND) is None


def test_accuracy_counts_a_kept_result_half() -> None:
    ruleset = find_ruleset("pool").replace(target=12)
    evaluator = solve(ruleset)
    game, kept = Game(ruleset, [Move(6)]), 0
    rng = Random(1)
    while game.outcome() is None:
        game.push(rng.choice(game.position.legal_moves))
    analysis = analyse(game, evaluator)
    for side in Side:
        grades = [move.grade for move in analysis.moves if move.side is side]
        kept += grades.count(Grade.KEPT)
        points = grades.count(Grade.BEST) + grades.count(Grade.KEPT) / 2
        free = len(grades) - grades.count(Grade.FORCED)
        assert analysis.accuracy(side) == pytest.approx(points / free)


def test_forced_moves_do_not_count_as_best() -> None:
    analysis = analyse(game_of("pool", "1 2 3 4 5 6 7 8 9", target=10**6 + 3))
    assert {move.grade for move in analysis.moves} == {Grade.FORCED}
    assert [analysis.accuracy(side) for side in Side] == [None, None]


def test_the_decisive_move_is_the_last_that_gave_something_away() -> None:
    decisive = analyse(game_of("pool", "6 3 8 1", target=12)).decisive
    assert decisive is not None
    assert (decisive.ply, decisive.side, decisive.best) == (3, Side.FIRST, (Move(9),))
    words = "Decisive: move 3, Ann's 8: it gave away the win; 9 won in 5 moves."
    assert decisive_words(decisive, "Ann") == words


def test_nothing_decides_a_game_that_was_always_won() -> None:
    assert analyse(game_of("pool", "7")).decisive is None
    assert analyse(game_of("conquest", "3 3", target=11)).decisive is None
    assert analyse(game_of("pool", "")).decisive is None


def test_an_open_game_may_be_given_away_too() -> None:
    decisive = analyse(game_of("forbidden", "1", target=13)).decisive
    assert decisive is not None
    assert decisive_words(decisive, "Ann").endswith(
        "gave away a game that was open; 7 kept it open."
    )


def test_whoever_gave_the_win_away_and_won_by_resignation_decided_nothing() -> None:
    game = game_of("pool", "5", target=12)
    game.resign()
    assert analyse(game).winner is Side.FIRST
    assert analyse(game).decisive is None
    again = game_of("pool", "5", target=12)
    again.resign(Side.FIRST)
    assert analyse(again).decisive == analyse(again).moves[0]


def test_a_first_move_to_the_left_is_graded_as_the_same_move() -> None:
    analysis = analyse(game_of("ends", "0L"))
    assert analysis.moves[0].grade is Grade.BEST


def test_values_are_told_for_the_starter_throughout() -> None:
    analysis = analyse(game_of("conquest", "3 3", target=11))
    assert [worth.value for worth in analysis.values] == [Value.LOSS] * 3


@short_law
@given(ruleset=rulesets(uses=1, digits=(1, 2, 3, 5)), seed=st.integers())
def test_a_graded_game_loses_value_only_where_it_is_given_away(ruleset: Ruleset, seed: int) -> None:
    game, rng = Game(ruleset), Random(seed)
    while game.outcome() is None:
        game.push(rng.choice(game.position.legal_moves))
    analysis = analyse(game)
    for (before, after), move in zip(pairwise(analysis.values), analysis.moves, strict=True):
        assert (before.value is after.value) is (move.grade is not Grade.GAVE_AWAY)


@short_law
@given(ruleset=rulesets(uses=1, digits=(1, 2, 3, 5)), seed=st.integers())
def test_after_the_decisive_move_the_loser_never_has_more(ruleset: Ruleset, seed: int) -> None:
    game, rng = Game(ruleset), Random(seed)
    while game.outcome() is None:
        game.push(rng.choice(game.position.legal_moves))
    analysis = analyse(game)
    decisive, result = analysis.decisive, analysis.values[-1].value
    if decisive is None:  # whoever won had won from the start
        assert {worth.value for worth in analysis.values} == {result}
        return
    assert decisive.side is not analysis.winner
    assert analysis.values[decisive.ply - 1].value is not result
    assert {worth.value for worth in analysis.values[decisive.ply :]} == {result}


def test_pictures_are_well_formed_svg_without_scripts_or_styles() -> None:
    game = game_of("ends", "5R 1L", digits="1-9", target=13)
    for picture in (
        swing_svg(analyse(game), '<Ann> & "co"'),
        remainder_graph(game.position),
        remainder_graph(Position(find_ruleset("pool").replace(target=97))),
    ):
        root = ET.fromstring(picture)  # noqa: S314  (our own pictures)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "style=" not in picture
        assert "<script" not in picture


def test_the_graph_shows_every_digit_and_marks_zero() -> None:
    position = game_of("conquest", "5 2").position
    root = ET.fromstring(remainder_graph(position))  # noqa: S314  (our own pictures)
    words = " ".join(root.itertext()).split()
    assert set("123456789") <= set(words)
    assert "0" in words


@short_law
@given(position=positions())
def test_the_remainder_table_is_true(position: Position) -> None:
    for step in remainder_table(position):
        after = position.play(step.move)
        assert step.remainder == after.remainder
        ended = after.outcome()
        if "forbidden" in step.note:
            assert ended == Outcome(Termination.FORBIDDEN, after.turn)
        if step.note == "divisible!":
            assert ended == Outcome(Termination.TARGET, position.turn)
