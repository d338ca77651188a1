"""What the web refuses, each with its HTTP status; part of the tree in digitduel.errors."""

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

    @property
    def headers(self) -> dict[str, str]:
        """What every answer that tells of it says, whatever it looks like."""
        return {} if self.wait is None else {"Retry-After": f"{self.wait:.0f}"}


class UnknownGameError(RefusedError):
    """There is no such game."""

    status = 404


class NoTokenError(RefusedError):
    """A change needs a token."""

    status = 401

    @property
    def headers(self) -> dict[str, str]:
        """What kind of token."""
        return {"WWW-Authenticate": "Bearer"}


class NotAllowedError(RefusedError):
    """This token, or this origin, has no right to it."""

    status = 403


class UsedInviteError(RefusedError):
    """An invitation is valid once."""

    status = 410


class SlowBodyError(RefusedError):
    """A request's body does not arrive in time."""

    status = 408


class LargeBodyError(RefusedError):
    """A request's body is over the limit."""

    status = 413


class UnclearBodyError(RefusedError):
    """A request tells its body's length in two ways; others may read it in the other one."""

    status = 400


class UnknownHostError(RefusedError):
    """A request for another site than the one this server is."""

    status = 421


class TooManyError(RefusedError):
    """Too often in too short a time."""

    status = 429


class BusyError(RefusedError):
    """The store or the solver does not answer in time."""

    status = 503


class LostError(BusyError):
    """The store did not answer; whether the last transaction took effect is not known."""
