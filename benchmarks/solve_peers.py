"""What the solver is measured against: a textbook solver, and OpenSpiel's."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from digitduel import Ruleset


def textbook(ruleset: Ruleset) -> tuple[int, int]:
    """Value (1 or -1) and plies of the start by recursion with an lru_cache, as in a textbook.

    The key is (digits used, residue), or (length, residue) where digits cannot be used up.
    """
    digits, target, capacity = ruleset.digits, ruleset.target, ruleset.capacity
    once = ruleset.uses == 1

    @cache
    def value(used: int, residue: int) -> tuple[int, int]:
        best = (-2, 0)
        for index, digit in enumerate(digits):
            if once and used >> index & 1:
                continue
            longer = used | 1 << index if once else used + 1
            length = longer.bit_count() if once else longer
            after = (10 * residue + digit) % target
            if after == 0:
                found = (1, 1)
            elif length == capacity:
                found = (1 if last_mover_wins(ruleset, residue, after) else -1, 1)
            else:
                won, plies = value(longer, after)
                found = (-won, plies + 1)
            if (found[0], -found[0] * found[1]) > (best[0], -best[0] * best[1]):
                best = found
        return best

    return value(0, 0)


def openspiel(ruleset: Ruleset) -> float | None:
    """Seconds of processor time that OpenSpiel's MinimaxSolver takes, or None without OpenSpiel."""
    try:
        import pyspiel
        from open_spiel.python.algorithms.minimax_solver import MinimaxSolver
    except ImportError:
        return None
    name = f"digits_{ruleset.key}_{ruleset.target}"
    if name not in pyspiel.registered_names():
        register(pyspiel, name, ruleset)
    started = time.process_time()
    MinimaxSolver(name).solve()
    return time.process_time() - started


def register(pyspiel: Any, name: str, rules: Ruleset) -> None:
    """Make a finite one-ended game known to OpenSpiel; equal states have equal strings."""
    kind = pyspiel.GameType
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=10,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=rules.capacity or 0,
    )

    state = state_class(pyspiel, rules)

    class Game(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})

        def new_initial_state(self) -> Any:
            return state(self)

    pyspiel.register_game(game_type, Game)


def state_class(pyspiel: Any, rules: Ruleset) -> type:
    """The states of a game, as OpenSpiel wants them."""

    class State(pyspiel.State):  # type: ignore[misc]
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.used, self.length, self.residue, self.winner = 0, 0, 0, -1

        def current_player(self) -> int:
            return int(pyspiel.PlayerId.TERMINAL) if self.winner >= 0 else self.length % 2

        def _legal_actions(self, _player: int) -> list[int]:
            once = rules.uses == 1
            return [d for d in rules.digits if not (once and self.used >> d & 1)]

        def _apply_action(self, digit: int) -> None:
            mover, before = self.length % 2, self.residue
            self.used, self.length = self.used | 1 << digit, self.length + 1
            self.residue = (10 * before + digit) % rules.target
            won = self.residue == 0 or last_mover_wins(rules, before, self.residue)
            if self.residue == 0 or self.length == rules.capacity:
                self.winner = mover if won else 1 - mover

        def _action_to_string(self, _player: int, digit: int) -> str:
            return str(digit)

        def is_terminal(self) -> bool:
            return self.winner >= 0

        def returns(self) -> list[float]:
            first = (1.0, -1.0, 0.0)[self.winner]
            return [first, -first]

        def __str__(self) -> str:
            return f"{self.used if rules.uses == 1 else self.length} {self.residue}"

    return State


def last_mover_wins(rules: Ruleset, before: int, after: int) -> bool:
    """Whether a full number that is no multiple wins: only if it is closer than the one before."""
    if rules.full != "closest":
        return False
    return min(after, rules.target - after) < min(before, rules.target - before)
