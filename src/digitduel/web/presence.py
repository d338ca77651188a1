"""Which players look at their game just now, over all servers on one store."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# A stream that is opened anew, as when one more tab comes, does not mean that somebody left.
GRACE_SECONDS = 4.0
# What another server has told is forgotten if it does not repeat it: it may have been killed.
FORGET_SECONDS = 40.0
MOST_AT_ONCE = 200  # games in one message between servers
TOGETHER_SECONDS = 0.05  # who comes within this is told of in one: after a restart all come at once


class Presence:
    """Lives in the event loop; `here` may be asked from any thread.

    `changed` is called with a game whose players came or went, `tell` sends a text to the other
    servers, whose texts come to `told`.
    """

    def __init__(self, changed: Callable[[str], None], tell: Callable[[str], None]) -> None:
        self._changed, self._tell = changed, tell
        self._loop = asyncio.get_running_loop()
        self._server = secrets.token_hex(4)
        self._streams: Counter[tuple[str, int]] = Counter()  # of each player here
        self._untold: set[str] = set()  # games of which the other servers do not know yet
        self._leaving: dict[tuple[str, int], asyncio.TimerHandle] = {}
        self._elsewhere: dict[str, dict[str, tuple[str, float]]] = {}  # game, server: seats, until

    def here(self, game_id: str) -> tuple[int, ...]:
        """The seats whose players look at a game."""
        return tuple(seat for seat in (1, 2) if self._is_here(game_id, seat))

    def _is_here(self, game_id: str, seat: int) -> bool:
        player, now = (game_id, seat), self._loop.time()
        if self._streams[player] or player in self._leaving:
            return True
        others = list(self._elsewhere.get(game_id, {}).values())
        return any(str(seat) in seats and until > now for seats, until in others)

    def come(self, game_id: str, seats: Iterable[int]) -> None:
        """A stream begins."""
        self._change(game_id, seats, +1)

    def leave(self, game_id: str, seats: Iterable[int]) -> None:
        """A stream ends; its player is away if none begins soon."""
        self._change(game_id, seats, -1)

    def _change(self, game_id: str, seats: Iterable[int], count: int) -> None:
        before = self.here(game_id)
        for player in ((game_id, seat) for seat in seats):
            self._streams[player] += count
            if count > 0 and (leaving := self._leaving.pop(player, None)):
                leaving.cancel()
            if not self._streams[player]:
                del self._streams[player]
                self._leaving[player] = self._loop.call_later(GRACE_SECONDS, self._left, player)
        if self.here(game_id) != before:
            self._came_or_went(game_id)

    def _left(self, player: tuple[str, int]) -> None:
        del self._leaving[player]
        self._came_or_went(player[0])

    def _came_or_went(self, game_id: str) -> None:
        if not self._untold:
            self._loop.call_later(TOGETHER_SECONDS, self._tell_news)
        self._untold.add(game_id)
        self._changed(game_id)

    def _tell_news(self) -> None:
        games, self._untold = sorted(self._untold), set()
        self._tell_of(games)

    def _tell_of(self, games: list[str]) -> None:
        for start in range(0, len(games), MOST_AT_ONCE):
            told = (f"{game_id}:{self._own(game_id)}" for game_id in games[start:][:MOST_AT_ONCE])
            self._tell(f"{self._server} {' '.join(told)}")

    def _own(self, game_id: str) -> str:
        """The seats whose players look at a game by this server."""
        players = [(game_id, seat) for seat in (1, 2)]
        return "".join(str(p[1]) for p in players if self._streams[p] or p in self._leaving)

    # --- Between servers. ---

    def elsewhere(self, seat: int) -> list[str]:
        """The games that a seat's player looks at by another server; from any thread."""
        now, games = self._loop.time(), list(self._elsewhere.items())
        return [
            game_id
            for game_id, servers in games
            if any(str(seat) in seats and until > now for seats, until in list(servers.values()))
        ]

    def repeat(self) -> None:
        """Tell the other servers once more, and forget what they have told long ago."""
        self._tell_of(sorted({game_id for game_id, _ in [*self._streams, *self._leaving]}))
        now = self._loop.time()
        for game_id, servers in list(self._elsewhere.items()):
            before = self.here(game_id)
            kept = {name: told for name, told in servers.items() if told[1] > now}
            self._elsewhere[game_id] = kept
            if not kept:
                del self._elsewhere[game_id]
            if self.here(game_id) != before:
                self._changed(game_id)

    def told(self, text: str) -> None:
        """What another server has told; its own comes back, too. From any thread."""
        server, *games = text.split(" ")
        if server != self._server and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note, server, games)

    def _note(self, server: str, games: list[str]) -> None:
        until = self._loop.time() + FORGET_SECONDS
        for game_id, _, seats in (game.partition(":") for game in games):
            before = self.here(game_id)
            self._elsewhere.setdefault(game_id, {})[server] = (seats, until)
            if self.here(game_id) != before:
                self._changed(game_id)
