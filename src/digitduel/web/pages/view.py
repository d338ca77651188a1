"""What one viewer sees of a game: names, words and buttons. Rules stay with the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from digitduel import describe
from digitduel.position import END_LETTERS
from digitduel.text import listed
from digitduel.web.commands import decides_alone
from digitduel.web.hosted import FRIEND

if TYPE_CHECKING:
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.models import Links, State, Viewer


class Key(NamedTuple):
    """A digit on the pad: whether it is in play, and how often yet where that is counted."""

    digit: int
    in_play: bool
    left: int | None


class Step(NamedTuple):
    """A move of the history, and the division it left."""

    ply: int
    player: str
    move: str
    divisions: list[str]


class Chair(NamedTuple):
    """A player with the points so far."""

    name: str
    is_you: bool
    points: int
    to_move: bool
    has_won: bool

    @property
    def note(self) -> str:
        """What is to be said of the player now."""
        words = ["you"] if self.is_you else []
        words += ["to move"] if self.to_move else ["won"] if self.has_won else []
        return ", ".join(words)


@dataclass(frozen=True)
class GameView:
    """A game and who looks at it."""

    duel: HostedDuel
    viewer: Viewer
    links: Links
    message: str | None = None  # why the last request was refused

    @property
    def state(self) -> State:
        """The game as everyone sees it."""
        return self.duel.state

    @property
    def may(self) -> frozenset[str]:
        """What the viewer may do now."""
        return frozenset(self.viewer.may)

    @property
    def plays(self) -> bool:
        """Whether the viewer sits at the table."""
        return bool(self.viewer.seats)

    @property
    def alone(self) -> bool:
        """Whether a friend is still to come."""
        return self.duel.opponent == FRIEND and not self.duel.joined

    @property
    def welcomes(self) -> bool:
        """Whether the friend's coming is the news. To the one who waited it stays until their next
        move, so that the pad does not jump when the friend arrives or plays."""
        if self.duel.opponent != FRIEND or self.duel.round > 1 or self.state.over:
            return False
        if self.alone or self.you is None:
            return self.alone or not self.duel.ply
        # Whoever starts may have moved before the friend came.
        return self.you == 1 and self.duel.ply <= (2 if self.duel.match.starter == 1 else 1)

    @property
    def decides_alone(self) -> bool:
        """Whether nobody else need agree to call the game off."""
        return decides_alone(self.duel)

    @property
    def waits(self) -> bool:
        """Whether something may happen that the viewer does not do: a page without a script looks
        again."""
        return "move" not in self.may

    @cached_property
    def you(self) -> int | None:
        """The viewer's seat, where it is one."""
        return self.viewer.seats[0] if len(self.viewer.seats) == 1 else None

    def _name(self, seat: int) -> str:
        return self.duel.terms.names[seat - 1]

    # --- Words. ---

    @property
    def headline(self) -> str:
        """Where the game stands, for this viewer."""
        if self.state.over:
            return self._ended()
        seat = self.duel.seat
        if self.you is None:
            return f"{self._name(seat)}'s turn"
        if seat == self.you:
            return "Your turn"
        if self.duel.computer_due:
            return "The computer is thinking"
        return "Waiting for your friend" if self.alone else f"{self._name(seat)}'s turn"

    def _ended(self) -> str:
        winner = self.duel.winner
        if winner is None:
            return "Called off"
        if self.you is None:
            return f"{self._name(winner)} wins"
        return "You won" if winner == self.you else "You lost"

    @property
    def title(self) -> str:
        """The page's title."""
        return f"{self.headline} - {self.duel.ruleset.title}"

    @property
    def reason(self) -> list[str]:
        """Why the game is over, line by line."""
        return (self.state.result_text or "").splitlines()

    @property
    def news(self) -> str:
        """The last move in a sentence; before the first, what it is about."""
        last = self.duel.last
        if last is None:
            rules = self.duel.ruleset
            never = f", but never by {listed(rules.forbidden, 'or')}" if rules.forbidden else ""
            return f"Make the number divisible by {rules.target}{never}."
        seat = self.duel.seat_at(last.number)
        who = "You" if seat == self.you else self._name(seat)
        side = "left" if self.duel.position.goes_left(last.move) else "right"
        where = "" if len(self.ends) < 2 or last.number == 1 else f" on the {side}"
        return f"{who} added {last.move.digit}{where}."

    # --- The number and the pad. ---

    @property
    def number(self) -> describe.ShownNumber:
        """The number with its last digit set off."""
        return describe.shown_number(self.duel)

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """The ends that are open in this game: 'L', 'R' or both."""
        return END_LETTERS[self.duel.ruleset.ends]

    @property
    def keys(self) -> list[Key]:
        """Every digit of the game."""
        position, rules = self.duel.position, self.duel.ruleset
        uses = rules.uses or 0
        counted = dict(zip(rules.digits, position.state.used, strict=True)) if uses > 1 else {}
        in_play = position.available_digits
        return [
            Key(digit, digit in in_play, uses - counted[digit] if counted else None)
            for digit in rules.digits
        ]

    # --- The players and what has happened. ---

    @property
    def chairs(self) -> list[Chair]:
        """Both players, seat 1 first."""
        return [
            Chair(
                name=self._name(seat),
                is_you=seat == self.you,
                points=self.state.score[seat - 1],
                to_move=self.state.seat == seat,
                has_won=self.duel.winner == seat,
            )
            for seat in (1, 2)
        ]

    @property
    def steps(self) -> list[Step]:
        """The latest moves, the last one first."""
        return [
            Step(ply.number, self._name(self.duel.seat_at(ply.number)), str(ply.move), divisions)
            for ply, divisions in self.duel.latest
        ]

    @property
    def starter(self) -> str:
        """Who starts this round, as a sentence begins."""
        return self._starts(self.duel.match.starter).capitalize()

    @property
    def rematch_starter(self) -> str:
        """Who starts the next round."""
        return self._starts(3 - self.duel.match.starter)

    @property
    def resigning(self) -> str:
        """What resigning does, said before it is done."""
        if self.you is not None:
            return f"Give this game to {self._name(3 - self.you)}"
        seat = self.duel.seat
        return f"{self._name(seat)} gives this game to {self._name(3 - seat)}"

    @property
    def proposer(self) -> str | None:
        """The other player, if they propose to call the game off."""
        offer = self.state.offer
        return None if offer is None or offer == self.you else self._name(offer)

    def _starts(self, seat: int) -> str:
        return "you start" if seat == self.you else f"{self._name(seat)} starts"
