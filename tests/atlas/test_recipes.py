"""Recipes: found, worded, proved; and once more the slow way, every rule on every line of play."""

from __future__ import annotations

import random
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import (
    IllegalMoveError,
    Move,
    Position,
    Ruleset,
    Side,
    TooLargeError,
    find_ruleset,
    solve,
)
from digitduel.atlas.recipe import ENDS, AnswerException, AnswerRule, Recipe
from digitduel.atlas.recipes import find_recipe
from digitduel.solver.evaluation import StateKey, state_key
from tests.reference import PlainGame, Result
from tests.strategies import law, rulesets, short_law

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = {
    ("ends", 55, "123456", 2): "the second player wins by copying the digit on the other end",
    ("pool", 44, "123456", 2): "the second player wins by copying the digit",
    ("conquest", 55, "13579", 2): "the second player wins by copying the digit",
    ("conquest", 11, "123456789", None): "the second player wins by copying the digit",
    ("forbidden", 11, "123456789", None): "the second player wins by copying the digit",
    ("ends", 11, "123456789", None): "the second player wins by copying the digit at the same end",
    ("forbidden", 23, "12345678", None): (
        "the second player wins by copying the digit, but answering a 1 with a 7"
    ),
    ("conquest", 45, "123456789", None): (
        "the starter plays 5, then always makes pairs that add up to 10"
    ),
    ("conquest", 18, "123456789", None): (
        "the starter plays 2, then always makes pairs that add up to 9, but answers a 9 with a 9"
    ),
    ("pool", 7, "123456789", 1): "the starter plays 7 and has won",
}
# The recipe for the first of them that people found; ours has no exception.
KNOWN = Recipe(
    None, AnswerRule("copy", 0, "same"), AnswerException(5, AnswerRule("digit", 5, "right"))
)


def named(game: str, target: int, digits: str, uses: int | None) -> Ruleset:
    return find_ruleset(game).replace(target=target, digits=tuple(map(int, digits)), uses=uses)


# --- Followed through the engine. ---


class Walk:
    """Follows a recipe through every reply, by the engine, state by state.

    `opening` is the end to which a first digit is thought to have gone.
    """

    def __init__(self, recipe: Recipe, ruleset: Ruleset, opening: str = "R") -> None:
        self.recipe, self.opening = recipe, opening
        self.start, self.proved = Position(ruleset), set[StateKey]()

    def wins(self) -> bool:
        if self.recipe.first is None:
            return self.replied(self.start, frozenset())
        return self.goes_on(self.start.play(self.recipe.answer()), frozenset())

    def replied(self, position: Position, line: frozenset[StateKey]) -> bool:
        """Whether the recipe wins with the opponent to move, and no state comes again."""
        key = state_key(position)
        if key in self.proved:
            return True
        if key in line or not all(self.answered(position, m, line) for m in position.legal_moves):
            return False
        self.proved.add(key)
        return True

    def answered(self, before: Position, move: Move, line: frozenset[StateKey]) -> bool:
        position = before.play(move)
        if position.ending is None:
            last = move if before.number or not move.end else Move(move.digit, self.opening)
            answer = self.recipe.answer(last)
            if position.refusal(answer):
                return False
            position = position.play(answer)
        return self.goes_on(position, line | {state_key(before)})

    def goes_on(self, position: Position, line: frozenset[StateKey]) -> bool:
        if position.ending is None:
            return self.replied(position, line)
        return position.ending.winner is Side(self.recipe.seat)


def winner_against(recipe: Recipe, ruleset: Ruleset, chance: random.Random) -> Side | None:
    """Who wins when the opponent moves at random."""
    position, last = Position(ruleset), None
    while position.ending is None:
        if position.turn is Side(recipe.seat):
            position = position.play(recipe.answer(last))
        else:
            last = chance.choice(position.legal_moves)
            position = position.play(last)
    return position.ending.winner


@pytest.mark.parametrize("setting", NAMED)
def test_the_settings_that_fall_to_a_recipe_are_found(setting: tuple[Any, ...]) -> None:
    ruleset = named(*setting)
    value = solve(ruleset).probe(Position(ruleset)).value.value
    recipe = find_recipe(ruleset, value)
    assert recipe is not None
    assert recipe.text == NAMED[setting]
    assert recipe == find_recipe(ruleset)
    assert Walk(recipe, ruleset).wins()
    chance = random.Random(10)
    assert {winner_against(recipe, ruleset, chance) for _ in range(300)} == {Side(recipe.seat)}


def test_a_recipe_with_an_exception_in_place_of_the_other_end() -> None:
    ruleset = named("ends", 55, "123456", 2)
    assert Walk(KNOWN, ruleset).wins()
    assert not Walk(Recipe(None, KNOWN.rule), ruleset).wins()
    assert KNOWN.text == (
        "the second player wins by copying the digit at the same end, but putting a 5 on the right"
    )


def test_a_limit_can_make_copying_win() -> None:
    """Of nine places the starter fills the last, and no copy ever gives the target away."""
    for digits in ("123456", "123456789"):
        ruleset = named("ends", 33, digits, None).replace(limit=9)
        recipe = find_recipe(ruleset, "loss")
        assert recipe == Recipe(None, AnswerRule("copy", 0, "same"))
        assert Walk(recipe, ruleset).wins()


def test_games_without_a_recipe() -> None:
    for target in (27, 71, 97):
        ruleset = find_ruleset("closest").replace(target=target)
        value = solve(ruleset).probe(Position(ruleset)).value.value
        assert find_recipe(ruleset, value) is find_recipe(ruleset) is None


def test_games_that_nobody_can_force_to_end_have_no_recipe() -> None:
    for target in (13, 17, 19):
        ruleset = find_ruleset("forbidden").replace(target=target)
        assert find_recipe(ruleset, "endless") is find_recipe(ruleset) is None


def test_copying_round_in_circles_is_no_win() -> None:
    """The target is out of reach, and no number is ever full."""
    ruleset = find_ruleset("conquest").replace(target=20, digits=(1, 3), limit=None)
    assert find_recipe(ruleset) is None
    assert find_recipe(ruleset.replace(limit=9)) == Recipe(None, AnswerRule("copy"))


def test_the_seat_that_the_value_rules_out_is_not_looked_at() -> None:
    ruleset = named("pool", 44, "123456", 2)
    assert find_recipe(ruleset, "win") is None
    assert find_recipe(ruleset, "unknown") == find_recipe(ruleset, "loss")


@law
@given(rulesets() | rulesets(target=11) | rulesets(target=12, uses=2))
def test_no_recipe_is_claimed_that_a_line_of_play_breaks(ruleset: Ruleset) -> None:
    try:
        recipe = find_recipe(ruleset, most_states=300)  # the walk is recursive
    except TooLargeError:
        return
    if recipe is None:
        return
    assert Walk(recipe, ruleset).wins()
    if "counts as put" not in recipe.text:
        assert Walk(recipe, ruleset, opening="L").wins()


# --- Every rule once more, from the rulings alone. ---


class Naive:
    """Every recipe in the order that is promised, each on every line of play."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules, self.two = ruleset, ruleset.ends == "both"
        self.modulus = lcm(ruleset.target, *ruleset.forbidden)
        self.bounded = ruleset.limit is not None or ruleset.uses is not None
        self.ends: list[str | None] = [*ENDS] if self.two else [None]
        self.seen: dict[tuple[str, ...], tuple[Result | None, dict[Move, PlainGame]]] = {}

    def recipes(self) -> Iterator[Recipe]:
        digits = self.rules.digits
        firsts = [Move(digit, "R" if self.two else None) for digit in digits]
        for first in firsts:
            yield Recipe(first, None)
        numbers = {"copy": range(1), "digit": digits, "sum": range(19)}
        plain = [
            Recipe(first, AnswerRule(kind, number, end))
            for kind, choice in numbers.items()
            for number in choice
            for end in self.ends
            for first in (*firsts, None)
        ]
        yield from plain
        for recipe in plain:
            for digit in digits:
                yield from self.exceptions(recipe, digit)

    def exceptions(self, recipe: Recipe, digit: int) -> Iterator[Recipe]:
        """An exception changes the digit, the end, or, if that does not help, both."""
        assert recipe.rule is not None
        for changes in (1, 2):
            for answer, end in product(self.rules.digits, self.ends):
                usual = recipe.rule.answer(Move(digit)).digit
                if [answer != usual, end != recipe.rule.end].count(True) == changes:
                    exception = AnswerException(digit, AnswerRule("digit", answer, end))
                    yield Recipe(recipe.first, recipe.rule, exception)

    def look(self, game: PlainGame) -> tuple[Result | None, dict[Move, PlainGame]]:
        """How a game has ended, and what moves lead to; the last two numbers decide."""
        key = game.numbers[-2:]
        if key not in self.seen:
            moves = [Move.parse(name) for name in game.moves()]
            after = {move: game.after(*move) for move in moves}
            self.seen[key] = game.result(), {m: a for m, a in after.items() if a is not None}
        return self.seen[key]

    def wins(self, recipe: Recipe) -> bool:
        game = PlainGame(self.rules)
        if recipe.first is None:
            return self.follow(recipe, game, ())
        return self.made(recipe, self.look(game)[1].get(recipe.first), ())

    def follow(self, recipe: Recipe, game: PlainGame, line: tuple[Any, ...]) -> bool:
        """Whether the recipe wins with the opponent to move."""
        state = self.state(game.number)
        return state not in line and all(
            self.answered(recipe, move, after, (*line, state))
            for move, after in self.look(game)[1].items()
        )

    def answered(self, recipe: Recipe, last: Move, game: PlainGame, line: tuple[Any, ...]) -> bool:
        result, moves = self.look(game)
        if result is None:
            return self.made(recipe, moves.get(recipe.answer(last)), line)
        return result.winner == recipe.seat

    def made(self, recipe: Recipe, game: PlainGame | None, line: tuple[Any, ...]) -> bool:
        """Whether the recipe wins after a move of its own, which may not be allowed."""
        if game is None:
            return False
        result = self.look(game)[0]
        if result is None:
            return recipe.rule is not None and self.follow(recipe, game, line)
        return result.winner == recipe.seat

    def state(self, number: str) -> object:
        if self.bounded:
            return number
        return not number, int(number or "0") % self.modulus, 10 ** len(number) % self.modulus


small_digits = st.sets(st.integers(0, 9), min_size=1, max_size=3).map(sorted)


@st.composite
def small_rulesets(draw: st.DrawFn) -> Ruleset:
    """Rule sets with few lines of play, or few states where lines have no end."""
    endless = draw(st.integers(0, 3)) == 0
    return draw(
        rulesets(
            target=draw(st.integers(1, 24) | st.sampled_from([11, 22, 33, 44, 55])),
            digits=draw(small_digits),
            uses=None if endless else draw(st.none() | st.integers(1, 3)),
            limit=None if endless else draw(st.integers(1, 6)),
            forbidden=draw(st.lists(st.integers(2, 9), max_size=1)),
            smallest_target=1,
        )
    )


@law
@given(small_rulesets())
def test_the_simplest_recipe_is_found_wherever_there_is_one(ruleset: Ruleset) -> None:
    naive = Naive(ruleset)
    expected = next((recipe for recipe in naive.recipes() if naive.wins(recipe)), None)
    assert find_recipe(ruleset) == expected


@short_law
@given(small_rulesets())
def test_whoever_has_a_recipe_wins_with_best_play(ruleset: Ruleset) -> None:
    value = solve(ruleset).probe(Position(ruleset)).value.value
    recipe = find_recipe(ruleset)
    assert find_recipe(ruleset, value) == recipe
    assert recipe is None or value == ("win" if recipe.seat == "first" else "loss")


# --- Words and figures. ---


@pytest.mark.parametrize(
    ("recipe", "text"),
    [
        (Recipe(Move(7), None), "the starter plays 7 and has won"),
        (
            Recipe(Move(5, "R"), AnswerRule("copy", 0, "left")),
            "the starter plays 5, then copies the digit on the left",
        ),
        (
            Recipe(Move(5), AnswerRule("digit", 3), AnswerException(3, AnswerRule("digit", 8))),
            "the starter plays 5, then always plays 3, but answers a 3 with an 8",
        ),
        (
            Recipe(
                None,
                AnswerRule("sum", 10, "other"),
                AnswerException(5, AnswerRule("digit", 1, "left")),
            ),
            "the second player wins by making pairs that add up to 10 on the other end, but "
            "answering a 5 with a 1 on the left (a first digit counts as put on the right)",
        ),
    ],
)
def test_a_recipe_is_said_in_words(recipe: Recipe, text: str) -> None:
    assert recipe.text == text
    assert recipe.to_json() == {"seat": recipe.seat, "text": text}


def test_the_end_of_a_first_digit_is_only_spoken_of_where_it_matters() -> None:
    same = AnswerException(5, AnswerRule("digit", 1, "same"))
    assert "first digit" not in Recipe(None, AnswerRule("copy", 0, "same")).text
    assert "first digit" not in Recipe(None, AnswerRule("digit", 3, "right")).text
    assert "first digit" not in Recipe(Move(1, "R"), AnswerRule("digit", 3, "same")).text
    assert "first digit" in Recipe(None, AnswerRule("digit", 3, "same")).text
    assert "first digit" in Recipe(None, AnswerRule("copy", 0, "same"), same).text


def test_a_recipe_without_a_move_to_make_says_so() -> None:
    with pytest.raises(IllegalMoveError, match="and has won"):
        Recipe(Move(7), None).answer(Move(1))
    with pytest.raises(IllegalMoveError, match="copying the digit"):
        Recipe(None, AnswerRule("copy")).answer()


def test_a_game_too_large_is_refused_with_its_size() -> None:
    ruleset = find_ruleset("ends").replace(target=10**9 + 7, digits=(1, 2, 3))
    with pytest.raises(TooLargeError, match=r"100,000,0\d\d,\d\d\d states and .* GiB") as refused:
        find_recipe(ruleset, most_states=2000)
    assert "2,000 states do not tell whether there is a recipe" in str(refused.value)


def test_a_large_game_that_is_soon_decided_is_not_refused() -> None:
    huge = find_ruleset("ends").replace(target=10**100)
    assert find_recipe(huge, most_states=100) == Recipe(Move(0, "R"), None)
    assert find_recipe(find_ruleset("pool").replace(target=10**100), most_states=10_000) is None
