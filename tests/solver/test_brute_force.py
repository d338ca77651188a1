"""Random rule sets, solved once more the slow way: on digit strings, by plain recursion."""

from __future__ import annotations

from functools import cache
from math import lcm
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from digitduel import InvalidRulesetError, Position, Ruleset
from digitduel.solver import Value, solve
from digitduel.solver.size import sparse_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis.strategies import DrawFn

# A win in n plies is n, a loss in n is -n, no end is 0.
Score = int
# Whether there is a number at all, its remainder, and what 10^length leaves if that matters.
State = tuple[bool, int, int]
MOST_NUMBERS = 300


class Strings:
    """The rules on digit strings. It reads the parameters and nothing the engine made of them."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.digits = [str(digit) for digit in rules["digits"]]
        self.uses, self.ends, self.limit = rules["uses"], rules["ends"], rules["limit"]
        self.target: int = rules["target"]
        self.forbidden: list[int] = rules["forbidden"]
        self.closest, self.leading_zero = rules["full"] == "closest", rules["leading_zero"]

    def longer(self, number: str) -> list[str]:
        """The number after each move: a digit at either end, in the order of `legal_moves`."""
        found = []
        for digit in self.digits:
            if self.uses is not None and number.count(digit) == self.uses:
                continue
            if self.ends != "right" and (number or self.ends == "left"):
                found.append(digit + number)
            if self.ends != "left":
                found.append(number + digit)
        return [each for each in found if self.leading_zero or each[0] != "0"]

    def spoiled(self, number: str) -> bool:
        return any(int(number) % each == 0 for each in self.forbidden)

    def full(self, number: str) -> bool:
        return len(number) == self.limit or (
            self.uses is not None and len(number) == self.uses * len(self.digits)
        )

    def distance(self, number: str) -> int:
        rest = int(number) % self.target
        return min(rest, self.target - rest)

    def ending(self, before: str, number: str) -> Score:
        """1 if the move that made the number won, -1 if it lost, 0 if the game goes on."""
        if self.spoiled(number):
            return -1
        if int(number) % self.target == 0:
            return 1
        if self.full(number):
            closer = self.closest and self.distance(number) < self.distance(before)
            return 1 if closer else -1
        if all(self.spoiled(each) for each in self.longer(number)):
            return 1
        return 0


def worth(scores: list[Score]) -> Score:
    """The best of what the moves are worth to the mover: quick wins, no end, slow losses."""
    wins, losses = [s for s in scores if s > 0], [s for s in scores if s < 0]
    if wins:
        return min(wins)
    return 0 if len(losses) < len(scores) else min(losses)


def before(score: Score) -> Score:
    """What the move before was worth to whoever made it."""
    return -score - 1 if score > 0 else 1 - score if score < 0 else 0


def recursion(game: Strings) -> Callable[[str], Score]:
    """The score of every number of a game that must end."""

    @cache
    def score(number: str) -> Score:
        return worth(
            [game.ending(number, after) or before(score(after)) for after in game.longer(number)]
        )

    return score


class Remainders:
    """The same rules where a number may grow for ever, on what decides the rest of the game."""

    def __init__(self, game: Strings) -> None:
        self.game, self.modulus = game, lcm(game.target, *game.forbidden)

    def state(self, number: str) -> State:
        place = 1 if self.game.ends == "right" else pow(10, len(number), self.modulus)
        return bool(number), int(number or "0") % self.modulus, place

    def after(self, state: State) -> Iterator[State]:
        """The states that the moves lead to."""
        game, (nonempty, residue, place) = self.game, state
        there = 1 if game.ends == "right" else place * 10 % self.modulus
        for digit in map(int, game.digits):
            if game.ends != "right" and (game.leading_zero or digit):
                yield True, (digit * place + residue) % self.modulus, there
            if game.ends != "left" and (game.leading_zero or digit or nonempty):
                yield True, (residue * 10 + digit) % self.modulus, there

    def spoiled(self, state: State) -> bool:
        return any(state[1] % each == 0 for each in self.game.forbidden)

    def ending(self, state: State) -> Score:
        if self.spoiled(state):
            return -1
        stuck = all(map(self.spoiled, self.after(state)))
        return 1 if stuck or state[1] % self.game.target == 0 else 0


def rounds(game: Strings) -> Callable[[str], Score]:
    """The score of every number of a game that may not end, one ply more each round."""
    graph = Remainders(game)
    ending = cache(graph.ending)
    edges: dict[State, list[State]] = {}
    waiting = [graph.state("")]
    for node in waiting:
        if node not in edges:
            edges[node] = list(graph.after(node))
            waiting.extend(each for each in edges[node] if not ending(each))
    scores: dict[State, Score] = {}
    plies, changed = 0, True
    # Only what was known a round ago counts, so that plies come out one by one.
    while changed:
        plies += 1
        found = {
            node: worth([ending(e) or before(scores.get(e, 0)) for e in edges[node]])
            for node in edges
            if node not in scores
        }
        new = {node: score for node, score in found.items() if abs(score) == plies}
        changed = bool(new)
        scores |= new
    return lambda number: scores.get(graph.state(number), 0)


@st.composite
def small_rulesets(draw: DrawFn, endless: bool, plain: bool = False) -> Ruleset:
    """Any mix of the parameters whose game is small enough to play out in full.

    In a plain one nothing but the target and a full number ends a game.
    """
    digits = draw(st.sets(st.integers(0, 9), min_size=1, max_size=9 if endless else 5))
    ends = draw(st.sampled_from(["right", "left", "both"]))
    uses = None if endless else draw(st.none() | st.integers(1, 3))
    # As long as there are some thousand numbers at most, and where uses end the game, at times no
    # limit at all.
    choices, longest = max(2, len(digits) * (2 if ends == "both" else 1)), 1
    while choices ** (longest + 1) <= 3000:
        longest += 1
    limit = None if endless else draw(st.integers(1, longest))
    if uses is not None and uses * len(digits) <= longest + 1:
        limit = draw(st.none() | st.just(limit))
    rules: dict[str, Any] = {
        "digits": tuple(digits),
        "uses": uses,
        "ends": ends,
        "target": draw(st.integers(1, 30 if endless and ends != "right" else 60)),
        "forbidden": tuple(draw(st.sets(st.integers(2, 12), max_size=1 if endless else 2))),
        "limit": limit,
        "full": draw(st.sampled_from(["last-loses", "closest"])),
        "leading_zero": draw(st.booleans()),
    }
    if plain:
        rules |= {"forbidden": (), "full": "last-loses", "leading_zero": True}
        rules["target"] = draw(st.integers(2, 5000))
    try:
        return Ruleset("small", "Small", "Any.", smallest_target=1, **rules)
    except InvalidRulesetError:
        assume(False)
        raise


def positions(ruleset: Ruleset) -> Iterator[Position]:
    """Positions in play, shortest numbers first, up to a number of them."""
    waiting = [Position(ruleset)]
    for position in waiting:
        yield position
        for move in position.legal_moves:
            child = position.play(move)
            if child.ending is None and len(waiting) < MOST_NUMBERS:
                waiting.append(child)


def check(ruleset: Ruleset, layout: str, score: Callable[[str], Score]) -> None:
    solution = solve(ruleset, layout=layout)
    for position in positions(ruleset):
        value, plies = solution.probe(position)
        sign = {Value.WIN: 1, Value.LOSS: -1, Value.ENDLESS: 0}[value]
        assert sign * (plies or 0) == score(position.number), position.number


@pytest.mark.parametrize("layout", ["table", "tree"])
@given(ruleset=small_rulesets(endless=False))
@settings(max_examples=500, deadline=None)
def test_finite_games_are_solved_as_recursion_solves_them(layout: str, ruleset: Ruleset) -> None:
    check(ruleset, layout, recursion(Strings(ruleset.rules)))


@given(ruleset=small_rulesets(endless=False, plain=True))
@settings(max_examples=500, deadline=None)
def test_plain_games_are_solved_as_recursion_solves_them(ruleset: Ruleset) -> None:
    assume(sparse_estimate(ruleset).work < 10**8)
    check(ruleset, "sparse", recursion(Strings(ruleset.rules)))


@given(ruleset=small_rulesets(endless=True))
@settings(max_examples=300, deadline=None)
def test_endless_games_are_solved_as_rounds_on_a_graph_solve_them(ruleset: Ruleset) -> None:
    check(ruleset, "table", rounds(Strings(ruleset.rules)))
