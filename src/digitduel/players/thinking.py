"""Who to ask what a position is worth: the solution, or a look-ahead until it is there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from digitduel.solve import Lookahead, estimate, judge, rules_key, solved

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset
    from digitduel.solve import Judge

# Nanoseconds of work that a player may keep people waiting for.
QUICK = 10**9

MEANWHILE = "looking ahead while the game is being solved"
TOO_LARGE = "looking ahead: the game is too large to solve"


class Thought(NamedTuple):
    """Whoever answers, and what to tell people where that is not the solution."""

    mind: Judge
    note: str | None = None


class _Background:
    """A rule set being solved by a thread; `mind` is what came of it."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.key = rules_key(ruleset)
        self.mind: Judge | None = None
        self._ruleset = ruleset
        # A daemon: whoever leaves the game does not wait for the solver.
        threading.Thread(target=self._solve, daemon=True).start()

    def _solve(self) -> None:
        self.mind = judge(self._ruleset)


_lock = threading.Lock()
_latest: list[_Background] = []  # the last one only: its solution may be too large to keep many


def think(ruleset: Ruleset) -> Thought:
    """The solution if it is there or quickly made, else a look-ahead and a note that says so."""
    found = solved(ruleset)
    if found is not None:
        return Thought(found)
    if estimate(ruleset).work <= QUICK:
        mind = judge(ruleset)
    else:
        mind = _from_background(ruleset) or judge(ruleset, work=0)
        if isinstance(mind, Lookahead) and not _is_done(ruleset):
            return Thought(mind, MEANWHILE)
    return Thought(mind, TOO_LARGE if isinstance(mind, Lookahead) else None)


def mind_for(ruleset: Ruleset) -> Judge:
    """Whoever answers for a rule set just now."""
    return think(ruleset).mind


def _from_background(ruleset: Ruleset) -> Judge | None:
    with _lock:
        if not _latest or _latest[0].key != rules_key(ruleset):
            _latest[:] = [_Background(ruleset)]
        return _latest[0].mind


def _is_done(ruleset: Ruleset) -> bool:
    with _lock:
        return bool(_latest) and _latest[0].key == rules_key(ruleset) and bool(_latest[0].mind)
