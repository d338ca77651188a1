"""Everything that can be refused, in one tree.

    ValueError
    └── DigitDuelError
        ├── InvalidRulesetError   parameters, or a game file, that make no game
        ├── InvalidMoveError      text that is not a move at all
        ├── IllegalMoveError      a move, but not one allowed here
        ├── InvalidPositionError  a position that has no value: finished, or of other rules
        ├── InvalidPuzzleError    a position or a name that makes no puzzle
        ├── InvalidRecordError    a record or save file that cannot be read as one
        ├── StorageError          a file that cannot be written or kept
        │   └── UnreadableError   a file that was named and cannot be read
        └── TooLargeError         a computation that would not fit the memory allowed

A message names what was given, why it is refused, and what would be accepted.
"""


class DigitDuelError(ValueError):
    """The base of every error this package raises on purpose."""


class InvalidRulesetError(DigitDuelError):
    """Parameters that make no game."""


class InvalidMoveError(DigitDuelError):
    """Text that is not a move at all."""


class IllegalMoveError(DigitDuelError):
    """A move that is not allowed in this position."""


class InvalidPositionError(DigitDuelError):
    """A position that has no value: the game is over, or it belongs to other rules."""


class InvalidPuzzleError(DigitDuelError):
    """A position that is no puzzle, or a name or a wish that no puzzle answers to."""


class InvalidRecordError(DigitDuelError):
    """A record or save file that does not hold a game."""


class StorageError(DigitDuelError):
    """A file that cannot be read or written."""


class UnreadableError(StorageError):
    """A file that was named is missing, or is nothing that can be read."""


class TooLargeError(DigitDuelError):
    """A computation that would need more memory than it may use."""
