"""Keeps the playing time while somebody's time runs, and ends rounds in which it is up."""

from __future__ import annotations

import contextlib
import logging
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from digitduel.web.errors import BusyError, UnknownGameError

if TYPE_CHECKING:
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.service import Service

TICK = 0.1  # seconds: as much may be lost when a server is killed
SHORTEST = 0.005
# Without a clock of ours, other servers' games are looked for now and then: theirs may be gone.
REST = 1.0

logger = logging.getLogger(__name__)


class Timekeeper:
    """A thread of its own, so that no clock waits for anybody."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._ticking, self._woken, self._closing = False, Event(), False
        self._thread = Thread(target=self._run, name="timekeeper", daemon=True)

    def start(self) -> None:
        """Begin; whatever clock ran when the last server ended goes on from now."""
        self._step()
        self._thread.start()

    def changed(self, duel: HostedDuel) -> None:
        """A game has changed; from any thread."""
        if not self._ticking and duel.time_up_at is not None:
            self._woken.set()

    def _run(self) -> None:
        while not self._closing:
            self._woken.clear()
            began = monotonic()
            pause = self._step()
            self._woken.wait(max(pause - (monotonic() - began), 0))

    def _step(self) -> float:
        """One look, whatever comes of it; the seconds until the next."""
        self._ticking, pause = False, REST  # who changes a game while we look wakes us once more
        try:
            pause = self.look()
        except BusyError:
            pass  # the store has told why
        except Exception:
            logger.exception("the clocks cannot be kept")
        self._ticking = pause < REST
        return pause

    def look(self) -> float:
        """Keep the time if anybody's runs, end what is over; the seconds until the next look."""
        service = self._service
        clocks = service.store.running_clocks()
        if not clocks:
            return REST
        service.playing_time.keep()
        now = service.playing_time.told()
        due = [game_id for game_id, up_at in clocks if up_at <= now]
        for game_id in due:
            self._end(game_id)
        next_due = (clocks[0][1] - now) / 1000
        return TICK if due else min(max(next_due, SHORTEST), TICK)

    def _end(self, game_id: str) -> None:
        with contextlib.suppress(UnknownGameError, BusyError):  # removed; or the store tells why
            self._service.look_at_clock(game_id)

    def close(self) -> None:
        """Stop, with the time kept as far as it went."""
        self._closing = True
        self._woken.set()
        self._thread.join(timeout=2)
        self._step()
