"""Computer players: each chooses one of a position's legal moves."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from digitduel.errors import DigitDuelError
from digitduel.players.levels import (
    LEVELS,
    PERFECT,
    SIZES,
    LevelPlayer,
    PerfectPlayer,
    RankedPlayer,
    Skill,
    mean_chance,
    perfect_moves,
    skills_for,
    slip_chance,
    ways_out,
)
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
    "SIZES",
    "LevelPlayer",
    "PerfectPlayer",
    "Player",
    "RankedPlayer",
    "ScriptedPlayer",
    "Skill",
    "UniformPlayer",
    "all_moves",
    "careful_moves",
    "casual_moves",
    "make_player",
    "manner",
    "perfect_moves",
    "player_note",
    "skills_for",
    "slip_chance",
    "ways_out",
]


class Player(Protocol):
    """Whoever can choose a move."""

    def choose(self, position: Position) -> Move:
        """A move for the side to move in a game that is not over."""


# Each player's name, and the way to make one from a source of randomness.
PLAYERS: dict[str, Callable[[Random], Player]] = {
    "random": partial(UniformPlayer, all_moves),
    "casual": partial(UniformPlayer, casual_moves),
    "careful": partial(UniformPlayer, careful_moves),
    **{f"level:{level}": partial(RankedPlayer, level) for level in LEVELS},
    f"level:{PERFECT}": PerfectPlayer,
    "perfect": PerfectPlayer,
}
_MANNERS = {
    "random": "any move at all",
    "casual": "takes a win, avoids losing at once",
    "careful": "as casual, and leaves you no win at once",
    f"level:{PERFECT}": "perfect play",
    "perfect": f"the same as level:{PERFECT}",
}

# Those that need to know what positions are worth.
EVALUATING = frozenset(name for name in PLAYERS if name.startswith("level:") or name == "perfect")


def manner(name: str, ruleset: Ruleset) -> str:
    """How the player called `name` plays by some rules, in a line.

    >>> from digitduel import find_ruleset
    >>> manner("level:8", find_ruleset("pool"))
    'perfect play'
    """
    if name in _MANNERS:
        return _MANNERS[name]
    sight, slip = skills_for(ruleset)[int(name.removeprefix("level:"))]
    return f"sees {counted(sight, 'move')} ahead, gets {mean_chance(slip):.0%} of sums wrong"


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
    player = PLAYERS[name](rng)
    return replace(player, ask=ask) if isinstance(player, RankedPlayer | PerfectPlayer) else player
