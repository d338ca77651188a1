"""Puzzles: one move wins at every step, by another reckoning; and what is refused."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pytest

from digitduel import (
    DigitDuelError,
    InvalidPuzzleError,
    Ruleset,
    TooLargeError,
    find_ruleset,
)
from digitduel.atlas import recommendations
from digitduel.learn import (
    THEMES,
    Puzzle,
    Wish,
    daily,
    find_puzzle,
    find_theme,
    puzzle_at,
    puzzles,
    some_puzzles,
    streak,
)
from digitduel.learn.generator import daily_name
from digitduel.learn.names import GENERATOR, setting_name
from tests.learn.many import check, check_sheet
from tests.learn.oracle import Oracle
from tests.reference import PlainGame

ENDLESS = find_ruleset("forbidden").replace(target=53, digits="2,5,7", forbidden=[3])
OPEN_ENDS = find_ruleset("forbidden").replace(target=13, digits="1,4", ends="both", forbidden=[])
LEFT = find_ruleset("closest").replace(target=14, ends="left", digits="0-6", leading_zero=False)
TWICE = find_ruleset("conquest").replace(target=9, digits="1,2,4", uses=2)
# Between them they have every theme.
COPIES = find_ruleset("ends").replace(
    target=46, digits="1,3,5,7,9", ends="right", forbidden=[3], limit=7, full="closest"
)
SPOILED = find_ruleset("pool").replace(
    target=7, digits="1-6", ends="both", forbidden=[2, 5], full="closest", leading_zero=False
)
HELD = find_ruleset("forbidden").replace(
    target=40, digits="1,4,6,9", uses=2, forbidden=[], limit=8, full="closest"
)
AHEAD = find_ruleset("forbidden").replace(target=7, digits="1,7,9")
NEVER = find_ruleset("forbidden").replace(target=31, digits="1,4,7,9", forbidden=[2, 3])
THEMATIC = [COPIES, SPOILED, HELD, AHEAD, NEVER]
CHECKED = ["closest:easy", ENDLESS, OPEN_ENDS, LEFT, TWICE, *THEMATIC]


def named(ruleset: Ruleset | str) -> str:
    return ruleset if isinstance(ruleset, str) else setting_name(ruleset)


@lru_cache
def first(setting: str, count: int = 300) -> list[Puzzle]:
    return list(islice(puzzles(setting, seed=1), count))


@pytest.mark.parametrize("ruleset", CHECKED, ids=named)
def test_one_move_wins_at_each_step_and_the_chances_are_exact(ruleset: Ruleset | str) -> None:
    rules = find_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    some = list(islice(puzzles(rules, seed=3), 40))
    assert some
    check_sheet(some, Oracle(rules))


def wins(game: PlainGame) -> bool:
    """Whether the side to move wins: every line on digit strings, and nothing kept."""
    return any(move_wins(game, move) for move in game.moves())


def move_wins(game: PlainGame, move: str) -> bool:
    after = game.after(int(move[0]), move[1:] or None)
    assert after is not None
    result = after.result()
    return not wins(after) if result is None else result.winner == game.turn


@pytest.mark.parametrize("setting", ["closest:sharp", "pool:classic"])
def test_one_move_wins_by_brute_force_on_digit_strings(setting: str) -> None:
    capacity = find_ruleset(setting).capacity or 0
    late = [puzzle for puzzle in first(setting) if len(puzzle.moves) >= capacity - 4]
    assert len(late) > 25
    for puzzle in late[:50]:
        moves = [*map(str, puzzle.moves)]
        for ply, move in enumerate(map(str, puzzle.solution)):
            game = PlainGame(puzzle.ruleset)
            for made in moves:
                game = game.after(int(made[0]), made[1:] or None) or game
            if ply % 2 == 0:
                assert [each for each in game.moves() if move_wins(game, each)] == [move]
            moves.append(move)


# --- What is refused. ---


@pytest.mark.parametrize(
    ("setting", "moves", "why"),
    [
        ("closest:easy", "6 6", "6 is used up"),
        ("closest:easy", "1 2", "the game is over"),
        ("closest:easy", "6 5 2 7 1 3 9", "cannot force a win"),
        ("pool:easy", "", "whoever sees 2 moves ahead finds 5 too easily"),
        ("pool", "5", "2, 6 and 9 all win"),
        ("pool:sharp", "x", "'x' is not a move"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_the_reason(setting: str, moves: str, why: str) -> None:
    with pytest.raises(DigitDuelError, match=why):
        puzzle_at(setting, moves)


def test_rules_too_large_to_solve_have_no_puzzles() -> None:
    with pytest.raises(TooLargeError, match="too large to solve"):
        next(puzzles(find_ruleset("ends").replace(target=10**9 + 7)))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("closest:easy/1/7", "is no name of a puzzle"),
        ("closest:easy/1/7/0", "is no name of a puzzle"),
        ("closest:easy/2/7/1", "version 2 of the generator"),
        ("closest:eazy/1/7/1", "known are easy"),
        ("pool+tarket=12/1/7/1", "did you mean 'target'"),
        ("forbidden:sharp/1/7/68", "has 67 puzzles"),
        ("/puzzle?game=pool&tarket=12", "did you mean 'target'"),
        ("/puzzle?game=poool", "did you mean 'pool'"),
        ("/puzzle?game=pool&moves=5+5", "move 2: 5 is used up"),
        ("game=" + "9" * 20_000, "too long"),
        ("", "is no name of a puzzle"),
    ],
)
def test_a_name_of_no_puzzle_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(DigitDuelError, match=why):
        find_puzzle(name)


def test_more_than_there_are_cannot_be_had_and_it_is_said_how_many_there_are() -> None:
    assert len(some_puzzles("forbidden:sharp", 67)) == 67
    with pytest.raises(InvalidPuzzleError, match="has only 67 puzzles"):
        some_puzzles("forbidden:sharp", 68)
    with pytest.raises(InvalidPuzzleError, match="no puzzle of the theme 'copy' of difficulty 5"):
        some_puzzles("forbidden:sharp", 1, wish=Wish("copy", 5))
    both = find_ruleset("pool").replace(target=7, digits="1-6", ends="both")
    every = list(puzzles(both))
    with pytest.raises(InvalidPuzzleError, match=f"has only {len(every):,} puzzles"):
        some_puzzles(both, len(every) + 1)


def test_without_a_puzzle_there_is_none() -> None:
    nothing = find_ruleset("pool").replace(digits="1-2", target=7)
    assert list(puzzles(nothing)) == []
    with pytest.raises(InvalidPuzzleError, match="has no puzzle: ask for another kind"):
        some_puzzles(nothing, 1)


# --- Themes and wishes. ---


def test_every_theme_is_met() -> None:
    met = {puzzle.theme for rules in THEMATIC for puzzle in islice(puzzles(rules), 400)}
    assert met == set(THEMES)


def test_the_themes_are_in_the_docs_as_in_the_code() -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-z ]+) \| ([A-Z].*\.) \|$", page, re.MULTILINE)
    assert rows == [(theme.name, theme.words) for theme in THEMES.values()]


def test_a_wish_is_fulfilled_and_changes_no_name() -> None:
    some = some_puzzles("closest:sharp", 5, seed=2, wish=Wish("two threats", 2))
    assert {(puzzle.theme, puzzle.difficulty) for puzzle in some} == {("two threats", 2)}
    for puzzle in some[:2]:
        assert find_puzzle(puzzle.name or "") == puzzle


def test_themes_are_found_however_they_are_written() -> None:
    assert find_theme(" Two-Threats").name == "two threats"
    with pytest.raises(InvalidPuzzleError, match="did you mean 'copy'"):
        find_theme("copi")


# --- The same everywhere. ---


def digest(some: list[Puzzle]) -> str:
    told = [(puzzle.to_json(), [str(chance) for chance in puzzle.chances]) for puzzle in some]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("setting", "expected"),
    [("closest:easy", "00bc70c8d8d6f543"), ("pool:classic", "a8f781009ca79458")],
)
def test_a_seed_gives_the_same_puzzles_on_every_machine(setting: str, expected: str) -> None:
    assert GENERATOR == 1, "another generator, another number, and other digests here"
    assert digest(first(setting)) == expected


def test_large_rules_are_played_at_random_and_repeatable() -> None:
    large = find_ruleset("pool").replace(target=101, ends="both")
    some = list(islice(puzzles(large, seed=5), 8))
    assert next(puzzles(large, seed=6)) not in some
    assert digest(some) == "0e818624a045be29"
    assert len({puzzle.game().position.number for puzzle in some}) == 8


@pytest.mark.parametrize(
    ("day", "name", "address"),
    [
        (
            date(2026, 1, 1),
            "pool:easy/1/20260101/1",
            "/puzzle?game=pool&target=12&digits=1-8&moves=7+6+2",
        ),
        (
            date(2026, 7, 14),
            "forbidden:classic/1/20260714/1",
            "/puzzle?game=forbidden&target=13&digits=1-7&forbidden=3%2C5&limit=12&moves=4+4+6+2+7",
        ),
        (
            date(2028, 2, 29),
            "closest:sharp/1/20280229/1",
            "/puzzle?game=closest&target=27&moves=7+6+4+2",
        ),
    ],
)
def test_the_puzzle_of_the_day_follows_from_the_date_alone(
    day: date, name: str, address: str
) -> None:
    puzzle = daily(day)
    assert (puzzle.name, puzzle.address) == (name, address)


def test_days_go_round_the_recommended_settings() -> None:
    settings = recommendations()
    names = [daily_name(date.fromordinal(739_000 + day)) for day in range(len(settings))]
    assert {name.ruleset for name in names} == {setting.ruleset for setting in settings}


def test_both_names_lead_back_to_the_puzzle() -> None:
    for setting in ("pool:classic", "closest:easy"):
        for puzzle in first(setting)[:5]:
            assert find_puzzle(puzzle.name or "") == puzzle
            assert find_puzzle(puzzle.address) == puzzle
            assert find_puzzle(f"https://example.org{puzzle.address}#board") == puzzle


def test_the_same_rules_have_the_same_puzzles_whatever_they_are_called() -> None:
    mine = find_ruleset("closest").replace(target=12)
    assert next(puzzles(mine, seed=1)).name == "closest:easy/1/1/1"
    own = Ruleset(**{**mine.rules, "key": "mine", "title": "Mine", "goal": "Win."})
    found = next(puzzles(own, seed=1))
    assert found.ruleset.key == "mine"
    assert find_puzzle(found.address).solution == found.solution


def test_a_streak_gets_harder() -> None:
    hard = [puzzle.hardness for puzzle in streak("closest:sharp", seed=4)]
    assert len(hard) == 50
    assert hard == sorted(hard)
    assert hard[0] < Fraction(3, 2) < Fraction(4) < hard[-1]


def test_each_state_comes_once_before_any_comes_again() -> None:
    from digitduel.solver import state_key

    some = [puzzle for puzzle in first("closest:sharp") if puzzle.theme != "finish it"]
    states = {state_key(puzzle.game().position) for puzzle in some}
    assert len(states) == len(some)


def test_the_check_itself_notices_what_is_wrong() -> None:
    from dataclasses import replace

    puzzle = puzzle_at("closest:easy", "6 5 2 7")
    oracle = Oracle(puzzle.ruleset)
    check(puzzle, oracle)
    for wrong in (
        replace(puzzle, sight=4),
        replace(puzzle, solution=puzzle.solution[:2]),
        replace(puzzle, themes=("finish it",)),
        replace(puzzle, chances=(Fraction(1),) * 7),
    ):
        with pytest.raises(AssertionError):
            check(wrong, oracle)
