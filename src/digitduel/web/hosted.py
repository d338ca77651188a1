"""A match on the web: whose the seats are, and which version it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from digitduel.duel import Duel
from digitduel.errors import DigitDuelError
from digitduel.events import HUMAN, Begun, Event, added
from digitduel.match import MOST_ROUNDS, SEATS
from digitduel.text import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

FRIEND, DEVICE = "friend", "device"
COMPUTER_SEAT = 2
LONGEST_NICKNAME = 24


@dataclass(frozen=True)
class Joined(Event):
    """A friend takes seat 2, or comes again with another browser before their first move."""

    holder: str
    join_key: str | None
    name: str | None = added(None)


@dataclass(frozen=True)
class SeatOffered(Event):
    """Whoever knows the secret with this digest may take the seat over, once."""

    seat: int
    secret: str


@dataclass(frozen=True)
class SeatMoved(Event):
    """A seat goes on in another browser."""

    seat: int
    holder: str


@dataclass(frozen=True)
class Renamed(Event):
    """A player is called something else from now on."""

    seat: int
    name: str


SEATING = (Joined, SeatOffered, SeatMoved, Renamed)  # what can happen only on the web


@dataclass(frozen=True)
class Change:
    """An event that is on disk, and the request that made it: its key is unique in a game."""

    version: int
    event: Event
    key: str
    request: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class HostedDuel(Duel):
    """A match with the holders of its seats."""

    id: str
    version: int
    host: str  # the digest of the token of seat 1
    invite: str | None  # the digest of the invitation to seat 2
    friend: str | None = None  # the digest of the token of whoever took it up
    join_key: str | None = None
    lobby: str | None = None  # the setting under which anybody may take seat 2
    secrets: tuple[str | None, str | None] = (None, None)  # digests: who may take a seat over

    @classmethod
    def of(
        cls, game_id: str, changes: Iterable[Change], known: HostedDuel | None = None
    ) -> HostedDuel | None:
        """The match after these changes, from one known before or from nothing."""
        duel = known
        for change in changes:
            if duel is None:
                assert isinstance(change.event, Begun)  # noqa: S101  (the first of every game)
                duel = cls.begin(change.event.terms, id=game_id, version=0, **change.request)
            else:
                duel = duel.after(change.event)
            duel = replace(duel, version=change.version)
        return duel

    def after(self, event: Event) -> Self:
        """The match after one more event."""
        match event:
            case Joined(holder, join_key, name):
                secrets = _with(self.secrets, 2, None)
                joined = replace(self, friend=holder, join_key=join_key, secrets=secrets)
                joined = joined._called(2, name) if name else joined
                times = self.times and joined._times_after(event, self.times)
                return replace(joined, times=times)
            case SeatOffered(seat, secret):
                return replace(self, secrets=_with(self.secrets, seat, secret))
            case SeatMoved(seat, holder):
                host, friend = _with((self.host, self.friend), seat, holder)
                secrets = _with(self.secrets, seat, None)
                key = self.join_key if seat == 1 else None  # who had the seat has it no more
                return replace(self, host=host, friend=friend, secrets=secrets, join_key=key)
            case Renamed(seat, name):
                return self._called(seat, name)
        return super().after(event)

    def _called(self, seat: int, name: str) -> Self:
        """The match with a player's name; where the other has the same, they are told apart."""
        name = told_apart(name, self.terms.names[2 - seat], seat)
        return replace(self, terms=replace(self.terms, names=_with(self.terms.names, seat, name)))

    @property
    def weight(self) -> int:
        """What it counts for among games at hand: its changes, and something for being there."""
        return 50 + self.version

    @property
    def opponent(self) -> str:
        """Who sits on seat 2: friend, device, or the name of a computer player."""
        player = self.terms.players[COMPUTER_SEAT - 1]
        if player != HUMAN:
            return player
        return DEVICE if self.invite is None else FRIEND

    @property
    def computer_due(self) -> bool:
        """Whether the computer is to move."""
        return self.outcome() is None and self.seat not in self.terms.people

    @property
    def joined(self) -> bool:
        """Whether both seats are taken."""
        return self.opponent != FRIEND or self.friend is not None

    @property
    def has_both_players(self) -> bool:
        """Whether both seats are taken."""
        return self.joined

    @property
    def decides_alone(self) -> bool:
        """Whether nobody else need agree to call the game off, take back or go on."""
        return self.opponent != FRIEND or self.friend is None

    @property
    def is_open_ended(self) -> bool:
        """Whether round follows round for as long as both like."""
        return self.terms.match.rounds == MOST_ROUNDS

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play: the match is decided, or the round if there is none."""
        return self.outcome() is not None and (self.is_open_ended or self.standing.over)

    @property
    def friend_has_moved(self) -> bool:
        """Whether seat 2 has played: then nobody else may come in its place."""
        moves = [self.moves, *(record.moves for record in self.finished)]
        starters = [self.match.starter, *(record.first for record in self.finished)]
        return any(
            len(line) > (starter == 1) for line, starter in zip(moves, starters, strict=True)
        )

    @property
    def seat_is_loose(self) -> bool:
        """Whether a friend who joined elsewhere may still take the seat over."""
        return self.friend is not None and self.lobby is None and not self.friend_has_moved

    def seat_for(self, secret: str) -> int | None:
        """The seat that whoever knows the secret with this digest may take over."""
        return next((seat for seat in SEATS if self.secrets[seat - 1] == secret), None)

    @property
    def waiting(self) -> str | None:
        """The setting under which it waits for anybody; None if it does not."""
        return None if self.joined or self.outcome() else self.lobby


def _with(pair: tuple[Any, Any], seat: int, value: Any) -> tuple[Any, Any]:
    """A pair for seat 1 and seat 2, one of them changed."""
    return (value, pair[1]) if seat == 1 else (pair[0], value)


def told_apart(name: str, other: str, seat: int) -> str:
    """The name of a player on a seat, such that nobody takes them for the other."""
    return f"{name} ({seat})" if name == other else name


def nickname(text: str) -> str | None:
    """What a player wants to be called, tidied up; None for nothing.

    >>> nickname("  Ann   Lee "), nickname(" ")
    ('Ann Lee', None)
    """
    name = " ".join(text.split())
    if len(name) > LONGEST_NICKNAME or not name.isprintable():
        raise DigitDuelError(
            f"{quoted(text)} is no name: give up to {LONGEST_NICKNAME} visible characters."
        )
    return name or None
