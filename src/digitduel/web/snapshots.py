"""How a match stands, as plain JSON values: a long one need not be played again from its start."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from digitduel.clock import Times
from digitduel.duel import Ply, Proposal
from digitduel.events import OFF, Begun, event_from, event_json
from digitduel.match import other_seat
from digitduel.position import Move, Outcome, Position, Side, Termination
from digitduel.record import RESULTS, Record
from digitduel.web.hosted import HostedDuel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.events import Terms
    from digitduel.match import Match

EVERY = 200  # changes: as often a snapshot is kept
HOLDERS = ("host", "invite", "friend", "join_key")


def snapshot(duel: HostedDuel) -> dict[str, Any]:
    """How a match stands; `duel_from` reads it back."""
    agreed = duel.agreed
    return {
        "begun": event_json(Begun(duel.terms)),
        "winners": list(duel.match.winners),
        "earlier": [list(match.winners) for match in duel.earlier],
        "finished": [_plain_record(record) for record in duel.finished],
        "moves": _plain_moves(duel.moves),
        "agreed": agreed and [agreed.termination.value, agreed.winner and agreed.winner.value],
        "proposal": duel.proposal and list(duel.proposal),
        "declined": duel.declined and list(duel.declined),
        "secrets": list(duel.secrets),
        "lobby": duel.lobby,
        "times": duel.times and [*duel.times.left, duel.times.since],
        **{name: getattr(duel, name) for name in HOLDERS},
    }


def duel_from(game_id: str, version: int, data: dict[str, Any]) -> HostedDuel:
    """The match as it stood: only the round being played is played again."""
    begun = event_from(data["begun"])
    assert isinstance(begun, Begun)  # noqa: S101  (so it was written)
    terms, agreed = begun.terms, data["agreed"]
    position, last = _played(Position(terms.ruleset), _read_moves(data["moves"]))
    *earlier, match = _matches(terms.match, [*data.get("earlier", []), data["winners"]])
    return HostedDuel(
        terms,
        match,
        position,
        last,
        Outcome(Termination(agreed[0]), agreed[1] and Side(agreed[1])) if agreed else None,
        _proposal(data.get("proposal") or (data.get("offer") and [data["offer"], OFF])),
        _proposal(data.get("declined")),
        tuple(_finished(terms, [*earlier, match], data["finished"])),
        tuple(earlier),
        _times(data.get("times")),
        id=game_id,
        version=version,
        secrets=tuple(data.get("secrets", (None, None))),
        lobby=data.get("lobby"),
        **{name: data[name] for name in HOLDERS},
    )


def _matches(match: Match, winners: list[list[int | None]]) -> Iterator[Match]:
    """The matches with these winners, each on the terms of the first."""
    for each in winners:
        yield replace(match, winners=tuple(each))
        match = replace(match, first=other_seat(match.first))


def _proposal(data: list[Any] | None) -> Proposal | None:
    return Proposal(*data) if data else None


def _times(data: list[Any] | None) -> Times | None:
    return Times((data[0], data[1]), data[2]) if data else None


def _plain_moves(moves: tuple[Move, ...]) -> str:
    return " ".join(map(str, moves))


def _read_moves(text: str) -> tuple[Move, ...]:
    return tuple(_move(word) for word in text.split())


_move = cache(Move.parse)  # there are thirty, and some are read thousands of times


def _plain_record(record: Record) -> list[Any]:
    ended = record.termination and record.termination.value
    return [_plain_moves(record.moves), ended, list(record.players)]


def _finished(terms: Terms, matches: list[Match], records: list[list[Any]]) -> Iterator[Record]:
    """The rounds that are over: what is not kept of them follows from the matches."""
    rounds = [(match, index) for match in matches for index in range(len(match.winners))]
    for number, ((match, index), kept) in enumerate(zip(rounds, records, strict=True), start=1):
        moves, termination, *players = kept
        before = replace(match, winners=match.winners[:index])
        yield Record(
            terms.ruleset,
            tuple(players[0]) if players else terms.names,
            before.starter,
            _read_moves(moves),
            RESULTS[match.winners[index]],
            Termination(termination),
            number if match.rounds > 1 else None,
        )


def _played(position: Position, moves: tuple[Move, ...]) -> tuple[Position, Ply | None]:
    """Where moves lead, and the history that they leave."""
    last: Ply | None = None
    for number, move in enumerate(moves, start=1):
        last = Ply(move, position.state, last, number)
        position = position.play(move)
    return position, last
