"""Games at hand: those used last, so that each change need not play its game again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digitduel.web.duel import Duel

ROOM = 400_000  # moves in all; a game weighs its moves and a little
LEAST_WEIGHT = 50


class Shelf:
    """Holds a bounded number of games, by how long they are."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._taken = 0
        self._duels: OrderedDict[str, Duel] = OrderedDict()
        self._lock = Lock()

    def get(self, game_id: str) -> Duel | None:
        """The game, if it is here; it may be older than the one on disk."""
        with self._lock:
            if game_id in self._duels:
                self._duels.move_to_end(game_id)
            return self._duels.get(game_id)

    def put(self, duel: Duel) -> None:
        """Keep a game, unless a newer version of it is here."""
        with self._lock:
            held = self._duels.get(duel.id)
            if held is not None and held.version >= duel.version:
                return
            self._drop(duel.id)
            self._duels[duel.id] = duel
            self._taken += _weight(duel)
            while self._taken > self._room and len(self._duels) > 1:
                self._drop(next(iter(self._duels)))

    def forget(self, game_id: str) -> None:
        """Read the game from disk next time."""
        with self._lock:
            self._drop(game_id)

    def _drop(self, game_id: str) -> None:
        duel = self._duels.pop(game_id, None)
        if duel is not None:
            self._taken -= _weight(duel)


def _weight(duel: Duel) -> int:
    return LEAST_WEIGHT + duel.ply + sum(len(record.moves) for record in duel.rounds)
