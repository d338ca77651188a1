"""A game being played: the moves made so far, over a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from digitduel.errors import DigitDuelError, IllegalMoveError
from digitduel.position import Move, Outcome, Position, Side, Termination
from digitduel.ruleset import as_ruleset
from digitduel.text import as_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from digitduel.position import State
    from digitduel.ruleset import Ruleset


class PlayedGame(Protocol):
    """A game as it stands, whoever keeps its history."""

    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def position(self) -> Position: ...
    @property
    def previous(self) -> Position: ...
    @property
    def move_stack(self) -> Sequence[Move]: ...
    def outcome(self) -> Outcome | None: ...


class Game:
    """History beside the position: moves and small states, never a copy of each number.

    >>> game = Game("ends", ["5R", "1L"])
    >>> game.push("4R")
    >>> game.position.number, game.outcome().winner
    ('154', <Side.FIRST: 'first'>)
    """

    def __init__(self, ruleset: Ruleset | str, moves: Iterable[Move | str] = ()) -> None:
        """A game of a rule set, or of a shipped one by its key, after some moves or their texts."""
        self.ruleset = as_ruleset(ruleset)
        self.position = Position(self.ruleset)
        self.move_stack: list[Move] = []
        self._states: list[State] = []
        self._agreed: Outcome | None = None
        for move in moves:
            self.push(move)

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.position.turn

    def outcome(self) -> Outcome | None:
        """How the game ended: by the rules, by the clock or as agreed; None if it goes on."""
        return self.position.outcome() or self._agreed

    def push(self, move: Move | str) -> None:
        """Play a move, or its text; the record keeps it as the notation writes it."""
        move = Move.of(move)
        self._refuse_if_over(str(move))
        after = self.position.play(move)
        self._states.append(self.position.state)
        self.move_stack.append(self.position.as_written(move))
        self.position = after

    def pop(self) -> Move:
        """Take the last move back, and a resignation or agreement with it."""
        if not self.move_stack:
            raise IllegalMoveError("there is no move to take back: none has been played.")
        self._agreed = None
        self.position = self.previous
        self._states.pop()
        return self.move_stack.pop()

    def resign(self, side: Side | None = None) -> None:
        """Give the game to the other side; without a side, whoever is to move resigns."""
        self._refuse_if_over("resigning")
        self._agreed = Outcome(Termination.RESIGNED, (side or self.turn).other)

    def call_off(self) -> None:
        """Both sides agree to stop: no winner."""
        self._refuse_if_over("calling it off")
        self._agreed = Outcome(Termination.CALLED_OFF, None)

    def time_up(self, *, other_wins: bool) -> None:
        """The side to move has no time left; `other_wins` says whether the other still could."""
        self._refuse_if_over("running out of time")
        self._agreed = Outcome(Termination.TIME, self.turn.other if other_wins else None)

    def numbers(self) -> Iterator[str]:
        """The number after each move, in order."""
        position = Position(self.ruleset)
        for move in self.move_stack:
            position = position.play(move)
            yield position.number

    @property
    def previous(self) -> Position:
        """The position before the last move; the start when there was none."""
        if not self.move_stack:
            return self.position
        return self.position.before(self.move_stack[-1], self._states[-1])

    def __repr__(self) -> str:
        moves, ended = " ".join(map(str, self.move_stack)) or "no move yet", self.outcome()
        said = ended.termination.value if ended else f"{self.turn.value} to move"
        return f"<Game of {self.ruleset.key} {self.ruleset.target}: {moves}; {said}>"

    def _repr_html_(self) -> str:
        moves = " ".join(map(str, self.move_stack)) or "none yet"
        return as_html(repr(self.position), {"moves": moves})

    def _refuse_if_over(self, what: str) -> None:
        if self.outcome() is not None:
            raise IllegalMoveError(f"{what} comes too late: the game is over.")


def read_line(ruleset: Ruleset, moves: str | Iterable[Move | str]) -> Game:
    """The game that a line of moves leads to; the error says which move is wrong and why.

    >>> from digitduel import find_ruleset
    >>> read_line(find_ruleset("pool"), "5 2 1").position.number
    '521'
    """
    game = Game(ruleset)
    words = moves.replace(",", " ").split() if isinstance(moves, str) else moves
    for ply, word in enumerate(words, start=1):
        try:
            game.push(word)
        except DigitDuelError as error:
            raise type(error)(f"move {ply}: {error}") from None
    return game


def game_after(ruleset: Ruleset, moves: str | Iterable[Move | str]) -> Game:
    """The same for a line that must leave something to play."""
    game = read_line(ruleset, moves)
    if game.outcome() is not None:
        raise IllegalMoveError("the game is over after these moves: leave out the last.")
    return game
