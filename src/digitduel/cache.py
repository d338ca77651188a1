"""One bounded memory for whoever keeps things at hand: solutions here, games on a server.

cachetools has neither the lock nor the choice between two versions, and would be a fifth
dependency of the core.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Item = TypeVar("Item")


class Cache(Generic[Item]):
    """The items used last, up to a weight in all. Threads may share it.

    >>> cache = Cache(room=5, weigh=len)
    >>> for word in ("one", "two", "four"):
    ...     cache.put(word, word)
    >>> cache.get("one"), cache.get("four"), cache.weight
    (None, 'four', 4)
    """

    def __init__(
        self,
        room: int,
        weigh: Callable[[Item], int],
        replaces: Callable[[Item, Item], bool] = lambda new, old: True,  # noqa: ARG005
    ) -> None:
        """`replaces(new, old)` says whether an item takes the place of one with the same key."""
        self.room, self._weigh, self._replaces = room, weigh, replaces
        self.weight = 0
        self._items: OrderedDict[Hashable, Item] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Hashable) -> Item | None:
        """The item with this key, if it is here."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
            return self._items.get(key)

    def put(self, key: Hashable, item: Item) -> None:
        """Keep an item, and drop those not used for longest to make room."""
        with self._lock:
            old = self._items.get(key)
            if self._weigh(item) > self.room or (old is not None and not self._replaces(item, old)):
                return
            self._drop(key)
            self._items[key] = item
            self.weight += self._weigh(item)
            while self.weight > self.room:
                self._drop(next(iter(self._items)))

    def forget(self, key: Hashable) -> None:
        """Drop the item with this key."""
        with self._lock:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._items.clear()
            self.weight = 0

    def _drop(self, key: Hashable) -> None:
        if key in self._items:
            self.weight -= self._weigh(self._items.pop(key))
