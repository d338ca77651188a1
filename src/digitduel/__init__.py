"""Digit Duel: two-player games of adding digits to a shared number.

>>> from digitduel import Game, Move, find_ruleset, solve
>>> game = Game(find_ruleset("pool").replace(target=12))
>>> game.push(Move.parse("7"))
>>> [str(move) for move in game.position.legal_moves]
['1', '2', '3', '4', '5', '6', '8', '9']
>>> solve(game.ruleset).probe(game.position)
Evaluation(value=<Value.WIN: 'win'>, plies=1)
"""

from typing import TYPE_CHECKING

from digitduel.lazy import lazy_names

if TYPE_CHECKING:  # each as itself, which makes it part of the interface
    from digitduel.duel import Duel as Duel
    from digitduel.errors import DigitDuelError as DigitDuelError
    from digitduel.errors import IllegalMoveError as IllegalMoveError
    from digitduel.errors import InvalidMoveError as InvalidMoveError
    from digitduel.errors import InvalidPositionError as InvalidPositionError
    from digitduel.errors import InvalidPuzzleError as InvalidPuzzleError
    from digitduel.errors import InvalidRecordError as InvalidRecordError
    from digitduel.errors import InvalidRulesetError as InvalidRulesetError
    from digitduel.errors import StorageError as StorageError
    from digitduel.errors import TooLargeError as TooLargeError
    from digitduel.errors import UnreadableError as UnreadableError
    from digitduel.game import Game as Game
    from digitduel.match import Match as Match
    from digitduel.position import Move as Move
    from digitduel.position import Outcome as Outcome
    from digitduel.position import Position as Position
    from digitduel.position import Side as Side
    from digitduel.position import Termination as Termination
    from digitduel.position import perft as perft
    from digitduel.record import Record as Record
    from digitduel.ruleset import Ruleset as Ruleset
    from digitduel.ruleset import find_ruleset as find_ruleset
    from digitduel.ruleset import read_ruleset as read_ruleset
    from digitduel.ruleset import ruleset_keys as ruleset_keys
    from digitduel.ruleset import setting_names as setting_names
    from digitduel.solver import Budget as Budget
    from digitduel.solver import Evaluation as Evaluation
    from digitduel.solver import Evaluator as Evaluator
    from digitduel.solver import Lookahead as Lookahead
    from digitduel.solver import Solution as Solution
    from digitduel.solver import Value as Value
    from digitduel.solver import evaluator_for as evaluator_for
    from digitduel.solver import solve as solve

__version__ = "0.1.0"

_ROOMS = {
    "duel": ("Duel",),
    "errors": (
        *("DigitDuelError", "IllegalMoveError", "InvalidMoveError", "InvalidPositionError"),
        *("InvalidPuzzleError", "InvalidRecordError", "InvalidRulesetError", "StorageError"),
        *("TooLargeError", "UnreadableError"),
    ),
    "game": ("Game",),
    "match": ("Match",),
    "position": ("Move", "Outcome", "Position", "Side", "Termination", "perft"),
    "record": ("Record",),
    "ruleset": ("Ruleset", "find_ruleset", "read_ruleset", "ruleset_keys", "setting_names"),
    "solver": (
        *("Budget", "Evaluation", "Evaluator", "Lookahead", "Solution", "Value"),
        *("evaluator_for", "solve"),
    ),
}
_LARGER_ROOMS = ("players", "teach")
__getattr__, __all__ = lazy_names(__name__, _ROOMS, _LARGER_ROOMS)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LARGER_ROOMS})
