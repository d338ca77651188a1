"""The line of a puzzle: the only move that wins, the longest defence, and again, to the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from digitduel.solver import Value

if TYPE_CHECKING:
    from digitduel.position import Move, Outcome, Position
    from digitduel.solver import Evaluation, Evaluator

    Values = dict[Move, Evaluation]


class OnlyMove(NamedTuple):
    """A position in which the solver is to move, and one move alone wins."""

    position: Position
    move: Move  # the one that wins
    values: Values  # what each legal move is worth

    @property
    def plies(self) -> int:
        """How long the win takes, the move counted."""
        return self.values[self.move].plies or 0

    @property
    def others(self) -> list[Evaluation]:
        """What the moves are worth that do not win."""
        return [worth for move, worth in self.values.items() if move != self.move]


@dataclass(frozen=True)
class PuzzleLine:
    """What is asked of the solver, and how the game goes on to its end with best play."""

    steps: tuple[OnlyMove, ...]
    solution: tuple[Move, ...]  # of solver and defence in turn, the solver's first and last
    positions: tuple[Position, ...]  # after each move, to the end of the game

    @property
    def first(self) -> OnlyMove:
        """What is asked first."""
        return self.steps[0]

    @property
    def outcome(self) -> Outcome:
        """How the game ends."""
        ended = self.positions[-1].outcome()
        assert ended is not None  # noqa: S101  (play goes on until then)
        return ended


def winning_moves(values: Values) -> list[Move]:
    """The moves that win with best play."""
    return [move for move, worth in values.items() if worth.value is Value.WIN]


def line_from(step: OnlyMove, evaluator: Evaluator) -> PuzzleLine:
    """The line that begins with a step.

    It goes on as long as one move alone wins and there is a choice; then to the end of the game,
    which is not asked for.
    """
    steps, solution, positions = [step], [step.move], [step.position.play(step.move)]
    asked: OnlyMove | None = step
    while positions[-1].outcome() is None:
        reply, following = _defended(positions[-1], evaluator)
        positions.append(positions[-1].play(reply))
        if positions[-1].outcome() is not None:
            break
        asked = following if asked else None
        if asked:
            steps.append(asked)
            solution += [reply, asked.move]
        answer = asked.move if asked else evaluator.best_moves(positions[-1])[0]
        positions.append(positions[-1].play(answer))
    return PuzzleLine(tuple(steps), tuple(solution), tuple(positions))


def _defended(position: Position, evaluator: Evaluator) -> tuple[Move, OnlyMove | None]:
    """The longest defence, if possible one that leaves one winning move, and that step."""
    longest = evaluator.best_moves(position)
    for reply in longest:
        if following := step_at(position.play(reply), evaluator):
            return reply, following
    return longest[0], None


def step_at(position: Position, evaluator: Evaluator) -> OnlyMove | None:
    """The step at a position, if one of several moves wins and no other does."""
    if position.outcome() is not None:
        return None
    values = evaluator.move_values(position)
    wins = winning_moves(values)
    return OnlyMove(position, wins[0], values) if len(wins) == 1 < len(values) else None
