"""Digit Duel: two-player games of adding digits to a shared number.

>>> from digitduel import Game, Move, find_ruleset
>>> game = Game(find_ruleset("pool").replace(target=12))
>>> game.push(Move.parse("7"))
>>> [str(move) for move in game.position.legal_moves]
['1', '2', '3', '4', '5', '6', '8', '9']
"""

from digitduel.errors import (
    DigitDuelError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidRecordError,
    InvalidRulesetError,
    StorageError,
    TooLargeError,
)
from digitduel.game import Game
from digitduel.match import Match
from digitduel.position import Move, Outcome, Position, Side, Termination, perft
from digitduel.record import Record
from digitduel.ruleset import Ruleset, find_ruleset, read_ruleset, ruleset_keys

__version__ = "0.1.0"

__all__ = [
    "DigitDuelError",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidRecordError",
    "InvalidRulesetError",
    "Match",
    "Move",
    "Outcome",
    "Position",
    "Record",
    "Ruleset",
    "Side",
    "StorageError",
    "Termination",
    "TooLargeError",
    "find_ruleset",
    "perft",
    "read_ruleset",
    "ruleset_keys",
]
