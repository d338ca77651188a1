"""One match for the terminal and the browser: what was agreed, and the sum of its events.

    duel = Duel.begin(Terms(find_ruleset("pool")))
    duel = duel.after(Moved(Move.parse("5")))

Everything is frozen, so that threads may share it, and the duel after an event comes from the one
before it without playing the game again. A front door that keeps more of a match (who holds which
seat, where its record goes) adds fields in a subclass and events of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from digitduel.errors import DigitDuelError, IllegalMoveError, InvalidRecordError
from digitduel.game import position_before
from digitduel.match import SEATS, Match, seat_of, side_of
from digitduel.position import Move, Outcome, Position, Side, Termination
from digitduel.record import Record
from digitduel.terms import Terms, checked
from digitduel.text import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from digitduel.position import State
    from digitduel.ruleset import Ruleset

CALLED_OFF = Outcome(Termination.CALLED_OFF, None)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Ply:
    """A move with the state before it, linked to the ply before: histories share their tails."""

    move: Move
    state: State
    earlier: Ply | None
    number: int

    def __iter__(self) -> Iterator[Ply]:
        """This ply and those before it, the last first."""
        ply: Ply | None = self
        while ply is not None:
            yield ply
            ply = ply.earlier

    def __eq__(self, other: object) -> bool:
        # One by one: comparing by fields would recurse once for each ply.
        return isinstance(other, Ply) and [p.move for p in self] == [p.move for p in other]

    def __hash__(self) -> int:
        return hash((self.number, self.move))


@dataclass(frozen=True)
class Duel:
    """Two seats, the rounds that are finished, and the game being played."""

    terms: Terms
    match: Match  # with the rounds that are finished
    position: Position
    last: Ply | None = field(default=None, repr=False)
    agreed: Outcome | None = None  # resigned or called off
    offer: int | None = None  # the seat that proposes to call the round off
    finished: tuple[Record, ...] = ()

    @classmethod
    def begin(cls, terms: Terms, **added: Any) -> Self:
        """The match before its first move; `added` are the fields of a subclass."""
        return cls(terms, terms.match, Position(terms.ruleset), **added)

    def after(self, event: Event) -> Self:
        """The match after one more event; DigitDuelError says why it cannot be."""
        changed: Self = event.change(self)
        return changed

    # --- The game being played, with the names that a Game has. ---

    @property
    def ruleset(self) -> Ruleset:
        """The rules of every round."""
        return self.terms.ruleset

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of this round."""
        return tuple(ply.move for ply in self.last or ())[::-1]

    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The same."""
        return self.moves

    @property
    def ply(self) -> int:
        """How many moves have been made in this round."""
        return self.last.number if self.last else 0

    @property
    def previous(self) -> Position:
        """The position before the last move; the start when there was none."""
        last = self.last
        return position_before(self.position, last.move, last.state) if last else self.position

    def outcome(self) -> Outcome | None:
        """How the round ended; None while it goes on."""
        return self.position.outcome() or self.agreed

    # --- Who is who, and how it stands. ---

    @property
    def round(self) -> int:
        """The number of the round, from 1 on."""
        return self.match.round

    @property
    def seat(self) -> int:
        """The seat to move (once the round is over: the seat that would be)."""
        return self.seat_at(self.ply + 1)

    @property
    def name(self) -> str:
        """What whoever is to move is called."""
        return self.terms.names[self.seat - 1]

    @property
    def winner(self) -> int | None:
        """The seat that won the round, if one has."""
        outcome = self.outcome()
        side = outcome.winner if outcome else None
        return seat_of(side, self.match.starter) if side else None

    @property
    def standing(self) -> Match:
        """The match, with the round being played counted once it is over."""
        return self.match.after(self.winner) if self.outcome() else self.match

    @property
    def records(self) -> list[Record]:
        """Every round so far, the one being played last."""
        number = self.round if self.match.rounds > 1 else None
        now = Record.of(self, self.terms.names, self.match.starter, number)
        return [*self.finished, now]

    @property
    def randomness(self) -> str:
        """The seed of a computer's choice: a game gone on with goes on as it would have."""
        return f"{self.terms.seed}/{self.round}/{self.ply}"

    def takeback(self, seats: Collection[int]) -> int | None:
        """How many moves go back to the last one of these seats, replies included; None if none.

        It is 0 where the round was given up or called off: that alone is taken back.
        """
        if self.agreed is not None and not self.at_cap:
            return 0
        own = (ply.number for ply in self.last or () if self.seat_at(ply.number) in seats)
        number = next(own, None)
        return None if number is None else self.ply - number + 1

    def seat_at(self, number: int) -> int:
        """The seat that makes the move of this number in this round, from 1 on."""
        return seat_of(Side.FIRST if number % 2 else Side.SECOND, self.match.starter)

    @property
    def at_cap(self) -> bool:
        """Whether as many moves have been made as a round may have."""
        return self.terms.cap is not None and self.ply >= self.terms.cap

    def _check_going_on(self, what: object) -> None:
        if self.outcome() is not None:
            raise IllegalMoveError(f"{what} comes too late: the game is over.")


# --- What can happen. ---

AnyDuel = TypeVar("AnyDuel", bound=Duel)


class Event:
    """One thing that happens to a duel. Save files and databases know it by its `kind`."""

    kind: ClassVar[str]
    shape: ClassVar[dict[str, Any]] = {}  # the fields in JSON, each with its type

    def change(self, duel: Any) -> Any:
        """The duel after it; DigitDuelError if it makes no sense there."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """The event as plain JSON values; `event_from` reads it back."""
        return {"kind": self.kind} | {name: getattr(self, name) for name in self.shape}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The event with these fields; InvalidRecordError names what is wrong with them."""
        return cls(**checked(data, **cls.shape))


@dataclass(frozen=True)
class Begun(Event):
    """The first event of every match."""

    kind = "begun"
    terms: Terms

    def change(self, duel: AnyDuel) -> AnyDuel:
        raise IllegalMoveError(f"{duel.name} is to move: the match has begun already.")

    def to_json(self) -> dict[str, Any]:
        """The terms, beside the kind."""
        return {"kind": self.kind} | self.terms.to_json()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The event with these terms."""
        return cls(Terms.from_json(data))


@dataclass(frozen=True)
class Moved(Event):
    """The seat to move adds a digit."""

    kind = "moved"
    shape: ClassVar[dict[str, Any]] = {"move": str}
    move: Move

    def change(self, duel: AnyDuel) -> AnyDuel:
        duel._check_going_on(self.move)
        before, position = duel.position, duel.position.play(self.move)
        last = Ply(before.as_written(self.move), before.state, duel.last, duel.ply + 1)
        moved = replace(duel, position=position, last=last, offer=None)
        too_long = moved.at_cap and moved.outcome() is None
        return replace(moved, agreed=CALLED_OFF) if too_long else moved

    def to_json(self) -> dict[str, Any]:
        """The move as the notation writes it."""
        return {"kind": self.kind, "move": str(self.move)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The event with this move."""
        return cls(Move.parse(checked(data, move=str)["move"]))


@dataclass(frozen=True)
class TakenBack(Event):
    """The last `count` moves are taken back; 0 for a resignation or agreement alone (R13)."""

    kind = "taken-back"
    shape: ClassVar[dict[str, Any]] = {"count": int}
    count: int

    def change(self, duel: AnyDuel) -> AnyDuel:
        given_up = duel.agreed is not None and not duel.at_cap
        if not (0 < self.count <= duel.ply or (self.count == 0 and given_up)):
            raise IllegalMoveError(
                f"{self.count} moves cannot be taken back: there are {duel.ply}."
            )
        position, last = duel.position, duel.last
        for ply, _ in zip(duel.last or (), range(self.count), strict=False):
            position, last = position_before(position, ply.move, ply.state), ply.earlier
        return replace(duel, position=position, last=last, agreed=None, offer=None)


@dataclass(frozen=True)
class Resigned(Event):
    """A seat gives the round to the other."""

    kind = "resigned"
    shape: ClassVar[dict[str, Any]] = {"seat": int}
    seat: int

    def change(self, duel: AnyDuel) -> AnyDuel:
        duel._check_going_on("resigning")
        loser = side_of(_seat(self.seat), duel.match.starter)
        return replace(duel, agreed=Outcome(Termination.RESIGNED, loser.other), offer=None)


@dataclass(frozen=True)
class Proposed(Event):
    """A seat proposes to call the round off; the next move withdraws it."""

    kind = "proposed"
    shape: ClassVar[dict[str, Any]] = {"seat": int}
    seat: int

    def change(self, duel: AnyDuel) -> AnyDuel:
        duel._check_going_on("calling it off")
        if duel.offer is not None:
            raise IllegalMoveError("calling it off has been proposed already.")
        return replace(duel, offer=_seat(self.seat))


@dataclass(frozen=True)
class CalledOff(Event):
    """Both agree to stop: no winner."""

    kind = "called-off"

    def change(self, duel: AnyDuel) -> AnyDuel:
        duel._check_going_on("calling it off")
        return replace(duel, agreed=CALLED_OFF, offer=None)


@dataclass(frozen=True)
class RoundBegun(Event):
    """The next round of the match."""

    kind = "round-begun"

    def change(self, duel: AnyDuel) -> AnyDuel:
        if duel.outcome() is None or duel.standing.over:
            why = "the match is over" if duel.outcome() else "the game goes on"
            raise IllegalMoveError(f"no round can begin here: {why}.")
        return replace(
            duel,
            match=duel.standing,
            position=Position(duel.ruleset),
            last=None,
            agreed=None,
            offer=None,
            finished=tuple(duel.records),
        )


EVENTS: tuple[type[Event], ...] = (
    Begun,
    Moved,
    TakenBack,
    Resigned,
    Proposed,
    CalledOff,
    RoundBegun,
)


def event_from(data: dict[str, Any], *more: type[Event]) -> Event:
    """The event that `to_json` gave, also of `more` kinds; else InvalidRecordError says why."""
    kinds = {event.kind: event for event in (*EVENTS, *more)}
    kind, fields = data.get("kind"), {name: data[name] for name in data if name != "kind"}
    if not isinstance(kind, str) or kind not in kinds:
        raise InvalidRecordError(f"{quoted(data)} is not an event of a game.")
    try:
        return kinds[kind].from_json(fields)
    except DigitDuelError as error:
        raise InvalidRecordError(f"{kind}: {error}") from None


def _seat(seat: int) -> int:
    if seat not in SEATS:
        raise InvalidRecordError(f"{quoted(seat)} is no seat: the seats are 1 and 2.")
    return seat
