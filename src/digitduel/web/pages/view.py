"""What one viewer sees of a game: names, words and buttons. Rules stay with the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from digitduel.describe import time_left
from digitduel.events import OFF, REMATCH, UNDO
from digitduel.match import SEATS, other_seat
from digitduel.position import END_LETTERS, Termination
from digitduel.text import listed, sentence
from digitduel.web.hosted import FRIEND
from digitduel.web.pages.addresses import analysis_address

if TYPE_CHECKING:
    from digitduel.record import Record
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.models import Viewer


UNNAMED = ("Player 1", "Player 2")
NEXT_ROUND = "Next round"
PROPOSED = {
    OFF: "proposes to call the game off: no winner, no point. To go on, just play.",
    UNDO: "asks to take a move back.",
    REMATCH: "offers a rematch.",
    "round": "is ready for the next round.",
}
ASKED = {
    OFF: "propose to call the game off; a move withdraws that.",
    UNDO: "ask to take your move back.",
    REMATCH: "offer a rematch.",
    "round": "are ready for the next round.",
}


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


class PastRound(NamedTuple):
    """A round that is over: which one, how it ended, and where every move of it is explained."""

    name: str
    ending: str
    analysis: str


MOST_ROUNDS_LISTED = 12


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
        """Whether the friend's coming is the news: to the one who waited, until their next move."""
        if self.duel.opponent != FRIEND or self.duel.round > 1 or self.duel.outcome():
            return False
        # Whoever starts may have moved before the friend came.
        starts = self.duel.match.starter == 1
        return self.alone or (self.you == 1 and self.duel.ply <= (2 if starts else 1))

    @cached_property
    def you(self) -> int | None:
        """The viewer's seat, where it is one."""
        return self.viewer.seats[0] if len(self.viewer.seats) == 1 else None

    @property
    def is_your_turn(self) -> bool:
        """Whether the viewer, who has one seat, is to move."""
        return self.you == self.duel.seat and not self.duel.outcome()

    @property
    def panel(self) -> str:
        """What stands between the number and the pad."""
        if self.alone and not self.duel.outcome():
            return "invite" if self.plays else "free"
        if self.proposed or self.asked:
            return "proposal" if self.proposed else "asked"
        if self.duel.outcome():
            return "after"
        return "play" if self.plays else "watching"

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
    def guest(self) -> str:
        """Whoever is to take the free seat."""
        return "somebody to play" if self.duel.lobby else "your friend"

    @property
    def nickname(self) -> str:
        """What the viewer has chosen to be called."""
        return "" if self.you is None or self.name(self.you) in UNNAMED else self.name(self.you)

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
            return f"Waiting for {self.guest}"
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

    # --- What two people talk about besides moves. ---

    @property
    def proposed(self) -> str | None:
        """What the other player proposes to the viewer, if they do: off, undo or rematch."""
        proposal = self.duel.proposal
        return proposal.what if self.plays and proposal and proposal.seat != self.you else None

    @property
    def asked(self) -> str | None:
        """What the viewer has proposed and the other has not answered yet."""
        proposal = self.duel.proposal
        return proposal.what if self.plays and proposal and proposal.seat == self.you else None

    @property
    def declined(self) -> str | None:
        """What the other has just said no to."""
        declined = self.duel.declined
        return declined.what if declined and declined.seat == self.you else None

    @property
    def greets(self) -> bool:
        """Whether there is nothing to say but that the other has come."""
        return self.plays and self.welcomes and self.panel == "play" and not self.declined

    @property
    def talk(self) -> str:
        """What is to be said to the viewer about the other player."""
        if not self.plays:
            return "You are watching."
        if self.proposed:
            return f"{self.other} {PROPOSED[self._matter(self.proposed)]}"
        if self.asked:
            return f"You {ASKED[self._matter(self.asked)]} {self.other} has not answered yet."
        if self.declined:
            rather = "not play on now" if self.declined == REMATCH else "play on"
            return f"{self.other} would rather {rather}."
        if self.greets:
            starts = "" if self.duel.ply else f"{sentence(self.starts(self.duel.seat))}. "
            return f"{starts}Good luck!"
        return ""

    def _matter(self, what: str) -> str:
        """A next round is no rematch."""
        return "round" if what == REMATCH and self.next_step == NEXT_ROUND else what

    # --- Rounds. ---

    @property
    def next_step(self) -> str:
        """What follows a round that is over: the next one of the match, or a rematch."""
        ongoing = not self.duel.is_open_ended and not self.duel.standing.over
        return NEXT_ROUND if ongoing else "Rematch"

    @property
    def round_name(self) -> str:
        """The round being played, where it is one of several."""
        if self.duel.is_open_ended:
            return f"Round {self.duel.round}" if self.duel.round > 1 else ""
        match = self.duel.match
        best = f"Best of {match.rounds}, round" if match.best_of else "Round"
        return f"{best} {match.round}" + ("" if match.best_of else f" of {match.rounds}")

    @property
    def match_result(self) -> str:
        """Who has won the match, once it is over."""
        standing = self.duel.standing
        if self.duel.is_open_ended or not self.duel.outcome() or not standing.over:
            return ""
        score = f"{max(standing.score)} to {min(standing.score)}"
        if standing.champion is None:
            return f"The match is drawn, {score}."
        if self.you is None:
            return f"{self.name(standing.champion)} wins the match, {score}."
        return f"You {'win' if standing.champion == self.you else 'lose'} the match, {score}."

    @property
    def rounds(self) -> list[PastRound]:
        """The latest rounds before this one, the last first."""
        past = list(enumerate(self.duel.finished, start=1))[-MOST_ROUNDS_LISTED:]
        return [self._past(number, record) for number, record in reversed(past)]

    def _past(self, number: int, record: Record) -> PastRound:
        name = f"Round {number}"
        for count, match in enumerate(self.duel.earlier, start=1):
            if number <= len(match.winners):
                name = f"Match {count}, round {number}"
                break
            number -= len(match.winners)
            name = f"Round {number}"
        winner = {"1-0": 1, "0-1": 2}.get(record.result)
        who = "you" if winner == self.you else self.name(winner or 1)
        called_off = record.termination is Termination.CALLED_OFF
        ending = f"{who} won" if winner else "called off" if called_off else "no winner"
        return PastRound(name, ending, analysis_address(record.ruleset, record.moves))

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
