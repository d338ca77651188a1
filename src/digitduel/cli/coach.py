"""Help for whoever is to move: what each digit is worth, a best move, the reason for any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel.cli.values import hints
from digitduel.errors import DigitDuelError
from digitduel.position import END_LETTERS, Move
from digitduel.solver import evaluator_meanwhile
from digitduel.teach import explain
from digitduel.text import listed

if TYPE_CHECKING:
    from digitduel.cli.screen import Screen
    from digitduel.duel import Duel
    from digitduel.position import Position
    from digitduel.solver import Evaluator


class Coach:
    """Knows what a position is worth, and says it on the screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def values(self, duel: Duel) -> None:
        """Each legal move's value, a line for each value there is."""
        for line, style in hints(duel.position, self._evaluator(duel)):
            self.screen.say(line, style=style)

    def hint(self, duel: Duel) -> None:
        """The best moves, and why the first of them is one."""
        position, evaluator = duel.position, self._evaluator(duel)
        best = evaluator.best_moves(position)
        self.screen.say(f"Best: {listed(best, 'or')}.")
        self.screen.say(explain(position, best[0], evaluator).text)

    def why(self, duel: Duel, move: Move | None) -> None:
        """The reason for a move that could be made now, or for the last that was."""
        position = duel.position
        if move is None:
            if duel.last is None:
                raise DigitDuelError("no move has been played yet: name one, such as: why 5")
            position, move = duel.previous, duel.last.move
        evaluator = self._evaluator(duel)
        for meant in _meant(position, move):
            self.screen.say(explain(position, meant, evaluator).text)

    def _evaluator(self, duel: Duel) -> Evaluator:
        """Who knows the values; says so when it only looks ahead."""
        evaluator = evaluator_meanwhile(duel.ruleset)
        if evaluator.note:
            self.screen.say(f"({evaluator.note})", style="dim")
        return evaluator


def _meant(position: Position, move: Move) -> list[Move]:
    """The moves that may be meant: a digit alone, where it can go to either end, means both."""
    if move.end is not None or position.ruleset.ends != "both":
        return [move]
    if not position.number:  # both ends are one
        return [Move(move.digit, "R")]
    both = [Move(move.digit, end) for end in END_LETTERS["both"]]
    return [meant for meant in both if position.refusal(meant) is None] or both[:1]
