"""What the atlas says of a rule set: who wins, what each step of sight pays, how it plays."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from digitduel.atlas.extras import missing
from digitduel.atlas.recipes import find_recipe
from digitduel.atlas.sums import sums
from digitduel.errors import TooLargeError
from digitduel.position import Position
from digitduel.solver import Value, solve
from digitduel.states.shape import count_states
from digitduel.text import large

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from digitduel.atlas.ladder import Ladder
    from digitduel.atlas.policies import PolicyLayer
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluation
    from digitduel.states.graph import Graph


@dataclass(frozen=True)
class Measures:
    """The columns of the atlas, for one rule set. Chances are from 0 to 1."""

    value: str  # of the start, for whoever starts: "win", "loss" or "endless"
    plies: int | None  # to the end with best play
    winning_first_moves: int  # how many first moves win
    first_0: float  # the chance of whoever starts, between two players of sight 0, who are random
    first_1: float  # the same with sight 1, casual
    first_2: float  # the same with sight 2, careful
    first_3: float  # the same with sight 3
    first_4: float  # the same with sight 4
    first_5: float  # the same with sight 5
    first_6: float  # the same with sight 6
    second_0: float  # the chance of the other
    second_1: float  # the same with sight 1
    second_2: float  # the same with sight 2
    second_3: float  # the same with sight 3
    second_4: float  # the same with sight 4
    second_5: float  # the same with sight 5
    second_6: float  # the same with sight 6
    step_1: float  # the chance that sight 1 beats sight 0, over both seats; no end counts one half
    step_2: float  # sight 2 against 1
    step_3: float  # sight 3 against 2
    step_4: float  # sight 4 against 3
    step_5: float  # sight 5 against 4
    step_6: float  # sight 6 against 5
    step_top: float  # that an optimal player beats sight 6
    target_0: float  # that a game between two of sight 0 ends by a multiple of the target
    target_1: float  # the same with sight 1
    target_2: float  # the same with sight 2
    target_3: float  # the same with sight 3
    target_4: float  # the same with sight 4
    target_5: float  # the same with sight 5
    target_6: float  # the same with sight 6
    depth: int  # players in the longest chain in which each beats the one before
    casual_length: float | None  # moves to expect; None where the game may never end
    careful_length: float | None  # the same between careful players
    only_moves: float | None  # of the won states, the share with a single winning move
    forced: float | None  # of careful players' moves, the share with at most one that is safe
    sums: int  # how hard the sums are, from 1 to 5
    recipe: str | None  # what wins every game from one seat, in words, or NOT_KNOWN
    appeal: float  # one number that ranks settings for people


# The names of all measures.
COLUMNS = tuple(field.name for field in dataclasses.fields(Measures))
# What a solution alone can tell.
SOLVED = COLUMNS[:3]
# What appeal rests on.
APPEALING = (
    *("plies", "careful_length", "forced", "sums", "recipe"),
    *(f"{name}_{sight}" for name in ("step", "target") for sight in (2, 3, 4)),
    *(f"{name}_{sight}" for name in ("first", "second") for sight in (1, 2, 3, 4)),
)
# Names from before players were told apart by sight.
ALIASES = {
    f"{name}_{seat}": f"{seat}_{sight}"
    for sight, name in enumerate(("random", "casual", "careful"))
    for seat in ("first", "second")
}
# Moves that fit: about two gigabytes, and less in circles, where the chances are linear systems.
MOST_MOVES, MOST_MOVES_IN_CIRCLES = 3 * 10**7, 10**7
# A game of 2 moves or fewer is none, from 6 moves on it is one, beyond 20 it begins to drag.
TOO_SHORT, LONG_ENOUGH, LONG, TOO_LONG = 2, 6, 20, 40
# What a game that may never end is worth beside one of good length; a long one is never worse.
MAY_NEVER_END = 0.25
# From here on the target decides often enough, and a seat is not hopeless.
OFTEN, HOPEFUL = 0.3, 1 / 3
# Whether there is a recipe, where it would take too long to find out.
NOT_KNOWN = "not known"
# How bearable sums are, by how hard they are.
BEARABLE = {1: 1.0, 2: 1.0, 3: 0.8, 4: 0.4, 5: 0.1}


def measure(ruleset: Ruleset) -> Measures:
    """Every measure of a rule set; TooLargeError if its states do not fit the memory.

    >>> from digitduel import find_ruleset
    >>> row = measure(find_ruleset("pool").replace(target=12))
    >>> row.value, row.plies, round(row.first_1, 3), round(row.step_3, 3)
    ('win', 7, 0.15, 0.553)
    """
    return Measures(**figures(ruleset))


def figures(ruleset: Ruleset, columns: Collection[str] = COLUMNS) -> dict[str, Any]:
    """Some of the measures; what takes long only if it is asked for."""
    if set(columns) <= set(SOLVED):
        return solved_columns(ruleset)
    # Imported here, because whoever measures nothing need not wait for numpy.
    from digitduel.atlas.policies import OPTIMAL, SIGHTS, layers_of
    from digitduel.states.graph import graph_of, merged

    refuse_if_too_large(ruleset)
    graph = merged(graph_of(ruleset), ruleset)
    layers = layers_of(graph)
    ladder, start = _ladder(graph, layers), _of_start(layers[0].first_moves)
    ways: dict[str, Callable[[], Any]] = {name: partial(start.get, name) for name in SOLVED}
    for sight in SIGHTS:
        ways[f"first_{sight}"] = partial(ladder.chance, sight, 0)
        ways[f"second_{sight}"] = partial(ladder.chance, sight, 1)
        ways[f"target_{sight}"] = partial(ladder.target, sight)
        ways[f"step_{sight}"] = partial(ladder.step, sight)
    ways |= {
        "step_top": partial(ladder.step, OPTIMAL),
        "depth": ladder.depth,
        "casual_length": partial(ladder.length, 1),
        "careful_length": partial(ladder.length, 2),
        "only_moves": partial(_only_moves, layers, graph),
        "forced": ladder.forced,
        "sums": partial(sums, ruleset),
        "recipe": partial(_recipe, ruleset, start["value"]),
    }
    wanted = {*columns, *(APPEALING if "appeal" in columns else ())}
    found = {name: ways[name]() for name in COLUMNS if name in wanted and name in ways}
    if "appeal" in columns:
        found["appeal"] = appeal(found)
    return found


def solved_columns(ruleset: Ruleset) -> dict[str, Any]:
    """The columns SOLVED, for a fraction of the work."""
    return _of_start(solve(ruleset).move_values(Position(ruleset)).values())


def solved_at_once(ruleset: Ruleset, targets: Sequence[int]) -> list[dict[str, Any]]:
    """The same for many targets, by one search."""
    from digitduel.solver.manytargets import ManyTargets

    return [_solved(*start) for start in ManyTargets(ruleset).starts(targets)]


def _of_start(first_moves: Collection[Evaluation]) -> dict[str, Any]:
    """The columns SOLVED, from what each first move is worth to whoever starts."""
    best = max(first_moves, key=lambda worth: worth.merit)
    return _solved(best, sum(worth.value is Value.WIN for worth in first_moves))


def _solved(start: Evaluation, winning: int) -> dict[str, Any]:
    return {"value": start.value.value, "plies": start.plies, "winning_first_moves": winning}


def refuse_if_too_large(ruleset: Ruleset) -> None:
    """TooLargeError, in words, for a rule set with more moves than can be measured."""
    if too_large := larger_than_memory(ruleset):
        raise TooLargeError(
            f"measuring {too_large}, or ask for the columns value, plies and "
            "winning_first_moves alone."
        )


def larger_than_memory(ruleset: Ruleset) -> str | None:
    """In words what does not fit the memory, and what would; None if a rule set does."""
    moves = count_states(ruleset) * len(ruleset.digits) * (2 if ruleset.ends == "both" else 1)
    most = MOST_MOVES_IN_CIRCLES if ruleset.capacity is None else MOST_MOVES
    if moves <= most:
        return None
    return (
        f"{ruleset.key} with target {large(ruleset.target)} would take {large(moves)} moves in "
        f"memory, but {most:,} is the most: choose a smaller target, a shorter limit or fewer "
        "digits"
    )


def _ladder(graph: Graph, layers: list[PolicyLayer]) -> Ladder:
    if graph.phase is None:
        from digitduel.atlas.ladder import LineLadder

        return LineLadder(layers)
    try:
        from digitduel.atlas.markov import ChainLadder
    except ImportError as error:
        raise missing(error, "atlas", "measuring a game that may never end") from None
    return ChainLadder(layers, graph.phase)


def _recipe(ruleset: Ruleset, value: str) -> str | None:
    """A recipe in words; a sweep does not end because one row takes too long to tell."""
    try:
        recipe = find_recipe(ruleset, value)
    except TooLargeError:
        return NOT_KNOWN
    return recipe.text if recipe else None


def _only_moves(layers: list[PolicyLayer], graph: Graph) -> float | None:
    weighed = list(zip(layers, [*[1] * (len(layers) - 1), graph.weights], strict=True))
    won = sum(int((weight * (layer.winning > 0)).sum()) for layer, weight in weighed)
    only = sum(int((weight * (layer.winning == 1)).sum()) for layer, weight in weighed)
    return only / won if won else None


def appeal(row: Mapping[str, Any]) -> float:
    """How well a setting suits people; docs/atlas.md says why each part is as it is."""
    if row["recipe"] not in (None, NOT_KNOWN):
        return 0.0
    from statistics import mean  # exact; here, because few who look at measures work this out

    pays = prod(_above_even(row[f"step_{sight}"]) for sight in (2, 3, 4)) ** (1 / 3)
    decides = min(1.0, mean(row[f"target_{sight}"] for sight in (2, 3, 4)) / OFTEN)
    seats = (max(row[f"{seat}_{sight}"] for sight in (1, 2, 3, 4)) for seat in ("first", "second"))
    hope = min(1.0, min(seats) / HOPEFUL)
    free = 1 - (row["forced"] or 0.0)
    pace = min(_pace(row["plies"]), _pace(row["careful_length"]))
    return float(pays * decides * BEARABLE[row["sums"]] * hope * free * pace)


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
