"""Replies, solutions and reasons: worked out in processes of their own, within a time."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

from digitduel.cache import Cache
from digitduel.errors import TooLargeError
from digitduel.players import make_player
from digitduel.solver import AHEAD_ONLY, Budget, evaluator_for
from digitduel.teach import Report, analyse, explain
from digitduel.web.errors import BusyError
from digitduel.web.workers import TooSlowError, Workers

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.game import Game
    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator
    from digitduel.teach import Analysis, Reason
    from digitduel.web.settings import Settings

Answer = TypeVar("Answer")

# Who plays when the one who should takes too long.
STAND_IN = "careful"
MEMORY = 2**29  # bytes for one solution
SAFETY = 4  # how far off an estimate of the work may be
MOST_SLOW = 100
# A longer game has its positions judged, but is not graded move by move.
MOST_GRADED = 200
# Looking ahead takes a moment for each move, where there is no solution to look it up in.
MOST_LOOKED_AHEAD = 12


class Evaluations:
    """Replies have their workers and solving has its own, so that neither waits for the other."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.answer_seconds
        self._closed = False
        self._replies = Workers(settings.workers, patience=60)
        self._answers = Workers(settings.workers, patience=settings.answer_seconds)
        self._budget = Budget(int(settings.answer_seconds * 1e9 / SAFETY), MEMORY)
        # The rules whose time ran out: there, looked ahead at once.
        self._slow: Cache[Ruleset] = Cache(MOST_SLOW, weigh=lambda _: 1)

    def reply(self, player: str, seed: str, position: Position) -> Move:
        """A computer player's move; the same seed gives the same one."""
        try:
            move: Move = self._replies.ask(self._seconds, choose, player, seed, position)
        except TooSlowError:
            if self._closed:  # no hurry: the next server gives the reply
                raise BusyError("the server is stopping.") from None
            return choose(STAND_IN, seed, position)
        return move

    def solve(self, position: Position) -> Report:
        """The value of a position and of each move in it."""
        return self._ask(position.ruleset, Report.of, position)

    def explain(self, position: Position, move: Move) -> Reason:
        """The reason why a move is good or bad; IllegalMoveError if it is not allowed."""
        position.play(move)
        return self._ask(position.ruleset, explain, position, move)

    def analyse(self, game: Game) -> Analysis | None:
        """Every move of a game graded; None where there are too many."""
        if len(game.move_stack) > MOST_GRADED:
            return None
        return self._ask(game.ruleset, analyse_some, game)

    def _ask(self, ruleset: Ruleset, work: Callable[..., Answer], *given: object) -> Answer:
        """What `work(*given, evaluator)` says: exactly if there is time, else by a look-ahead."""
        for budget in (AHEAD_ONLY,) if self._slow.get(ruleset) else (self._budget, AHEAD_ONLY):
            asked = budget, ruleset, work, *given
            try:
                answer: Answer = self._answers.ask(self._seconds, evaluate, *asked)
            except TooSlowError:
                self._slow.put(ruleset, ruleset)
            else:
                return answer
        raise TooLargeError(
            f"these rules take more than {self._seconds:g} seconds to work out here: "
            "choose a smaller target, fewer digits or a limit."
        )

    def close(self) -> None:
        """End the workers."""
        self._closed = True
        self._replies.close()
        self._answers.close()


# --- What the workers do. ---


def choose(player: str, seed: str, position: Position) -> Move:
    """A move of the computer player of this name."""
    return make_player(player, Random(seed)).choose(position)  # noqa: S311  (a game)


def evaluate(
    budget: Budget, ruleset: Ruleset, work: Callable[..., Answer], *given: object
) -> Answer:
    """What `work` makes of what is given and of an evaluator within the budget."""
    return work(*given, evaluator_for(ruleset, budget))


def analyse_some(game: Game, evaluator: Evaluator) -> Analysis | None:
    """A game graded, unless looking ahead at so many moves would take too long."""
    if not evaluator.exact and len(game.move_stack) > MOST_LOOKED_AHEAD:
        return None
    return analyse(game, evaluator)
