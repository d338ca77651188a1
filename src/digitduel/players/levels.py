"""Players of every strength: they see so many plies ahead and slip now and then."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class LevelPlayer:
    """Prefers the quickest win it sees, then what it cannot judge, then the slowest loss.

    `ask` gives who evaluates the positions of a rule set.
    """

    skill: Skill
    rng: Random
    ask: Callable[[Ruleset], Evaluator] = evaluator_meanwhile

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        values = self.ask(position.ruleset).move_values(position)
        seen = {move: self._seen(worth).merit for move, worth in values.items()}
        most = max(seen.values())
        return self.rng.choice([move for move, merit in seen.items() if merit == most])

    def _seen(self, worth: Evaluation) -> Evaluation:
        slips = self.rng.random() < self.skill.slip
        too_far = worth.plies is None or worth.plies > self.skill.sight
        return UNSEEN if slips or too_far else worth


@dataclass(frozen=True)
class PerfectPlayer:
    """Best play; where that does not win, the move that leaves the most room for mistakes.

    `ask` gives who evaluates the positions of a rule set.
    """

    rng: Random
    ask: Callable[[Ruleset], Evaluator] = evaluator_meanwhile

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        evaluator = self.ask(position.ruleset)
        merits = {m: worth.merit for m, worth in evaluator.move_values(position).items()}
        best = max(merits.values())
        # A win is taken. Counting ways out is for who knows them all: a look-ahead just chooses.
        if best > UNSEEN.merit or not evaluator.exact:
            return self.rng.choice([move for move, merit in merits.items() if merit == best])
        # A loser may choose any losing move; with the game open only what keeps it open.
        traps = {
            move: (_ways_out(position.play(move), evaluator), -merit[1])
            for move, merit in merits.items()
            if merit >= best or best < UNSEEN.merit
        }
        fewest = min(traps.values())
        return self.rng.choice([move for move, rank in traps.items() if rank == fewest])


def _ways_out(position: Position, evaluator: Evaluator) -> int:
    """How many replies keep what the opponent has; more than any where the game is over."""
    if position.outcome() is not None:
        return len(position.ruleset.digits) * 2 + 1  # lost at once: that is no trap at all
    had = evaluator.probe(position).value
    return sum(worth.value is had for worth in evaluator.move_values(position).values())
