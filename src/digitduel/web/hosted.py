"""A match on the web: whose the seats are, which version it is, and how everyone sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from fastapi.sse import format_sse_event

from digitduel import describe
from digitduel.duel import Duel
from digitduel.events import HUMAN, Begun, Event
from digitduel.record import RESULTS
from digitduel.web.models import GameState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.duel import Ply

FRIEND, DEVICE = "friend", "device"
COMPUTER_SEAT = 2
# More moves are not listed beside the game: the analysis has them all.
MOST_LISTED = 24


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
    """A match with the holders of its seats. Everyone sees the same of it, whoever asks."""

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

    # --- What is shown of it. ---

    @cached_property
    def state(self) -> GameState:
        """The match as everyone sees it."""
        position, outcome, over = self.position, self.outcome(), self.outcome() is not None
        names, starter = self.terms.names, self.match.starter
        return GameState.model_construct(
            id=self.id,
            version=self.version,
            game=self.ruleset.key,
            title=self.ruleset.title,
            rules=self.ruleset.rules,
            opponent=self.opponent,
            players=list(names),
            joined=self.joined,
            round=self.round,
            first=starter,
            score=list(self.standing.score),
            number=position.number,
            moves=[str(move) for move in self.moves],
            ply=self.ply,
            turn=position.turn.value,
            seat=None if over else self.seat,
            legal_moves=[] if over else [str(move) for move in position.legal_moves],
            digits=list(position.available_digits),
            divisions=describe.divisions(position) if position.number else [],
            offer=self.offer,
            over=over,
            result=RESULTS[self.winner] if over else None,
            winner=self.winner,
            termination=outcome.termination.value if outcome else None,
            result_text=describe.result(self, names, starter) if over else None,
        )

    @cached_property
    def latest(self) -> list[tuple[Ply, list[str]]]:
        """The latest moves and the divisions they left, the last first; worked out once for all."""
        position, latest = self.position, []
        for ply in islice(self.last or (), MOST_LISTED):
            latest.append((ply, describe.divisions(position)))
            position = position.before(ply.move, ply.state)
        return latest

    @cached_property
    def json(self) -> bytes:
        """The state as JSON, encoded once however many ask for it."""
        return self.state.model_dump_json().encode()

    @cached_property
    def server_event(self) -> bytes:
        """The state as a server-sent event, encoded once however many watch."""
        return format_sse_event(data_str=self.json.decode(), id=str(self.version))
