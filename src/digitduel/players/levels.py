"""Players of every strength: they see so many plies ahead and slip now and then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from digitduel.solver import Evaluation, Value, evaluator_meanwhile

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator

UNSEEN = Evaluation(Value.UNKNOWN)


class Skill(NamedTuple):
    """How far a player sees, and how often it gets a sum wrong."""

    sight: int  # plies: what a move leads to within these is seen
    slip: float  # the chance that what a move leads to is not seen all the same


# Each level sees at least as far as the one below and slips less; level 8 is perfect play.
LEVELS = {
    1: Skill(1, 0.75),
    2: Skill(1, 0.35),
    3: Skill(2, 0.30),
    4: Skill(2, 0.12),
    5: Skill(3, 0.08),
    6: Skill(5, 0.07),
    7: Skill(7, 0.05),
}
PERFECT = 8  # the level that plays perfectly


class LevelPlayer:
    """Prefers the quickest win it sees, then what it cannot judge, then the slowest loss.

    `ask` gives who evaluates the positions of a rule set.
    """

    def __init__(
        self, skill: Skill, rng: Random, ask: Callable[[Ruleset], Evaluator] = evaluator_meanwhile
    ) -> None:
        self._skill = skill
        self._rng = rng
        self._ask = ask

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        values = self._ask(position.ruleset).move_values(position)
        seen = {move: self._seen(value).merit for move, value in values.items()}
        most = max(seen.values())
        return self._rng.choice([move for move, merit in seen.items() if merit == most])

    def _seen(self, value: Evaluation) -> Evaluation:
        slips = self._rng.random() < self._skill.slip
        too_far = value.plies is None or value.plies > self._skill.sight
        return UNSEEN if slips or too_far else value


class PerfectPlayer:
    """Best play; where that does not win, the move that leaves the most room for mistakes.

    `ask` gives who evaluates the positions of a rule set.
    """

    def __init__(
        self, rng: Random, ask: Callable[[Ruleset], Evaluator] = evaluator_meanwhile
    ) -> None:
        self._rng = rng
        self._ask = ask

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        evaluator = self._ask(position.ruleset)
        values = evaluator.move_values(position)
        best = max(each.merit for each in values.values())
        # A win is taken. Counting ways out is for who knows them all: a look-ahead just chooses.
        if best > UNSEEN.merit or not evaluator.exact:
            return self._rng.choice([m for m, each in values.items() if each.merit == best])
        # A loser may choose any losing move; with the game open only what keeps it open.
        kept = {m: each for m, each in values.items() if each.merit >= best or best < UNSEEN.merit}
        traps = {
            m: (_ways_out(position.play(m), evaluator), -each.merit[1]) for m, each in kept.items()
        }
        fewest = min(traps.values())
        return self._rng.choice([move for move, rank in traps.items() if rank == fewest])


def _ways_out(position: Position, evaluator: Evaluator) -> int:
    """How many replies keep what the opponent has; none where the game is over."""
    if position.outcome() is not None:
        return len(position.ruleset.digits) * 2  # the game is lost at once: the worst trap there is
    had = evaluator.probe(position).value
    return sum(each.value is had for each in evaluator.move_values(position).values())
