"""Digit Duel: two-player games of adding digits to a shared number.

>>> from digitduel import Game, Move, find_ruleset, solve
>>> game = Game(find_ruleset("pool").replace(target=12))
>>> game.push(Move.parse("7"))
>>> [str(move) for move in game.position.legal_moves]
['1', '2', '3', '4', '5', '6', '8', '9']
>>> solve(game.ruleset).probe(game.position)
Evaluation(value=<Value.WIN: 'win'>, plies=1)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digitduel.duel import Duel
    from digitduel.errors import (
        DigitDuelError,
        IllegalMoveError,
        InvalidMoveError,
        InvalidPositionError,
        InvalidRecordError,
        InvalidRulesetError,
        StorageError,
        TooLargeError,
        UnreadableError,
    )
    from digitduel.game import Game
    from digitduel.match import Match
    from digitduel.position import Move, Outcome, Position, Side, Termination, perft
    from digitduel.record import Record
    from digitduel.ruleset import Ruleset, find_ruleset, read_ruleset, ruleset_keys
    from digitduel.solver import (
        Budget,
        Evaluation,
        Evaluator,
        Lookahead,
        Solution,
        Value,
        evaluator_for,
        solve,
    )

__version__ = "0.1.0"

__all__ = [
    "Budget",
    "DigitDuelError",
    "Duel",
    "Evaluation",
    "Evaluator",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidRulesetError",
    "Lookahead",
    "Match",
    "Move",
    "Outcome",
    "Position",
    "Record",
    "Ruleset",
    "Side",
    "Solution",
    "StorageError",
    "Termination",
    "TooLargeError",
    "UnreadableError",
    "Value",
    "evaluator_for",
    "find_ruleset",
    "perft",
    "read_ruleset",
    "ruleset_keys",
    "solve",
]

# Where each name lives that is no error; imported when first used, so that commands start at once.
_ROOMS = {
    "duel": ("Duel",),
    "game": ("Game",),
    "match": ("Match",),
    "position": ("Move", "Outcome", "Position", "Side", "Termination", "perft"),
    "record": ("Record",),
    "ruleset": ("Ruleset", "find_ruleset", "read_ruleset", "ruleset_keys"),
    "solver": (
        *("Budget", "Evaluation", "Evaluator", "Lookahead", "Solution", "Value"),
        *("evaluator_for", "solve"),
    ),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}
_LARGER_ROOMS = ("players", "teach")


def __getattr__(name: str) -> object:
    if name in _LARGER_ROOMS:
        return import_module(f"digitduel.{name}")
    if name in __all__:
        return getattr(import_module(f"digitduel.{_ROOM_OF.get(name, 'errors')}"), name)
    raise AttributeError(f"module 'digitduel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LARGER_ROOMS})
