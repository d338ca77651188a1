"""One match for the terminal and the browser: what was agreed, and the sum of its events.

    duel = Duel.begin(Terms(find_ruleset("pool")))
    duel = duel.after(Moved(Move.parse("5")))

Everything is frozen, so that threads may share it, and the duel after an event comes from the one
before it without playing the game again. A front door that keeps more of a match (who holds which
seat, where its record goes) adds fields and events of its own in a subclass.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from digitduel.chances import can_win
from digitduel.clock import Times
from digitduel.errors import IllegalMoveError
from digitduel.events import (
    PROPOSALS,
    REMATCH,
    UNDO,
    CalledOff,
    Declined,
    MatchBegun,
    Moved,
    Proposed,
    Resigned,
    RoundBegun,
    TakenBack,
    TimeUp,
    kind_of,
)
from digitduel.match import SEATS, other_seat, seat_of, side_of
from digitduel.position import Outcome, Position, Side, Termination
from digitduel.record import Record
from digitduel.text import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from digitduel.events import Event, Terms
    from digitduel.match import Match
    from digitduel.position import Move, State
    from digitduel.ruleset import Ruleset

CALLED_OFF = Outcome(Termination.CALLED_OFF, None)
# What happens to the clock too, and so at a moment.
TIMED = (Moved, TakenBack, Resigned, CalledOff, TimeUp)


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


class Proposal(NamedTuple):
    """What a seat proposes: one of events.PROPOSALS."""

    seat: int
    what: str


@dataclass(frozen=True)
class Duel:
    """Two seats, the rounds that are finished, and the game being played."""

    terms: Terms
    match: Match  # with the rounds that are finished
    position: Position
    last: Ply | None = field(default=None, repr=False)  # of the round, leading to those before
    agreed: Outcome | None = None  # resigned, called off, or the time was up
    proposal: Proposal | None = None  # until it is agreed to, declined, or a move is made
    declined: Proposal | None = None  # what the other has just said no to
    finished: tuple[Record, ...] = ()
    earlier: tuple[Match, ...] = ()  # matches on the same terms before this one
    times: Times | None = None  # of this round, where the match has a clock

    @classmethod
    def begin(cls, terms: Terms, **added: Any) -> Self:
        """The match before its first move; `added` are the fields of a subclass."""
        times = Times.full(terms.clock) if terms.clock else None
        return cls(terms, terms.match, Position(terms.ruleset), times=times, **added)

    def after(self, event: Event) -> Self:
        """The match after one more event; DigitDuelError says why it cannot be."""
        if self.times is None or not isinstance(event, TIMED):
            return self._after(event)
        at, after = self._moment(event), self._after(event)
        return replace(after, times=after._times_after(event, self.times.at(at, self.seat)))

    def _after(self, event: Event) -> Self:
        match event:
            case TakenBack(count):
                return self._taken_back(count)
            case RoundBegun():
                return self._next_round()
            case MatchBegun():
                return self._next_match()
            case Resigned(seat) | Proposed(seat) | Declined(seat) if seat not in SEATS:
                raise IllegalMoveError(f"{quoted(seat)} is no seat: the seats are 1 and 2.")
            case Proposed() | Declined():
                return self._talked(event)
            case _ if self.outcome() is not None:
                raise IllegalMoveError(f"{kind_of(event)} comes too late: the game is over.")
            case Moved(move):
                return self._moved(move)
        return self._settled(agreed=self._ended_by(event))

    def _ended_by(self, event: Event) -> Outcome:
        """How an event ends the round, besides a move."""
        match event:
            case Resigned(seat):
                return Outcome(Termination.RESIGNED, side_of(seat, self.match.starter).other)
            case CalledOff():
                return CALLED_OFF
            case TimeUp(seat, other_wins) if self.times is not None and seat == self.seat:
                return Outcome(Termination.TIME, self.position.turn.other if other_wins else None)
        raise IllegalMoveError(f"{kind_of(event)} makes no sense here.")

    # --- The game being played, with the names that a Game has. ---

    @property
    def ruleset(self) -> Ruleset:
        """The rules of every round."""
        return self.terms.ruleset

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of this round."""
        return tuple(ply.move for ply in self.last or ())[::-1]

    move_stack = property(lambda self: self.moves, doc="The same, as a Game calls them.")

    @property
    def ply(self) -> int:
        """How many moves have been made in this round."""
        return self.last.number if self.last else 0

    @property
    def previous(self) -> Position:
        """The position before the last move; the start when there was none."""
        last = self.last
        return self.position.before(last.move, last.state) if last else self.position

    def outcome(self) -> Outcome | None:
        """How the round ended; None while it goes on."""
        return self.position.outcome() or self.agreed

    # --- Who is who, and how it stands. ---

    @property
    def round(self) -> int:
        """The number of the round, from 1 on, over all matches."""
        return len(self.finished) + 1

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
        number = self.round if self.terms.match.rounds > 1 else None
        now = Record.of(self, self.terms.names, self.match.starter, number)
        return [*self.finished, now]

    @property
    def randomness(self) -> str:
        """The seed of a computer's choice: a game gone on with goes on as it would have."""
        return f"{self.terms.seed}/{self.round}/{self.ply}"

    def takeback(self, seats: Collection[int]) -> int | None:
        """How many moves go back to the last one of these `seats`, replies included; None if none.

        It is 0 where the round was given up or called off: that alone is taken back.
        """
        if self.is_time_up:
            return None
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

    # --- The clock. ---

    @property
    def is_time_up(self) -> bool:
        """Whether the round ended because somebody's time was up."""
        return self.agreed is not None and self.agreed.termination is Termination.TIME

    @property
    def time_up_at(self) -> int | None:
        """The moment at which the time of the seat to move is up; None while none runs."""
        return self.times.up_at(self.seat) if self.times else None

    def time_left(self, at: int) -> tuple[int, int]:
        """The milliseconds that seat 1 and seat 2 have left `at` a moment, with a clock."""
        assert self.times is not None  # noqa: S101  (the caller has looked)
        return self.times.at(at, self.seat).left

    def time_up(self, at: int) -> TimeUp | None:
        """What has happened `at` a moment if the time of the seat to move is up; else None.

        The other wins if any line of legal moves from here, helped or not, would end so.
        """
        if self.time_up_at is None or at < self.time_up_at:
            return None
        within = None if self.terms.cap is None else self.terms.cap - self.ply
        other_wins = can_win(self.position, self.position.turn.other, within)
        return TimeUp(self.seat, other_wins, at=at)

    def _moment(self, event: Event) -> int:
        """When an event happens; refused is what does not say, or comes after the time is up."""
        if event.at is None:
            raise IllegalMoveError(f"{kind_of(event)} needs its moment: this match has a clock.")
        is_up = self.time_up_at is not None and event.at >= self.time_up_at
        if is_up and not isinstance(event, TimeUp):
            raise IllegalMoveError(f"{kind_of(event)} comes too late: {self.name}'s time is up.")
        if isinstance(event, TimeUp) and not is_up:
            raise IllegalMoveError(f"{kind_of(event)} comes too early: {self.name} has time left.")
        return event.at

    def _times_after(self, event: Event, times: Times) -> Times:
        """The clock goes on, from the first move of a round to its end."""
        if isinstance(event, Moved) and self.terms.clock:
            times = times.plus(self.seat_at(self.ply), self.terms.clock.increment)
        runs = self.ply > 0 and self.outcome() is None and self.has_both_players
        since = event.at if times.since is None else times.since
        return Times(times.left, since if runs else None)

    @property
    def has_both_players(self) -> bool:
        """Whether both seats are taken: until then nobody's time runs."""
        return True

    # --- What the larger events do. ---

    def _settled(self, **changed: Any) -> Self:
        """The match with this changed; whatever was proposed is off the table."""
        return replace(self, proposal=None, declined=None, **changed)

    def _talked(self, event: Proposed | Declined) -> Self:
        """A proposal, or a no to one."""
        proposal = self.proposal
        if isinstance(event, Proposed) and self._can_be_proposed(event.seat, event.what):
            return replace(self, proposal=Proposal(event.seat, event.what), declined=None)
        if isinstance(event, Declined) and proposal is not None:
            declined = None if event.seat == proposal.seat else proposal
            return replace(self, proposal=None, declined=declined)
        raise IllegalMoveError(f"{kind_of(event)} makes no sense here.")

    def _can_be_proposed(self, seat: int, what: str) -> bool:
        """Whether there is something to agree on that is not on the table already."""
        if what not in PROPOSALS or (self.proposal and self.proposal.what == what):
            return False
        if what == UNDO:
            return self.takeback((seat,)) is not None
        return (self.outcome() is not None) == (what == REMATCH)

    def _moved(self, move: Move) -> Self:
        """One more move; the one that reaches the cap calls the round off."""
        before, position = self.position, self.position.play(move)
        last = Ply(before.as_written(move), before.state, self.last, self.ply + 1)
        moved = self._settled(position=position, last=last)
        return replace(moved, agreed=CALLED_OFF) if moved.at_cap and not moved.outcome() else moved

    def _taken_back(self, count: int) -> Self:
        """The match before the last moves, each with the state that was kept of it."""
        least = 0 if self.agreed is not None and not self.at_cap else 1
        if self.is_time_up:
            raise IllegalMoveError("nothing can be taken back: the time was up.")
        if not least <= count <= self.ply:
            raise IllegalMoveError(f"{count} moves cannot be taken back: there are {self.ply}.")
        position, last = self.position, self.last
        for ply in islice(self.last or (), count):
            position, last = position.before(ply.move, ply.state), ply.earlier
        return self._settled(position=position, last=last, agreed=None)

    def _next_round(self) -> Self:
        """The next round of the match."""
        if self.outcome() is None or self.standing.over:
            why = "the match is over" if self.outcome() else "the game goes on"
            raise IllegalMoveError(f"no round can begin here: {why}.")
        return self._fresh(self.standing)

    def _next_match(self) -> Self:
        """The same terms once more; whoever did not start the last match starts this one."""
        if self.outcome() is None or not self.standing.over:
            raise IllegalMoveError("no match can begin here: this one goes on.")
        match = replace(self.terms.match, first=other_seat(self.match.first))
        return replace(self._fresh(match), earlier=(*self.earlier, self.standing))

    def _fresh(self, match: Match) -> Self:
        """An empty number, and one more round on record."""
        clock = self.terms.clock
        times = Times.full(clock) if clock else None
        empty = self._settled(position=Position(self.ruleset), last=None, agreed=None, times=times)
        return replace(empty, match=match, finished=tuple(self.records))
