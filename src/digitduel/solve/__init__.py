"""What positions are worth with best play: exactly where it fits, some plies ahead where not.

`solve` works a rule set out, `judge` keeps solutions and looks ahead where there can be none.
Both answer `probe`, `get`, `move_values` and `best_moves`. numpy is imported only to solve.
"""

import sys
from types import ModuleType
from typing import Any

from digitduel.solve.lookahead import Lookahead
from digitduel.solve.shelf import judge, solved
from digitduel.solve.size import Estimate, estimate
from digitduel.solve.solution import Solution, solve
from digitduel.solve.value import Evaluation, Judge, Value, rules_key, state_key

__all__ = [
    "Estimate",
    "Evaluation",
    "Judge",
    "Lookahead",
    "Solution",
    "Value",
    "estimate",
    "judge",
    "rules_key",
    "solve",
    "solved",
    "state_key",
]


class _CallableModule(ModuleType):
    """`digitduel.solve(ruleset)` solves, though `digitduel.solve` is also the name of this room."""

    def __call__(self, *args: Any, **options: Any) -> Solution:
        return solve(*args, **options)


sys.modules[__name__].__class__ = _CallableModule
