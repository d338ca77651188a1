"""Contests between levels: exact chances, worked out and not played.

A level's move is a matter of chance: which sums go wrong, and then which of equal moves it takes.
Both are worked out for every state at once, and the chances of all pairs of levels travel back
from the last layer to the empty number in one pass, as on the ladder.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from digitduel.atlas.ladder import Chances
from digitduel.atlas.measures import refuse_if_too_large
from digitduel.errors import DigitDuelError
from digitduel.players import LEVELS, PERFECT, SIZES, skills_for, slip_chance
from digitduel.solver.retrograde import BOUND, retrograde
from digitduel.states.graph import NONE, extended, graph_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from digitduel.players import Skill
    from digitduel.ruleset import Ruleset
    from digitduel.solver.retrograde import Scores

    Numbers = NDArray[np.float64]
    Pairs = Sequence[tuple[int, int]]

MOST_WAYS = 32  # more than there are moves


class LevelChances(NamedTuple):
    """What comes of games between all levels, the last of them perfect."""

    first: Numbers  # [i, j]: the chance of level i + 1, who starts, against level j + 1

    @property
    def second(self) -> Numbers:
        """The same if level j + 1 starts."""
        second: Numbers = 1 - self.first.T
        return second

    @property
    def both(self) -> Numbers:
        """The same over both seats."""
        both: Numbers = (self.first + self.second) / 2
        return both

    @property
    def steps(self) -> list[float]:
        """The chance of each level against the one below, over both seats, from level 2 on."""
        return [float(chance) for chance in self.both.diagonal(-1)]

    def between(self, level: int, other: int) -> Chances:
        """A level's chances in either seat against another."""
        seats = self.first[level - 1, other - 1], self.second[level - 1, other - 1]
        return Chances(*map(float, seats))


def level_chances(ruleset: Ruleset, skills: Iterable[Skill] | None = None) -> LevelChances:
    """The chances between players of these skills, or of the levels there are, and perfect play.

    >>> from digitduel import find_ruleset
    >>> [round(step, 2) for step in level_chances(find_ruleset("pool").replace(target=12)).steps]
    [0.64, 0.61, 0.55, 0.61, 0.65, 0.62, 0.64]
    """
    players = [*(skills_for(ruleset).values() if skills is None else skills), None]
    pairs = list(combinations_with_replacement(range(len(players)), 2))
    first = np.empty((len(players), len(players)))
    ones, others = np.array(pairs).T
    first[ones, others], first[others, ones] = starters(ruleset, players, pairs)
    return LevelChances(first)


def starters(
    ruleset: Ruleset, players: Sequence[Skill | None], pairs: Pairs
) -> tuple[Numbers, Numbers]:
    """For each pair the chance of the one if it starts, and of the other if that does.

    Pairs are places among the players; None is perfect play.
    """
    ones, others = zip(*pairs, strict=True)
    mine = theirs = [np.zeros(0)] * len(pairs)
    for layer in _backwards(ruleset):
        chances = [layer.chances(player) for player in players]
        mine, theirs = (
            [
                layer.expected(chances[player], row)
                for player, row in zip(movers, after, strict=True)
            ]
            for movers, after in ((ones, theirs), (others, mine))
        )
    return np.array([row[0] for row in mine]), np.array([row[0] for row in theirs])


def _backwards(ruleset: Ruleset) -> Iterable[Layer]:
    """The layers from the last one back."""
    if ruleset.capacity is None:
        raise DigitDuelError(
            f"{ruleset.key} with target {ruleset.target} may never end, and chances between levels "
            "are worked out where every game does: give a limit, or how often digits may be used."
        )
    refuse_if_too_large(ruleset)
    graph = graph_of(ruleset, sums=True)
    ways = np.zeros(0)
    for child, sizes, scores in zip(
        reversed(graph.layers), reversed(graph.sizes), retrograde(graph), strict=True
    ):
        layer = Layer(child, sizes, scores, ways)
        yield layer
        ways = layer.wins.sum(axis=0).astype(float)


class Layer:
    """The states of a layer, with all that decides how levels move there."""

    def __init__(
        self, child: NDArray[np.intp], sizes: NDArray[np.int8], scores: Scores, ways: Numbers
    ) -> None:
        """`ways`: how many moves win in each state of the next layer."""
        self.child, self.sizes, self.there = child, sizes.astype(np.intp), child != NONE
        self.wins = scores.replies < 0
        self.losses = ~self.wins & self.there
        self.plies = np.where(self.there, BOUND + 1 - np.absolute(scores.replies), 0)
        # Of the slowest losses a loser takes those that leave the fewest winning replies.
        traps = extended(ways, 0, 0, 0).take(child)
        lost = (scores.least > 0) & (scores.replies == scores.least)
        self._ranks = scores.replies + np.where(lost, traps / MOST_WAYS, 0)

    def chances(self, player: Skill | None) -> Numbers:
        """The chance of each move if a player of some skill chooses; None is perfect play."""
        if player is None:
            return _share(self._ranks == self._ranks.min(axis=0))
        missed = self._missed(player)
        chances, unseen = self._wins_seen(missed, player.sight)
        # If no win is seen, neither wins can be judged nor losses that are missed.
        unjudged = np.where(self.losses, missed, self.there)
        chances += unseen * evenly(unjudged)
        slowest = self.losses & (self.plies == self.plies.max(axis=0))
        chances += unseen * (1 - unjudged).prod(axis=0) * _share(slowest)
        return chances

    def _wins_seen(self, missed: Numbers, sight: int) -> tuple[Numbers, Numbers]:
        """The chance to see each win and take it, the quickest first, and that of seeing none."""
        chances, unseen = np.zeros(missed.shape), np.ones(missed.shape[1])
        for plies in range(1, sight + 1):
            wins = self.wins & (self.plies == plies)
            some = np.flatnonzero(wins.any(axis=0))
            seen = np.where(wins[:, some], 1 - missed[:, some], 0)
            chances[:, some] += unseen[some] * evenly(seen)
            unseen[some] *= (1 - seen).prod(axis=0)
        return chances, unseen

    def expected(self, chances: Numbers, after: Numbers) -> Numbers:
        """What to expect of a player's moves, given what the opponent may expect after them."""
        worth = extended(1 - after, 1, 0, 0).take(self.child)
        worth *= chances
        total: Numbers = worth.sum(axis=0)
        return total

    def _missed(self, skill: Skill) -> Numbers:
        """The chance that what each move leads to is missed."""
        sight, slip = skill
        table = np.ones((len(SIZES), sight + 2))  # what is too far away is missed for sure
        for size in SIZES:
            for plies in range(1, sight + 1):
                table[size, plies] = slip_chance(slip, size, plies)
        missed: Numbers = table[self.sizes, np.minimum(self.plies, sight + 1)]
        return missed


def evenly(members: Numbers) -> Numbers:
    """The chance that each is taken, if one is taken evenly of those that happen to be there.

    `members[i]` is the chance that i is there, whoever else is.

    >>> evenly(np.array([[1.0], [0.5]])).ravel().round(4).tolist()
    [0.75, 0.25]
    """
    # The mean of 1 / (1 + others) is the integral of the mean of x^others, which is a product of
    # factors. Its degree is less than there are members, so Gauss's points give it exactly.
    taken = np.zeros(members.shape)
    points, weights = np.polynomial.legendre.leggauss(len(members) // 2 + 1)
    for point, weight in zip((points + 1) / 2, weights / 2, strict=True):
        factors = 1 - members * (1 - point)
        taken += weight * factors.prod(axis=0) / factors
    taken *= members
    return taken


def _share(chosen: NDArray[np.bool_]) -> Numbers:
    """The chance of each move, if one of those chosen is made; 0 where none is."""
    share: Numbers = chosen / np.maximum(chosen.sum(axis=0), 1)
    return share


# --- Settings for people of different strength. ---


class Evenness(NamedTuple):
    """How even two levels are in a setting: the chances of the first of them."""

    name: str
    ruleset: Ruleset
    first: float  # if it starts
    second: float  # if the other does
    both: float  # over both seats


def most_even(
    settings: Iterable[tuple[str, Ruleset]],
    level: int,
    other: int,
    seat: Literal["first", "second", "both"] = "both",
) -> list[Evenness]:
    """Settings by how near to even two levels are, with the first of them in some seat.

    Levels are those for all rules: two people are the same in every setting. Settings whose games
    may never end are left out.

    >>> from digitduel import find_ruleset
    >>> pool = find_ruleset("pool")
    >>> rows = most_even([("12", pool.replace(target=12)), ("33", pool.replace(target=33))], 3, 6)
    >>> [row.name for row in rows]
    ['33', '12']
    """
    for each in (level, other):
        if not 1 <= each <= PERFECT:
            raise DigitDuelError(f"there is no level {each}: choose from 1 to {PERFECT}.")
    rows = []
    for name, ruleset in settings:
        if ruleset.capacity is not None:
            first, second = level_chances(ruleset, list(LEVELS.values())).between(level, other)
            rows.append(Evenness(name, ruleset, first, second, (first + second) / 2))
    return sorted(rows, key=lambda row: abs(getattr(row, seat) - 0.5))
