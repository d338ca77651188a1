"""A puzzle: a position, one move that wins, and the line that has to be found; proved."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from digitduel.addresses import position_address, shipped
from digitduel.atlas.sums import sums
from digitduel.errors import InvalidPuzzleError, TooLargeError
from digitduel.game import Game, game_after
from digitduel.learn.difficulty import chance, chances, difficulty, hardness, sight_needed
from digitduel.learn.lines import OnlyMove, line_from, winning_moves
from digitduel.learn.themes import themes_of
from digitduel.ruleset import as_ruleset
from digitduel.solver import Value, evaluator_for
from digitduel.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.learn.lines import PuzzleLine
    from digitduel.moves import Move
    from digitduel.position import Position
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator

PAGE = "/puzzle"
FEWEST_MOVES = 3  # to choose from
CAREFUL = 2  # the sight that must miss a puzzle more often than not
TOO_OFTEN = Fraction(1, 2)


@dataclass(frozen=True)
class Puzzle:
    """A position in which one move alone wins, and what is known of how hard that is to find.

    `puzzle_at` proves one.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]  # that lead to the position
    solution: tuple[Move, ...]  # of solver and defence in turn; each of the solver's alone wins
    themes: tuple[str, ...]  # all that hold, the most telling first
    sight: int  # plies: the least that solves it for certain
    chances: tuple[Fraction, ...]  # that players of sights 0 to 6 solve the whole line
    sums: int  # how hard the sums are, from 1 to 5
    name: str | None = field(default=None, compare=False)  # the short one, if it was generated

    @property
    def theme(self) -> str:
        """The theme that it is shown under."""
        return self.themes[0]

    @property
    def hardness(self) -> Fraction:
        """How hard it is, from 0 on: what `difficulty` rounds."""
        return hardness(self.sight, self.chances, self.sums)

    @property
    def difficulty(self) -> int:
        """How hard it is, from 1 to 5."""
        return difficulty(self.hardness)

    @property
    def address(self) -> str:
        """Its permanent name: the rules and the moves.

        >>> puzzle_at("closest:easy", "6 5 2 7").address
        '/puzzle?game=closest&target=12&moves=6+5+2+7'
        """
        return position_address(PAGE, shipped(self.ruleset), self.moves)

    def game(self) -> Game:
        """The game as it stands when the solver is asked."""
        return Game(self.ruleset, self.moves)

    def to_json(self) -> dict[str, Any]:
        """As `digitduel puzzle --json` prints it."""
        return {
            "id": self.name or self.address,
            "game": self.ruleset.key,
            "rules": self.ruleset.rules,
            "moves": [str(move) for move in self.moves],
            "solution": [str(move) for move in self.solution],
            "theme": self.theme,
            "difficulty": self.difficulty,
            "sight": self.sight,
        }


def puzzle_at(ruleset: Ruleset | str, moves: str | Iterable[Move | str]) -> Puzzle:
    """The puzzle that some moves lead to; InvalidPuzzleError if it is none, with the reason.

    >>> puzzle = puzzle_at("closest:easy", "6 5 2 7")
    >>> [str(move) for move in puzzle.solution], puzzle.theme, puzzle.sight
    (['1', '3', '9'], 'the last digit', 5)
    """
    game = game_after(as_ruleset(ruleset), moves)
    evaluator = exact_evaluator(game.ruleset)
    if why := flaw(game.position, evaluator):
        where = " ".join(map(str, game.move_stack)) or "the start"
        raise InvalidPuzzleError(
            f"{where} is no puzzle of {game.ruleset.key}: {why}. A puzzle has one winning move "
            f"among at least {FEWEST_MOVES}, and it is not found too easily."
        )
    line = line_at(game.position, evaluator)
    return puzzle_from(line, game.ruleset, tuple(game.move_stack))


def exact_evaluator(ruleset: Ruleset) -> Evaluator:
    """Who knows the values of a rule set exactly; TooLargeError if nobody can."""
    evaluator = evaluator_for(ruleset)
    if not evaluator.exact:
        raise TooLargeError(
            f"there are no puzzles of {ruleset.key} with target {ruleset.target}: its rules are "
            "too large to solve; take a smaller target, fewer digits or fewer uses."
        )
    return evaluator


def flaw(position: Position, evaluator: Evaluator) -> str | None:
    """Why a position in play is no puzzle, in a clause; None if it is one."""
    if evaluator.probe(position).value is not Value.WIN:
        return "whoever is to move cannot force a win"
    values = evaluator.move_values(position)
    wins = winning_moves(values)
    if len(wins) > 1:
        return f"{listed(wins)} all win" if len(wins) > 2 else f"{listed(wins)} both win"
    if len(values) < FEWEST_MOVES:
        return f"there {'is' if len(values) == 1 else 'are'} only {counted(len(values), 'move')}"
    step = OnlyMove(position, wins[0], values)
    if step.plies > 1 and chance(step, CAREFUL) >= TOO_OFTEN:
        return f"whoever sees {CAREFUL} moves ahead finds {wins[0]} too easily"
    return None


def line_at(position: Position, evaluator: Evaluator) -> PuzzleLine:
    """The line of a position without a flaw."""
    values = evaluator.move_values(position)
    return line_from(OnlyMove(position, winning_moves(values)[0], values), evaluator)


def puzzle_from(line: PuzzleLine, ruleset: Ruleset, moves: tuple[Move, ...]) -> Puzzle:
    """The puzzle that a line makes, whichever `moves` lead to its position."""
    themes = themes_of(line, moves[-1] if moves else None)
    sight, odds = sight_needed(line), chances(line)
    return Puzzle(ruleset, moves, line.solution, themes, sight, odds, sums(ruleset))
