"""A player that follows a script: for tests and demonstrations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.errors import IllegalMoveError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.position import Move, Position


class ScriptedPlayer:
    """Plays the moves it was given, in order."""

    def __init__(self, moves: Iterable[Move]) -> None:
        self._moves = iter(moves)

    def choose(self, position: Position) -> Move:
        """The next move of the script."""
        for move in self._moves:
            return move
        raise IllegalMoveError(f"the script has no move left at {position.number or 'the start'}.")
