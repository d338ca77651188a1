"""Solving a puzzle at the terminal: a question, refutations, the defence, and what it was about."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from digitduel import describe
from digitduel.cli import announcer
from digitduel.cli.screen import enable_line_editing
from digitduel.duel import Duel
from digitduel.errors import DigitDuelError, StorageError
from digitduel.events import Moved, Terms
from digitduel.learn import THEMES, find_puzzle, review
from digitduel.moves import Move
from digitduel.position import Side
from digitduel.solver import evaluator_for, rules_key
from digitduel.teach import explain
from digitduel.text import counted, percent, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import date

    from digitduel.cli.screen import Screen
    from digitduel.learn import Puzzle
    from digitduel.ruleset import Ruleset

SOLVER, DEFENCE = "The solver", "The defence"
TASK = "Find the one move that wins."
CAREFUL = 2  # the sight whose chances are told
HELP = """\
Type a digit to play it; where both ends are open, 5L or 5R also says the end.
  help       this list
  rules      how this game goes
  hint       what the puzzle is about
  skip       show the solution
  quit       leave (q does as well)"""


class Quit(Exception):  # noqa: N818  (no error: whoever solves asked for it)
    """Whoever solves leaves."""


class Skipped(Exception):  # noqa: N818  (the same)
    """Whoever solves wants to see the solution."""


class Training:
    """One puzzle after the other, and those that were missed again some days later."""

    def __init__(self, screen: Screen, today: date) -> None:
        self.screen, self.today = screen, today
        self.progress = review.Progress()
        try:
            self.progress, problem = review.load()
        except StorageError as error:
            problem = f"What you miss is not kept: {error}"
        if problem:
            screen.complain(problem)

    def due(self, ruleset: Ruleset | None) -> Iterator[Puzzle]:
        """The puzzles that come back today, of some rules or of any."""
        for address in self.progress.due(self.today):
            with suppress(DigitDuelError):  # a name that an older version wrote
                puzzle = find_puzzle(address)
                if ruleset is None or rules_key(puzzle.ruleset) == rules_key(ruleset):
                    yield puzzle

    def run(self, puzzles: Iterable[Puzzle], count: int) -> int:
        """Ask so many, and on a terminal more if they are wanted; the exit code."""
        return self._leave_well(self._run, puzzles, count)

    def streak(self, puzzles: Iterable[Puzzle]) -> int:
        """Ask until the first mistake; the exit code."""
        return self._leave_well(self._streak, puzzles)

    def _run(self, puzzles: Iterable[Puzzle], count: int) -> None:
        for number, puzzle in enumerate(puzzles):
            if number >= count and not self._wants_more():
                return
            self._ask(puzzle)

    def _streak(self, puzzles: Iterable[Puzzle]) -> None:
        for solved, puzzle in enumerate(puzzles):
            if not self._ask(puzzle, tries=1):
                self.screen.say(f"The streak ends: {counted(solved, 'puzzle')} solved.")
                return
            self.screen.say(f"{counted(solved + 1, 'puzzle')} in a row.", style="bold")
            self.screen.say()
        self.screen.say("There is none that is harder.", style="bold")

    def _leave_well(self, run: Callable[..., None], *args: object) -> int:
        enable_line_editing()
        try:
            run(*args)
        except Quit:
            return 0
        except EOFError:
            self.screen.say("The input ended before the puzzle was solved.")
            return 1
        except KeyboardInterrupt:
            self.screen.say()
            raise
        return 0

    def _ask(self, puzzle: Puzzle, tries: int | None = None) -> bool:
        """Ask one, and keep what came of it if it has to come back."""
        address = puzzle.address
        if address in self.progress.waiting:
            self.screen.say("You missed this one before.", style="dim")
        solved = PuzzleSession(puzzle, self.screen, tries).solve()
        if not solved or address in self.progress.waiting:
            self.progress.answered(address, solved, self.today)
            try:
                review.keep(address, solved, self.today)
            except StorageError as problem:
                self.screen.complain(f"This answer is not kept: {problem}")
        return solved

    def _wants_more(self) -> bool:
        """Whether somebody at a terminal wants another; scripts are not asked."""
        if not self.screen.interactive:
            return False
        with suppress(EOFError):
            return self.screen.ask("Another one? (y/n) ").strip().lower() in ("y", "yes")
        return False


class PuzzleSession:
    """One puzzle on a screen."""

    def __init__(self, puzzle: Puzzle, screen: Screen, tries: int | None = None) -> None:
        """`tries` is how many mistakes end it, if any number does."""
        self.puzzle, self.screen, self.tries = puzzle, screen, tries
        self.mistakes = 0
        self.evaluator = evaluator_for(puzzle.ruleset)
        names = (SOLVER, DEFENCE)
        starts = puzzle.game().turn is Side.FIRST
        terms = Terms(puzzle.ruleset, names=names if starts else (names[1], names[0]))
        self.duel = Duel.begin(terms)
        for move in puzzle.moves:
            self._play(move)

    def solve(self) -> bool:
        """Ask until it is solved or given up; whether it was solved without a mistake."""
        self._introduce()
        try:
            for number, move in enumerate(self.puzzle.solution):
                self._defend(move) if number % 2 else self._ask(move)
            self.screen.say("Solved!" if not self.mistakes else "That is it.", style="bold green")
        except Skipped:
            self.mistakes += 1
            line = " ".join(map(str, self.puzzle.solution))
            self.screen.say(f"The solution is {line}.", style="bold")
        self._conclude()
        return not self.mistakes

    def _play(self, move: Move) -> None:
        self.duel = self.duel.after(Moved(move))

    def _introduce(self) -> None:
        puzzle = self.puzzle
        called = puzzle.name or puzzle.address
        self.screen.say(f"Puzzle {called}, difficulty {puzzle.difficulty} of 5", style="bold")
        announcer.open_round(self.duel, self.screen)
        if self.duel.position.number:
            self.screen.say(describe.division(self.duel.position), style="cyan")
        self.screen.say()
        self.screen.say(TASK)

    def _ask(self, right: Move) -> None:
        """Ask until the right move is made."""
        while True:
            try:
                move = self._read()
                position = self.duel.position
                if why_not := position.refusal(move):
                    raise DigitDuelError(why_not)
            except DigitDuelError as problem:
                self.screen.complain(problem)
                continue
            if position.play(move).number == position.play(right).number:
                break
            self.mistakes += 1
            text = explain(position, move, self.evaluator).text
            self.screen.say(f"Not that one. {text}", style="red")
            if self.mistakes == self.tries:
                raise Skipped
        self._play(right)
        self._show()

    def _defend(self, move: Move) -> None:
        self.screen.say()
        self.screen.say(f"Right. {DEFENCE} plays {move}.")
        self._play(move)
        self._show()
        self.screen.say(TASK)

    def _show(self) -> None:
        announcer.moved(self.duel, self.screen)
        for line in describe.divisions(self.duel.position):
            self.screen.say(line, style="cyan")

    def _read(self) -> Move:
        """The move that is typed, with its end."""
        wording, rules = self.duel.ruleset.wording, self.duel.ruleset
        move = Move.parse(self._typed(wording.ask_digit))
        if move.end is not None or rules.ends != "both" or not self.duel.position.number:
            return move if move.end or rules.ends != "both" else Move(move.digit, "R")
        end = self._typed(wording.ask_side)[:1].upper()
        if end not in ("L", "R"):
            raise DigitDuelError(f"{quoted(end)} is no side for {move}: type L or R.")
        return Move(move.digit, end)

    def _typed(self, question: str) -> str:
        """What is typed in answer to a question, but for words that are done at once."""
        while True:
            typed = self.screen.ask(announcer.prompt(self.duel, question)).strip()
            match typed.lower():
                case "help":
                    self.screen.say(HELP)
                case "rules":
                    for line in describe.rules_in_words(self.duel.ruleset):
                        self.screen.item("- ", line)
                case "hint":
                    self.screen.say(self._theme())
                case "skip":
                    raise Skipped
                case "quit" | "q":
                    raise Quit
                case _:
                    return typed

    def _theme(self) -> str:
        theme = THEMES[self.puzzle.theme]
        return f"Theme: {theme.name}. {theme.words}"

    def _conclude(self) -> None:
        """Why it wins, what it was about, who finds it, and what it is called."""
        puzzle, say = self.puzzle, self.screen.say
        say(explain(puzzle.game().position, puzzle.solution[0], self.evaluator).text)
        say(self._theme())
        found = percent(float(puzzle.chances[CAREFUL]), places=0)
        sure = f"who sees {puzzle.sight} moves ahead solves it for certain"
        say(f"Who sees {CAREFUL} moves ahead solves it with a chance of {found}, {sure}.")
        if puzzle.name:
            say(f"Its short name: {puzzle.name}")
        say(f"Its permanent name: {puzzle.address}")
