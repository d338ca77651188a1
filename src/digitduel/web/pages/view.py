"""What one viewer sees of a game: names, words and buttons. Rules stay with the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from digitduel.describe import time_left
from digitduel.match import SEATS, other_seat
from digitduel.position import END_LETTERS
from digitduel.text import listed
from digitduel.web.hosted import FRIEND

if TYPE_CHECKING:
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.models import Viewer


class PadKey(NamedTuple):
    """A digit on the pad: whether it is in play, and how often yet where that is counted."""

    digit: int
    in_play: bool
    left: int | None


class SeatClock(NamedTuple):
    """What one seat has left, as it was when the seat to move began to think."""

    text: str
    left: int  # milliseconds
    time_up_at: int | None  # the playing time at which it is up; None while it stands

    @property
    def runs(self) -> bool:
        """Whether it is this seat's time that runs."""
        return self.time_up_at is not None


@dataclass(frozen=True)
class GameView:
    """A game and who looks at it."""

    duel: HostedDuel
    viewer: Viewer

    @property
    def plays(self) -> bool:
        """Whether the viewer sits at the table."""
        return bool(self.viewer.seats)

    @property
    def alone(self) -> bool:
        """Whether a friend is still to come."""
        return not self.duel.joined

    @property
    def welcomes(self) -> bool:
        """Whether the friend's coming is the news. To the one who waited it stays until their next
        move, so that the pad does not jump when the friend arrives or plays."""
        if self.duel.opponent != FRIEND or self.duel.round > 1 or self.duel.outcome():
            return False
        if self.alone or self.you is None:
            return self.alone or not self.duel.ply
        # Whoever starts may have moved before the friend came.
        return self.you == 1 and self.duel.ply <= (2 if self.duel.match.starter == 1 else 1)

    @cached_property
    def you(self) -> int | None:
        """The viewer's seat, where it is one."""
        return self.viewer.seats[0] if len(self.viewer.seats) == 1 else None

    # --- Words. ---

    def name(self, seat: int) -> str:
        """What the player on a seat is called."""
        return self.duel.terms.names[seat - 1]

    def starts(self, seat: int) -> str:
        """That the player on a seat starts a round."""
        return "you start" if seat == self.you else f"{self.name(seat)} starts"

    @property
    def other(self) -> str:
        """What whoever sits across the table is called."""
        return self.name(other_seat(self.you)) if self.you else ""

    @property
    def next_starter(self) -> int:
        """The seat that starts the next round, once this one is over."""
        standing = self.duel.standing
        return other_seat(self.duel.match.first) if standing.over else standing.starter

    @property
    def headline(self) -> str:
        """Where the game stands, for this viewer."""
        if self.duel.outcome():
            return self._ended()
        seat = self.duel.seat
        if seat == self.you:
            return "Your turn"
        if self.you is not None and self.duel.computer_due:
            return "The computer is thinking"
        if self.you is not None and self.alone:
            return "Waiting for your friend"
        return f"{self.name(seat)}'s turn"

    def _ended(self) -> str:
        winner = self.duel.winner
        if winner is None:
            return "No winner" if self.duel.is_time_up else "Called off"
        if self.you is None:
            return f"{self.name(winner)} wins"
        return "You won" if winner == self.you else "You lost"

    @property
    def news(self) -> str:
        """The last move in a sentence; before the first, what it is about."""
        last = self.duel.last
        if last is None:
            rules = self.duel.ruleset
            never = f", but never by {listed(rules.forbidden, 'or')}" if rules.forbidden else ""
            return f"Make the number divisible by {rules.target}{never}."
        seat = self.duel.seat_at(last.number)
        who = "You" if seat == self.you else self.name(seat)
        side = "left" if self.duel.position.goes_left(last.move) else "right"
        where = "" if len(self.ends) < 2 or last.number == 1 else f" on the {side}"
        return f"{who} added {last.move.digit}{where}."

    @property
    def resigning(self) -> str:
        """What resigning does, said before it is done."""
        if self.you is not None:
            return f"Give this game to {self.name(other_seat(self.you))}"
        seat = self.duel.seat
        return f"{self.name(seat)} gives this game to {self.name(other_seat(seat))}"

    @property
    def proposed(self) -> str | None:
        """What the other player proposes, if they do: off, undo or rematch."""
        proposal = self.duel.proposal
        return proposal.what if proposal and proposal.seat != self.you else None

    @property
    def asked(self) -> str | None:
        """What the viewer has proposed and the other has not answered yet."""
        proposal = self.duel.proposal
        return proposal.what if proposal and proposal.seat == self.you else None

    @property
    def proposer(self) -> str:
        """Whoever proposes something."""
        return self.name(self.duel.proposal.seat) if self.duel.proposal else ""

    @property
    def declined(self) -> str | None:
        """What the other has just said no to."""
        declined = self.duel.declined
        return declined.what if declined and declined.seat == self.you else None

    # --- The pad. ---

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """The ends that are open in this game: 'L', 'R' or both."""
        return END_LETTERS[self.duel.ruleset.ends]

    @property
    def keys(self) -> list[PadKey]:
        """Every digit of the game."""
        position, rules = self.duel.position, self.duel.ruleset
        uses = rules.uses or 0
        counted = dict(zip(rules.digits, position.state.used, strict=True)) if uses > 1 else {}
        in_play = position.available_digits
        return [
            PadKey(digit, digit in in_play, uses - counted[digit] if counted else None)
            for digit in rules.digits
        ]

    # --- The clock. ---

    @property
    def clock(self) -> list[SeatClock] | None:
        """What seat 1 and seat 2 have left; None where no clock was agreed. static/clock.js goes
        on from there."""
        duel = self.duel
        if duel.times is None:
            return None
        up_at = {duel.seat: duel.time_up_at}
        both = zip(SEATS, duel.times.left, strict=True)
        return [SeatClock(time_left(left), left, up_at.get(seat)) for seat, left in both]
