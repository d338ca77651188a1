"""Whether the store does what players need: a real read, and now and then a small write."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync

from digitduel.web.errors import BusyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.web.store import Store

# However many ask, the store is written to no more often.
WRITE_SECONDS = 1.0


class Health:
    """One look at a time, for all who ask meanwhile. Lives in the event loop."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._look: asyncio.Task[bool] | None = None
        self._written_at, self._writable = float("-inf"), False

    async def is_good(self) -> bool:
        """Whether games can be read and changed."""
        if self._look is None or self._look.done():
            self._look = asyncio.create_task(run_sync(self._works))
        return await asyncio.shield(self._look)

    def _works(self) -> bool:
        try:
            self._store.check_reading()
            if self._clock() - self._written_at >= WRITE_SECONDS:
                self._written_at, self._writable = self._clock(), False
                self._store.check_writing()
                self._writable = True
        except BusyError:
            return False
        return self._writable
