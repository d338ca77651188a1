"""All that is worked out for visitors: in processes of their own, within a time and a memory."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.atlas import best_cards, recommendations
from digitduel.atlas.advice import advice_for
from digitduel.atlas.recipes import find_recipe
from digitduel.cache import Cache
from digitduel.errors import TooLargeError
from digitduel.game import Game, game_after, read_line
from digitduel.players import EVALUATING, make_player
from digitduel.position import Position
from digitduel.record import Record, dumps, loads
from digitduel.solver import AHEAD_ONLY, Budget, evaluator_for, keep_solutions, rules_key
from digitduel.teach import Report, analyse, explain
from digitduel.web.errors import BusyError, TooManyError
from digitduel.web.turns import Spending, Turns, Visitor
from digitduel.web.workers import TooSlowError, Workers, limit_memory, processor_limit

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.atlas import Card
    from digitduel.position import Move
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluation, Evaluator
    from digitduel.teach import Analysis, Reason
    from digitduel.web.settings import Settings

# Who plays when the one who should takes too long.
STAND_IN = "careful"
# What one request may cost a worker: processor time to solve, and then to make something of it.
SOLVING_SECONDS, USING_SECONDS = 0.4, 0.3
SOLVING = Budget(work=3 * 10**8, memory=96 * 2**20, moves=10_000)
AHEAD = AHEAD_ONLY._replace(moves=SOLVING.moves)
KEPT = 48 * 2**20  # bytes for solutions that may be asked for again
MEMORY = 192 * 2**20  # bytes for all that a worker works out
VISITOR_SECONDS = 10.0  # of processor time that a visitor may have of late
REST_SECONDS = 300.0
MOST_SLOW = 100
MOST_OUTLOOKS = 2_000
# Of processor time to look for a recipe, and for cards.
RECIPE_SECONDS, CARD_SECONDS = 0.15, 0.35
# The largest card that is looked for, what trying all of a size may take, and how many are kept.
MOST_ON_A_CARD, CARD_BUDGET, MOST_POCKETS = 3, 10**7, 500
# A longer game has its positions judged, but is not graded move by move.
MOST_GRADED = 200
# Looking ahead takes a moment for each move, where there is no solution to look it up in.
MOST_LOOKED_AHEAD = 12


class Study(NamedTuple):
    """A line of moves, the game up to one of them, and what there is to say about it."""

    line: Game
    game: Game
    why: Move | None = None  # the move that is explained, if it is one
    report: Report | None = None  # None where the game is over, or its values take too long
    reason: Reason | None = None
    analysis: Analysis | None = None  # None where there are too many moves to grade


@dataclass(frozen=True)
class Outlook:
    """What the start of a game is worth; None if that is not known at once."""

    worth: Evaluation | None


@dataclass(frozen=True)
class Pocket:
    """What helps whoever plays a game; None where it takes too long to find here."""

    recipe: str | None = None  # a sentence; None also if there is none
    cards: list[Card] | None = None


class Evaluations:
    """Replies have their workers and questions have theirs, so that neither waits for the other."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.answer_seconds
        self._closed = False
        self.spending = Spending()
        replies = Turns(settings.workers, 60, self.spending)
        answers = Turns(settings.workers, self._seconds, self.spending, VISITOR_SECONDS)
        self._replies = Workers(settings.workers, replies, prepare)
        self._answers = Workers(settings.workers, answers, prepare)
        self._outlooks: Cache[Outlook] = Cache(MOST_OUTLOOKS, weigh=lambda _: 1)
        self._pockets: Cache[Pocket] = Cache(MOST_POCKETS, weigh=lambda _: 1)

    def reply(self, visitor: Visitor, player: str, seed: str, position: Position) -> Move:
        """A computer player's move; the same seed gives the same one."""
        if player not in EVALUATING:  # who looks no further than a reply needs no worker
            return choose(player, seed, position)
        try:
            move: Move = self._replies.ask(visitor, self._seconds, choose, player, seed, position)
        except TooSlowError:
            if self._closed:  # no hurry: the next server gives the reply
                raise BusyError("the server is stopping.") from None
            return choose(STAND_IN, seed, position)
        return move

    def solve(self, visitor: Visitor, ruleset: Ruleset, moves: list[str]) -> Report:
        """The value of a position and of each move in it."""
        report: Report = self._ask(visitor, solve_line, ruleset, moves)
        return report

    def explain(self, visitor: Visitor, ruleset: Ruleset, moves: list[str], move: Move) -> Reason:
        """The reason why a move is good or bad; IllegalMoveError if it is not allowed."""
        reason: Reason = self._ask(visitor, explain_move, ruleset, moves, move)
        return reason

    def study(
        self, visitor: Visitor, ruleset: Ruleset, moves: str, ply: int | None, why: Move | None
    ) -> Study:
        """A line, its values after so many moves, the reason for a move there, and all graded."""
        study: Study = self._ask(visitor, study_line, ruleset, moves, ply, why)
        return study

    def outlook(self, visitor: Visitor, ruleset: Ruleset) -> Evaluation | None:
        """What a game is worth from its start, if that can be said at once."""
        known = self._outlooks.get(rules_key(ruleset))
        if known is None:
            try:
                known = Outlook(self._ask(visitor, start_worth, ruleset))
            except (BusyError, TooManyError, TooLargeError):
                return None
            self._outlooks.put(rules_key(ruleset), known)
        return known.worth

    def pocket(self, visitor: Visitor, ruleset: Ruleset) -> Pocket:
        """The recipe of a game and its best pocket cards, as far as they can be found at once."""
        known = self._pockets.get(rules_key(ruleset)) or _shipped_pockets().get(rules_key(ruleset))
        if known is None:
            try:
                known = self._ask(visitor, quick_pocket, ruleset)
            except (BusyError, TooManyError, TooLargeError):
                return Pocket()
            self._pockets.put(rules_key(ruleset), known)
        return known

    def read_records(self, visitor: Visitor, text: str, most_moves: int) -> list[Record]:
        """The games in a text, each of at most so many moves; InvalidRecordError if it has none."""
        records: list[Record] = self._ask(visitor, read_records, text, most_moves)
        return records

    def line_record(self, visitor: Visitor, ruleset: Ruleset, moves: str) -> str:
        """A line of moves as the text of a record."""
        text: str = self._ask(visitor, line_record, ruleset, moves)
        return text

    def _ask(self, visitor: Visitor, work: Callable[..., Any], *given: object) -> Any:
        try:
            return self._answers.ask(visitor, self._seconds, work, *given)
        except TooSlowError:
            raise TooLargeError(
                "this takes too long to work out here: choose a smaller target, fewer digits, "
                "a limit, or a shorter game."
            ) from None

    def rest(self) -> None:
        """Give back the memory of workers that have had nothing to do for a while."""
        self._replies.rest(REST_SECONDS)
        self._answers.rest(REST_SECONDS)

    def close(self) -> None:
        """End the workers."""
        self._closed = True
        self._replies.close()
        self._answers.close()


# --- What the workers do. ---

_slow: Cache[bool] = Cache(MOST_SLOW, weigh=lambda _: 1)  # rules whose time ran out before


def prepare() -> None:
    """Before the first question: what any answer needs is there, and from then on counted."""
    import digitduel.atlas.cardplay
    import digitduel.atlas.cardsearch
    import digitduel.solver.sparse
    import digitduel.solver.table
    import digitduel.solver.tree  # noqa: F401  (for later)

    keep_solutions(KEPT)
    limit_memory(MEMORY)


def quick_evaluator(ruleset: Ruleset) -> Evaluator:
    """Whoever knows most about a rule set within what one request may cost."""
    if not _slow.get(rules_key(ruleset)):
        try:
            with processor_limit(SOLVING_SECONDS):
                return evaluator_for(ruleset, SOLVING)
        except TooSlowError:
            _slow.put(rules_key(ruleset), True)
    return evaluator_for(ruleset, AHEAD)


def choose(player: str, seed: str, position: Position) -> Move:
    """A move of the computer player of this name."""
    chooser = make_player(player, Random(seed), quick_evaluator)  # noqa: S311  (a game)
    return chooser.choose(position)


def start_worth(ruleset: Ruleset) -> Evaluation | None:
    """What a game is worth from its start, where that is exactly known."""
    evaluator = quick_evaluator(ruleset)
    return evaluator.probe(Position(ruleset)) if evaluator.exact else None


def solve_line(ruleset: Ruleset, moves: list[str]) -> Report:
    """What the position after a line of moves is worth, and each move in it."""
    position = game_after(ruleset, moves).position
    evaluator = quick_evaluator(ruleset)
    with processor_limit(USING_SECONDS):
        return Report.of(position, evaluator)


def explain_move(ruleset: Ruleset, moves: list[str], move: Move) -> Reason:
    """Why a move after a line of moves is good or bad."""
    position = game_after(ruleset, moves).position
    position.play(move)
    evaluator = quick_evaluator(ruleset)
    with processor_limit(USING_SECONDS):
        return explain(position, move, evaluator, advice_for(ruleset))


def study_line(ruleset: Ruleset, moves: str, ply: int | None, why: Move | None) -> Study:
    """All that the analysis page says."""
    line = read_line(ruleset, moves)
    game = Game(ruleset, line.move_stack[:ply])
    position, going_on = game.position, game.outcome() is None
    why = None if why is None or position.refusal(why) else why
    evaluator, study = quick_evaluator(ruleset), Study(line, game)
    # What matters most comes first: the rest is left out where there is no time for it.
    with suppress(TooSlowError), processor_limit(USING_SECONDS):
        if going_on:
            study = study._replace(report=Report.of(position, evaluator))
        if why:
            reason = explain(position, why, evaluator, advice_for(ruleset))
            study = study._replace(why=why, reason=reason)
        study = study._replace(analysis=analyse_some(line, evaluator))
    return study


def analyse_some(game: Game, evaluator: Evaluator) -> Analysis | None:
    """A game graded, unless it has no move yet or so many that it would take too long."""
    most = MOST_GRADED if evaluator.exact else MOST_LOOKED_AHEAD
    return analyse(game, evaluator) if 0 < len(game.move_stack) <= most else None


@cache
def _shipped_pockets() -> dict[tuple[object, ...], Pocket]:
    """What ships with the recommended settings: for none of them is there a recipe."""
    return {
        rules_key(setting.ruleset): Pocket(cards=list(setting.cards))
        for setting in recommendations()
    }


def quick_pocket(ruleset: Ruleset) -> Pocket:
    """What helps whoever plays a game, as far as one request may cost."""
    recipe = cards = None
    with suppress(TooSlowError, TooLargeError, MemoryError), processor_limit(RECIPE_SECONDS):
        found = find_recipe(ruleset)
        recipe = found.sentence if found else None
    # A worker has no room for what solves a game that may never end.
    if ruleset.capacity is not None:
        with suppress(TooSlowError, TooLargeError, MemoryError), processor_limit(CARD_SECONDS):
            cards = best_cards(ruleset, MOST_ON_A_CARD, CARD_BUDGET)
    return Pocket(recipe, cards)


def line_record(ruleset: Ruleset, moves: str) -> str:
    """A line of moves as the text of a record."""
    return dumps([Record.of(read_line(ruleset, moves))])


def read_records(text: str, most_moves: int) -> list[Record]:
    """The games in a text."""
    with processor_limit(SOLVING_SECONDS + USING_SECONDS):
        return loads(text, most_moves)
