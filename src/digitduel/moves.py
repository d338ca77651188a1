"""What a move is, and which moves a rule set allows: worked out once, whatever the target."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from digitduel.errors import InvalidMoveError
from digitduel.states.shape import Shape
from digitduel.text import quoted

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

Used = tuple[int, ...]  # how often each digit has been used; () when that is free

# The ends a digit can go to, as `legal_moves` writes and orders them.
END_LETTERS = {"right": ("R",), "left": ("L",), "both": ("L", "R")}
# So many choices are kept for a shape: all of most games, some megabytes of any.
MOST_KEPT = 1024


class Move(NamedTuple):
    """A digit and, where it matters, the end it goes to: 'L', 'R' or None for unsaid."""

    digit: int
    end: str | None = None

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move; `str` gives it back.

        >>> Move.parse("5R")
        Move(digit=5, end='R')
        """
        match = re.fullmatch(r"\s*([0-9])([LRlr]?)\s*", text)
        if not match:
            raise InvalidMoveError(
                f"{quoted(text)} is not a move: write one digit, "
                "and L or R behind it where both ends are open."
            )
        return cls(int(match[1]), match[2].upper() or None)

    @classmethod
    def of(cls, move: Move | str) -> Move:
        """A move as it is, or what a text says."""
        return move if isinstance(move, cls) else cls.parse(str(move))

    def __str__(self) -> str:
        return f"{self.digit}{self.end or ''}"


class Placement(NamedTuple):
    """What a move does."""

    digit: int
    left: bool  # whether the digit goes to the left
    used: Used  # how often each digit has been used afterwards


class Choices(NamedTuple):
    """The moves that a player has, as long as the game goes on."""

    legal: tuple[Move, ...]  # in order, each as `legal_moves` writes it
    placements: dict[Move, Placement]  # the same, and other ways to write them


class MoveTable(dict[Used | None, Choices]):
    """The choices of a shape by what is used, found when asked for; None is the empty number.

    >>> table = MoveTable(Shape((1, 2), 1, "right", True, 2))
    >>> table[None].legal
    (Move(digit=1, end=None), Move(digit=2, end=None))
    >>> table[1, 0].placements[Move(2, "R")]
    Placement(digit=2, left=False, used=(1, 1))
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self._shape = shape
        self.unused: Used = () if shape.uses is None else (0,) * len(shape.digits)

    def __missing__(self, used: Used | None) -> Choices:
        if len(self) >= MOST_KEPT:
            self.clear()
        return self.setdefault(used, self._find(*((self.unused, 0) if used is None else (used, 1))))

    def _find(self, used: Used, length: int) -> Choices:
        shape, placements = self._shape, dict[Move, Placement]()
        two_ends = shape.ends == "both"
        takes = {end: shape.digits_at(length, end) for end in END_LETTERS[shape.ends]}
        for index, digit in enumerate(shape.digits):
            if used and used[index] == shape.uses:
                continue
            after = (*used[:index], used[index] + 1, *used[index + 1 :]) if used else ()
            for end in takes:
                if digit in takes[end]:
                    move, placed = Move(digit, end), Placement(digit, end == "L", after)
                    placements |= (
                        {move: placed} if two_ends else {Move(digit): placed, move: placed}
                    )
        # The ends of the empty number are the same, and written as the right one.
        ends = (("L", "R") if length else ("R",)) if two_ends else (None,)
        return Choices(tuple(move for move in placements if move.end in ends), placements)


def move_table(ruleset: Ruleset) -> MoveTable:
    """The choices of a rule set; targets that share a shape share them."""
    return _kept(Shape.of(ruleset, every_count=True))


_kept = lru_cache(maxsize=16)(MoveTable)
