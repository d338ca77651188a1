"""What the atlas says of a rule set: who wins, how fair it is, whether skill pays. All exact."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from digitduel.atlas.extras import missing
from digitduel.errors import TooLargeError
from digitduel.position import Position
from digitduel.solver import Value, solve
from digitduel.states.shape import count_states
from digitduel.text import large

if TYPE_CHECKING:
    from collections.abc import Collection

    from digitduel.atlas.policies import Pairings, PolicyLayer
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluation
    from digitduel.states.graph import Graph


@dataclass(frozen=True)
class Measures:
    """The columns of the atlas, for one rule set. Chances are from 0 to 1."""

    value: str  # of the start, for whoever starts: "win", "loss" or "endless"
    plies: int | None  # to the end with best play
    winning_first_moves: int  # how many first moves win
    random_first: float  # the chance of whoever starts, between two players of a kind
    random_second: float  # the chance of the other
    casual_first: float  # the same between casual players
    casual_second: float  # the chance of the other
    careful_first: float  # the same between careful players
    careful_second: float  # the chance of the other
    casual_length: float | None  # moves to expect; None where the game may never end
    careful_length: float | None  # the same between careful players
    casual_skill: float  # the chance that an optimal player beats such a player, over both seats
    careful_skill: float  # the same against a careful player
    only_moves: float | None  # of the won states, the share with a single winning move
    appeal: float  # one number that ranks settings for people


# The names of all measures.
COLUMNS = tuple(field.name for field in dataclasses.fields(Measures))
# What a solution alone can tell.
SOLVED = COLUMNS[:3]
# Moves that fit: about two gigabytes, and less in circles, where the chances are linear systems.
MOST_MOVES, MOST_MOVES_IN_CIRCLES = 10**8, 4 * 10**7
# A game of 2 moves or fewer is none, from 6 moves on it is one, beyond 20 it begins to drag.
TOO_SHORT, LONG_ENOUGH, LONG, TOO_LONG = 2, 6, 20, 40
# What a game that may never end is worth beside one of good length; a long one is never worse.
MAY_NEVER_END = 0.25


def measure(ruleset: Ruleset) -> Measures:
    """Every measure of a rule set; TooLargeError if its states do not fit the memory.

    >>> from digitduel import find_ruleset
    >>> row = measure(find_ruleset("pool").replace(target=12))
    >>> row.value, row.plies, round(row.casual_first, 3), round(row.careful_skill, 3)
    ('win', 7, 0.15, 0.931)
    """
    # Imported here, because whoever measures nothing need not wait for numpy.
    from digitduel.atlas.policies import layers_of
    from digitduel.states.graph import graph_of

    refuse_if_too_large(ruleset)
    graph = graph_of(ruleset)
    layers = layers_of(graph)
    paired = _pairings(graph, layers)
    plain = {
        **_of_start(layers[0].first_moves),
        **{f"{kind}_first": chances.first for kind, chances in paired.equal.items()},
        **{f"{kind}_second": chances.second for kind, chances in paired.equal.items()},
        **{f"{kind}_length": length for kind, length in paired.length.items()},
        **{f"{kind}_skill": (a + b) / 2 for kind, (a, b) in paired.optimal.items()},
        "only_moves": _only_moves(layers),
    }
    return Measures(**plain, appeal=appeal(**plain))


def solved_columns(ruleset: Ruleset) -> dict[str, Any]:
    """The columns SOLVED, for a fraction of the work."""
    return _of_start(solve(ruleset).move_values(Position(ruleset)).values())


def _of_start(first_moves: Collection[Evaluation]) -> dict[str, Any]:
    """The columns SOLVED, from what each first move is worth to whoever starts."""
    best = max(first_moves, key=lambda worth: worth.merit)
    winning = sum(worth.value is Value.WIN for worth in first_moves)
    return {"value": best.value.value, "plies": best.plies, "winning_first_moves": winning}


def refuse_if_too_large(ruleset: Ruleset) -> None:
    """TooLargeError, in words, for a rule set with more moves than can be measured."""
    moves = count_states(ruleset) * len(ruleset.digits) * (2 if ruleset.ends == "both" else 1)
    most = MOST_MOVES_IN_CIRCLES if ruleset.capacity is None else MOST_MOVES
    if moves > most:
        raise TooLargeError(
            f"measuring {ruleset.key} with target {large(ruleset.target)} would take "
            f"{large(moves)} moves in memory, but {most:,} is the most: choose a smaller target, "
            "a shorter limit or fewer digits, or ask for the columns value, plies and "
            "winning_first_moves alone."
        )


def _pairings(graph: Graph, layers: list[PolicyLayer]) -> Pairings:
    if graph.phase is None:
        from digitduel.atlas import policies

        return policies.pairings(layers)
    try:
        from digitduel.atlas import markov
    except ImportError as error:
        raise missing(error, "atlas", "measuring a game that may never end") from None
    return markov.pairings(layers, graph.phase)


def _only_moves(layers: list[PolicyLayer]) -> float | None:
    won = sum(int((layer.winning > 0).sum()) for layer in layers)
    only = sum(int((layer.winning == 1).sum()) for layer in layers)
    return only / won if won else None


def appeal(
    *,
    plies: int | None,
    casual_first: float,
    casual_second: float,
    casual_length: float | None,
    careful_length: float | None,
    casual_skill: float,
    careful_skill: float,
    **_: object,
) -> float:
    """How well a setting suits people: fair among casual players, won by skill, of good length."""
    fairness = 2 * min(casual_first, casual_second)
    skill = (_above_even(casual_skill) + 2 * _above_even(careful_skill)) / 3
    return fairness * skill * min(map(_pace, (plies, casual_length, careful_length)))


def _above_even(chance: float) -> float:
    """What a chance of winning is above one half: skill that wins every other game wins nothing."""
    return max(0.0, 2 * chance - 1)


def _pace(moves: float | None) -> float:
    """How good a length is.

    >>> _pace(2), _pace(4), _pace(9), _pace(30), _pace(90), _pace(None)
    (0.0, 0.5, 1.0, 0.5, 0.25, 0.25)
    """
    if moves is None:
        return MAY_NEVER_END
    if moves > LONG:
        return max(MAY_NEVER_END, (TOO_LONG - moves) / (TOO_LONG - LONG))
    return max(0.0, min(1.0, (moves - TOO_SHORT) / (LONG_ENOUGH - TOO_SHORT)))
