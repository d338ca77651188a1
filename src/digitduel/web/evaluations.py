"""Replies, solutions and reasons: worked out in processes of their own, within a time."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import TYPE_CHECKING, Any

from digitduel.errors import DigitDuelError, IllegalMoveError, TooLargeError
from digitduel.game import Game
from digitduel.players import make_player
from digitduel.position import Move
from digitduel.solver import AHEAD_ONLY, Budget, evaluator_for
from digitduel.web.errors import BusyError
from digitduel.web.workers import TooSlowError, Workers

if TYPE_CHECKING:
    from digitduel.position import Position
    from digitduel.ruleset import Ruleset
    from digitduel.web.settings import Settings

# Who plays when the one who should takes too long.
STAND_IN = "careful"
MEMORY = 2**29  # bytes for one solution
SAFETY = 4  # how far off an estimate of the work may be
MOST_SLOW = 100


class Evaluations:
    """Replies have their workers and solving has its own, so that neither waits for the other."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.answer_seconds
        self._closed = False
        self._replies = Workers(settings.workers, patience=60)
        self._answers = Workers(settings.workers, patience=settings.answer_seconds)
        self._budget = Budget(int(settings.answer_seconds * 1e9 / SAFETY), MEMORY)
        self._slow: deque[Ruleset] = deque(maxlen=MOST_SLOW)  # tried in vain: looked ahead at once

    def reply(self, player: str, seed: str, position: Position) -> Move:
        """A computer player's move; the same seed gives the same one."""
        try:
            found: Move = self._replies.ask(self._seconds, choose, player, seed, position)
        except TooSlowError:
            if self._closed:  # no hurry: the next server gives the reply
                raise BusyError("the server is stopping.") from None
            return choose(STAND_IN, seed, position)
        return found

    def solve(self, ruleset: Ruleset, moves: list[str]) -> dict[str, Any]:
        """The value of a position and of each move in it."""
        return self.ask(ruleset, report, game_after(ruleset, moves).position)

    def explain(self, ruleset: Ruleset, moves: list[str], move: str) -> dict[str, Any]:
        """The reason why a move is good or bad."""
        position, wanted = game_after(ruleset, moves).position, Move.parse(move)
        position.play(wanted)  # refuses what is not allowed
        return self.ask(ruleset, reason, position, wanted)

    def ask(self, ruleset: Ruleset, work: Any, *given: Any) -> dict[str, Any]:
        """An exact answer if there is time for it, else what a look-ahead sees."""
        for budget in (AHEAD_ONLY,) if ruleset in self._slow else (self._budget, AHEAD_ONLY):
            try:
                answer: dict[str, Any] = self._answers.ask(self._seconds, work, budget, *given)
            except TooSlowError:
                self._slow.append(ruleset)
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


def game_after(ruleset: Ruleset, moves: list[str]) -> Game:
    """The game after a line of moves, which must not be over; says which move is wrong."""
    game = Game(ruleset)
    for ply, text in enumerate(moves, start=1):
        try:
            game.push(Move.parse(text))
        except DigitDuelError as error:
            raise type(error)(f"move {ply}: {error}") from None
    if game.outcome() is not None:
        raise IllegalMoveError("the game is over after these moves: leave out the last.")
    return game


# --- What the workers do; they import the solver, the server need not. ---


def choose(player: str, seed: str, position: Position) -> Move:
    """A move of the computer player of this name."""
    return make_player(player, Random(seed)).choose(position)  # noqa: S311  (a game)


def report(budget: Budget, position: Position) -> dict[str, Any]:
    """What is known of a position, as `digitduel solve --json` says it."""
    from digitduel import teach

    return teach.report(position, evaluator_for(position.ruleset, budget))


def reason(budget: Budget, position: Position, move: Move) -> dict[str, Any]:
    """Why a move is good or bad, and the line that proves it."""
    from digitduel import teach

    evaluator = evaluator_for(position.ruleset, budget)
    found = teach.explain(position, move, evaluator)
    return {
        "text": found.text,
        "value": found.value.value,
        "plies": found.plies,
        "line": [str(each) for each in found.line],
    }
