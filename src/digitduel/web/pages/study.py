"""What the solver says of a position and of a game, asked of the server's workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.errors import DigitDuelError
from digitduel.position import Side
from digitduel.solver import Evaluation, Value
from digitduel.teach import words
from digitduel.text import listed

if TYPE_CHECKING:
    from digitduel.game import Game
    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Budget
    from digitduel.web.evaluations import Evaluations

# Each value by sign and by word; the colour comes with the class of the same name.
SIGNS = {value.value: sign.replace("-", "\N{MINUS SIGN}") for value, sign in words.SIGNS.items()}
# A longer game has its positions judged, but is not graded move by move.
MOST_GRADED = 200
# Looking ahead takes a moment for each move, where there is no solution to look it up in.
MOST_LOOKED_AHEAD = 12


class Worth(NamedTuple):
    """A move with its value: for the mover."""

    move: str
    digit: int
    end: str | None
    value: str
    plies: int | None
    is_best: bool

    @property
    def sign(self) -> str:
        """The value as a sign."""
        return SIGNS[self.value]

    @property
    def words(self) -> str:
        """The value in words."""
        return in_words(self.value, self.plies)


class Graded(NamedTuple):
    """A ply of a game: the value for the starter after it, and how good its move was."""

    value: str
    words: str
    grade: str

    @property
    def sign(self) -> str:
        """The value as a sign."""
        return SIGNS[self.value]


@dataclass(frozen=True)
class Study:
    """What is known of a position; `problem` says why there is nothing."""

    verdict: str = ""
    moves: tuple[Worth, ...] = ()
    reason: str | None = None
    problem: str | None = None


def in_words(value: str, plies: int | None) -> str:
    """A move's value.

    >>> in_words("win", 3), in_words("endless", None)
    ('wins in 3', 'keeps it open')
    """
    return words.in_words(Evaluation(Value(value), plies))


def study(evaluations: Evaluations, game: Game, why: Move | None) -> Study:
    """The value of each move in a position, and the reason for the one chosen."""
    moves = [str(move) for move in game.move_stack]
    try:
        known = evaluations.solve(game.ruleset, moves)
        told = evaluations.explain(game.ruleset, moves, str(why)) if why else None
    except DigitDuelError as error:
        return Study(problem=str(error))
    by_move = {each["move"]: each for each in known["moves"]}
    worths = [_worth(move, by_move[str(move)], known["best"]) for move in game.position.legal_moves]
    reason = told["text"] if told else None
    return Study(_verdict(game.position, known), tuple(worths), reason)


def _worth(move: Move, known: dict[str, Any], best: list[str]) -> Worth:
    value, plies = known["value"], known["plies"]
    # Where nothing is known no move is better than another.
    is_best = known["move"] in best and value != "unknown"
    return Worth(known["move"], move.digit, move.end, value, plies, is_best)


def _verdict(position: Position, known: dict[str, Any]) -> str:
    """What best play leads to, in a sentence."""
    if known["value"] == "unknown":
        return (
            "These rules are too large to solve: this is what looking ahead shows"
            f"{_depth(known)}. No win can be forced within that."
        )
    if known["plies"] is None:
        return "With best play neither player can force a win, and the game never ends."
    won = "wins" if known["value"] == "win" else "loses"
    mover = "The starter" if position.turn is Side.FIRST else "The second player"
    if not position.number:
        return f"Whoever starts {won} with best play, in {_plies(known['plies'])}."
    return f"{mover} is to move and {won} with best play, in {_plies(known['plies'])}."


def _depth(known: dict[str, Any]) -> str:
    return f" ({_plies(known['depth'])})" if "depth" in known else ""


def _plies(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


# --- A whole game. ---


def grades(evaluations: Evaluations, game: Game) -> list[Graded]:
    """How the value swung: at the start and after each move. Empty where that is not known."""
    if not game.move_stack or len(game.move_stack) > MOST_GRADED:
        return []
    try:
        # The workers do any work that can be imported.
        found = evaluations.ask(game.ruleset, review, game.ruleset, tuple(game.move_stack))
    except DigitDuelError:
        return []
    return [Graded(*each) for each in found["swing"]]


def review(budget: Budget, ruleset: Ruleset, moves: tuple[Move, ...]) -> dict[str, Any]:
    """Grade every move; done in a worker, within a budget."""
    from digitduel.game import Game
    from digitduel.solver import evaluator_for
    from digitduel.teach import analyse

    evaluator = evaluator_for(ruleset, budget)
    if not evaluator.exact and len(moves) > MOST_LOOKED_AHEAD:
        return {"swing": []}
    analysis = analyse(Game(ruleset, moves), evaluator)
    told = ["", *(_grade_words(each) for each in analysis.moves)]
    values = [worth.value.value for worth in analysis.values]
    swing = [(v, _standing(v), words) for v, words in zip(values, told, strict=True)]
    return {"swing": swing}


def _standing(value: str) -> str:
    return {
        "win": "the starter wins with best play",
        "loss": "the second player wins with best play",
        "endless": "neither can force a win",
        "unknown": "not known",
    }[value]


def _grade_words(move: Any) -> str:
    words = f"Move {move.ply}, {move.move}: {move.grade.value}."
    if move.got.merit == move.had.merit:
        return words
    had = in_words(move.had.value.value, move.had.plies)
    return f"{words} Better was {listed(move.best, 'or')}: {had}."
