"""The rules themselves: an immutable position, the moves it allows, and how a game ends.

Every test of the rules is a remainder, so a position keeps the number modulo
lcm(target, forbidden divisors) and never turns its digits into an integer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from digitduel.errors import IllegalMoveError, InvalidPositionError
from digitduel.fields import format_digits
from digitduel.moves import END_LETTERS as END_LETTERS
from digitduel.moves import Move as Move
from digitduel.moves import MoveTable, move_table
from digitduel.ruleset import Ruleset
from digitduel.states.endings import distance, divides, grown, remainder, spoiled, stuck, wins_full
from digitduel.text import as_html, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.moves import Choices, Used


class Side(Enum):
    """Who moves: the starter of the round, or the other."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return SECOND if self is FIRST else FIRST


FIRST, SECOND = Side  # an enumeration takes its time to look a name up


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


class State(NamedTuple):
    """What the rules need to know of a number, besides its length."""

    residue: int  # the number modulo the rule set's modulus
    place: int  # 10^length modulo the same: what a digit on the left is worth
    used: Used  # how often each digit has been used; () when that is free


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
    _table: MoveTable = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.ruleset, Ruleset):
            given = quoted(self.ruleset)
            raise InvalidPositionError(f"{given} is no rule set: give find_ruleset('pool'), say.")
        replayed = _replayed(self.ruleset, self.number)
        _set_state(self, replayed.state)
        _set_ending(self, replayed.ending)
        _set_table(self, replayed._table)

    def __reduce__(self) -> tuple[object, ...]:
        return _copied, (self.ruleset, self.number, self.state, self.ending)

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
        return SECOND if len(self.number) % 2 else FIRST

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
        return self._choices.legal if self.ending is None else ()

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
        """Why a move is not allowed here, or None when it is."""
        rules, choices = self.ruleset, self._choices
        if self.ending is not None:
            return f"{move} comes too late: the game is over."
        if move in choices.placements:
            return None
        some = format_digits(tuple({choice.digit for choice in choices.legal}))
        if move.digit not in rules.digits:
            return f"{move.digit} is not in this game: choose from {some}."
        if move.digit not in self.available_digits:
            return f"{move.digit} is used up: choose from {some}."
        if move.end is None and rules.ends == "both":
            return f"{move} needs a side: write {move}L for the left end or {move}R for the right."
        if move.end is not None and move.end not in END_LETTERS[rules.ends]:
            ends = "left or right" if rules.ends == "both" else rules.ends
            return f"{move} is not possible: digits only go to the {ends} end here."
        return f"{move} would make the number begin with 0, which is switched off here."

    def play(self, move: Move | str) -> Position:
        """The position after a move or its text; IllegalMoveError says why if it is not allowed."""
        if not isinstance(move, Move):
            move = Move.parse(str(move))
        placed = self._choices.placements.get(move) if self.ending is None else None
        if placed is None:
            raise IllegalMoveError(self.refusal(move))
        (digit, left, used), (residue, place, _) = placed, self.state
        rules, modulus = self.ruleset, self.ruleset.modulus
        number = f"{digit}{self.number}" if left else f"{self.number}{digit}"
        longer = grown(residue, digit, place if left else None) % modulus
        state = _new_state(State, (longer, place * 10 % modulus, used))
        after = _reached(rules, number, state, self._table)
        # Where nothing is forbidden the modulus is the target: a residue of 0 is a multiple.
        if not longer or rules.forbidden or rules.can_stick or len(number) == rules.capacity:
            _set_ending(after, after._ending_after(residue))
        return after

    def before(self, move: Move, state: State) -> Position:
        """The position before `move` led here, from the `state` that was kept of it."""
        number = self.number[1:] if self.goes_left(move) else self.number[:-1]
        return _reached(self.ruleset, number, state, self._table)

    def as_written(self, move: Move) -> Move:
        """A legal move as records write it: no side where only one end is open."""
        return move if self.ruleset.ends == "both" else Move(move.digit)

    @property
    def _choices(self) -> Choices:
        """The moves there are, if the game goes on."""
        return self._table[self.state.used if self.number else None]

    def goes_left(self, move: Move) -> bool:
        """Whether a move puts its digit on the left."""
        return move.end == "L" or self.ruleset.ends == "left"

    def residue_after(self, move: Move) -> int:
        """The residue of the number that a move makes, legal or not."""
        residue, place, _ = self.state
        longer: int = grown(residue, move.digit, place if self.goes_left(move) else None)
        return longer % self.ruleset.modulus

    def _residues_ahead(self) -> Iterator[int]:
        """The residues of the numbers that the moves make."""
        (residue, place, _), modulus = self.state, self.ruleset.modulus
        legal, placements = self._choices
        for move in legal:
            digit, left, _ = placements[move]
            yield grown(residue, digit, place if left else None) % modulus

    def _ending_after(self, previous_residue: int) -> Outcome | None:
        """How the move that led here, from a number with this residue, ended the game."""
        rules, residue = self.ruleset, self.state.residue
        other = self.turn
        mover = other.other
        if rules.forbidden and spoiled(rules.forbidden, residue):
            return Outcome(Termination.FORBIDDEN, other)
        if residue % rules.target == 0:
            return Outcome(Termination.TARGET, mover)
        if len(self.number) == rules.capacity:
            last_wins = wins_full(rules, residue, previous_residue)
            return Outcome(FULL_ENDINGS[rules.full], mover if last_wins else other)
        if rules.can_stick and stuck(rules.forbidden, self._residues_ahead()):
            return Outcome(Termination.STUCK, mover)
        return None


# Whoever makes a position sets its slots; afterwards it is frozen.
_new_position, _new_state = object.__new__, tuple.__new__
_set_ruleset, _set_number, _set_state, _set_ending, _set_table = (
    getattr(Position, name).__set__ for name in Position.__slots__
)


def _reached(ruleset: Ruleset, number: str, state: State, table: MoveTable) -> Position:
    """The position of a number that is known to be one, before it is seen whether it ended."""
    position = _new_position(Position)
    _set_ruleset(position, ruleset)
    _set_number(position, number)
    _set_state(position, state)
    _set_ending(position, None)
    _set_table(position, table)
    return position


def _copied(ruleset: Ruleset, number: str, state: State, ending: Outcome | None) -> Position:
    """A position as it was, from what is kept of it in a file."""
    position = _reached(ruleset, number, state, move_table(ruleset))
    _set_ending(position, ending)
    return position


def _replayed(ruleset: Ruleset, number: str) -> Position:
    """The position of a number, its digits played one by one."""

    def refused(why: str) -> InvalidPositionError:
        return InvalidPositionError(f"{quoted(number)} is no number of {ruleset.key}: {why}")

    if not isinstance(number, str) or not re.fullmatch("[0-9]*", number):
        raise refused("write its digits as a text, 0 to 9 and nothing else.")
    if ruleset.capacity is not None and len(number) > ruleset.capacity:
        raise refused(f"it has {len(number)} digits, and {ruleset.capacity} are the most.")
    if len(number) == ruleset.capacity and (ruleset.ends, ruleset.full) == ("both", "closest"):
        raise refused("it is full, and the last move decides who was closer: play the moves.")
    table, two_ends = move_table(ruleset), ruleset.ends == "both"
    position = _reached(ruleset, "", State(0, 1, table.unused), table)
    for digit in map(int, reversed(number) if ruleset.ends == "left" else number):
        if two_ends:  # another way may have led here
            _set_ending(position, None)
        try:
            position = position.play(Move(digit, "R" if two_ends else None))
        except IllegalMoveError as error:
            raise refused(f"after {quoted(position.number)}: {error}") from None
    return position


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
