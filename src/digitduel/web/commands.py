"""A request in, an event out, or the reason why not. Nothing here knows of HTTP or a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.errors import IllegalMoveError
from digitduel.events import CalledOff, Moved, Proposed, Resigned, RoundBegun, TakenBack
from digitduel.position import Move
from digitduel.web.errors import RefusedError
from digitduel.web.hosted import FRIEND, HostedDuel

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.events import Event
    from digitduel.web.models import Action, MoveRequest

Seats = tuple[int, ...]


def move(duel: HostedDuel, seats: Seats, request: MoveRequest) -> Event:
    """Play a move for the seat to move."""
    wanted = Move.parse(request.move)
    _check_going_on(duel, request, str(wanted))
    if duel.seat not in seats:
        raise RefusedError(f"{wanted} is out of turn: {duel.name} is to move.", duel)
    if refusal := duel.position.refusal(wanted):
        raise IllegalMoveError(refusal)
    return Moved(duel.position.as_written(wanted))


def resign(duel: HostedDuel, seats: Seats, request: Action) -> Event:
    """Give the round to the other; at one device whoever is to move resigns."""
    _check_going_on(duel, request, "resigning")
    return Resigned(duel.seat if duel.seat in seats else seats[0])


def off(duel: HostedDuel, seats: Seats, request: Action) -> Event | None:
    """Call the round off: at once where one person decides, else the other must agree."""
    _check_going_on(duel, request, "calling it off")
    if duel.decides_alone:
        return CalledOff()
    if duel.offer in seats:
        return None
    return Proposed(seats[0]) if duel.offer is None else CalledOff()


def undo(duel: HostedDuel, seats: Seats, request: Action) -> Event:
    """Take back one's last move and the computer's reply to it, or a resignation."""
    _check_current(duel, request)
    if duel.opponent == FRIEND:
        raise RefusedError(
            "a move cannot be taken back between friends far apart: "
            "takeback is for one device and against the computer.",
            duel,
        )
    count = duel.takeback(seats)
    if count is None:
        raise RefusedError("there is no move of yours to take back.", duel)
    return TakenBack(count)


def rematch(duel: HostedDuel, _: Seats, request: Action) -> Event | None:
    """Start the next round, the other seat first. Whoever asks second finds it started."""
    started = duel.round > 1 and not duel.ply and not duel.outcome()
    if started and request.round in (None, duel.round - 1):
        return None
    _check_current(duel, request)
    if duel.outcome() is None:
        raise RefusedError("a rematch comes too early: the game is not over.", duel)
    if duel.standing.over:
        raise RefusedError(f"{duel.round:,} rounds are enough: start a new game.", duel)
    return RoundBegun()


COMMANDS: dict[str, Callable[..., Event | None]] = {
    command.__name__: command for command in (move, resign, off, undo, rematch)
}


def allowed(duel: HostedDuel, seats: Seats) -> list[str]:
    """The names of the commands that these seats may give now."""
    if not seats:
        return []
    over = duel.outcome() is not None
    may = {
        "move": not over and duel.seat in seats,
        "resign": not over,
        "off": not over and duel.offer not in seats,
        "undo": duel.opponent != FRIEND and duel.takeback(seats) is not None,
        "rematch": over,
    }
    return [name for name, yes in may.items() if yes]


def _check_current(duel: HostedDuel, request: Action | MoveRequest) -> None:
    if request.round not in (None, duel.round):
        stale = f"round {request.round}, but round {duel.round} is being played"
    elif request.ply not in (None, duel.ply):
        stale = f"ply {request.ply}, but the game is at ply {duel.ply}"
    else:
        return
    raise RefusedError(f"the request is for {stale}: look at the state again.", duel)


def _check_going_on(duel: HostedDuel, request: Action | MoveRequest, what: str) -> None:
    _check_current(duel, request)
    if duel.outcome() is not None:
        raise RefusedError(f"{what} comes too late: the game is over.", duel)
