"""What positions are worth with best play: exactly where it fits, some plies ahead where not.

`solve` works a rule set out, `evaluator_for` keeps solutions and looks ahead where there can be
none. Both answer `probe`, `get`, `move_values` and `best_moves`. numpy is imported only to solve.
"""

from digitduel.solver.evaluation import Evaluation, Evaluator, Value, rules_key, state_key
from digitduel.solver.evaluators import (
    AHEAD_ONLY,
    INSTANT,
    PATIENT,
    PROMPT,
    Budget,
    evaluator_for,
    evaluator_meanwhile,
    keep_solutions,
)
from digitduel.solver.lookahead import Lookahead
from digitduel.solver.size import Estimate, estimate
from digitduel.solver.solution import Solution, solve

__all__ = [
    "AHEAD_ONLY",
    "INSTANT",
    "PATIENT",
    "PROMPT",
    "Budget",
    "Estimate",
    "Evaluation",
    "Evaluator",
    "Lookahead",
    "Solution",
    "Value",
    "estimate",
    "evaluator_for",
    "evaluator_meanwhile",
    "keep_solutions",
    "rules_key",
    "solve",
    "state_key",
]
