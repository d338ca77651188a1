"""The ladder: what comes of games between players by sight, and what each step of sight pays.

Exact: chances are worked out over all states. Where every game ends it is one pass from the last
layer back, which is here; where a game may go on for ever it is a Markov chain (`markov`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from digitduel.atlas.policies import OPTIMAL, SIGHTS
from digitduel.states.graph import ENDS, REACHED, WON

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from digitduel.atlas.policies import Policy, PolicyLayer

    Numbers = NDArray[np.float64]

# Whoever beats another with this chance or more stands one step above; a sum of floats may lack
# the last few bits of it.
BEATS = 0.6 - 1e-12
CASUAL, CAREFUL = 1, 2  # the sights whose games have a length


class Chances(NamedTuple):
    """A player's chances of winning in either seat."""

    first: float
    second: float


class Ladder(ABC):
    """What comes of games between players of SIGHTS and the OPTIMAL one."""

    @abstractmethod
    def equals(self, sight: int) -> Chances:
        """The chances of the starter and of the other, both of the same sight."""

    @abstractmethod
    def target(self, sight: int) -> float:
        """The chance that a game between two of a sight ends by a multiple of the target."""

    @abstractmethod
    def length(self, sight: int) -> float | None:
        """Moves to expect between two of a sight; None if such a game may never end."""

    @abstractmethod
    def forced(self) -> float | None:
        """Of the moves in games between two careful players, the share that is forced.

        It is how many to expect by how many moves to expect; None if a game may never end.
        """

    @abstractmethod
    def beats(self, player: int, other: int) -> float:
        """The chance that a player beats another over both seats; no end counts one half."""

    def chance(self, sight: int, seat: int) -> float:
        """The chance in one of the seats, the starter's being 0, both of the same sight."""
        return self.equals(sight)[seat]

    def step(self, sight: int) -> float:
        """What a sight pays against the one below; OPTIMAL counts as a sight here."""
        return self.beats(sight, sight - 1)

    def depth(self) -> int:
        """How many players are in the longest chain in which each beats the one before."""
        chains: list[int] = []  # the longest that ends with each player
        for player in (*SIGHTS, OPTIMAL):
            # The longest first: nobody below has to be asked about once one is beaten.
            below = sorted(range(player), key=lambda other: (-chains[other], -other))
            beaten = (chains[other] for other in below if self.beats(player, other) >= BEATS)
            chains.append(1 + next(beaten, 0))
        return max(chains)


class LineLadder(Ladder):
    """The ladder where every game ends.

    With n digits left whoever sees n plies sees everything, so there are at most n + 1 different
    players from there on; the last of them is the optimal one.
    """

    def __init__(self, layers: list[PolicyLayer]) -> None:
        """From all layers of a graph, the empty number first."""
        # chances[i, s, j]: of player i, who is to move in state s, against player j.
        chances, targets = np.zeros((1, 0, 1)), np.zeros((1, 0))
        paces = {sight: np.zeros((0, 2)) for sight in (CASUAL, CAREFUL)}
        for left, layer in enumerate(reversed(layers), start=1):
            players = min(left, OPTIMAL) + 1
            policies = [_policy(layer, player, players) for player in range(players)]
            chances, targets = _before(policies, chances, targets)
            for sight, pace in paces.items():
                paces[sight] = _paced(policies[min(sight, players - 1)], pace, layer.forced)
        self._chances, self._targets = chances[:, 0], targets[:, 0]
        self._paces = {sight: pace[0] for sight, pace in paces.items()}

    def equals(self, sight: int) -> Chances:
        """The chances of the starter and of the other, both of the same sight."""
        first = float(self._chances[self._place(sight), self._place(sight)])
        return Chances(first, 1 - first)

    def target(self, sight: int) -> float:
        """The chance that a game between two of a sight ends by a multiple of the target."""
        return float(self._targets[self._place(sight)])

    def length(self, sight: int) -> float:
        """Moves to expect between two of a sight."""
        return float(self._paces[sight][0])

    def forced(self) -> float:
        """Of the moves in games between two careful players, the share that is forced."""
        moves, forced = self._paces[CAREFUL]
        return float(forced / moves)

    def beats(self, player: int, other: int) -> float:
        """The chance that a player beats another over both seats."""
        me, they = self._place(player), self._place(other)
        return float(0.5 + (self._chances[me, they] - self._chances[they, me]) / 2)

    def _place(self, player: int) -> int:
        """Whoever sees to the end of every game is the last player that there is."""
        return min(player, len(self._chances) - 1)


def _policy(layer: PolicyLayer, player: int, players: int) -> Policy:
    return layer.policy(OPTIMAL if player == players - 1 else player)


def _before(policies: list[Policy], chances: Numbers, targets: Numbers) -> tuple[Numbers, Numbers]:
    """The figures of a layer, from its players' policies and the figures of the next layer."""
    players, (known, states, _) = len(policies), chances.shape
    worth = np.zeros((states + len(ENDS), known + 1))
    worth[[REACHED, WON], :known] = 1
    worth[REACHED, known] = 1
    before = np.empty((players, policies[0].child.shape[1], players))
    reached = np.empty(before.shape[:2])
    for player, policy in enumerate(policies):
        # Somebody who sees one ply farther than there are digits left sees no more than others.
        same = min(player, known - 1)
        np.subtract(1, chances[:, :, same].T, out=worth[:states, :known])
        worth[:states, known] = targets[same]
        mean = _mean(policy, worth)
        before[player, :, :known] = mean[:, :known]
        before[player, :, known:] = mean[:, known - 1 : known]
        reached[player] = mean[:, known]
    return before, reached


def _paced(policy: Policy, after: Numbers, forced: NDArray[np.bool_]) -> Numbers:
    """How many moves to expect from each state, and how many of them forced."""
    mean = _mean(policy, np.concatenate([after, np.zeros((len(ENDS), 2))]))
    mean[:, 0] += 1
    mean[:, 1] += forced
    return mean


def _mean(policy: Policy, worth: Numbers) -> Numbers:
    """What to expect of a player's move, given what the next states and the ends are worth."""
    total: Numbers = worth.take(policy.child[0], axis=0)
    for child in policy.child[1:]:
        total += worth.take(child, axis=0)
    total *= (1 / policy.counts)[:, None]
    return total
