"""Every puzzle of a rule set with few states: which states are puzzles, and every way to them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from digitduel.learn.puzzles import Puzzle, exact_evaluator, flaw, line_at, puzzle_from
from digitduel.position import Position
from digitduel.solver import state_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.learn.lines import PuzzleLine
    from digitduel.moves import Move
    from digitduel.ruleset import Ruleset

MOST_SPOTS = 10_000
LONGEST_OPEN = 10  # digits of the numbers that are looked at where they can grow without end


class Way(NamedTuple):
    """The last move to a spot, and the spot that it was made from."""

    before: Spot
    move: Move


@dataclass(eq=False)
class Spot:
    """A state that play comes to after so many moves, and how many lines lead there."""

    position: Position  # one of those that are this state
    ways: list[Way] = field(default_factory=list)
    lines: int = 0


@dataclass(frozen=True)
class Entry:
    """A puzzle but for the moves that lead to it, which all end with the same one."""

    puzzle: Puzzle
    ways: tuple[Way, ...]

    @property
    def lines(self) -> int:
        """How many lines lead to it."""
        return sum(way.before.lines for way in self.ways) if self.ways else 1

    def line(self, number: int) -> tuple[Move, ...]:
        """One of its lines, by a number from 0 on."""
        moves: list[Move] = []
        ways: tuple[Way, ...] | list[Way] = self.ways
        while ways:
            for way in ways:
                if number < way.before.lines:
                    break
                number -= way.before.lines
            moves.append(way.move)
            ways = way.before.ways
        return tuple(reversed(moves))


Group = tuple[Entry, ...]  # of one state


@lru_cache(maxsize=8)
def catalogue(ruleset: Ruleset) -> tuple[Group, ...] | None:
    """The puzzles of a rule set, state by state; None if there are too many states to look at."""
    evaluator = exact_evaluator(ruleset)
    spots = _explored(ruleset)
    if spots is None:
        return None
    return tuple(
        tuple(_entries(spot, line_at(spot.position, evaluator)))
        for spot in spots
        if flaw(spot.position, evaluator) is None
    )


def _entries(spot: Spot, line: PuzzleLine) -> Iterator[Entry]:
    by_move = defaultdict(list)
    for way in spot.ways:
        by_move[way.move].append(way)
    ruleset = spot.position.ruleset
    if not by_move:
        yield Entry(puzzle_from(line, ruleset, ()), ())
    for move, ways in by_move.items():
        yield Entry(puzzle_from(line, ruleset, (move,)), tuple(ways))


def _explored(ruleset: Ruleset) -> list[Spot] | None:
    """Every state that play can come to, shorter numbers first; None if there are too many."""
    longest = LONGEST_OPEN if ruleset.capacity is None else ruleset.capacity - 1
    layer = [Spot(Position(ruleset), lines=1)]
    spots = list(layer)
    for _ in range(longest):
        layer = _next(layer)
        spots += layer
        if len(spots) > MOST_SPOTS:
            return None
    return spots


def _next(layer: list[Spot]) -> list[Spot]:
    """The states one move on."""
    after: dict[tuple[object, ...], Spot] = {}
    for spot in layer:
        for move in spot.position.legal_moves:
            position = spot.position.play(move)
            if position.outcome() is None:
                child = after.setdefault(state_key(position), Spot(position))
                child.ways.append(Way(spot, move))
                child.lines += spot.lines
    return list(after.values())
