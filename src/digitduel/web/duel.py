"""A match on the web: the sum of its changes. Immutable, so that threads share it freely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fastapi.sse import format_sse_event

from digitduel import describe
from digitduel.game import Game
from digitduel.match import MOST_ROUNDS, Match, seat_of, side_of
from digitduel.position import Move, Outcome, Position, Side, Termination
from digitduel.record import RESULTS, Record
from digitduel.ruleset import find_ruleset
from digitduel.web.models import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.ruleset import Ruleset

FRIEND, DEVICE = "friend", "device"
COMPUTER_SEAT = 2


@dataclass(frozen=True)
class Change:
    """One thing that happened to a game; `key` is unique within it."""

    version: int
    kind: str
    seat: int
    key: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Duel:
    """Two seats, the rounds they have finished, and the game being played."""

    id: str
    version: int
    ruleset: Ruleset
    opponent: str  # friend, device, or the name of a computer player
    seed: str
    most_moves: int
    match: Match
    holders: tuple[str | None, str | None]  # the digest of each seat's token
    invite: str | None  # the digest of the invitation
    position: Position
    join_key: str | None = None
    moves: tuple[Move, ...] = ()
    agreed: Outcome | None = None
    offer: int | None = None
    rounds: tuple[Record, ...] = ()

    @classmethod
    def of(cls, game_id: str, changes: Iterable[Change], known: Duel | None = None) -> Duel | None:
        """The match after these changes, from one known before or from nothing."""
        duel = known
        for change in changes:
            duel = duel.after(change) if duel else _created(game_id, change)
        return duel

    def after(self, change: Change) -> Duel:
        """The match after one more change."""
        return replace(EVENTS[change.kind](self, change), version=change.version)

    # --- Whose turn, who plays, how it stands. ---

    @property
    def ply(self) -> int:
        """How many moves have been made in this round."""
        return len(self.moves)

    @property
    def round(self) -> int:
        """The number of the round, from 1 on."""
        return self.match.round

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended; None while it goes on."""
        return self.position.outcome() or self.agreed

    @property
    def seat(self) -> int | None:
        """The seat to move; None once the round is over."""
        return None if self.outcome else seat_of(self.position.turn, self.match.starter)

    @property
    def winner(self) -> int | None:
        """The seat that won the round, if one has."""
        outcome = self.outcome
        won = outcome.winner if outcome else None
        return seat_of(won, self.match.starter) if won else None

    @property
    def has_computer(self) -> bool:
        """Whether a computer sits on seat 2."""
        return self.opponent not in (FRIEND, DEVICE)

    @property
    def computer_due(self) -> bool:
        """Whether the computer is to move."""
        return self.has_computer and self.seat == COMPUTER_SEAT

    @property
    def joined(self) -> bool:
        """Whether both seats are taken."""
        return self.opponent != FRIEND or self.holders[1] is not None

    @property
    def players(self) -> tuple[str, str]:
        """What the seats are called."""
        other = f"Computer ({self.opponent.replace(':', ' ')})" if self.has_computer else "Player 2"
        return "Player 1", other

    # --- What is shown of it. ---

    @cached_property
    def game(self) -> Game:
        """The round as a game with its history."""
        game = Game(self.ruleset, self.moves)
        if self.agreed is not None and game.outcome() is None:
            if self.agreed.winner is None:
                game.call_off()
            else:
                game.resign(self.agreed.winner.other)
        return game

    @property
    def record(self) -> Record:
        """The round as a record, finished or not."""
        return Record.of(self.game, self.players, self.match.starter, self.round)

    @cached_property
    def state(self) -> State:
        """The match as everyone sees it."""
        position, outcome, over = self.position, self.outcome, self.outcome is not None
        match = self.match.after(self.winner) if over and not self.match.over else self.match
        text = describe.result(self.game, self.players, self.match.starter) if over else None
        values: dict[str, Any] = {
            "id": self.id,
            "version": self.version,
            "game": self.ruleset.key,
            "title": self.ruleset.title,
            "rules": self.ruleset.rules,
            "opponent": self.opponent,
            "players": list(self.players),
            "joined": self.joined,
            "round": self.round,
            "first": self.match.starter,
            "score": list(match.score),
            "number": position.number,
            "moves": [str(move) for move in self.moves],
            "ply": self.ply,
            "turn": position.turn.value,
            "seat": self.seat,
            "legal_moves": [] if over else [str(move) for move in position.legal_moves],
            "digits": list(position.available_digits),
            "divisions": describe.divisions(position) if position.number else [],
            "offer": self.offer,
            "over": over,
            "result": RESULTS[self.winner] if over else None,
            "winner": self.winner,
            "termination": outcome.termination.value if outcome else None,
            "result_text": text,
        }
        return State.model_construct(**values)

    @cached_property
    def json(self) -> bytes:
        """The state as JSON, encoded once however many ask for it."""
        return self.state.model_dump_json().encode()

    @cached_property
    def event(self) -> bytes:
        """The state as a server-sent event, encoded once however many watch."""
        return format_sse_event(data_str=self.json.decode(), id=str(self.version))


# --- What each kind of change does. ---


def _created(game_id: str, change: Change) -> Duel:
    data = change.data
    ruleset = find_ruleset(data["game"]).replace(**data["rules"])
    return Duel(
        id=game_id,
        version=change.version,
        ruleset=ruleset,
        opponent=data["opponent"],
        seed=data["seed"],
        most_moves=data["most_moves"],
        match=Match(rounds=MOST_ROUNDS, first=data["first"]),
        holders=(data["holder"], None),
        invite=data["invite"],
        position=Position(ruleset),
    )


def _joined(duel: Duel, change: Change) -> Duel:
    holders = (duel.holders[0], change.data["holder"])
    return replace(duel, holders=holders, join_key=change.data["join_key"])


def _moved(duel: Duel, change: Change) -> Duel:
    move = Move.parse(change.data["move"])
    moves, position = (*duel.moves, move), duel.position.play(move)
    too_long = len(moves) >= duel.most_moves and position.outcome() is None
    agreed = Outcome(Termination.CALLED_OFF, None) if too_long else None
    return replace(duel, moves=moves, position=position, agreed=agreed, offer=None)


def _resigned(duel: Duel, change: Change) -> Duel:
    loser: Side = side_of(change.seat, duel.match.starter)
    return replace(duel, agreed=Outcome(Termination.RESIGNED, loser.other), offer=None)


def _proposed(duel: Duel, change: Change) -> Duel:
    return replace(duel, offer=change.seat)


def _called_off(duel: Duel, _: Change) -> Duel:
    return replace(duel, agreed=Outcome(Termination.CALLED_OFF, None), offer=None)


def _undone(duel: Duel, change: Change) -> Duel:
    moves = duel.moves[: duel.ply - change.data["count"]]
    position = Game(duel.ruleset, moves).position
    return replace(duel, moves=moves, position=position, agreed=None, offer=None)


def _rematched(duel: Duel, _: Change) -> Duel:
    return replace(
        duel,
        match=duel.match.after(duel.winner),
        rounds=(*duel.rounds, duel.record),
        moves=(),
        position=Position(duel.ruleset),
        agreed=None,
        offer=None,
    )


EVENTS = {
    "joined": _joined,
    "moved": _moved,
    "resigned": _resigned,
    "proposed": _proposed,
    "called-off": _called_off,
    "undone": _undone,
    "rematched": _rematched,
}
