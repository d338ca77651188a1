"""One visitor's connection: a place for it, and a time for everything it is to do."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from digitduel.web.limits import Places, network

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

HEAD_SECONDS = 20  # from its first byte, or from the beginning of the connection
KEEP_ALIVE_SECONDS = 30
STALLED_SECONDS = 30  # for whoever does not read what was asked for
RETRY_SECONDS = 10
QUIET_SECONDS = 60
PROXY_LEAVES = 10  # one place of so many

logger = logging.getLogger(__name__)


class Config(uvicorn.Config):
    """uvicorn's, and how many connections there may be: in all, and from one address."""

    def __init__(self, app: Any, most: int, per_address: int, **options: Any) -> None:
        super().__init__(app, http=Connection, **options)
        self.most, self.places = most, Places(per_address)
        # All visitors may come through a proxy, but whoever asks directly finds a place.
        self.proxy_places = Places(most - most // PROXY_LEAVES)


class Connection(H11Protocol):
    """uvicorn's, but none waits without end: for a head, for a reader, or for a place."""

    config: Config

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._leave: Callable[[], None] | None = None  # gives its place to another
        self._head_timer: asyncio.TimerHandle | None = None
        self._reading_timer: asyncio.TimerHandle | None = None

    # --- A place. ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Find it a place, or say that there is none."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if len(self.connections) > self.config.most:
            logger.warning("no room for more than %d connections", self.config.most)
            self._refuse("503 Service Unavailable", "the server is full")
        elif not self._take_place(address):
            logger.warning("too many connections from one address")
            self._refuse("429 Too Many Requests", "too many connections from your address")
        else:
            self._await_head()

    def _is_proxy(self, address: str) -> bool:
        """Whether all its visitors come from there: the guard counts them one by one."""
        app = self.config.loaded_app
        return isinstance(app, ProxyHeadersMiddleware) and address in app.trusted_hosts

    def _take_place(self, address: str) -> bool:
        config, name = self.config, network(address)
        places = config.proxy_places if self._is_proxy(address) else config.places
        if taken := places.take(name):
            self._leave = lambda: places.leave(name)
        return taken

    def _refuse(self, status: str, reason: str) -> None:
        body = f'{{"detail": "{reason}: try again in {RETRY_SECONDS} seconds."}}'
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n"
            f"Retry-After: {RETRY_SECONDS}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.transport.write(f"{head}{body}".encode())
        self._hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place to another."""
        super().connection_lost(exc)
        if self._leave is not None:
            self._leave()
        for timer in (self._head_timer, self._reading_timer):
            if timer is not None:
                timer.cancel()

    # --- In time. ---

    def data_received(self, data: bytes) -> None:
        """A head that has begun is to be whole in time, however many drops it comes in."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_head()
        elif self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing came in time."""
        super().timeout_keep_alive_handler()
        self._hang_up()

    def _hang_up(self) -> None:
        """Close, once what was sent is read: but that has its time, too."""
        self.transport.close()
        if self.transport.get_write_buffer_size():
            self.pause_writing()

    def pause_writing(self) -> None:
        """Nobody reads what was asked for: not for long."""
        super().pause_writing()
        if self._reading_timer is None:
            self._reading_timer = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Somebody reads again."""
        super().resume_writing()
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None

    # --- Nonsense. ---

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; in the middle of an answer there is nothing left to say."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        if self.cycle is not None:
            self.cycle.disconnected = True  # whoever works on the answer need not go on
            self.cycle.message_event.set()
        self._hang_up()


class Seldom(logging.Filter):
    """Lets the same warning through once in a while: visitors cause them as often as they like."""

    def __init__(
        self, seconds: float = QUIET_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._seconds, self._clock = seconds, clock
        self._last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is told; if it is, with how many were not."""
        if record.levelno > logging.WARNING:
            return True
        now, message = self._clock(), str(record.msg)
        told, untold = self._last.get(message, (float("-inf"), 0))
        if now - told < self._seconds:
            self._last[message] = told, untold + 1
            return False
        if untold:
            record.msg = f"{message} ({untold:,} more since this was told last)"
        self._last[message] = now, 0
        return True


SELDOM = Seldom()
logger.addFilter(SELDOM)
