"""What is known of a position, as plain JSON values: the same for the command and the web."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from digitduel.solver import evaluator_for

if TYPE_CHECKING:
    from digitduel.position import Move, Position
    from digitduel.solver import Evaluation, Evaluator


def ranked(position: Position, evaluator: Evaluator) -> list[tuple[Move, Evaluation]]:
    """The legal moves with their values for the mover, best first."""
    values = evaluator.move_values(position)
    order = {move: index for index, move in enumerate(values)}
    return sorted(
        values.items(),
        key=lambda item: (*(-part for part in item[1].merit), order[item[0]]),
    )


def report(position: Position, evaluator: Evaluator | None = None) -> dict[str, Any]:
    """The value of a position and of each move in it.

    >>> from digitduel import Game, Move, find_ruleset
    >>> known = report(Game(find_ruleset("pool"), [Move(1)]).position)
    >>> known["value"], known["plies"], known["best"]
    ('win', 1, ['4'])
    """
    evaluator = evaluator or evaluator_for(position.ruleset)
    worth, moves = evaluator.probe(position), ranked(position, evaluator)
    known = {
        "game": position.ruleset.key,
        "rules": position.ruleset.rules,
        "number": position.number,
        "turn": position.turn.value,
        "value": worth.value.value,
        "plies": worth.plies,
        "moves": [
            {
                "move": str(move),
                "number": position.play(move).number,
                "value": each.value.value,
                "plies": each.plies,
            }
            for move, each in moves
        ],
        "best": [str(move) for move, each in moves if each.merit == moves[0][1].merit],
    }
    depth = evaluator.sight(position)
    # Only where the rules are too large to solve: how far was looked instead.
    return known if depth is None else known | {"depth": depth}
