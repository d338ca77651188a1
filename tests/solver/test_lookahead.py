"""A look-ahead says what is true, within its depth, and stops in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digitduel import InvalidPositionError, Move, Position, find_ruleset
from digitduel.solver import Evaluation, Lookahead, Value, solve
from digitduel.solver.lookahead import FullLookahead, Nodes, _Search
from tests.solver.test_brute_force import small_rulesets
from tests.solver.test_laws import random_positions

if TYPE_CHECKING:
    from digitduel import Evaluator, Ruleset

HUGE = 10**9 + 7
ENDS = find_ruleset("ends").replace(digits=tuple(range(1, 10)))
TOO_LARGE = [
    find_ruleset("forbidden").replace(target=HUGE),
    ENDS.replace(target=HUGE),
    ENDS.replace(target=10**100),
    find_ruleset("closest").replace(target=HUGE, uses=3),
    find_ruleset("forbidden").replace(target=HUGE, ends="both"),
    find_ruleset("conquest").replace(target=HUGE, limit=30),
    find_ruleset("conquest").replace(target=HUGE, limit=10**12, digits=(1, 2)),
]
unknown = Evaluation(Value.UNKNOWN)


def within(evaluation: Evaluation, depth: int) -> Evaluation:
    """What is left of the truth if one only sees so far."""
    far = evaluation.plies is None or evaluation.plies > depth
    return unknown if far else evaluation


def check(ruleset: Ruleset, depth: int) -> None:
    solution, lookahead = solve(ruleset), Lookahead(ruleset, depth)
    for position in random_positions(ruleset, 10, longest=12):
        assert lookahead.probe(position) == within(solution.probe(position), depth)
        expected = {m: within(v, depth) for m, v in solution.move_values(position).items()}
        seen = lookahead.move_values(position)
        # It may stop before its depth once everything is decided, but then nothing is missing.
        assert seen == expected
        assert (lookahead.sight(position) or 0) <= depth


@given(small_rulesets(endless=False), st.integers(1, 8))
@settings(max_examples=150, deadline=None)
def test_it_agrees_with_the_solution_within_its_depth(ruleset: Ruleset, depth: int) -> None:
    check(ruleset, depth)


@given(small_rulesets(endless=False))
@settings(max_examples=100, deadline=None)
def test_a_full_look_ahead_is_a_solution(ruleset: Ruleset) -> None:
    solution = solve(ruleset)
    full: Evaluator = FullLookahead(ruleset)
    for position in random_positions(ruleset, 10, longest=12):
        assert full.probe(position) == solution.probe(position)
        assert full.move_values(position) == solution.move_values(position)
        assert full.best_moves(position) == solution.best_moves(position)
        assert full.sight(position) is None


@given(small_rulesets(endless=True), st.integers(1, 6))
@settings(max_examples=100, deadline=None)
def test_it_agrees_in_endless_games(ruleset: Ruleset, depth: int) -> None:
    check(ruleset, depth)


@pytest.mark.parametrize("ruleset", TOO_LARGE, ids=lambda r: f"{r.key}-{r.ends}-{r.limit}")
def test_it_sees_some_moves_ahead_where_nothing_can_be_solved(ruleset: Ruleset) -> None:
    lookahead = Lookahead(ruleset)
    position = Position(ruleset).play(Position(ruleset).legal_moves[0])
    values = lookahead.move_values(position)
    assert set(values) == set(position.legal_moves)
    assert 3 <= (lookahead.sight(position) or 0) <= lookahead.depth


def test_the_moves_it_may_try_are_a_bound() -> None:
    position = Position(ENDS.replace(target=HUGE))
    few, many = Lookahead(position.ruleset, moves=50), Lookahead(position.ruleset, moves=50_000)
    assert 1 <= (few.sight(position) or 0) < (many.sight(position) or 0)
    none = Lookahead(position.ruleset, moves=1)
    assert none.sight(position) == 0
    assert none.probe(position) == unknown
    assert set(none.move_values(position).values()) == {unknown}
    assert none.best_moves(position) == position.legal_moves


@pytest.mark.parametrize(
    ("key", "digits", "needed"),
    [
        ("ends", "1-3", [3, 24, 99, 336]),
        ("forbidden", "1,3,7", [12, 38, 118, 256, 456]),
        ("pool", "1-4", [8, 36, 100, 188]),
    ],
)
def test_each_move_that_is_tried_is_counted_by_its_effort(
    key: str, digits: str, needed: list[int]
) -> None:
    """`needed` are the moves that seeing one ply farther takes, each time."""
    position = Position(find_ruleset(key).replace(digits=digits, target=HUGE))
    for sight, moves in enumerate(needed, start=1):
        assert Lookahead(position.ruleset, moves=moves).sight(position) == sight
        assert Lookahead(position.ruleset, moves=moves - 1).sight(position) == sight - 1


@pytest.mark.parametrize(
    ("ruleset", "effort"),
    [
        (ENDS, 1),
        (find_ruleset("pool"), 2),  # uses are counted
        (find_ruleset("forbidden"), 1 + 3),
        (find_ruleset("pool").replace(forbidden=[11]), 3),
        # A modulus of 399 bits, and one of 400: the product of both divisors.
        (ENDS.replace(target=2**300, forbidden=[2**98 + 1]), 2),
        (ENDS.replace(target=2**300, forbidden=[2**99 + 1]), 4),
    ],
)
def test_a_move_is_more_effort_where_there_is_more_to_check(ruleset: Ruleset, effort: int) -> None:
    assert Nodes(ruleset).effort == effort


def test_unless_told_otherwise_it_tries_120_000_moves_and_60_plies() -> None:
    lookahead = Lookahead(ENDS)
    assert (lookahead.depth, lookahead.moves) == (60, 120_000)


def test_what_is_decided_farther_away_than_one_looks_is_not_seen() -> None:
    ruleset = find_ruleset("pool").replace(target=12)
    nodes, start = Nodes(ruleset), Position(ruleset)
    search = _Search(nodes, moves=10**6)
    assert search.score(nodes.of(start), 7) == 7  # a win in 7
    assert [search.score(nodes.of(start), depth) for depth in (6, 7, 8)] == [0, 7, 7]


def test_it_takes_a_win_and_avoids_a_loss() -> None:
    ruleset = ENDS.replace(target=10**9 + 1)
    # 1000000001 = 100000000 and a 1: the nine digits come from a target with no 0 in it.
    ruleset = ENDS.replace(target=123_456_789)
    position = Position(ruleset)
    for digit in "2345678":
        position = position.play(Move(int(digit), "R"))
    lookahead = Lookahead(ruleset)
    # After 1L or 9R the opponent makes 123456789; nothing else is known to lose at once.
    losing = {m for m, v in lookahead.move_values(position).items() if v.value is Value.LOSS}
    assert {Move(1, "L"), Move(9, "R")} <= losing
    assert not losing & set(lookahead.best_moves(position))
    one_left = position.play(Move(1, "L"))
    assert lookahead.probe(one_left) == Evaluation(Value.WIN, 1)
    assert lookahead.best_moves(one_left) == (Move(9, "R"),)


def test_finished_and_foreign_positions_have_no_value() -> None:
    pool = find_ruleset("pool").replace(target=12)
    lookahead = Lookahead(pool)
    over = Position(pool).play(Move(1)).play(Move(2))
    for position in (over, Position(ENDS)):
        for ask in (lookahead.probe, lookahead.move_values, lookahead.sight):
            with pytest.raises(InvalidPositionError):
                ask(position)
        assert lookahead.get(position) is None


def test_the_same_question_has_the_same_answer_whatever_was_asked_before() -> None:
    ruleset = TOO_LARGE[0]
    positions = random_positions(ruleset, 6, longest=6)
    asked_alone = [Lookahead(ruleset, moves=2000).move_values(each) for each in positions]
    one_for_all = Lookahead(ruleset, moves=2000)
    assert [one_for_all.move_values(each) for each in reversed(positions)][::-1] == asked_alone
