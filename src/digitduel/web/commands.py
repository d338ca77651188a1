"""A request in, an event out, or the reason why not. Nothing here knows of HTTP or a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.errors import IllegalMoveError
from digitduel.events import (
    OFF,
    REMATCH,
    UNDO,
    CalledOff,
    Declined,
    MatchBegun,
    Moved,
    Proposed,
    Resigned,
    RoundBegun,
    TakenBack,
)
from digitduel.match import MOST_ROUNDS
from digitduel.position import Move
from digitduel.web.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.duel import Proposal
    from digitduel.events import Event
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.models import Action, MoveRequest

Seats = tuple[int, ...]


def move(duel: HostedDuel, seats: Seats, request: MoveRequest) -> Event:
    """Play a move for the seat to move."""
    wanted = Move.parse(request.move)
    _check_going_on(duel, seats, request, str(wanted))
    if duel.seat not in seats:
        raise RefusedError(f"{wanted} is out of turn: {duel.name} is to move.", duel)
    if refusal := duel.position.refusal(wanted):
        raise IllegalMoveError(refusal)
    return Moved(duel.position.as_written(wanted))


def resign(duel: HostedDuel, seats: Seats, request: Action) -> Event:
    """Give the round to the other; at one device whoever is to move resigns."""
    _check_going_on(duel, seats, request, "resigning")
    return Resigned(duel.seat if duel.seat in seats else seats[0])


def off(duel: HostedDuel, seats: Seats, request: Action) -> Event | None:
    """Call the round off: at once where one person decides, else the other must agree."""
    _check_going_on(duel, seats, request, "calling it off")
    return _agree(duel, seats, OFF, CalledOff())


def undo(duel: HostedDuel, seats: Seats, request: Action) -> Event | None:
    """Take back one's last move and the computer's reply to it, or a resignation (R13).

    A friend is asked; whoever is asked agrees by the same command.
    """
    _check_current(duel, seats, request)
    mine, others = duel.takeback(seats), _proposed_by_other(duel, seats)
    if others and others.what == UNDO and request.asks:
        asker = duel.terms.names[others.seat - 1]
        raise RefusedError(f"{asker} asks to take a move back meanwhile: look again.", duel)
    count = duel.takeback((others.seat,)) if others and others.what == UNDO else mine
    if count is None:
        raise RefusedError("there is no move of yours to take back.", duel)
    return _agree(duel, seats, UNDO, TakenBack(count))


def rematch(duel: HostedDuel, seats: Seats, request: Action) -> Event | None:
    """Start the next round, the other seat first; a friend must agree, by the same command.

    Whoever asks once more finds it started.
    """
    started = duel.round > 1 and not duel.ply and not duel.outcome()
    if started and request.round in (None, duel.round - 1):
        return None
    _check_current(duel, seats, request)
    if duel.outcome() is None:
        raise RefusedError("a rematch comes too early: the game is not over.", duel)
    if duel.round >= MOST_ROUNDS:
        raise RefusedError(f"{duel.round:,} rounds are enough: start a new game.", duel)
    return _agree(duel, seats, REMATCH, MatchBegun() if duel.standing.over else RoundBegun())


def decline(duel: HostedDuel, seats: Seats, request: Action) -> Event | None:
    """Say no to what the other proposes, or withdraw one's own proposal."""
    _check_current(duel, seats, request)
    return Declined(seats[0]) if duel.proposal else None


COMMANDS: dict[str, Callable[..., Event | None]] = {
    command.__name__: command for command in (move, resign, off, undo, rematch, decline)
}


def _agree(duel: HostedDuel, seats: Seats, what: str, done: Event) -> Event | None:
    """What both agree on is done; what one wants is proposed, and once is enough."""
    if duel.decides_alone:
        return done
    if duel.proposal and duel.proposal.what == what:
        return None if duel.proposal.seat in seats else done
    return Proposed(seats[0], what)


def _proposed_by_other(duel: HostedDuel, seats: Seats) -> Proposal | None:
    proposal = duel.proposal
    return proposal if proposal and proposal.seat not in seats else None


def allowed(duel: HostedDuel, seats: Seats) -> list[str]:
    """The names of the commands that these seats may give now."""
    if not seats:
        return []
    over, proposal = duel.outcome() is not None, duel.proposal
    theirs = _proposed_by_other(duel, seats)
    mine = proposal.what if proposal and not theirs else None
    may = {
        "move": not over and duel.seat in seats,
        "resign": not over,
        "off": not over and mine != OFF,
        "undo": mine != UNDO
        and (duel.takeback(seats) is not None or (theirs is not None and theirs.what == UNDO)),
        "rematch": over and mine != REMATCH,
        "decline": proposal is not None,
    }
    return [name for name, yes in may.items() if yes]


def _check_current(duel: HostedDuel, seats: Seats, request: Action | MoveRequest) -> None:
    if request.round not in (None, duel.round):
        now = "has begun meanwhile" if request.round < duel.round else "is being played"
        raise RefusedError(f"round {duel.round} {now}: look again.", duel)
    if request.ply in (None, duel.ply):
        return
    if duel.last is None or duel.ply < request.ply:
        raise RefusedError("a move has been taken back meanwhile: look again.", duel)
    mover = duel.seat_at(duel.ply)
    moved = "you have" if seats == (mover,) else f"{duel.terms.names[mover - 1]} has"
    raise RefusedError(f"{moved} moved meanwhile: look again.", duel)


def _check_going_on(
    duel: HostedDuel, seats: Seats, request: Action | MoveRequest, what: str
) -> None:
    _check_current(duel, seats, request)
    if duel.is_time_up:
        raise RefusedError(f"{what} comes too late: {duel.name}'s time is up.", duel)
    if duel.outcome() is not None:
        raise RefusedError(f"{what} comes too late: the game is over.", duel)
