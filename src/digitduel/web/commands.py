"""A request in, a change out, or the reason why not. Nothing here knows of HTTP or a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.errors import IllegalMoveError
from digitduel.match import seat_of
from digitduel.position import Move, Side
from digitduel.text import listed
from digitduel.web.duel import FRIEND, Duel
from digitduel.web.errors import RefusedError, StaleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.web.models import Action, MoveRequest

Seats = tuple[int, ...]


class Draft(NamedTuple):
    """A change that may be made."""

    kind: str
    seat: int
    data: dict[str, Any]


def move(duel: Duel, seats: Seats, request: MoveRequest) -> Draft:
    """Play a move for the seat to move."""
    wanted = Move.parse(request.move)
    _check_current(duel, request)
    _check_going_on(duel, f"{wanted}")
    if duel.seat not in seats:
        raise RefusedError(
            f"{wanted} is out of turn: {duel.players[seats[0] % 2]} is to move.", duel
        )
    if refusal := duel.position.refusal(wanted):
        raise IllegalMoveError(refusal)
    return Draft("moved", duel.seat, {"move": str(duel.position.as_written(wanted))})


def resign(duel: Duel, seats: Seats, request: Action) -> Draft:
    """Give the round to the other; at one device whoever is to move resigns."""
    _check_current(duel, request)
    _check_going_on(duel, "resigning")
    seat = duel.seat if duel.seat in seats else seats[0]
    return Draft("resigned", seat or seats[0], {})


def off(duel: Duel, seats: Seats, request: Action) -> Draft | None:
    """Call the round off: at once where one person decides, else the other must agree."""
    _check_current(duel, request)
    _check_going_on(duel, "calling it off")
    alone = duel.opponent != FRIEND or not duel.joined
    if not alone and duel.offer in seats:
        return None
    agreed = alone or duel.offer is not None
    return Draft("called-off" if agreed else "proposed", seats[0], {})


def undo(duel: Duel, seats: Seats, request: Action) -> Draft:
    """Take back one's last move and the computer's reply to it, or a resignation."""
    _check_current(duel, request)
    if duel.opponent == FRIEND:
        raise RefusedError(
            "a move cannot be taken back between friends far apart: "
            "takeback is for one device and against the computer.",
            duel,
        )
    count = _takeback(duel, seats)
    if count is None:
        raise RefusedError("there is no move of yours to take back.", duel)
    return Draft("undone", seats[0], {"count": count})


def rematch(duel: Duel, seats: Seats, request: Action) -> Draft | None:
    """Start the next round, the other seat first. Whoever asks second finds it started."""
    started = duel.round > 1 and not duel.moves and not duel.outcome
    if started and request.round in (None, duel.round - 1):
        return None
    _check_current(duel, request)
    if duel.outcome is None:
        raise RefusedError("a rematch comes too early: the game is not over.", duel)
    if duel.match.after(None).over:
        raise RefusedError(f"{duel.round:,} rounds are enough: start a new game.", duel)
    return Draft("rematched", seats[0], {})


COMMANDS: dict[str, Callable[..., Draft | None]] = {
    "move": move,
    "resign": resign,
    "off": off,
    "undo": undo,
    "rematch": rematch,
}


def allowed(duel: Duel, seats: Seats) -> list[str]:
    """The names of the commands that these seats may give now."""
    if not seats:
        return []
    may = {
        "move": duel.seat in seats,
        "resign": duel.outcome is None,
        "off": duel.outcome is None and duel.offer not in seats,
        "undo": duel.opponent != FRIEND and _takeback(duel, seats) is not None,
        "rematch": duel.outcome is not None,
    }
    return [name for name, yes in may.items() if yes]


def _takeback(duel: Duel, seats: Seats) -> int | None:
    """How many moves go back to one's own last, the computer's reply included; None if none is.

    It is 0 where the round was given up or called off: that alone is taken back.
    """
    if duel.agreed is not None and duel.ply < duel.most_moves:
        return 0
    for count, ply in enumerate(reversed(range(duel.ply)), start=1):
        side = Side.SECOND if ply % 2 else Side.FIRST
        if seat_of(side, duel.match.starter) in seats:
            return count
    return None


def _check_current(duel: Duel, request: Action | MoveRequest) -> None:
    stale = []
    if request.round not in (None, duel.round):
        stale.append(f"round {request.round}, but round {duel.round} is being played")
    elif request.ply not in (None, duel.ply):
        stale.append(f"ply {request.ply}, but the game is at ply {duel.ply}")
    if stale:
        raise StaleError(f"the request is for {listed(stale)}: look at the state again.", duel)


def _check_going_on(duel: Duel, what: str) -> None:
    if duel.outcome is not None:
        raise RefusedError(f"{what} comes too late: the game is over.", duel)
