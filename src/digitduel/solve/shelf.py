"""Solutions that are kept for whoever asks next, and who answers where there is none."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from digitduel.errors import TooLargeError
from digitduel.solve.lookahead import Lookahead
from digitduel.solve.size import MEMORY, estimate
from digitduel.solve.solution import Solution, solve
from digitduel.solve.value import rules_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.ruleset import Ruleset
    from digitduel.solve.value import Judge

# What takes more work than this is not solved unasked: about two minutes.
PATIENCE = 10**11


class Shelf:
    """The solutions used last, up to a number of them and of bytes. Threads may share it."""

    def __init__(self, most: int = 64, most_bytes: int = MEMORY) -> None:
        self.most, self.most_bytes = most, most_bytes
        self._kept: OrderedDict[tuple[object, ...], Solution] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def bytes(self) -> int:
        """How much memory the solutions take."""
        return sum(each.bytes for each in self._kept.values())

    def get(self, ruleset: Ruleset) -> Solution | None:
        """The solution for these rules, if it is here."""
        key = rules_key(ruleset)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, solution: Solution) -> None:
        """Keep a solution, and drop the ones not used for longest to make room."""
        if solution.bytes > self.most_bytes:
            return
        with self._lock:
            self._kept[rules_key(solution.ruleset)] = solution
            while len(self._kept) > self.most or self.bytes > self.most_bytes:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget all solutions."""
        with self._lock:
            self._kept.clear()


SHELF = Shelf()


def solved(ruleset: Ruleset) -> Solution | None:
    """The solution of a rule set, if `judge` has made it already and still keeps it."""
    return SHELF.get(ruleset)


def judge(
    ruleset: Ruleset,
    *,
    memory: int = MEMORY,
    work: int = PATIENCE,
    progress: Callable[[float], object] | None = None,
) -> Judge:
    """Whoever knows most about a rule set: its solution, made now if it fits, or a look-ahead.

    It is solved only if that takes no more `memory` (bytes) and `work` (as `Estimate` counts it).
    """
    found = SHELF.get(ruleset)
    if found is not None:
        return found
    size = estimate(ruleset, memory=memory)
    if size.bytes > memory or size.work > work:
        return _lookahead(ruleset)
    try:
        solution = solve(ruleset, memory=memory, progress=progress)
    except TooLargeError:  # an endless game whose plies turned out to need more memory
        return _lookahead(ruleset)
    SHELF.put(solution)
    return solution


_lookahead = lru_cache(maxsize=16)(Lookahead)
