"""Computer players: each chooses one of a position's legal moves."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from digitduel.errors import DigitDuelError
from digitduel.players.levels import LEVELS, PERFECT, LevelPlayer, PerfectPlayer, Skill
from digitduel.players.uniform import (
    ScriptedPlayer,
    UniformPlayer,
    all_moves,
    careful_moves,
    casual_moves,
)
from digitduel.solver import evaluator_meanwhile
from digitduel.text import counted, did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator

__all__ = [
    "EVALUATING",
    "LEVELS",
    "PERFECT",
    "PLAYERS",
    "LevelPlayer",
    "PerfectPlayer",
    "Player",
    "ScriptedPlayer",
    "Skill",
    "UniformPlayer",
    "all_moves",
    "careful_moves",
    "casual_moves",
    "make_player",
    "player_note",
]


class Player(Protocol):
    """Whoever can choose a move."""

    def choose(self, position: Position) -> Move:
        """A move for the side to move in a game that is not over."""


def _manner(skill: Skill) -> str:
    return f"sees {counted(skill.sight, 'move')} ahead, slips {skill.slip:.0%} of the time"


# Each player's name, the way to make one from a source of randomness, and its manner in a line.
PLAYERS: dict[str, tuple[Callable[[Random], Player], str]] = {
    "random": (partial(UniformPlayer, all_moves), "any move at all"),
    "casual": (partial(UniformPlayer, casual_moves), "takes a win, avoids losing at once"),
    "careful": (partial(UniformPlayer, careful_moves), "as casual, and leaves you no win at once"),
    **{
        f"level:{level}": (partial(LevelPlayer, skill), _manner(skill))
        for level, skill in LEVELS.items()
    },
    f"level:{PERFECT}": (PerfectPlayer, "perfect play"),
    "perfect": (PerfectPlayer, f"the same as level:{PERFECT}"),
}

# Those that need to know what positions are worth.
EVALUATING = frozenset(name for name in PLAYERS if name.startswith("level:") or name == "perfect")


def player_note(name: str, ruleset: Ruleset) -> str | None:
    """What to tell people where the player called `name` cannot use the solution, or not yet."""
    return evaluator_meanwhile(ruleset).note if name in EVALUATING else None


def make_player(
    name: str, rng: Random, ask: Callable[[Ruleset], Evaluator] = evaluator_meanwhile
) -> Player:
    """The computer player of this `name`, one of PLAYERS; `ask` gives who evaluates positions.

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
    player = make(rng)
    return replace(player, ask=ask) if isinstance(player, LevelPlayer | PerfectPlayer) else player
