"""Who wins, worked out once more and slowly: from the plain reading of the rules alone.

Every state that play can reach, found by playing on digit strings, then rounds from the ends back:
a win in n has a move to a loss in n - 1, in a loss in n the longest reply is a win in n - 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from tests.reference import PlainGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from digitduel import Ruleset

State = tuple[int, ...]


class Worth(NamedTuple):
    """What a move is worth to whoever makes it: 1 wins, -1 loses, 0 never ends; and how soon."""

    sign: int
    plies: int


OPEN = Worth(0, 0)


class Oracle:
    """The values of all states of a rule set."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.modulus = lcm(rules.target, *rules.forbidden)
        self.ends: dict[State, dict[str, Worth | State]] = {}
        self.known: dict[State, Worth] = {}  # to whoever is to move
        self._explore()
        self._solve()

    def game(self, moves: Sequence[object]) -> PlainGame:
        """The game after some moves, as they are written."""
        game = PlainGame(self.rules)
        for move in map(str, moves):
            after = game.after(int(move[0]), move[1:] or None)
            assert after is not None, (moves, move)
            game = after
        return game

    def values(self, game: PlainGame) -> dict[str, Worth]:
        """What each move is worth."""
        return {move: self._worth(to) for move, to in self.ends[self.state(game)].items()}

    def state(self, game: PlainGame) -> State:
        """What decides the rest of a game."""
        rules, number = self.rules, game.number
        endless = rules.limit is None and rules.uses is None
        counts = [] if rules.uses is None else [number.count(str(digit)) for digit in rules.digits]
        length = min(len(number), 1) if endless else len(number)
        value = int(number or "0") % self.modulus
        return (length, value, pow(10, len(number), self.modulus), *counts)

    def _explore(self) -> None:
        layer = [PlainGame(self.rules)]
        while layer:
            after = []
            for game in layer:
                state = self.state(game)
                if state not in self.ends:
                    self.ends[state], going = self._moves(game)
                    after += going
            layer = after

    def _moves(self, game: PlainGame) -> tuple[dict[str, Worth | State], list[PlainGame]]:
        moves: dict[str, Worth | State] = {}
        going = []
        for move in game.moves():
            after = game.after(int(move[0]), move[1:] or None)
            assert after is not None
            result = after.result()
            if result is None:
                moves[move] = self.state(after)
                going.append(after)
            else:
                moves[move] = Worth(1 if result.winner == game.turn else -1, 1)
        return moves, going

    def _solve(self) -> None:
        unknown, plies = set(self.ends), 0
        while True:
            plies += 1
            found = {s: worth for s in unknown if (worth := self._decided(s, plies)) is not None}
            # A round without a result: the next would see the same, unless it waits for a slow end.
            if not found and plies > 1 + max((w.plies for w in self.known.values()), default=1):
                return
            self.known |= found
            unknown -= found.keys()

    def _decided(self, state: State, plies: int) -> Worth | None:
        """What a state is worth if it is decided in exactly so many plies."""
        moves = [self._worth(to) for to in self.ends[state].values()]
        if Worth(1, plies) in moves:
            return Worth(1, plies)
        if all(move.sign == -1 for move in moves):
            return Worth(-1, max(move.plies for move in moves))
        return None

    def _worth(self, to: Worth | State) -> Worth:
        if isinstance(to, Worth):
            return to
        known = self.known.get(to, OPEN)
        return Worth(-known.sign, known.plies + 1) if known.sign else OPEN


def found_chance(values: dict[str, Worth], right: str, sight: int) -> Fraction:
    """The chance that a player of some sight makes the right move."""
    seen = {m: w if w.sign and w.plies <= sight else OPEN for m, w in values.items()}
    wins = [worth.plies for worth in seen.values() if worth.sign == 1]
    if wins:
        chosen = [m for m, worth in seen.items() if worth == (1, min(wins))]
    elif OPEN in seen.values():
        chosen = [move for move, worth in seen.items() if worth == OPEN]
    else:
        slowest = max(worth.plies for worth in seen.values())
        chosen = [move for move, worth in seen.items() if worth.plies == slowest]
    return Fraction(int(right in chosen), len(chosen))
