"""How a match stands, as plain JSON values: a long one need not be played again from its start."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from digitduel.duel import Ply
from digitduel.events import Begun, event_from, event_json
from digitduel.position import Move, Outcome, Position, Side, Termination
from digitduel.record import RESULTS, Record
from digitduel.web.hosted import HostedDuel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.events import Terms

EVERY = 200  # changes: as often a snapshot is kept
HOLDERS = ("host", "invite", "friend", "join_key")


def snapshot(duel: HostedDuel) -> dict[str, Any]:
    """How a match stands; `duel_from` reads it back."""
    agreed = duel.agreed
    return {
        "begun": event_json(Begun(duel.terms)),
        "winners": list(duel.match.winners),
        "finished": [_plain_record(record) for record in duel.finished],
        "moves": _plain_moves(duel.moves),
        "agreed": agreed and [agreed.termination.value, agreed.winner and agreed.winner.value],
        "offer": duel.offer,
        **{name: getattr(duel, name) for name in HOLDERS},
    }


def duel_from(game_id: str, version: int, data: dict[str, Any]) -> HostedDuel:
    """The match as it stood: only the round being played is played again."""
    begun = event_from(data["begun"])
    assert isinstance(begun, Begun)  # noqa: S101  (so it was written)
    terms, agreed = begun.terms, data["agreed"]
    position, last = _played(Position(terms.ruleset), _read_moves(data["moves"]))
    return HostedDuel(
        terms,
        replace(terms.match, winners=tuple(data["winners"])),
        position,
        last,
        Outcome(Termination(agreed[0]), agreed[1] and Side(agreed[1])) if agreed else None,
        data["offer"],
        tuple(_finished(terms, data)),
        id=game_id,
        version=version,
        **{name: data[name] for name in HOLDERS},
    )


def _plain_moves(moves: tuple[Move, ...]) -> str:
    return " ".join(map(str, moves))


def _read_moves(text: str) -> tuple[Move, ...]:
    return tuple(_move(word) for word in text.split())


_move = cache(Move.parse)  # there are thirty, and some are read thousands of times


def _plain_record(record: Record) -> list[str | None]:
    return [_plain_moves(record.moves), record.termination and record.termination.value]


def _finished(terms: Terms, data: dict[str, Any]) -> Iterator[Record]:
    """The rounds that are over: what is not kept of them follows from the match."""
    match = terms.match
    for (moves, termination), winner in zip(data["finished"], data["winners"], strict=True):
        yield Record(
            terms.ruleset,
            terms.names,
            match.starter,
            _read_moves(moves),
            RESULTS[winner],
            Termination(termination),
            match.round,
        )
        match = match.after(winner)


def _played(position: Position, moves: tuple[Move, ...]) -> tuple[Position, Ply | None]:
    """Where moves lead, and the history that they leave."""
    last: Ply | None = None
    for number, move in enumerate(moves, start=1):
        last = Ply(move, position.state, last, number)
        position = position.play(move)
    return position, last
