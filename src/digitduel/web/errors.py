"""What the web refuses, each with its HTTP status; part of the tree in digitduel.errors.

DigitDuelError
└── RefusedError                  409  not now: the answer shows how the game stands
    ├── StaleError                409  the game has moved on since
    ├── UnknownGameError          404  there is no such game
    ├── NoTokenError              401  a change without any right shown
    ├── NotAllowedError           403  a token that gives no right here, or a foreign origin
    ├── UsedInviteError           410  an invitation that was taken up already
    ├── TooManyError              429  more often than allowed
    └── BusyError                 503  the store or the solver cannot answer just now
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.errors import DigitDuelError

if TYPE_CHECKING:
    from digitduel.web.hosted import HostedDuel

BAD_INPUT = 422


class RefusedError(DigitDuelError):
    """A request that cannot be done now; `duel` is how the game stands, where that helps."""

    status = 409

    def __init__(
        self, message: str, duel: HostedDuel | None = None, wait: float | None = None
    ) -> None:
        super().__init__(message)
        self.duel = duel
        self.wait = wait  # seconds after which it is worth trying again


class StaleError(RefusedError):
    """The request answers a position that is no longer on the table."""


class UnknownGameError(RefusedError):
    """There is no such game."""

    status = 404


class NoTokenError(RefusedError):
    """A change needs a token."""

    status = 401


class NotAllowedError(RefusedError):
    """This token, or this origin, has no right to it."""

    status = 403


class UsedInviteError(RefusedError):
    """An invitation is valid once."""

    status = 410


class TooManyError(RefusedError):
    """Too often in too short a time."""

    status = 429


class BusyError(RefusedError):
    """The store or the solver does not answer in time."""

    status = 503
