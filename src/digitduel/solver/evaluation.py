"""What a position is worth to the side to move, and the interface of whoever can say so."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from digitduel.errors import InvalidPositionError
from digitduel.fields import RULES

if TYPE_CHECKING:
    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset

Default = TypeVar("Default")


class Value(Enum):
    """What best play leads to, for the side to move."""

    WIN = "win"
    LOSS = "loss"
    ENDLESS = "endless"
    UNKNOWN = "unknown"  # only ever said by a Lookahead: no forced result within its depth


class Evaluation(NamedTuple):
    """A value and how many plies best play takes to the end; no plies where there is no end."""

    value: Value
    plies: int | None = None

    @property
    def merit(self) -> tuple[int, int]:
        """What the side to move prefers is greater: quick wins, then no end, then slow losses.

        >>> Evaluation(Value.WIN, 1).merit > Evaluation(Value.WIN, 3).merit
        True
        """
        if self.plies is None:
            return 0, 0
        return (1, -self.plies) if self.value is Value.WIN else (-1, self.plies)

    def before(self) -> Evaluation:
        """What the move that led here was worth to the player who made it.

        >>> Evaluation(Value.LOSS, 4).before()
        Evaluation(value=<Value.WIN: 'win'>, plies=5)
        """
        if self.plies is None:
            return self
        return WINS[self.plies + 1] if self.value is Value.LOSS else LOSSES[self.plies + 1]


class _ByPlies(dict[int, Evaluation]):
    """One object for each evaluation, made when it is first asked for."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __missing__(self, plies: int) -> Evaluation:
        return self.setdefault(plies, Evaluation(self.value, plies))


WINS, LOSSES = _ByPlies(Value.WIN), _ByPlies(Value.LOSS)
ENDLESS, UNKNOWN = Evaluation(Value.ENDLESS), Evaluation(Value.UNKNOWN)


class Evaluator(ABC):
    """Whoever can say what the positions of one rule set are worth."""

    exact = False  # whether every answer is the value itself
    note: str | None = None  # what to tell people where it is not

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._same = ruleset  # the last rule set seen to have equal rules: not compared again

    @abstractmethod
    def probe(self, position: Position) -> Evaluation:
        """What a position is worth; InvalidPositionError if finished or of other rules."""

    def get(
        self, position: Position, default: Default | None = None
    ) -> Evaluation | Default | None:
        """What a position is worth, or the default where `probe` would raise."""
        try:
            return self.probe(position)
        except InvalidPositionError:
            return default

    def move_values(self, position: Position) -> dict[Move, Evaluation]:
        """What each legal move is worth to the player who makes it; plies count the move."""
        self._check(position)
        return {move: self._after(position.play(move)) for move in position.legal_moves}

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """The legal moves that keep the value: a winner hurries, a loser delays."""
        values = self.move_values(position)
        most = max(value.merit for value in values.values())
        return tuple(move for move, value in values.items() if value.merit == most)

    def sight(self, position: Position) -> int | None:
        """How many plies ahead this evaluator sees; None where it sees to the end."""
        del position  # only a look-ahead sees farther here than there
        return None

    def _after(self, position: Position) -> Evaluation:
        """What the move that made this position was worth to its player."""
        if position.ending is None:
            return self.probe(position).before()
        return WINS[1] if position.ending.winner is position.turn.other else LOSSES[1]

    def _check(self, position: Position) -> None:
        """Refuse what has no value here. `probe` repeats the two tests, for speed."""
        if position.ruleset is not self._same:
            if rules_key(position.ruleset) != rules_key(self.ruleset):
                raise InvalidPositionError(
                    f"a position of {position.ruleset.key} (target {position.ruleset.target}) has "
                    f"no value here: these are the values of {self.ruleset.key} "
                    f"(target {self.ruleset.target}), and the rules differ."
                )
            self._same = position.ruleset
        if position.ending is not None:
            raise InvalidPositionError(
                f"{position.number} has no value: the game is over. Ask about a position in play."
            )


def rules_key(ruleset: Ruleset) -> tuple[object, ...]:
    """The fields that decide who wins: rule sets that agree in them share their values."""
    return tuple(getattr(ruleset, name) for name in RULES)


def state_key(position: Position) -> tuple[object, ...]:
    """What decides the rest of the game: positions that share it share value and future.

    >>> from digitduel import Move, Position, find_ruleset
    >>> start = Position(find_ruleset("forbidden"))
    >>> state_key(start.play(Move(1))) == state_key(start.play(Move(1)).play(Move(1)))
    False
    """
    rules, (residue, place, used) = position.ruleset, position.state
    length = min(len(position.number), 1) if rules.capacity is None else len(position.number)
    return length, residue, 0 if rules.ends == "right" else place, used
