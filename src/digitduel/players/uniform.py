"""Players that choose uniformly among the moves their care leaves them, or follow a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from digitduel.errors import IllegalMoveError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from digitduel.position import Move, Position


def all_moves(position: Position) -> Sequence[Move]:
    """What a random player chooses from: every legal move."""
    return position.legal_moves


def casual_moves(position: Position) -> Sequence[Move]:
    """What a casual player chooses from: a win at once, else what does not lose at once."""
    if wins := position.winning_moves:
        return wins
    legal = position.legal_moves
    return [move for move in legal if position.play(move).outcome() is None] or legal


def careful_moves(position: Position) -> Sequence[Move]:
    """What a careful player chooses from: casual moves that leave no win at once, if any."""
    choices = casual_moves(position)
    return [move for move in choices if not position.play(move).winning_moves] or choices


@dataclass(frozen=True)
class UniformPlayer:
    """Chooses one of the moves that `choices` gives, each as likely as the others."""

    choices: Callable[[Position], Sequence[Move]]
    rng: Random

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        return self.rng.choice(self.choices(position))


class ScriptedPlayer:
    """Plays the moves it was given, in order: for tests and demonstrations."""

    def __init__(self, moves: Iterable[Move]) -> None:
        self._moves = iter(moves)

    def choose(self, position: Position) -> Move:
        """The next move of the script."""
        for move in self._moves:
            return move
        raise IllegalMoveError(f"the script has no move left at {position.number or 'the start'}.")
