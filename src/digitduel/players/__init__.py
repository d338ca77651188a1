"""Computer players: each chooses one of a position's legal moves."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from digitduel.errors import DigitDuelError
from digitduel.players.scripted import ScriptedPlayer
from digitduel.players.uniform import UniformPlayer, all_moves, careful_moves, casual_moves
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from digitduel.position import Move, Position

__all__ = [
    "PLAYERS",
    "Player",
    "ScriptedPlayer",
    "UniformPlayer",
    "all_moves",
    "careful_moves",
    "casual_moves",
    "make_player",
]


class Player(Protocol):
    """Whoever can choose a move."""

    def choose(self, position: Position) -> Move:
        """A move for the side to move in a game that is not over."""


# Each player's name, the way to make one from a source of randomness, and its manner in a line.
PLAYERS: dict[str, tuple[Callable[[Random], Player], str]] = {
    "random": (partial(UniformPlayer, all_moves), "any move at all"),
    "casual": (partial(UniformPlayer, casual_moves), "takes a win, avoids losing at once"),
    "careful": (partial(UniformPlayer, careful_moves), "as casual, and leaves you no win at once"),
}


def make_player(name: str, rng: Random) -> Player:
    """The computer player of this name.

    >>> from random import Random
    >>> from digitduel import Position, find_ruleset
    >>> str(make_player("casual", Random(1)).choose(Position(find_ruleset("pool"))))
    '7'
    """
    if name not in PLAYERS:
        raise DigitDuelError(
            f"there is no computer player called {quoted(name)}: {did_you_mean(name, PLAYERS)}"
        )
    make, _ = PLAYERS[name]
    return make(rng)
