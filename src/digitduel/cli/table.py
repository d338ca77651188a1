"""A match on the table. It changes only by events, so that a save file can be played again."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from digitduel.errors import DigitDuelError, InvalidRecordError
from digitduel.game import Game
from digitduel.match import Match, seat_of, side_of
from digitduel.players import PLAYERS
from digitduel.position import Move
from digitduel.record import Record
from digitduel.ruleset import Ruleset, ruleset_from, table_from
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

Event = dict[str, Any]

HUMAN = "human"
NONE = type(None)

# What a save file holds, so that a damaged one is found before it is played.
JSON_KINDS: dict[str, tuple[type, ...]] = {
    "rules": (dict,),
    "rounds": (int,),
    "best_of": (bool,),
    "first": (int,),
    "alternate": (bool,),
    "players": (list,),
    "names": (list,),
    "seed": (int,),
    "max_moves": (int, NONE),
    "record": (str, NONE),
    "hints": (bool,),
}
LONGEST_NAME = 40


@dataclass(frozen=True)
class Setup:
    """What was agreed before the first move."""

    ruleset: Ruleset
    match: Match = field(default_factory=Match)
    players: tuple[str, str] = (HUMAN, HUMAN)
    names: tuple[str, str] = ("Player 1", "Player 2")
    seed: int = 0
    max_moves: int | None = None
    record: str | None = None
    hints: bool = False

    def __post_init__(self) -> None:
        for player in self.players:
            if player not in (HUMAN, *PLAYERS):
                hint = did_you_mean(str(player), (HUMAN, *PLAYERS))
                raise DigitDuelError(f"there is no player called {quoted(player)}: {hint}")
        for name in self.names:
            if (
                not isinstance(name, str)
                or not name.strip()
                or not name.isprintable()
                or len(name) > LONGEST_NAME
            ):
                raise DigitDuelError(
                    f"{quoted(name)} is no name: give up to {LONGEST_NAME} visible characters."
                )
        if self.names[0] == self.names[1]:
            raise DigitDuelError(
                f"both players are called {quoted(self.names[0])}: tell them apart."
            )

    def is_human(self, seat: int) -> bool:
        """Whether a person sits there."""
        return self.players[seat - 1] == HUMAN

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON values; `from_json` reads it back."""
        return {
            "rules": table_from(self.ruleset),
            "rounds": self.match.rounds,
            "best_of": self.match.best_of,
            "first": self.match.first,
            "alternate": self.match.alternate,
            "players": list(self.players),
            "names": list(self.names),
            "seed": self.seed,
            "max_moves": self.max_moves,
            "record": self.record,
            "hints": self.hints,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Setup:
        """The set-up that a save file begins with."""
        for name, kinds in JSON_KINDS.items():
            if not isinstance(data[name], kinds):
                raise InvalidRecordError(f"{name} = {quoted(data[name])} is not what it should be.")
        match = Match(data["rounds"], data["best_of"], data["first"], data["alternate"])
        (p1, p2), (n1, n2) = data["players"], data["names"]
        return cls(
            ruleset=ruleset_from(data["rules"]),
            match=match,
            players=(p1, p2),
            names=(n1, n2),
            seed=data["seed"],
            max_moves=data["max_moves"],
            record=data["record"],
            hints=data["hints"],
        )


def _is_name(name: object) -> bool:
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        return False
    return bool(name.strip()) and name.isprintable()


class Table:
    """The rounds played so far and the game being played."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = Game(setup.ruleset)
        self.match = setup.match
        self.finished: list[Record] = []
        # What the record file held when it was last written, to tell it from somebody else's.
        self.recorded: str | None = None

    @property
    def seat(self) -> int:
        """The seat to move."""
        return seat_of(self.game.turn, self.match.starter)

    @property
    def name(self) -> str:
        """The name of whoever is to move."""
        return self.setup.names[self.seat - 1]

    @property
    def round_winner(self) -> int | None:
        """The seat that won the game on the table."""
        outcome = self.game.outcome()
        if outcome is None or outcome.winner is None:
            return None
        return seat_of(outcome.winner, self.match.starter)

    @property
    def standing(self) -> Match:
        """The match, with the game on the table counted once it is over."""
        over = self.game.outcome() is not None
        return self.match.after(self.round_winner) if over else self.match

    @property
    def records(self) -> list[Record]:
        """Every game so far, the one on the table last."""
        number = self.match.round if self.match.rounds > 1 else None
        now = Record.of(self.game, self.setup.names, self.match.starter, number)
        return [*self.finished, now]

    def dice(self) -> Random:
        """Randomness for this very move: a game that is resumed goes on as it would have."""
        ply = len(self.game.move_stack)
        return Random(f"{self.setup.seed}/{self.match.round}/{ply}")  # noqa: S311  (a game)

    def apply(self, event: Event) -> None:
        """Let one thing happen; DigitDuelError says why it cannot."""
        if len(event) != 1 or next(iter(event)) not in EVENTS:
            raise InvalidRecordError(f"{quoted(event)} is not an event of a game.")
        ((name, value),) = event.items()
        EVENTS[name](self, value)

    def _move(self, text: str) -> None:
        self.game.push(Move.parse(text))

    def _undo(self, count: int) -> None:
        for _ in range(count):
            self.game.pop()

    def _resign(self, seat: int) -> None:
        if seat not in (1, 2):
            raise InvalidRecordError(f"seat {quoted(seat)} cannot resign: the seats are 1 and 2.")
        self.game.resign(side_of(seat, self.match.starter))

    def _off(self, _: object) -> None:
        self.game.call_off()

    def _round(self, number: int) -> None:
        if self.game.outcome() is None or number != self.match.round + 1:
            raise InvalidRecordError(f"round {number} cannot begin here.")
        self.finished = self.records
        self.match = self.standing
        self.game = Game(self.setup.ruleset)

    def _recorded(self, text_hash: str) -> None:
        self.recorded = text_hash


EVENTS: dict[str, Callable[[Table, Any], None]] = {
    "move": Table._move,
    "undo": Table._undo,
    "resign": Table._resign,
    "off": Table._off,
    "round": Table._round,
    "recorded": Table._recorded,
}
