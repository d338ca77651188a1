"""Puzzles without end: a rule set and a seed give the same ones on every machine."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from digitduel.addresses import read_address
from digitduel.atlas import recommendations
from digitduel.errors import InvalidPuzzleError
from digitduel.game import Game
from digitduel.learn.catalogue import catalogue
from digitduel.learn.names import GENERATOR, PuzzleName, setting_name
from digitduel.learn.puzzles import exact_evaluator, flaw, line_at, puzzle_at, puzzle_from
from digitduel.learn.themes import THEMES
from digitduel.ruleset import as_ruleset
from digitduel.text import counted, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from digitduel.learn.catalogue import Entry, Group
    from digitduel.learn.puzzles import Puzzle
    from digitduel.moves import Move
    from digitduel.ruleset import Ruleset

Item = TypeVar("Item")

QUICK = next(iter(THEMES))  # the theme of what is won at once
BETWEEN = 7  # other puzzles between two of those
FEW_LINES = 1_000  # are put into disorder at once; of more one is drawn after the other
MOST_COUNTED = 200_000  # lines, where several lead to one number
LONGEST = 40  # digits of a number that is played at random
# Positions in a row that are no puzzle: then nothing is left where not all can be looked at.
PATIENCE, MOST_MISSES = 200, 5_000
STREAK = 50  # puzzles, from the easiest to the hardest


def puzzles(ruleset: Ruleset | str, seed: int = 0) -> Iterator[Puzzle]:
    """The puzzles of a rule set or setting, each once, in an order that the `seed` decides.

    Each state comes once before any comes again with another number. Most rule sets have more
    than anybody can solve, but the iterator may end.

    >>> [puzzle.name for puzzle in islice(puzzles("closest:easy", seed=7), 2)]
    ['closest:easy/1/7/1', 'closest:easy/1/7/2']
    """
    ruleset = as_ruleset(ruleset)
    groups, rng = catalogue(ruleset), _random(ruleset, seed)
    found = _played(ruleset, rng) if groups is None else _listed(groups, rng)
    for number, puzzle in enumerate(_without_repeats(found), start=1):
        name = PuzzleName(ruleset, seed, number)
        yield replace(puzzle, ruleset=ruleset, name=str(name))


class Wish(NamedTuple):
    """What kind of puzzles somebody wants: a `theme`, a `difficulty`, or any."""

    theme: str | None = None
    difficulty: int | None = None

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether a `puzzle` is what is wanted."""
        return self.theme in (None, puzzle.theme) and self.difficulty in (None, puzzle.difficulty)

    def __str__(self) -> str:
        theme = f" of the theme {self.theme!r}" if self.theme else ""
        return theme + (f" of difficulty {self.difficulty}" if self.difficulty else "")


ANY = Wish()


def some_puzzles(
    ruleset: Ruleset | str, count: int, seed: int = 0, wish: Wish = ANY
) -> list[Puzzle]:
    """The first `count` puzzles of a `seed` that a `wish` fits.

    InvalidPuzzleError says how many there are if there are not as many.

    >>> [puzzle.theme for puzzle in some_puzzles("closest:sharp", 2, wish=Wish("two threats"))]
    ['two threats', 'two threats']
    """
    ruleset = as_ruleset(ruleset)
    supply, some = _supply(ruleset, wish), []
    if supply is None or supply >= count:
        some = list(islice(filter(wish.fits, puzzles(ruleset, seed)), count))
        supply = len(some)
    if len(some) < count:
        has = f"has only {counted(supply, 'puzzle')}" if supply else "has no puzzle"
        other = f"ask for {supply:,} at most" if supply else "ask for another kind"
        raise InvalidPuzzleError(
            f"{setting_name(ruleset)} {has}{wish}: {other}, or take another setting."
        )
    return some


def _supply(ruleset: Ruleset, wish: Wish) -> int | None:
    """How many puzzles fit a wish; None for more than are worth counting, or if nobody knows."""
    groups = catalogue(ruleset)
    if groups is None:
        return None
    entries = [entry for group in groups for entry in group if wish.fits(entry.puzzle)]
    lines = sum(entry.lines for entry in entries)
    if ruleset.ends != "both":
        return lines
    if lines > MOST_COUNTED:
        return None
    return len({_number(entry.line(line)) for entry in entries for line in range(entry.lines)})


def find_puzzle(name: str) -> Puzzle:
    """The puzzle of a `name`, short or permanent; InvalidPuzzleError if there is none.

    >>> find_puzzle("closest:easy/1/7/2") == find_puzzle(find_puzzle("closest:easy/1/7/2").address)
    True
    """
    if "game=" in name:
        return puzzle_at(*read_address(name))
    ruleset, seed, number = PuzzleName.parse(name)
    count = 0
    for count, puzzle in enumerate(puzzles(ruleset, seed), start=1):
        if count == number:
            return puzzle
    raise InvalidPuzzleError(
        f"{quoted(name)} is no puzzle: {setting_name(ruleset)} has {counted(count, 'puzzle')}."
    )


def daily(day: date) -> Puzzle:
    """The puzzle of a `day`, the same everywhere."""
    return find_puzzle(str(daily_name(day)))


def daily_name(day: date) -> PuzzleName:
    """What it is called: the recommended settings take turns, and the date is the seed.

    >>> from datetime import date
    >>> str(daily_name(date(2026, 3, 1)))
    'closest:easy/1/20260301/1'
    """
    settings = recommendations()
    ruleset = settings[day.toordinal() % len(settings)].ruleset
    return PuzzleName(ruleset, day.year * 10_000 + day.month * 100 + day.day, number=1)


def streak(ruleset: Ruleset | str, seed: int = 0) -> list[Puzzle]:
    """Fifty puzzles of a `seed`, or all there are, each at least as hard as the one before."""
    return sorted(islice(puzzles(ruleset, seed), STREAK), key=lambda puzzle: puzzle.hardness)


# --- Chance that is the same everywhere: nothing but `Random.random` is promised to be. ---


def _random(ruleset: Ruleset, seed: int) -> Random:
    return Random(f"{setting_name(ruleset)}/{GENERATOR}/{seed}")  # noqa: S311  (a game)


def _pick(rng: Random, count: int) -> int:
    """A number from 0 on, below `count`."""
    return min(int(rng.random() * count), count - 1)


def _in_disorder(items: Sequence[Item], rng: Random) -> list[Item]:
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = _pick(rng, last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


# --- All puzzles there are, where they can be listed. ---


def _listed(groups: Sequence[Group], rng: Random) -> Iterator[Puzzle]:
    """Every puzzle with every line to it, each state once before any comes again."""
    kinds: dict[bool, list[Group]] = {False: [], True: []}
    for group in _in_disorder(groups, rng):
        kinds[group[0].puzzle.theme == QUICK].append(group)
    others, quick = (_in_turn([_of_group(group, rng) for group in kind]) for kind in kinds.values())
    while some := [*islice(others, BETWEEN), *islice(quick, 1)]:
        yield from some


def _of_group(group: Group, rng: Random) -> Iterator[Puzzle]:
    entries = _in_disorder(group, rng)
    yield from _in_turn([_of_entry(entry, rng) for entry in entries])


def _of_entry(entry: Entry, rng: Random) -> Iterator[Puzzle]:
    for number in _numbers(entry.lines, rng):
        yield replace(entry.puzzle, moves=entry.line(number))


def _numbers(count: int, rng: Random) -> Iterator[int]:
    """The numbers below `count` in disorder."""
    if count <= FEW_LINES:
        yield from _in_disorder(range(count), rng)
        return
    drawn: set[int] = set()
    while len(drawn) < count:
        number = _pick(rng, count)
        if number not in drawn:
            drawn.add(number)
            yield number


def _in_turn(iterators: list[Iterator[Item]]) -> Iterator[Item]:
    """One item of each, then the next of each that has more."""
    while iterators:
        going = []
        for each in iterators:
            for item in islice(each, 1):
                yield item
                going.append(each)
        iterators = going


def _without_repeats(found: Iterator[Puzzle]) -> Iterator[Puzzle]:
    """Each number once: where both ends are open several lines lead to it."""
    seen = set()
    for puzzle in found:
        number = _number(puzzle.moves) if puzzle.ruleset.ends == "both" else puzzle.moves
        if number not in seen:
            seen.add(number)
            yield puzzle


def _number(moves: Sequence[Move]) -> str:
    """The number that moves at both ends make."""
    number = ""
    for digit, end in moves:
        number = f"{digit}{number}" if end == "L" else f"{number}{digit}"
    return number


# --- Positions played at random, where not all can be listed. ---


def _played(ruleset: Ruleset, rng: Random) -> Iterator[Puzzle]:
    """Puzzles as they are met, until none is met for long."""
    evaluator, seen = exact_evaluator(ruleset), set()
    found = misses = 0
    while misses < MOST_MISSES:
        misses += 1
        game = _game(ruleset, rng)
        position = game.position
        if position.number in seen or flaw(position, evaluator):
            continue
        puzzle = puzzle_from(line_at(position, evaluator), ruleset, tuple(game.move_stack))
        turn_of_quick = found % (BETWEEN + 1) == BETWEEN
        if (puzzle.theme == QUICK) is turn_of_quick or misses > PATIENCE:
            seen.add(position.number)
            found, misses = found + 1, 0
            yield puzzle


def _game(ruleset: Ruleset, rng: Random) -> Game:
    """Some moves at random, none of which ends the game."""
    game = Game(ruleset)
    longest = min(ruleset.capacity or LONGEST, LONGEST)
    for _ in range(_pick(rng, longest)):
        moves = _in_disorder(game.position.legal_moves, rng)
        going = (move for move in moves if game.position.play(move).outcome() is None)
        move = next(going, None)
        if move is None:
            break
        game.push(move)
    return game
