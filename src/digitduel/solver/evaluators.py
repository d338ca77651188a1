"""Who says what positions are worth: the solution if a budget allows one, or a look-ahead."""

from __future__ import annotations

import sys
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from digitduel.cache import Cache
from digitduel.errors import TooLargeError
from digitduel.solver.evaluation import rules_key
from digitduel.solver.lookahead import MOVES, FullLookahead, Lookahead
from digitduel.solver.size import MEMORY, Estimate, estimate
from digitduel.solver.solution import Solution, solve

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.ruleset import Ruleset
    from digitduel.solver.evaluation import Evaluator


class Budget(NamedTuple):
    """What a solution may cost that is made unasked, as `estimate` counts it."""

    work: int = 10**11  # nanoseconds on one core: about two minutes
    memory: int = MEMORY  # bytes
    moves: int = MOVES  # that a look-ahead may try in place of a solution

    def allows(self, size: Estimate) -> bool:
        """Whether a solution of this `size` may be made."""
        return size.work <= self.work and size.bytes <= self.memory


PATIENT = Budget()  # somebody has asked for the values, and can stop
PROMPT = Budget(work=10**9)  # somebody waits for a move
INSTANT = Budget(work=10**8)  # said along with something else
AHEAD_ONLY = Budget(work=0)  # nothing is solved that has not been

# With so many states the end of every line is seen before numpy would be loaded.
FEW_STATES = 8_000
MOST_KEPT = 64
SOLUTIONS: Cache[Solution] = Cache(
    room=MEMORY, weigh=lambda solution: max(solution.bytes, SOLUTIONS.room // MOST_KEPT)
)


def evaluator_for(
    ruleset: Ruleset, budget: Budget = PATIENT, *, progress: Callable[[float], object] | None = None
) -> Evaluator:
    """Whoever knows most about `ruleset` within `budget`: its solution, or a look-ahead.

    Solutions are kept for whoever asks next. `progress` is told what part of the work is done.

    >>> from digitduel import find_ruleset
    >>> evaluator_for(find_ruleset("pool")).exact
    True
    """
    kept = SOLUTIONS.get(rules_key(ruleset))
    if kept is not None:
        return kept
    size = estimate(ruleset, memory=budget.memory)
    if not budget.allows(size):
        return _lookahead(ruleset, budget.moves)
    if "numpy" not in sys.modules and ruleset.capacity is not None and size.states <= FEW_STATES:
        return _full_lookahead(ruleset)
    try:
        solution = solve(ruleset, memory=budget.memory, progress=progress)
    except TooLargeError:  # an endless game whose plies turned out to need more memory
        return _lookahead(ruleset, budget.moves)
    SOLUTIONS.put(rules_key(ruleset), solution)
    return solution


def evaluator_meanwhile(ruleset: Ruleset) -> Evaluator:
    """The solution if it is there or soon made, else a look-ahead while a thread solves."""
    evaluator = evaluator_for(ruleset, PROMPT)
    if evaluator.exact:
        return evaluator
    with _lock:
        if not _newest or rules_key(_newest[0].ruleset) != rules_key(ruleset):
            _newest[:] = [_Background(ruleset)]
        background = _newest[0]
    return background.evaluator or _lookahead(
        ruleset, note="looking ahead while the game is solved"
    )


class _Background(threading.Thread):
    """Solves a rule set; `evaluator` is what came of it. One at a time, and the newest next."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(daemon=True)  # whoever leaves the game does not wait for the solver
        self.ruleset = ruleset
        self.evaluator: Evaluator | None = None
        self.start()

    def run(self) -> None:
        # What runs is finished: games that are asked about in turn must not stop one another.
        with _solving:
            with _lock:
                is_newest = _newest[0] is self
            if is_newest:
                self.evaluator = evaluator_for(self.ruleset)


_lock, _solving = threading.Lock(), threading.Lock()
_newest: list[_Background] = []  # one only: its solution may be too large to keep many


def keep_solutions(room: int) -> None:
    """Keep solutions of at most `room` bytes in all, from now on."""
    SOLUTIONS.clear()
    SOLUTIONS.room = room


@lru_cache(maxsize=16)
def _lookahead(
    ruleset: Ruleset,
    moves: int = MOVES,
    note: str = "looking ahead: the game is too large to solve",
) -> Lookahead:
    return Lookahead(ruleset, moves=moves, note=note)


_full_lookahead = lru_cache(maxsize=16)(FullLookahead)
