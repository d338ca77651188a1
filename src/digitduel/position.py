"""The rules themselves: an immutable position, the moves it allows, and how a game ends.

Every test of the rules is a remainder, so a position keeps the number modulo
lcm(target, forbidden divisors) and never turns its digits into an integer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from digitduel.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError
from digitduel.fields import format_digits
from digitduel.ruleset import Ruleset
from digitduel.states.endings import distance, divides, grown, remainder, spoiled, stuck, wins_full
from digitduel.text import as_html, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator


class Side(Enum):
    """Who moves: the starter of the round, or the other."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class Termination(Enum):
    """Why a game is over."""

    TARGET = "target"
    FORBIDDEN = "forbidden"
    STUCK = "stuck"
    FULL = "full"
    CLOSEST = "closest"
    RESIGNED = "resigned"
    CALLED_OFF = "called-off"
    TIME = "time"


class Outcome(NamedTuple):
    """How a game ended; no winner when it was called off, or time ran out and nobody could win."""

    termination: Termination
    winner: Side | None


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


class State(NamedTuple):
    """What the rules need to know of a number, besides its length."""

    residue: int  # the number modulo the rule set's modulus
    place: int  # 10^length modulo the same: what a digit on the left is worth
    used: tuple[int, ...]  # how often each digit has been used; () when that is free


_set = object.__setattr__  # for whoever makes a position; afterwards it is frozen
# The ends a digit can go to, as `legal_moves` writes and orders them.
END_LETTERS = {"right": ("R",), "left": ("L",), "both": ("L", "R")}
# How a full number ends the game, by the rule for it.
FULL_ENDINGS = {"last-loses": Termination.FULL, "closest": Termination.CLOSEST}


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A number under construction. `Position(ruleset)` is the start of a game.

    A number that no game of these rules comes to is refused with an InvalidPositionError. Where
    both ends are open the moves that made it are not known: then nothing is said of whether the
    game would have been over on the way, and a full number is refused where it matters which
    number was the one before.

    >>> from digitduel import find_ruleset
    >>> pool = find_ruleset("pool")
    >>> Position(pool, "52").remainder
    3
    >>> Position(pool).play(Move(1)).play(Move(4)).outcome()
    Outcome(termination=<Termination.TARGET: 'target'>, winner=<Side.SECOND: 'second'>)
    """

    ruleset: Ruleset
    number: str = ""
    state: State = field(init=False)
    ending: Outcome | None = field(init=False)  # None while the game goes on

    def __post_init__(self) -> None:
        if not isinstance(self.ruleset, Ruleset):
            given = quoted(self.ruleset)
            raise InvalidPositionError(f"{given} is no rule set: give find_ruleset('pool'), say.")
        state, ending = _replayed(self.ruleset, self.number)
        _set(self, "state", state)
        _set(self, "ending", ending)

    @classmethod
    def _reached(cls, ruleset: Ruleset, number: str, state: State) -> Position:
        """The position of a number whose state is known, before it is seen whether it ended."""
        position = object.__new__(cls)
        _set(position, "ruleset", ruleset)
        _set(position, "number", number)
        _set(position, "state", state)
        _set(position, "ending", None)
        return position

    def __repr__(self) -> str:
        said = self.ending.termination.value if self.ending else f"{self.turn.value} to move"
        number, rules = quoted(self.number), self.ruleset
        return f"<Position {number} of {rules.key} {rules.target}: {said}>"

    def _repr_html_(self) -> str:
        rows = {"digits left": format_digits(self.available_digits) or "none"}
        if self.number:
            rows |= {f"remainder by {self.ruleset.target}": str(self.remainder)}
        return as_html(repr(self), rows)

    @property
    def turn(self) -> Side:
        """The side to move (once the game is over: the side that would be)."""
        return Side.SECOND if len(self.number) % 2 else Side.FIRST

    @property
    def remainder(self) -> int:
        """What the target leaves of the number."""
        return int(remainder(self.state.residue, self.ruleset.target))

    @property
    def distance(self) -> int:
        """How far the number is from the nearest multiple of the target."""
        return int(distance(self.ruleset.target, self.state.residue))

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.ending

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move allowed here, in order; empty exactly when the game is over."""
        return tuple(self._candidates()) if self.ending is None else ()

    @property
    def winning_moves(self) -> tuple[Move, ...]:
        """The legal moves that win at once."""
        endings = [(move, self.play(move).ending) for move in self.legal_moves]
        return tuple(move for move, ending in endings if ending and ending.winner is self.turn)

    @property
    def available_digits(self) -> tuple[int, ...]:
        """The digits that are not used up."""
        uses, digits = self.ruleset.uses, self.ruleset.digits
        if uses is None:
            return digits
        used = self.state.used
        return tuple(d for d, count in zip(digits, used, strict=True) if count < uses)

    @property
    def forbidden_divisors(self) -> tuple[int, ...]:
        """The forbidden divisors that divide the number."""
        if not self.number:
            return ()
        forbidden, residue = self.ruleset.forbidden, self.state.residue
        return tuple(divisor for divisor in forbidden if divides(divisor, residue))

    def refusal(self, move: Move) -> str | None:
        """Why a move is not allowed here, or None when it is. `play` asks this and nothing else."""
        rules = self.ruleset
        if self.ending is not None:
            return f"{move} comes too late: the game is over."
        if move.digit not in rules.digits:
            return f"{move.digit} is not in this game: choose from {self._choices()}."
        if move.digit not in self.available_digits:
            return f"{move.digit} is used up: choose from {self._choices()}."
        if move.end is None and rules.ends == "both":
            return f"{move} needs a side: write {move}L for the left end or {move}R for the right."
        if move.end is not None and move.end not in END_LETTERS[rules.ends]:
            ends = "left or right" if rules.ends == "both" else rules.ends
            return f"{move} is not possible: digits only go to the {ends} end here."
        if self._makes_leading_zero(move):
            return f"{move} would make the number begin with 0, which is switched off here."
        return None

    def play(self, move: Move | str) -> Position:
        """The position after a move or its text; IllegalMoveError says why if it is not allowed."""
        move = Move.of(move)
        refusal = self.refusal(move)
        if refusal is not None:
            raise IllegalMoveError(refusal)
        if self.goes_left(move):
            number = f"{move.digit}{self.number}"
        else:
            number = f"{self.number}{move.digit}"
        after = self._reached(self.ruleset, number, self._after(move))
        _set(after, "ending", after._ending_after(self.state.residue))
        return after

    def before(self, move: Move, state: State) -> Position:
        """The position before `move` led here, from the `state` that was kept of it."""
        number = self.number[1:] if self.goes_left(move) else self.number[:-1]
        return self._reached(self.ruleset, number, state)

    def as_written(self, move: Move) -> Move:
        """A legal move as records write it: no side where only one end is open."""
        return move if self.ruleset.ends == "both" else Move(move.digit)

    def _candidates(self) -> Iterator[Move]:
        rules = self.ruleset
        ends: tuple[str | None, ...] = (None,)
        if rules.ends == "both":
            ends = END_LETTERS["both"] if self.number else ("R",)
        for digit in self.available_digits:
            for end in ends:
                move = Move(digit, end)
                if not self._makes_leading_zero(move):
                    yield move

    def _choices(self) -> str:
        return format_digits(tuple({move.digit for move in self._candidates()}))

    def goes_left(self, move: Move) -> bool:
        """Whether a move puts its digit on the left."""
        return move.end == "L" or self.ruleset.ends == "left"

    def _makes_leading_zero(self, move: Move) -> bool:
        if move.digit or self.ruleset.leading_zero:
            return False
        return not self.number or self.goes_left(move)

    def residue_after(self, move: Move) -> int:
        """The residue of the number that a move makes, legal or not."""
        residue, place, _ = self.state
        longer: int = grown(residue, move.digit, place if self.goes_left(move) else None)
        return longer % self.ruleset.modulus

    def _after(self, move: Move) -> State:
        rules, (_, place, used) = self.ruleset, self.state
        if used:
            index = rules.digits.index(move.digit)
            used = (*used[:index], used[index] + 1, *used[index + 1 :])
        return State(self.residue_after(move), place * 10 % rules.modulus, used)

    def _ending_after(self, previous_residue: int) -> Outcome | None:
        """How the move that led here, from a number with this residue, ended the game."""
        rules, residue, mover = self.ruleset, self.state.residue, self.turn.other
        if spoiled(rules.forbidden, residue):
            return Outcome(Termination.FORBIDDEN, mover.other)
        if divides(rules.target, residue):
            return Outcome(Termination.TARGET, mover)
        if len(self.number) == rules.capacity:
            winner = mover if wins_full(rules, residue, previous_residue) else mover.other
            return Outcome(FULL_ENDINGS[rules.full], winner)
        if stuck(rules.forbidden, map(self.residue_after, self._candidates())):
            return Outcome(Termination.STUCK, mover)
        return None


def _replayed(ruleset: Ruleset, number: str) -> tuple[State, Outcome | None]:
    """The state and the ending of a number, its digits played one by one."""

    def refused(why: str) -> InvalidPositionError:
        return InvalidPositionError(f"{quoted(number)} is no number of {ruleset.key}: {why}")

    if not isinstance(number, str) or not re.fullmatch("[0-9]*", number):
        raise refused("write its digits as a text, 0 to 9 and nothing else.")
    if ruleset.capacity is not None and len(number) > ruleset.capacity:
        raise refused(f"it has {len(number)} digits, and {ruleset.capacity} are the most.")
    if len(number) == ruleset.capacity and (ruleset.ends, ruleset.full) == ("both", "closest"):
        raise refused("it is full, and the last move decides who was closer: play the moves.")
    unused = () if ruleset.uses is None else (0,) * len(ruleset.digits)
    two_ends, position = ruleset.ends == "both", Position._reached(ruleset, "", State(0, 1, unused))
    for digit in map(int, reversed(number) if ruleset.ends == "left" else number):
        if two_ends:  # another way may have led here
            _set(position, "ending", None)
        try:
            position = position.play(Move(digit, "R" if two_ends else None))
        except IllegalMoveError as error:
            raise refused(f"after {quoted(position.number)}: {error}") from None
    return position.state, position.ending


def perft(position: Position, depth: int) -> int:
    """How many lines of exactly `depth` moves there are; a line stops where its game is over.

    >>> from digitduel import find_ruleset
    >>> perft(Position(find_ruleset("pool")), 2)
    64
    """
    if depth <= 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves)
