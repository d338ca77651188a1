"""Players of every strength: they see so many plies ahead and slip now and then.

To see what a move leads to is to do sums: for an end n plies away, n of them. The first is the
sum of the move itself, whose size is known: how often the target goes into it, from 0 to 9 times.
The others may be of any size, each as likely. A sum of size 0 or 1 never goes wrong (nobody
misses 12 after 1), and larger ones the more often the larger they are, up to the skill's `slip`
for size 9. If any of the sums goes wrong, what the move leads to is overlooked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from digitduel.ruleset import find_ruleset, shipped_settings
from digitduel.solver import Evaluation, Value, evaluator_meanwhile, rules_key
from digitduel.states.endings import sum_size

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator

UNSEEN = Evaluation(Value.UNKNOWN)
SIZES = range(10)  # of sums: how often the target goes into them
SURE = 1  # the largest size of a sum that never goes wrong


class Skill(NamedTuple):
    """How far a player sees, and how often it gets a sum wrong."""

    sight: int  # plies: what a move leads to within these is seen, but for slips
    slip: float  # the chance that the largest sum goes wrong; above 1 smaller ones always do, too


def wrong_chance(slip: float, size: int) -> float:
    """The chance that a sum of some size goes wrong.

    >>> [round(wrong_chance(0.4, size), 2) for size in (0, 1, 2, 5, 9)]
    [0.0, 0.0, 0.05, 0.2, 0.4]
    """
    return min(1.0, slip * max(0, size - SURE) / (SIZES[-1] - SURE))


@lru_cache(maxsize=1024)
def mean_chance(slip: float) -> float:
    """The chance that a sum of any size goes wrong."""
    return sum(wrong_chance(slip, size) for size in SIZES) / len(SIZES)


def slip_chance(slip: float, size: int, plies: int) -> float:
    """The chance that a skill with this `slip` overlooks an end so many `plies` away.

    `size` is that of the move's own sum: how often the target goes into it, from 0 to 9.

    >>> slip_chance(0.5, size=1, plies=1), round(slip_chance(0.5, size=9, plies=3), 2)
    (0.0, 0.7)
    """
    return 1 - (1 - wrong_chance(slip, size)) * (1 - mean_chance(slip)) ** (plies - 1)


# Each level sees farther than the one below and slips less; level 8 is perfect play. On a broad
# sample of rules these steps are as even as one table makes them (docs/learning.md).
LEVELS = {
    1: Skill(1, 2.5),
    2: Skill(2, 1.0),
    3: Skill(3, 0.63),
    4: Skill(4, 0.5),
    5: Skill(5, 0.32),
    6: Skill(7, 0.25),
    7: Skill(9, 0.16),
}
PERFECT = 8  # the level that plays perfectly


def skills_for(ruleset: Ruleset) -> dict[int, Skill]:
    """The skill of each level below the perfect one: chosen for these rules, or the usual."""
    own = _calibrated().get(rules_key(ruleset))
    return LEVELS if own is None else dict(enumerate(own, start=1))


@cache
def _calibrated() -> dict[tuple[object, ...], list[Skill]]:
    """The skills that were chosen for the recommended settings, by their `rules_key`."""
    return {
        rules_key(find_ruleset(f"{key}:{setting['name']}")): [Skill(*own) for own in levels]
        for key, shipped in shipped_settings().items()
        for setting in shipped["settings"]
        if (levels := setting.get("levels"))
    }


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
        seen = {move: self._seen(position, move, worth).merit for move, worth in values.items()}
        most = max(seen.values())
        return self.rng.choice([move for move, merit in seen.items() if merit == most])

    def _seen(self, position: Position, move: Move, worth: Evaluation) -> Evaluation:
        sight, slip = self.skill
        if worth.plies is None or worth.plies > sight:
            return UNSEEN
        slips = self.rng.random() < slip_chance(slip, _size(position, move), worth.plies)
        return UNSEEN if slips else worth


def _size(position: Position, move: Move) -> int:
    """How large the sum is that a move asks for."""
    residue, place, _ = position.state
    left = place if position.goes_left(move) else None
    return int(sum_size(position.ruleset.target, residue, move.digit, left))


@dataclass(frozen=True)
class RankedPlayer:
    """A level below the perfect one, with the skill that it has by the rules it plays.

    `ask` gives who evaluates the positions of a rule set.
    """

    level: int  # from 1 to 7
    rng: Random
    ask: Callable[[Ruleset], Evaluator] = evaluator_meanwhile

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        skill = skills_for(position.ruleset)[self.level]
        return LevelPlayer(skill, self.rng, self.ask).choose(position)


@dataclass(frozen=True)
class PerfectPlayer:
    """Best play; of moves that are equally good, the one that leaves the most room for mistakes.

    `ask` gives who evaluates the positions of a rule set.
    """

    rng: Random
    ask: Callable[[Ruleset], Evaluator] = evaluator_meanwhile

    def choose(self, position: Position) -> Move:
        """A move for the side to move."""
        return self.rng.choice(perfect_moves(position, self.ask(position.ruleset)))


def perfect_moves(position: Position, evaluator: Evaluator) -> list[Move]:
    """The best moves; where none wins, of those only the ones that set the best trap.

    >>> from digitduel import Position, find_ruleset, solve
    >>> solution = solve(find_ruleset("pool").replace(target=13))
    >>> [str(move) for move in perfect_moves(Position(solution.ruleset), solution)]
    ['8']
    """
    merits = {m: worth.merit for m, worth in evaluator.move_values(position).items()}
    most = max(merits.values())
    best = [move for move, merit in merits.items() if merit == most]
    # A win is taken. Counting ways out is for who knows them all: a look-ahead just chooses.
    if most > UNSEEN.merit or not evaluator.exact:
        return best
    # Nobody falls into a trap who has a win at once: time comes before ways out.
    ways = {move: len(ways_out(position.play(move), evaluator)) for move in best}
    fewest = min(ways.values())
    return [move for move in best if ways[move] == fewest]


def ways_out(position: Position, evaluator: Evaluator) -> list[Move]:
    """The replies that keep what the side to move has; none where the game is over."""
    if position.outcome() is not None:
        return []
    had = evaluator.probe(position).value
    values = evaluator.move_values(position)
    return [move for move, worth in values.items() if worth.value is had]
