"""Puzzles by the thousand against the oracle, over the recommended settings and 50 other rule sets.

.venv/bin/python -m tests.learn.many --count 20000 --seed 1
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from fractions import Fraction
from itertools import islice
from math import floor
from random import Random
from typing import TYPE_CHECKING

import click

from digitduel import InvalidRulesetError, Ruleset, find_ruleset, ruleset_keys
from digitduel.atlas import recommendations
from digitduel.learn import THEMES, puzzle_at, puzzles
from digitduel.solver.size import table_estimate
from tests.learn.oracle import Oracle, Worth, found_chance

if TYPE_CHECKING:
    from digitduel.learn import Puzzle

OTHERS = 50
LARGEST = 15_000  # states


def other_rulesets(count: int = OTHERS) -> list[Ruleset]:
    """Mixed rules of every kind, small enough for the oracle, that have puzzles."""
    rng, found = Random("other rules"), list[Ruleset]()
    while len(found) < count:
        base = find_ruleset(rng.choice(ruleset_keys()))
        changes = {
            "target": rng.randrange(6, 60),
            "digits": rng.choice(["1-9", "0-9", "1-6", "2-9", "1,3,5,7,9", "1,4,6,9", "2,5,7"]),
            "ends": rng.choice(["right", "right", "left", "both"]),
            "uses": rng.choice([1, 1, 2, None]),
            "limit": rng.choice([None, 5, 6, 7, 8]),
            "full": rng.choice(["last-loses", "closest"]),
            "forbidden": rng.choice([(), (), (2, 5), (3,), (7, 11)]),
            "leading_zero": rng.random() < 0.5,
        }
        try:
            ruleset = base.replace(**changes)
        except InvalidRulesetError:
            continue
        if table_estimate(ruleset).states <= LARGEST and _has_more_than_finishes(ruleset):
            found.append(ruleset)
    return found


def _has_more_than_finishes(ruleset: Ruleset) -> bool:
    """Whether some puzzle is not won at once: then the first is one of those."""
    return any(puzzle.theme != "finish it" for puzzle in islice(puzzles(ruleset), 1))


def check(puzzle: Puzzle, oracle: Oracle) -> None:
    """Hold a puzzle against the oracle: its line, its chances and its difficulty."""
    solution, odds = [str(move) for move in puzzle.solution], [Fraction(1)] * 7
    assert len(solution) % 2 == 1
    needed: list[int] = []
    for ply, move in enumerate(solution):
        game = oracle.game([*puzzle.moves, *solution[:ply]])
        assert game.result() is None
        values = oracle.values(game)
        if ply % 2:  # the longest defence
            assert {worth.sign for worth in values.values()} == {-1}
            assert values[move].plies == max(worth.plies for worth in values.values())
            continue
        assert [made for made, worth in values.items() if worth.sign == 1] == [move]
        assert len(values) >= (2 if ply else 3)
        for sight in range(7):
            odds[sight] *= found_chance(values, move, sight)
        if not ply:
            at_once = values[move].plies == 1
            assert at_once == (puzzle.theme == "finish it")
            assert at_once or found_chance(values, move, 2) < Fraction(1, 2)
            check_themes(puzzle, oracle, values)
        needed.append(next(k for k in range(100) if found_chance(values, move, k) == 1))
    assert tuple(odds) == puzzle.chances
    assert max(needed) == puzzle.sight
    hard = Fraction(max(needed) + 7 - sum(odds), 3) + Fraction(puzzle.sums - 2, 2)
    assert puzzle.hardness == hard
    assert puzzle.difficulty == min(5, max(1, floor(hard + Fraction(1, 2))))


def check_themes(puzzle: Puzzle, oracle: Oracle, values: dict[str, Worth]) -> None:
    """The themes that are about values: each is there if and only if it holds."""
    move = str(puzzle.solution[0])
    others = {made: worth for made, worth in values.items() if made != move}
    turned = others.get(move[0] + {"L": "R", "R": "L"}.get(move[1:], ""))
    finishes = _finishes([*puzzle.moves, move], oracle) if values[move].plies == 3 else None
    expected = {
        "finish it": values[move].plies == 1,
        "copy": [str(made) for made in puzzle.moves[-1:]] == [move],
        "the other end": turned is not None and turned in (Worth(-1, 1), Worth(-1, 2)),
        "now or never": any(worth.sign == 0 for worth in others.values()),
        "two threats": finishes is not None and not finishes,
        "whatever comes": bool(finishes),
        "do not give it": all(w.sign == -1 and w.plies <= 4 for w in others.values()),
        "the long way": values[move].plies >= 7,
        "look ahead": True,
    }
    assert {name: name in puzzle.themes for name in expected} == expected
    assert puzzle.theme == next(name for name in THEMES if name in puzzle.themes)


def _finishes(moves: list[object], oracle: Oracle) -> set[str]:
    """The moves that win at once whatever is replied."""
    games = [oracle.game([*moves, reply]) for reply in oracle.game(moves).moves()]
    answers = [oracle.values(game) for game in games if game.result() is None]
    finishing = [{move for move, worth in each.items() if worth == (1, 1)} for each in answers]
    return set.intersection(*finishing)


def check_sheet(some: list[Puzzle], oracle: Oracle) -> None:
    """Check some puzzles; no two are the same, and a few are proved once more by their moves."""
    for puzzle in some:
        check(puzzle, oracle)
    numbers = {oracle.game(puzzle.moves).number for puzzle in some}
    assert len(numbers) == len(some)
    again = some[:: 1 + len(some) // 10]
    assert [puzzle_at(puzzle.ruleset, puzzle.moves) for puzzle in again] == again


def main() -> None:
    """Check as many puzzles as are asked for, and say how many there were of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rulesets = [setting.ruleset for setting in recommendations()] + other_rulesets()
    checked, kinds, made, started = 0, Counter[str](), 0.0, time.process_time()
    for place, ruleset in enumerate(rulesets):
        # What one rule set cannot supply, the others do.
        share = -(-(args.count - checked) // (len(rulesets) - place))
        began = time.process_time()
        some = list(islice(puzzles(ruleset, args.seed), share))
        made += time.process_time() - began
        check_sheet(some, Oracle(ruleset))
        checked += len(some)
        for puzzle in some:
            kinds.update((puzzle.theme, f"difficulty {puzzle.difficulty}"))
    spent = time.process_time() - started - made
    for kind in sorted(kinds):
        click.echo(f"{kinds[kind]:6} {kind}")
    click.echo(f"{checked} puzzles of {len(rulesets)} rule sets, all as they should be.")
    click.echo(f"Made in {made:.1f} s of processor time, checked in {spent:.1f} s.")


if __name__ == "__main__":
    main()
