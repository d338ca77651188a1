"""Who watches what. Each stream gets the newest version of its games, never a queue of old ones."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from digitduel.web.errors import BusyError, UnknownGameError
from digitduel.web.presence import Presence
from digitduel.web.rights import seats_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping

    from digitduel.web.hosted import HostedDuel
    from digitduel.web.service import Service

# Browsers come back this soon after a lost connection, in milliseconds.
HELLO = b"retry: 1000\n\n"
BEAT = b"event: beat\ndata: -\n\n"
RETRY_SECONDS = 0.5
READ_AT_ONCE = 8  # games, for all who watch: players need the store, too
AT_ONCE = 50  # streams that are woken before others have their turn
SLICE = 0.01  # seconds: if that many take longer, fewer are woken


class Watcher:
    """One stream: which of its games have news, and a bell for when there are some."""

    def __init__(
        self,
        seen: Mapping[str, int | None],
        render: Callable[[HostedDuel], bytes],
        token: str | None,
        *,
        is_page: bool,
    ) -> None:
        self.seen, self.render, self.token, self.is_page = dict(seen), render, token, is_page
        self.seats: dict[str, tuple[int, ...]] = {}  # that it plays for
        self.here: dict[str, tuple[int, ...]] = {}  # who was here when it was told last
        self._news: dict[Feed, None] = {}
        self._bell = asyncio.Event()

    def tell(self, feed: Feed) -> None:
        """A game has news."""
        self._news[feed] = None
        self.wake()

    def wake(self) -> None:
        """There is something to do, if only to give a sign of life."""
        self._bell.set()

    async def news(self) -> Feed | None:
        """A game that has news, as soon as there is one; None if woken without."""
        if not self._news:
            self._bell.clear()
            await self._bell.wait()
        return self._news.popitem()[0] if self._news else None


class Feed:
    """One game that is being watched: its newest version, and who is to be told."""

    def __init__(self, duel: HostedDuel) -> None:
        self.duel = duel
        self.gone = False
        self.loading = False
        self.again = False  # something was heard while the game was being read
        self._players: dict[Watcher, tuple[int, ...]] = {}  # and the seats they play for
        self._others: dict[Watcher, tuple[int, ...]] = {}
        self._late = False  # there is news that not all others were told
        self._telling: asyncio.Task[None] | None = None

    @property
    def is_watched(self) -> bool:
        """Whether anybody is there."""
        return bool(self._players or self._others)

    def come(self, watcher: Watcher, seats: tuple[int, ...]) -> None:
        """One more watches, for these seats or for none."""
        (self._players if seats else self._others)[watcher] = seats

    def leave(self, watcher: Watcher) -> None:
        """One less."""
        self._players.pop(watcher, None)
        self._others.pop(watcher, None)

    def show(self, duel: HostedDuel) -> None:
        """Put a version up, unless a newer one is up already."""
        if duel.version > self.duel.version:
            self.duel = duel
            self.ring()

    def ring(self) -> None:
        """Tell everyone: those who play at once, the others by and by."""
        for watcher in self._players:
            watcher.tell(self)
        self._late = bool(self._others)
        if self._late and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell_others())

    async def _tell_others(self) -> None:
        while self._late:
            self._late = False
            await _by_and_by(self._others, lambda watcher: watcher.tell(self))


async def _by_and_by(watchers: Iterable[Watcher], call: Callable[[Watcher], None]) -> None:
    """Call for each, few at a time, so that thousands do not keep others waiting."""
    loop, at_once, left = asyncio.get_running_loop(), AT_ONCE, list(watchers)
    while left:
        began = loop.time()
        for watcher in left[:at_once]:
            call(watcher)
        del left[:at_once]
        await asyncio.sleep(0)  # they send, and then others work for as long as that took
        took = loop.time() - began
        at_once = max(1, at_once // 2) if took > SLICE else min(AT_ONCE, 2 * at_once)
        await asyncio.sleep(took)


class Hub:
    """All games that are being watched in this process. Lives in the event loop.

    `now` is the time that clocks run by, in milliseconds: where given, pages are told.
    """

    def __init__(self, service: Service, now: Callable[[], int] | None = None) -> None:
        self._service, self._now = service, now
        self._loop = asyncio.get_running_loop()
        self.presence = Presence(self._ring, self._tell_servers)
        self._feeds: dict[str, Feed] = {}
        self._watchers: dict[Watcher, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._reading = asyncio.Semaphore(READ_AT_ONCE)
        self._start(self._beat())

    @property
    def streams(self) -> int:
        """How many are open."""
        return len(self._watchers)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _beat(self) -> None:
        """One for all streams, so that thousands of them are not thousands of timers."""
        while True:
            await asyncio.sleep(self._service.settings.heartbeat)
            await _by_and_by(self._watchers, Watcher.wake)
            self.presence.repeat()

    # --- Who is here. ---

    def waiting(self) -> list[str]:
        """Games that wait for anybody and whose makers look at them: those that are known here,
        and whatever is looked at elsewhere. From any thread."""
        feeds = list(self._feeds.values())
        known = [feed.duel.id for feed in feeds if feed.duel.waiting]
        here = [game_id for game_id in known if 1 in self.presence.here(game_id)]
        return here + [game_id for game_id in self.presence.elsewhere(1) if game_id not in known]

    def _ring(self, game_id: str) -> None:
        if feed := self._feeds.get(game_id):
            feed.ring()

    def _tell_servers(self, text: str) -> None:
        if not self._closed:
            self._start(self._told(text))

    async def _told(self, text: str) -> None:
        with contextlib.suppress(BusyError):  # it is told again with the next sign of life
            await run_sync(self._service.store.tell, text)

    # --- Word of changes, from any thread. ---

    def changed(self, duel: HostedDuel) -> None:
        """This process has made a change. Who begins to watch it now reads it from the store."""
        if duel.id in self._feeds:
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
            self._start(self._load(game_id, feed))

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
        seen: Mapping[str, int | None],
        render: Callable[[HostedDuel], bytes],
        token: str | None = None,
        *,
        is_page: bool = False,
    ) -> EventSourceResponse:
        """Server-sent events of games, given which version of each was seen: the newest ones, now
        and as they come. Whoever's `token` plays is told first. A page is told of games that are
        not there, and sees signs of life; for programs there are all games or no stream."""
        async with self._reading:
            duels = await run_sync(self._find_all, list(seen), is_page)
        if self._closed or self.streams >= self._service.settings.most_streams:
            raise BusyError("too many people are watching just now: try again.", wait=5)
        return EventSourceResponse(
            self._events(Watcher(seen, render, token, is_page=is_page), duels),
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    def _find_all(self, games: list[str], some_will_do: bool) -> list[HostedDuel]:
        found = []
        for game_id in games:
            try:
                found.append(self._service.find(game_id))
            except UnknownGameError:
                if not some_will_do:
                    raise
        return found

    async def _events(self, watcher: Watcher, duels: list[HostedDuel]) -> AsyncIterator[bytes]:
        watched, is_page = {duel.id for duel in duels}, watcher.is_page
        self._watchers[watcher] = None
        try:
            for duel in duels:
                self._come(watcher, duel)
            yield HELLO + (self._sign_of_life() if is_page else b"")
            for game_id in watcher.seen.keys() - watched:
                yield _gone(game_id)
            while watched and not self._closed:
                feed = await watcher.news()
                if feed is None:
                    yield self._sign_of_life() if is_page else KEEPALIVE_COMMENT
                elif feed.gone:
                    if feed.duel.id in watched and is_page:
                        yield _gone(feed.duel.id)
                    watched.discard(feed.duel.id)
                else:
                    for event in self._fresh(watcher, feed):
                        yield event
        finally:
            del self._watchers[watcher]
            for duel in duels:
                self._leave(watcher, duel.id)

    def _fresh(self, watcher: Watcher, feed: Feed) -> Iterator[bytes]:
        """What a stream has not shown yet of a game."""
        duel, game_id = feed.duel, feed.duel.id
        seats = seats_of(duel, watcher.token)
        if seats != watcher.seats[game_id]:  # a seat has come to this browser, or left it
            self.presence.come(game_id, seats)
            self.presence.leave(game_id, watcher.seats[game_id])
            feed.leave(watcher)
            feed.come(watcher, seats)
            watcher.seats[game_id] = seats
        is_news = game_id not in watcher.here  # or the clock has changed with the game
        if duel.version != watcher.seen[game_id]:
            watcher.seen[game_id] = duel.version
            yield watcher.render(duel)
            is_news = True
        if watcher.is_page and is_news and duel.times is not None:
            yield self._time(since=duel.times.since or 0)
        here = self.presence.here(game_id)
        if watcher.is_page and here != watcher.here.get(game_id):
            watcher.here[game_id] = here
            yield _here(game_id, here)

    def _sign_of_life(self) -> bytes:
        """What a page sees, unlike a comment; with the time of clocks, where there are some."""
        return BEAT + self._time()

    def _time(self, since: int = 0) -> bytes:
        """The time that clocks run by; another server may know only that it is not before."""
        if self._now is None:
            return b""
        return format_sse_event(data_str=str(max(self._now(), since)), event="time")

    def _come(self, watcher: Watcher, duel: HostedDuel) -> None:
        feed = self._feeds.get(duel.id)
        if feed is None:
            feed = self._feeds[duel.id] = Feed(duel)
            self._look(duel.id)  # what changed before this moment was not heard
        seats = watcher.seats[duel.id] = seats_of(duel, watcher.token)
        feed.come(watcher, seats)
        feed.show(duel)
        watcher.tell(feed)
        self.presence.come(duel.id, seats)

    def _leave(self, watcher: Watcher, game_id: str) -> None:
        self.presence.leave(game_id, watcher.seats.get(game_id, ()))
        if feed := self._feeds.get(game_id):
            feed.leave(watcher)
            if not feed.is_watched:
                del self._feeds[game_id]

    def close(self) -> None:
        """End every stream; browsers come back by themselves."""
        self._closed = True
        for watcher in self._watchers:
            watcher.wake()
        for task in list(self._tasks):
            task.cancel()


def last_seen(event_id: str | None, after: int | None) -> int | None:
    """A version from Last-Event-ID; where that holds something else, the one the address names."""
    return int(event_id) if event_id and event_id.isdecimal() and len(event_id) < 20 else after


def _here(game_id: str, seats: tuple[int, ...]) -> bytes:
    """Which players of a game are there."""
    return format_sse_event(data_str=f"{game_id} {''.join(map(str, seats))}", event="here")


def _gone(game_id: str) -> bytes:
    return format_sse_event(data_str=game_id, event="gone")
