"""What the atlas says of a rule set: who wins, how fair it is, whether skill pays. All exact."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from digitduel.atlas.appeal import appeal
from digitduel.atlas.extras import missing
from digitduel.position import Position
from digitduel.solver import Value, solve

if TYPE_CHECKING:
    from digitduel.atlas.chances import Pairings
    from digitduel.atlas.choices import Layer
    from digitduel.atlas.graph import Graph
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluation


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


def measure(ruleset: Ruleset) -> Measures:
    """Every measure of a rule set; TooLargeError if its states do not fit the memory.

    >>> from digitduel import find_ruleset
    >>> found = measure(find_ruleset("pool").replace(target=12))
    >>> found.value, found.plies, round(found.casual_first, 3), round(found.careful_skill, 3)
    ('win', 7, 0.15, 0.931)
    """
    # Imported here, because whoever measures nothing need not wait for numpy.
    from digitduel.atlas.choices import layers_of
    from digitduel.atlas.graph import graph_of

    graph = graph_of(ruleset)
    layers = layers_of(graph)
    found = _pairings(graph, layers)
    plain = {
        **_of_start(layers[0].evaluation, int(layers[0].winning[0])),
        **_of_equals(found),
        **{f"{kind}_length": length for kind, length in found.length.items()},
        **{f"{kind}_skill": (a + b) / 2 for kind, (a, b) in found.optimal.items()},
        "only_moves": _only_moves(layers),
    }
    return Measures(**plain, appeal=appeal(**plain))


def solved_columns(ruleset: Ruleset) -> dict[str, Any]:
    """The columns SOLVED, for a fraction of the work."""
    solution, start = solve(ruleset), Position(ruleset)
    values = solution.move_values(start).values()
    return _of_start(solution.probe(start), sum(each.value is Value.WIN for each in values))


def _of_start(worth: Evaluation, winning: int) -> dict[str, Any]:
    return {"value": worth.value.value, "plies": worth.plies, "winning_first_moves": winning}


def _of_equals(found: Pairings) -> dict[str, float]:
    return {
        f"{kind}_{seat}": chance
        for kind, chances in found.equal.items()
        for seat, chance in chances._asdict().items()
    }


def _pairings(graph: Graph, layers: list[Layer]) -> Pairings:
    if graph.phase is None:
        from digitduel.atlas import chances

        return chances.pairings(layers)
    try:
        from digitduel.atlas import chains
    except ImportError as error:
        raise missing(error, "atlas", "measuring a game that may never end") from None
    return chains.pairings(layers, graph.phase)


def _only_moves(layers: list[Layer]) -> float | None:
    won = sum(int((layer.winning > 0).sum()) for layer in layers)
    only = sum(int((layer.winning == 1).sum()) for layer in layers)
    return only / won if won else None
