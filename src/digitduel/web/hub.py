"""Who watches what. Each watcher gets the newest version, never a queue of old ones."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse

from digitduel.web.errors import BusyError, UnknownGameError
from digitduel.web.rights import seats_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from digitduel.web.hosted import HostedDuel
    from digitduel.web.service import Service

# Browsers come back this soon after a lost connection, in milliseconds.
HELLO = b"retry: 1000\n\n"
RETRY_SECONDS = 0.5
READ_AT_ONCE = 8  # games, for all who watch: players need the store, too
AT_ONCE = 50  # watchers that are woken before others have their turn
SLICE = 0.01  # seconds: if that many take longer, fewer are woken


class Feed:
    """One game that is being watched: its newest version, and a bell for whoever waits."""

    def __init__(self, duel: HostedDuel, heartbeat: float) -> None:
        self.duel = duel
        self.gone = False
        self.watchers = 0
        self.loading = False
        self.again = False  # something was heard while the game was being read
        self._heartbeat = heartbeat
        self._bell = asyncio.Event()
        self._waiting: list[asyncio.Future[bool]] = []
        self._playing: list[asyncio.Future[bool]] = []  # of them
        self._waking: asyncio.Task[None] | None = None

    def show(self, duel: HostedDuel) -> None:
        """Put a version up, unless a newer one is up already."""
        if duel.version > self.duel.version:
            self.duel = duel
            self.ring()

    def ring(self) -> None:
        """Wake everyone who waits: those who play at once, the others by and by."""
        playing, self._playing = self._playing, []
        _wake(playing, news=True)
        self._bell.set()

    async def wait(self, *, plays: bool = False) -> bool:
        """Until there is something new; False if there is nothing for a heartbeat's time."""
        woken: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(woken)
        if plays:
            self._playing.append(woken)
        return await woken

    def come(self) -> None:
        """One more watches."""
        self.watchers += 1
        if self._waking is None:
            self._waking = asyncio.create_task(self._wake_all())

    def leave(self) -> None:
        """One less."""
        self.watchers -= 1
        if not self.watchers and self._waking is not None:
            self._waking.cancel()

    async def _wake_all(self) -> None:
        """One for all who watch, so that thousands of them are not thousands of timers."""
        loop, at_once = asyncio.get_running_loop(), AT_ONCE
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._heartbeat):
                    await self._bell.wait()
            news = self._bell.is_set()
            self._bell.clear()
            waiting, self._waiting, self._playing = self._waiting, [], []
            while waiting:
                began = loop.time()
                _wake(waiting[:at_once], news=news)
                del waiting[:at_once]
                await asyncio.sleep(0)  # they send, and then others work for as long as that took
                took = loop.time() - began
                at_once = max(1, at_once // 2) if took > SLICE else min(AT_ONCE, 2 * at_once)
                await asyncio.sleep(took)


def _wake(waiting: list[asyncio.Future[bool]], *, news: bool) -> None:
    for woken in waiting:
        if not woken.done():
            woken.set_result(news)


class Hub:
    """All games that are being watched in this process. Lives in the event loop."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._loop = asyncio.get_running_loop()
        self._feeds: dict[str, Feed] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._streams = 0
        self._reading = asyncio.Semaphore(READ_AT_ONCE)

    # --- Word of changes, from any thread. ---

    def changed(self, duel: HostedDuel) -> None:
        """This process has made a change."""
        self._soon(lambda: self._show(duel))

    def heard(self, game_id: str, version: int) -> None:
        """Another process has made a change."""
        self._soon(lambda: self._look(game_id, version))

    def missed(self) -> None:
        """Changes may have gone unheard: look at every game that is watched."""
        self._soon(self._look_everywhere)

    def _soon(self, call: Callable[[], object]) -> None:
        if not self._closed and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def _show(self, duel: HostedDuel) -> None:
        if feed := self._feeds.get(duel.id):
            feed.show(duel)

    def _look_everywhere(self) -> None:
        for game_id in list(self._feeds):
            self._look(game_id)

    def _look(self, game_id: str, version: int = 0) -> None:
        feed = self._feeds.get(game_id)
        if feed is None or 0 < version <= feed.duel.version:
            return
        feed.again = True
        if not feed.loading:
            feed.loading = True
            task = asyncio.create_task(self._load(game_id, feed))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _load(self, game_id: str, feed: Feed) -> None:
        """Read a game once for all its watchers, as often as it takes."""
        try:
            while feed.again and self._feeds.get(game_id) is feed:
                feed.again = False
                try:
                    async with self._reading:
                        feed.show(await run_sync(self._service.find, game_id))
                except UnknownGameError:
                    feed.gone = True
                    feed.ring()
                except BusyError:
                    feed.again = True
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            feed.loading = False

    # --- Watching. ---

    async def respond(
        self,
        game_id: str,
        seen: int | None,
        render: Callable[[HostedDuel], bytes],
        beat: bytes = KEEPALIVE_COMMENT,
        token: str | None = None,
    ) -> EventSourceResponse:
        """Server-sent events: the game now, unless seen, then each newest version, and `beat` as a
        sign of life where there is none for long. Whoever's `token` plays is told first."""
        async with self._reading:
            duel = await run_sync(self._service.find, game_id)
        if self._closed or self._streams >= self._service.settings.most_streams:
            raise BusyError("too many people are watching just now: try again.", wait=5)
        return EventSourceResponse(
            self._events(duel, seen, render, beat, plays=bool(seats_of(duel, token))),
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _events(
        self,
        now: HostedDuel,
        seen: int | None,
        render: Callable[[HostedDuel], bytes],
        beat: bytes,
        *,
        plays: bool,
    ) -> AsyncIterator[bytes]:
        heartbeat = self._service.settings.heartbeat
        feed = self._feeds.setdefault(now.id, Feed(now, heartbeat))
        feed.come()
        self._streams += 1
        try:
            feed.show(now)
            self._look(now.id)  # what changed before this moment was not heard
            yield HELLO
            while not self._closed and not feed.gone:
                duel = feed.duel
                if duel.version != seen:
                    seen = duel.version
                    yield render(duel)
                elif not await feed.wait(plays=plays):
                    yield beat
        finally:
            self._streams -= 1
            feed.leave()
            if not feed.watchers:
                self._feeds.pop(now.id, None)

    def close(self) -> None:
        """End every stream; browsers come back by themselves."""
        self._closed = True
        for feed in self._feeds.values():
            feed.ring()
        for task in list(self._tasks):
            task.cancel()


def last_seen(event_id: str | None, after: int | None) -> int | None:
    """A version from Last-Event-ID; where that holds something else, the one the address names."""
    return int(event_id) if event_id and event_id.isdecimal() and len(event_id) < 20 else after
