"""The computer's replies: worked out beside the server, committed as changes of their own."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from digitduel.web.errors import BusyError, RefusedError
from digitduel.web.turns import MOST_WAITING

if TYPE_CHECKING:
    from digitduel.position import Move
    from digitduel.web.evaluations import Evaluations
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.service import Service

logger = logging.getLogger(__name__)


class Computer:
    """Watches for games in which it is to move; what a lost server left undone it takes up."""

    def __init__(self, service: Service, evaluations: Evaluations) -> None:
        self._service, self._evaluations = service, evaluations
        # Whose reply is worked out next is for the turns to say: here there is room to wait.
        self._threads = ThreadPoolExecutor(MOST_WAITING, thread_name_prefix="computer")
        self._pending: set[str] = set()
        self._lock = Lock()

    def changed(self, duel: HostedDuel) -> None:
        """A game has changed; from any thread."""
        if duel.computer_due:
            self._take_up(duel.id)

    def sweep(self, idle: float) -> None:
        """Take up games that have waited for so many seconds: nobody else gives the reply."""
        for game_id in self._service.store.computer_due(idle):
            self._take_up(game_id)

    def _take_up(self, game_id: str) -> None:
        with self._lock:
            if game_id in self._pending:
                return
            self._pending.add(game_id)
        try:
            self._threads.submit(self._reply, game_id)
        except RuntimeError:  # the server is stopping: the next one takes the game up
            self._done(game_id)

    def _reply(self, game_id: str) -> None:
        try:
            duel = self._service.find(game_id)
            while duel.computer_due:
                move = self._work_out(duel)
                self._done(game_id)  # or an answer to the move, given at once, would go unseen
                duel = self._service.computer_move(duel, move) or self._service.find(game_id)
        except BusyError:  # too many replies are due: the sweep comes back to this one
            pass
        except RefusedError as error:  # removed meanwhile, or no store: the sweep comes back to it
            logger.warning("no reply in game %s for now: %s", game_id, error)
        except Exception:
            logger.exception("no reply in game %s", game_id)
        finally:
            self._done(game_id)

    def _work_out(self, duel: HostedDuel) -> Move:
        """The reply, in the turn of whoever made the game, unless the game changes meanwhile."""
        maker = replace(
            self._service.maker(duel),
            gone=lambda: self._service.find(duel.id).version != duel.version,
        )
        return self._evaluations.reply(maker, duel.opponent, duel.randomness, duel.position)

    def _done(self, game_id: str) -> None:
        with self._lock:
            self._pending.discard(game_id)

    def close(self) -> None:
        """Stop; what is left undone is on disk and found again."""
        self._threads.shutdown(wait=False, cancel_futures=True)
