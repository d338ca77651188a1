"""A match on the web: whose the seats are, which version it is, and how everyone sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Self

from fastapi.sse import format_sse_event

from digitduel import describe
from digitduel.duel import Begun, Duel, Event
from digitduel.game import position_before
from digitduel.record import RESULTS
from digitduel.terms import HUMAN, Terms
from digitduel.web.models import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.duel import Ply

FRIEND, DEVICE = "friend", "device"
COMPUTER_SEAT = 2
# More moves are not listed beside the game: the analysis has them all.
MOST_LISTED = 24


@dataclass(frozen=True)
class Change:
    """An event that is on disk; `key` is that of the request that made it, unique in a game."""

    version: int
    event: Event
    key: str
    asked: dict[str, Any] | None = None  # the request, to know it again


@dataclass(frozen=True)
class Opened(Begun):
    """The first event of a game here: the digests of seat 1's token and of the invitation too."""

    holder: str
    invite: str | None

    def to_json(self) -> dict[str, Any]:
        """The terms and the digests."""
        return super().to_json() | {"holder": self.holder, "invite": self.invite}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The event that `to_json` gave."""
        terms = {name: data[name] for name in data if name not in ("holder", "invite")}
        return cls(Terms.from_json(terms), data["holder"], data["invite"])


@dataclass(frozen=True)
class Joined(Event):
    """A friend takes seat 2."""

    kind = "joined"
    shape: ClassVar[dict[str, Any]] = {"holder": str, "join_key": str | None}
    holder: str
    join_key: str | None

    def change(self, duel: HostedDuel) -> HostedDuel:
        return replace(duel, holders=(duel.holders[0], self.holder), join_key=self.join_key)


@dataclass(frozen=True, kw_only=True)
class HostedDuel(Duel):
    """A match with the holders of its seats. Everyone sees the same of it, whoever asks."""

    id: str
    version: int
    holders: tuple[str, str | None]  # the digest of each seat's token
    invite: str | None  # the digest of the invitation
    join_key: str | None = None

    @classmethod
    def of(
        cls, game_id: str, changes: Iterable[Change], known: HostedDuel | None = None
    ) -> HostedDuel | None:
        """The match after these changes, from one known before or from nothing."""
        duel = known
        for change in changes:
            duel = duel.changed(change) if duel else cls._opened(game_id, change)
        return duel

    @classmethod
    def _opened(cls, game_id: str, change: Change) -> HostedDuel:
        opened = change.event
        assert isinstance(opened, Opened)  # noqa: S101  (the first change of every game)
        holders = (opened.holder, None)
        return cls.begin(
            opened.terms, id=game_id, version=change.version, holders=holders, invite=opened.invite
        )

    def changed(self, change: Change) -> HostedDuel:
        """The match after one more change."""
        return replace(self.after(change.event), version=change.version)

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
        return self.opponent != FRIEND or self.holders[1] is not None

    # --- What is shown of it. ---

    @cached_property
    def state(self) -> State:
        """The match as everyone sees it."""
        position, outcome, over = self.position, self.outcome(), self.outcome() is not None
        names, starter = self.terms.names, self.match.starter
        values: dict[str, Any] = {
            "id": self.id,
            "version": self.version,
            "game": self.ruleset.key,
            "title": self.ruleset.title,
            "rules": self.ruleset.rules,
            "opponent": self.opponent,
            "players": list(names),
            "joined": self.joined,
            "round": self.round,
            "first": starter,
            "score": list(self.standing.score),
            "number": position.number,
            "moves": [str(move) for move in self.moves],
            "ply": self.ply,
            "turn": position.turn.value,
            "seat": None if over else self.seat,
            "legal_moves": [] if over else [str(move) for move in position.legal_moves],
            "digits": list(position.available_digits),
            "divisions": describe.divisions(position) if position.number else [],
            "offer": self.offer,
            "over": over,
            "result": RESULTS[self.winner] if over else None,
            "winner": self.winner,
            "termination": outcome.termination.value if outcome else None,
            "result_text": describe.result(self, names, starter) if over else None,
        }
        return State.model_construct(**values)

    @cached_property
    def latest(self) -> list[tuple[Ply, list[str]]]:
        """The latest moves and the divisions they left, the last first; worked out once for all."""
        position, latest = self.position, []
        for ply in islice(self.last or (), MOST_LISTED):
            latest.append((ply, describe.divisions(position)))
            position = position_before(position, ply.move, ply.state)
        return latest

    @cached_property
    def json(self) -> bytes:
        """The state as JSON, encoded once however many ask for it."""
        return self.state.model_dump_json().encode()

    @cached_property
    def server_event(self) -> bytes:
        """The state as a server-sent event, encoded once however many watch."""
        return format_sse_event(data_str=self.json.decode(), id=str(self.version))
