"""Players that choose uniformly among the moves their care leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from digitduel.position import Move, Position


def all_moves(position: Position) -> Sequence[Move]:
    """What a random player chooses from: every legal move."""
    return position.legal_moves


def casual_moves(position: Position) -> Sequence[Move]:
    """What a casual player chooses from: a win at once, else what does not lose at once."""
    wins = position.winning_moves
    return (
        wins or [m for m in position.legal_moves if not _over(position, m)] or all_moves(position)
    )


def careful_moves(position: Position) -> Sequence[Move]:
    """What a careful player chooses from: casual moves that leave no win at once, if any."""
    choices = casual_moves(position)
    return [move for move in choices if not position.play(move).winning_moves] or choices


def _over(position: Position, move: Move) -> bool:
    return position.play(move).outcome() is not None


class UniformPlayer:
    """Chooses one of the moves that `choices` gives, each as likely as the others."""

    def __init__(self, choices: Callable[[Position], Sequence[Move]], rng: Random) -> None:
        self._choices = choices
        self._rng = rng

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        return self._rng.choice(self._choices(position))
