"""Laws that hold in every game: what a best move does, and that perfect play does win."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given

from digitduel import InvalidPositionError, Move, Position, find_ruleset
from digitduel.solver import Evaluation, Solution, Value, solve, state_key, tree
from digitduel.solver.sparse import Multiples
from digitduel.solver.windows import windows
from digitduel.states.shape import Shape
from tests.solver.test_brute_force import small_rulesets
from tests.strategies import law

if TYPE_CHECKING:
    from digitduel import Ruleset

POOL, CLOSEST = find_ruleset("pool"), find_ruleset("closest")
CONQUEST, FORBIDDEN = find_ruleset("conquest"), find_ruleset("forbidden")
ONE_TO_NINE = find_ruleset("ends").replace(digits=tuple(range(1, 10)))


def after(number: str, ruleset: Ruleset) -> Position:
    position = Position(ruleset)
    for digit in number:
        position = position.play(Move(int(digit)))
    return position


def random_positions(ruleset: Ruleset, count: int, longest: int = 40) -> list[Position]:
    """Positions in play, from random games, from early and late in them."""
    rng = random.Random(ruleset.target)
    found: list[Position] = []
    while len(found) < count:
        position = Position(ruleset)
        line: list[Position] = []
        while position.ending is None and len(line) < longest:
            line.append(position)
            position = position.play(rng.choice(position.legal_moves))
        found.append(rng.choice(line))
    return found


def check_moves(solution: Solution, position: Position) -> None:
    """A position is worth its best move, and that move brings the end one ply nearer."""
    value, values = solution.probe(position), solution.move_values(position)
    assert tuple(values) == position.legal_moves
    assert max(each.merit for each in values.values()) == value.merit
    best = solution.best_moves(position)
    assert best == tuple(m for m, each in values.items() if each.merit == value.merit)
    for move in best:
        child = position.play(move)
        if child.ending is not None:
            assert value.plies == 1
        elif value.plies is None:
            assert solution.probe(child).value is Value.ENDLESS
        else:
            assert value.plies - 1 == solution.probe(child).plies
            assert solution.probe(child).value is not value.value


@given(small_rulesets(endless=False))
@law
def test_a_best_move_shortens_the_way_by_one(ruleset: Ruleset) -> None:
    solution = solve(ruleset)
    for position in random_positions(ruleset, 20):
        check_moves(solution, position)


@given(small_rulesets(endless=True))
@law
def test_a_best_move_shortens_the_way_by_one_in_endless_games(ruleset: Ruleset) -> None:
    solution = solve(ruleset)
    for position in random_positions(ruleset, 20):
        check_moves(solution, position)


@pytest.mark.parametrize(
    "ruleset",
    [
        POOL.replace(target=12),
        CLOSEST.replace(target=27),
        CONQUEST.replace(target=13),
        CONQUEST.replace(target=11),
        FORBIDDEN.replace(target=11),
        ONE_TO_NINE.replace(target=13),
        ONE_TO_NINE.replace(target=17),
    ],
    ids=lambda rules: f"{rules.key}-{rules.target}",
)
def test_perfect_play_wins_against_every_opponent(ruleset: Ruleset) -> None:
    solution = solve(ruleset)
    start = Position(ruleset)
    value = solution.probe(start)
    assert value.plies is not None
    winner = start.turn if value.value is Value.WIN else start.turn.other
    # Every reply of the loser, the first best move of the winner; equal states are one.
    layer = {state_key(start): start}
    for left in range(value.plies, 0, -1):
        children = {}
        for position in layer.values():
            moves = position.legal_moves
            if position.turn is winner:
                moves = solution.best_moves(position)[:1]
            for child in map(position.play, moves):
                if child.ending is not None:
                    assert child.ending.winner is winner
                else:
                    evaluation = solution.probe(child)
                    assert evaluation.plies is not None
                    assert evaluation.plies < left
                    children[state_key(child)] = child
        layer = children
    assert not layer


@pytest.mark.parametrize(
    ("ruleset", "layouts"),
    [
        (POOL.replace(target=101), ["table", "tree", "sparse"]),
        (POOL.replace(target=9998), ["table", "tree", "sparse"]),
        (POOL.replace(target=4096, ends="left"), ["table", "tree", "sparse"]),
        (POOL.replace(target=99_991, digits=tuple(range(10)), limit=8), ["tree", "sparse"]),
        (POOL.replace(target=2500, uses=2, limit=6, ends="both"), ["table", "sparse"]),
        (CLOSEST.replace(target=10_000), ["table", "tree"]),
        (CLOSEST.replace(target=1001, ends="left", forbidden=(7,)), ["table", "tree"]),
        (CONQUEST.replace(target=3**11, limit=6), ["table", "tree", "sparse"]),
        (
            CONQUEST.replace(target=9999, limit=8, digits=(0, 3, 6), ends="both"),
            ["table", "sparse"],
        ),
        (
            CONQUEST.replace(target=12_345, limit=5, ends="both", forbidden=(6, 8)),
            ["table", "tree"],
        ),
        (CONQUEST.replace(target=101, limit=25, digits=(7,), full="closest"), ["table", "tree"]),
    ],
    ids=lambda each: f"{each.key}-{each.target}" if hasattr(each, "key") else "",
)
def test_layouts_agree(ruleset: Ruleset, layouts: list[str]) -> None:
    solutions = [solve(ruleset, layout=layout) for layout in layouts]
    assert [solution.layout for solution in solutions] == layouts
    for position in random_positions(ruleset, 300):
        values = {solution.probe(position) for solution in solutions}
        assert len(values) == 1, position.number
    check_moves(solutions[0], Position(ruleset))


@pytest.mark.parametrize(
    "ruleset",
    [
        POOL.replace(digits="1-6", target=12),
        POOL.replace(digits="1-3", uses=2, target=11, ends="both"),
        CLOSEST.replace(digits="1-5", target=7, ends="left", forbidden=[5]),
        CONQUEST.replace(digits="0-3", limit=5, target=7, leading_zero=False),
    ],
    ids=lambda ruleset: ruleset.key,
)
def test_lines_are_worth_the_same_in_small_pieces(
    ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = list(solve(ruleset, layout="table").walk())
    monkeypatch.setattr(tree, "PIECE", 7)
    monkeypatch.setattr(tree, "WHOLE", 10)
    solution = solve(ruleset, layout="tree")
    for position, worth in expected:
        assert solution.probe(position) == worth, position


@pytest.mark.parametrize("kind", [np.int8, np.int64, object])
def test_windows_are_views_of_whatever_an_array_holds(kind: Any) -> None:
    flat = np.array([5, 1, 7, 2], kind)
    assert windows(flat, 3).tolist() == [[5, 1, 7], [1, 7, 2]]
    windows(flat, 2)[1] = [8, 9]
    assert flat.tolist() == [5, 8, 9, 2]


def test_numbers_beyond_64_bits_are_solved() -> None:
    # 22222222222222222222 = 2 * 1111...: whoever makes a multiple of it with twenty digits wins.
    ruleset = CONQUEST.replace(digits=(2,), limit=30, target=int("2" * 20))
    assert solve(ruleset).probe(Position(ruleset)) == Evaluation(Value.LOSS, 20)


@pytest.mark.parametrize("target", [10**10, 10**30, 10**100])
def test_a_target_out_of_reach_leaves_the_last_mover_the_loser(target: int) -> None:
    ruleset = POOL.replace(target=target)
    assert solve(ruleset).probe(Position(ruleset)) == Evaluation(Value.LOSS, 9)
    ruleset = CLOSEST.replace(target=target)
    # No number comes close: appending a digit always leads away from 0.
    assert solve(ruleset).probe(Position(ruleset)) == Evaluation(Value.LOSS, 9)


@pytest.mark.parametrize("digits", [(1, 2, 3), (0, 5), tuple(range(10)), (7,), (2, 4, 6, 8)])
@pytest.mark.parametrize("uses", [1, 2, None])
@pytest.mark.parametrize("divisor", [1, 2, 7, 13, 96, 1000, 10**5 + 3, 10**30])
def test_multiples_are_found_as_if_all_strings_were_listed(
    digits: tuple[int, ...], uses: int | None, divisor: int
) -> None:
    multiples = Multiples(Shape(digits, uses, "right", True, 9), divisor)
    for length in range(1, 6):
        letters = [str(digit) for digit in digits]
        strings = map("".join, itertools.product(letters, repeat=length))
        expected = [
            each
            for each in strings
            if int(each) % divisor == 0
            and (uses is None or all(each.count(letter) <= uses for letter in letters))
        ]
        assert list(multiples.of_length(length)) == expected


def test_multiples_end_where_numbers_do() -> None:
    # 21 ten thousands of multiples and a few: the last round of last digits is not a whole one.
    multiples = Multiples(Shape(tuple(range(1, 10)), 1, "right", True, 9), 467)
    found = list(multiples.of_length(8))
    assert {len(each) for each in found} == {8}
    assert all(int(each) % 467 == 0 and len(set(each)) == 8 and "0" not in each for each in found)
    assert len(found) == sum(
        number % 467 == 0
        for number in map(int, map("".join, itertools.permutations("123456789", 8)))
    )


def test_ways_longer_than_a_byte_can_tell() -> None:
    # With one digit there is one line: 1, 11, 111, ... until 2003 divides it.
    plies, residue = 1, 1
    while residue:
        plies, residue = plies + 1, (10 * residue + 1) % 2003
    assert plies > 127
    ruleset = ONE_TO_NINE.replace(digits=(1,), ends="right", target=2003)
    value = Value.WIN if plies % 2 else Value.LOSS
    assert solve(ruleset).probe(Position(ruleset)) == Evaluation(value, plies)


def test_a_position_has_a_value_until_the_game_is_over() -> None:
    ruleset = POOL.replace(target=12)
    solution = solve(ruleset)
    over = after("12", ruleset)
    with pytest.raises(InvalidPositionError, match="12 has no value: the game is over"):
        solution.probe(over)
    with pytest.raises(InvalidPositionError):
        solution.move_values(over)
    assert solution.get(over) is None
    assert solution.get(over, "none") == "none"
    assert solution.get(after("1", ruleset)) == solution.probe(after("1", ruleset))


def test_a_solution_shows_what_it_solved() -> None:
    solution = solve(POOL.replace(target=12))
    assert repr(solution) == "<Solution of pool 12: win in 7; table, 6,132 states>"
    shown = solution._repr_html_()
    assert shown.startswith("<b>&lt;Solution of pool 12")
    assert "<tr><th>6</th><td>win, 7</td></tr>" in shown
    assert "13: endless; table" in repr(solve(FORBIDDEN.replace(target=13)))


def test_positions_of_other_rules_have_no_value() -> None:
    solution = solve(POOL.replace(target=12))
    foreign = Position(POOL.replace(target=13))
    with pytest.raises(InvalidPositionError, match=r"target 13.*target 12"):
        solution.probe(foreign)
    with pytest.raises(InvalidPositionError):
        solution.best_moves(foreign)
    assert solution.get(foreign) is None
    # Other words for the same rules change nothing.
    renamed = Position(POOL.replace(target=12, key="other", title="Other"))
    assert solution.probe(renamed) == Evaluation(Value.WIN, 7)
    assert solution.probe(Position(POOL.replace(target=12))) == Evaluation(Value.WIN, 7)


@pytest.mark.parametrize("ruleset", [POOL.replace(target=4), FORBIDDEN, ONE_TO_NINE])
def test_walk_meets_every_state_once(ruleset: Ruleset) -> None:
    solution = solve(ruleset)
    walked = list(solution.walk())
    keys = [state_key(position) for position, _ in walked]
    assert len(set(keys)) == len(keys) <= solution.states
    assert keys[0] == state_key(Position(ruleset))
    assert all(evaluation == solution.probe(position) for position, evaluation in walked)
    known = set(keys)
    for position in random_positions(ruleset, 200):
        assert state_key(position) in known
    lengths = [len(position.number) for position, _ in walked]
    assert lengths == sorted(lengths)
