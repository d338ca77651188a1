"""What one viewer sees of a game: names, words and buttons. Rules stay with the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from digitduel import describe
from digitduel.match import seat_of
from digitduel.position import END_LETTERS, Position, Side
from digitduel.text import listed
from digitduel.web.duel import FRIEND

if TYPE_CHECKING:
    from digitduel.position import Move
    from digitduel.ruleset import Ruleset
    from digitduel.web.duel import Duel
    from digitduel.web.models import Links, State, Viewer

# More than these moves are not listed beside the game: the analysis has them all.
MOST_STEPS = 24


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
class Table:
    """A game and who looks at it."""

    duel: Duel
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
        if self.duel.opponent != FRIEND or self.duel.round > 1 or self.duel.outcome is not None:
            return False
        if self.alone or self.you is None:
            return self.alone or not self.duel.moves
        # Whoever starts may have moved before the friend came.
        return self.you == 1 and self.duel.ply <= (2 if self.duel.match.starter == 1 else 1)

    @property
    def decides_alone(self) -> bool:
        """Whether nobody else need agree to call the game off."""
        return self.duel.opponent != FRIEND or not self.duel.joined

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
        return self.duel.players[seat - 1]

    # --- Words. ---

    @property
    def headline(self) -> str:
        """Where the game stands, for this viewer."""
        if self.duel.outcome is not None:
            return self._ended()
        seat = self.duel.seat or 1
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
    def told(self) -> str:
        """The last move in a sentence; before the first, what it is about."""
        if not self.duel.moves:
            rules = self.duel.ruleset
            never = f", but never by {listed(rules.forbidden, 'or')}" if rules.forbidden else ""
            return f"Make the number divisible by {rules.target}{never}."
        move, ply = self.duel.moves[-1], self.duel.ply
        seat = self._seat_of_ply(ply)
        who = "You" if seat == self.you else self._name(seat)
        where = "" if len(self.ends) < 2 or ply == 1 else f" on the {self._end_word(move)}"
        return f"{who} added {move.digit}{where}."

    def _end_word(self, move: Move) -> str:
        return "left" if self.duel.position.goes_left(move) else "right"

    def _seat_of_ply(self, ply: int) -> int:
        return seat_of(Side.FIRST if ply % 2 else Side.SECOND, self.duel.match.starter)

    # --- The number and the pad. ---

    @property
    def number(self) -> describe.ShownNumber:
        """The number with its last digit set off."""
        return describe.shown_number(self.duel.game)

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
                to_move=self.duel.seat == seat,
                has_won=self.duel.winner == seat,
            )
            for seat in (1, 2)
        ]

    @property
    def steps(self) -> list[Step]:
        """The latest moves, the last one first."""
        return [
            Step(ply, self._name(self._seat_of_ply(ply)), move, divisions)
            for ply, move, divisions in latest(self.duel.ruleset, self.duel.moves)
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
        seat = self.duel.seat or 1
        return f"{self._name(seat)} gives this game to {self._name(3 - seat)}"

    @property
    def proposer(self) -> str | None:
        """The other player, if they propose to call the game off."""
        offer = self.state.offer
        return None if offer is None or offer == self.you else self._name(offer)

    def _starts(self, seat: int) -> str:
        return "you start" if seat == self.you else f"{self._name(seat)} starts"


@lru_cache(maxsize=256)  # whoever watches the same game sees the same moves
def latest(ruleset: Ruleset, moves: tuple[Move, ...]) -> list[tuple[int, str, list[str]]]:
    """The latest moves, each with its ply and the divisions it left; the last one first."""
    position, found = Position(ruleset), []
    earliest = len(moves) - MOST_STEPS
    for ply, move in enumerate(moves, start=1):
        position = position.play(move)
        if ply > earliest:
            found.append((ply, str(move), describe.divisions(position)))
    return found[::-1]
