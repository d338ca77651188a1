"""A match on the web: whose the seats are, and which version it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from digitduel.duel import Duel
from digitduel.events import HUMAN, Begun, Event

if TYPE_CHECKING:
    from collections.abc import Iterable

FRIEND, DEVICE = "friend", "device"
COMPUTER_SEAT = 2


@dataclass(frozen=True)
class Joined(Event):
    """A friend takes seat 2."""

    holder: str
    join_key: str | None


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
        if isinstance(event, Joined):
            return replace(self, friend=event.holder, join_key=event.join_key)
        return super().after(event)

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
    def decides_alone(self) -> bool:
        """Whether nobody else need agree to call the game off."""
        return self.opponent != FRIEND or self.friend is None
