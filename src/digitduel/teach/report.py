"""What is known of a position, the same for terminal, browser and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.solver import evaluator_for

if TYPE_CHECKING:
    from digitduel.position import Move, Position
    from digitduel.solver import Evaluation, Evaluator


class RankedMove(NamedTuple):
    """A legal move, the number it makes, and what it is worth to whoever makes it."""

    move: Move
    number: str
    evaluation: Evaluation


@dataclass(frozen=True)
class Report:
    """The value of a position and of each move in it, for the side to move."""

    position: Position
    evaluation: Evaluation
    moves: tuple[RankedMove, ...]  # best first
    depth: int | None = None  # how many plies were looked ahead where the rules are not solved

    @classmethod
    def of(cls, position: Position, evaluator: Evaluator | None = None) -> Report:
        """What `evaluator` knows of a position whose game is not over.

        >>> from digitduel import Game, Move, find_ruleset
        >>> report = Report.of(Game(find_ruleset("pool"), [Move(1)]).position)
        >>> report.evaluation.plies, report.best
        (1, (Move(digit=4, end=None),))
        """
        evaluator = evaluator or evaluator_for(position.ruleset)
        moves = [
            RankedMove(move, position.play(move).number, worth)
            for move, worth in evaluator.move_values(position).items()
        ]
        moves.sort(key=lambda ranked: ranked.evaluation.merit, reverse=True)
        return cls(position, evaluator.probe(position), tuple(moves), evaluator.sight(position))

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that no other is better than."""
        most = self.moves[0].evaluation.merit
        return tuple(ranked.move for ranked in self.moves if ranked.evaluation.merit == most)

    def to_json(self) -> dict[str, Any]:
        """As `digitduel solve --json` and the API write it; no `depth` where it is solved."""
        known = {
            "game": self.position.ruleset.key,
            "rules": self.position.ruleset.rules,
            "number": self.position.number,
            "turn": self.position.turn.value,
            **_plain(self.evaluation),
            "moves": [
                {"move": str(move), "number": number, **_plain(worth)}
                for move, number, worth in self.moves
            ],
            "best": [str(move) for move in self.best],
        }
        return known if self.depth is None else known | {"depth": self.depth}


def _plain(worth: Evaluation) -> dict[str, Any]:
    return {"value": worth.value.value, "plies": worth.plies}
