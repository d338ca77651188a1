"""Random rule sets, positions, games and records for the property tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import assume, settings
from hypothesis import strategies as st

from digitduel import (
    Game,
    InvalidRulesetError,
    Move,
    Position,
    Record,
    Ruleset,
    Side,
    find_ruleset,
    ruleset_keys,
)

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

# How many examples a law is tried with; time is for the machine to say, not for a test.
law = settings(max_examples=100, deadline=None)
short_law = settings(max_examples=40, deadline=None)

MOST_MOVES = 14

printable = st.characters(exclude_categories=("C", "Z"), include_characters=" ")
lines = st.text(printable, min_size=1, max_size=20).filter(str.strip)
keys = st.sampled_from(ruleset_keys()) | st.from_regex(r"[a-z][a-z0-9_-]{0,39}", fullmatch=True)

# Names that a text format could trip over, beside any text at all.
names = st.text(max_size=12) | st.sampled_from(
    ['"', "\\", "\\n", "\n", "\r\n", '"]', "[Game", "-", "\u2028", "\x85", "\x00", "Ann \U0001f600"]
)

digit_sets = st.sets(st.integers(0, 9), min_size=1).map(sorted)
targets = st.integers(1, 30) | st.integers(1, 2000) | st.integers(1, 10**100)
divisors = st.integers(2, 12) | st.integers(2, 10**6)


@st.composite
def rulesets(draw: DrawFn, /, **fixed: Any) -> Ruleset:
    """Any valid rule set; `fixed` fields are as given."""
    target = fixed.get("target") or draw(targets)
    values: dict[str, Any] = {
        "key": draw(keys),
        "title": draw(lines),
        "goal": draw(lines),
        "digits": draw(digit_sets),
        "target": target,
        "uses": draw(st.none() | st.integers(1, 3)),
        "ends": draw(st.sampled_from(["right", "left", "both"])),
        "forbidden": draw(st.lists(divisors, max_size=3, unique=True)),
        "limit": draw(st.none() | st.integers(1, 12)),
        "full": draw(st.sampled_from(["last-loses", "closest"])),
        "leading_zero": draw(st.booleans()),
        "smallest_target": draw(st.integers(1, target)),
    }
    try:
        return Ruleset(**(values | fixed))
    except InvalidRulesetError:
        assume(False)
        raise


def shipped_rulesets() -> SearchStrategy[Ruleset]:
    """The games that ship with the package."""
    return st.sampled_from([find_ruleset(key) for key in ruleset_keys()])


def accepted_moves(position: Position) -> list[Move]:
    """Every spelling of every move that is allowed: `5` and `5R` in a one-ended game."""
    moves = [Move(digit, end) for digit in range(10) for end in (None, "L", "R")]
    return [move for move in moves if position.refusal(move) is None]


@st.composite
def games_in_play(
    draw: DrawFn, rules: SearchStrategy[Ruleset] | None = None, most_moves: int = MOST_MOVES
) -> Game:
    """Some moves of a game, to its end by the rules if they lead there."""
    game = Game(draw(rulesets() if rules is None else rules))
    for _ in range(draw(st.integers(0, most_moves))):
        if game.outcome() is not None:
            break
        game.push(draw(st.sampled_from(accepted_moves(game.position))))
    return game


@st.composite
def positions(draw: DrawFn, rules: SearchStrategy[Ruleset] | None = None) -> Position:
    """Any position that play can lead to, finished ones included."""
    return draw(games_in_play(rules)).position


@st.composite
def games(draw: DrawFn, rules: SearchStrategy[Ruleset] | None = None) -> Game:
    """A game: going on, over by the rules, resigned by either side, or called off."""
    game = draw(games_in_play(rules))
    if game.outcome() is None:
        ending = draw(st.sampled_from(["none", "resign", "call off"]))
        if ending == "resign":
            game.resign(draw(st.sampled_from(Side)))
        elif ending == "call off":
            game.call_off()
    return game


@st.composite
def records(draw: DrawFn, rules: SearchStrategy[Ruleset] | None = None) -> Record:
    """The record of a game between any two names."""
    players = draw(st.tuples(names, names))
    first = draw(st.sampled_from([1, 2]))
    number = draw(st.none() | st.integers(1, 1000))
    return Record.of(draw(games(rules)), players, first, number)
