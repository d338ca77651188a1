"""Looking at a game again: every move graded, the decisive mistake, each player's accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from digitduel.position import Move, Position, Side
from digitduel.solver import Evaluation, Value, evaluator_for

if TYPE_CHECKING:
    from collections.abc import Collection

    from digitduel.game import Game
    from digitduel.solver import Evaluator


class Grade(Enum):
    """How good a move was."""

    BEST = "best"
    KEPT = "kept the result"
    GAVE_AWAY = "gave it away"
    FORCED = "forced"  # the only move, or no better and no worse than any other
    UNKNOWN = "not known"  # the game is too large, and nothing is forced within sight


# What a move counts for in a player's accuracy; one without a choice does not count.
POINTS = {Grade.BEST: 1.0, Grade.KEPT: 0.5, Grade.GAVE_AWAY: 0.0}


@dataclass(frozen=True)
class GradedMove:
    """A move with what it was worth, and what could have been had."""

    ply: int  # from 1 on
    move: Move
    number: str
    side: Side
    grade: Grade
    had: Evaluation  # best play before the move, for the mover
    got: Evaluation  # what the move is worth, for the mover
    best: tuple[Move, ...]  # the moves that would have kept what was to be had


@dataclass(frozen=True)
class Analysis:
    """A whole game, graded. `values` are the positions' values for the starter, ply by ply."""

    moves: tuple[GradedMove, ...]
    values: tuple[Evaluation, ...]
    depth: int | None = None  # how far was looked where the game is too large to solve
    winner: Side | None = None

    def accuracy(self, side: Side) -> float | None:
        """A side's average over its moves, from 0 to 1; None if it made none that can be graded."""
        points = [POINTS[m.grade] for m in self.moves if m.side is side and m.grade in POINTS]
        return sum(points) / len(points) if points else None

    @property
    def decisive(self) -> GradedMove | None:
        """The last move that gave away a win or an open game: the result stood from there on.

        None where nothing was given away, or what the winner gave was not taken (a resignation),
        or where the moves after it are not known well enough.
        """
        changes = [m for m in self.moves if m.grade in (Grade.GAVE_AWAY, Grade.UNKNOWN)]
        last = changes[-1] if changes else None
        return None if not last or last.grade is Grade.UNKNOWN or last.side is self.winner else last


def analyse(game: Game, evaluator: Evaluator | None = None) -> Analysis:
    """Grade every move of a game.

    >>> from digitduel import Game, Move, find_ruleset
    >>> analysis = analyse(Game(find_ruleset("pool"), [Move(1), Move(4)]))
    >>> [move.grade.value for move in analysis.moves]
    ['gave it away', 'best']
    >>> analysis.decisive.ply
    1
    """
    evaluator = evaluator or evaluator_for(game.ruleset)
    start = position = Position(game.ruleset)
    graded, values = [], [evaluator.probe(start)]
    for ply, move in enumerate(game.move_stack, start=1):
        after = position.play(move)
        graded.append(_graded(position, after, move, ply, evaluator))
        values.append(_for_starter(graded[-1].got, position.turn))
        position = after
    outcome = game.outcome()
    winner = outcome.winner if outcome else None
    return Analysis(tuple(graded), tuple(values), evaluator.sight(start), winner)


def _graded(
    position: Position, after: Position, move: Move, ply: int, evaluator: Evaluator
) -> GradedMove:
    values = evaluator.move_values(position)
    had = max(values.values(), key=lambda worth: worth.merit)
    # On the empty number left and right are one move, which the values know as R.
    got = values[move if move in values else Move(move.digit, "R")]
    best = tuple(better for better, worth in values.items() if worth.merit == had.merit)
    grade = grade_of(got, values.values())
    return GradedMove(ply, move, after.number, position.turn, grade, had, got, best)


def grade_of(got: Evaluation, choices: Collection[Evaluation]) -> Grade:
    """Compare what a move is worth with what every legal move would have been, its own included."""
    had = max(choices, key=lambda worth: worth.merit)
    if len(choices) == 1:
        return Grade.FORCED
    if had.value is Value.UNKNOWN:  # the best that was to be had may have been lost too
        return Grade.UNKNOWN
    if all(worth.merit == had.merit for worth in choices):
        return Grade.FORCED
    if got.merit == had.merit:
        return Grade.BEST
    return Grade.KEPT if got.value is had.value else Grade.GAVE_AWAY


def _for_starter(worth: Evaluation, mover: Side) -> Evaluation:
    """The same value as the starter sees it."""
    if mover is Side.FIRST or worth.plies is None:
        return worth
    return Evaluation(Value.LOSS if worth.value is Value.WIN else Value.WIN, worth.plies)
