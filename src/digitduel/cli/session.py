"""Playing a match at the terminal, from the first prompt to the champion."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from digitduel import describe
from digitduel.cli.announcer import Announcer
from digitduel.cli.coach import Coach
from digitduel.cli.options import rule_flags
from digitduel.cli.progress import evaluator_with_progress
from digitduel.cli.recording import RecordFile
from digitduel.cli.review import show_review
from digitduel.cli.saves import Journal
from digitduel.cli.screen import enable_line_editing
from digitduel.cli.table import Table
from digitduel.errors import DigitDuelError, InvalidMoveError, StorageError
from digitduel.kinds import format_digits
from digitduel.players import make_player, player_note
from digitduel.position import Move, Position
from digitduel.record import dumps
from digitduel.ruleset import ruleset_keys
from digitduel.teach import Report, verdict
from digitduel.text import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.cli.screen import Screen
    from digitduel.cli.table import Event, Setup
    from digitduel.ruleset import Ruleset

MOST_MOVES_OF_PROGRAMS = 1_000

ENDS = {"l": "L", "left": "L", "r": "R", "right": "R"}

HELP = """\
Type a digit to play it; where both ends are open, 5L or 5R also says the end.
  help       this list
  rules      how this game goes
  hint       a best move, and why
  why 5      why a move is good or bad; without a move: the last one played
  undo       take a move back (against the computer: both moves)
  resign     give this round to the other player
  off        call the game off, if the other player agrees
  save FILE  write the game to a record file
  quit       leave; 'digitduel resume' goes on from here"""


class Quit(Exception):  # noqa: N818  (no error: the player asked for it)
    """The player leaves; the game stays on disk."""


# What may be followed by a move or a file.
WITH_WORDS = ("why", "save")


class Session:
    """One match between two seats, shown on a screen and kept in a journal."""

    def __init__(self, table: Table, screen: Screen, journal: Journal | None) -> None:
        self.table = table
        self.screen = screen
        self.announcer = Announcer(table, screen)
        self.coach = Coach(table, screen)
        self.journal = journal
        self._held: Move | None = None  # a digit whose end has not been said yet
        self._saved: dict[str, RecordFile] = {}
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "rules": self._rules,
            "hint": self._hint,
            "why": self._why,
            "undo": self._undo,
            "resign": self._resign,
            "off": self._off,
            "save": self._save,
            "quit": self._quit,
        }

    def run(self) -> int:
        """Play to the end; the exit code: 0 when finished or left on purpose, 1 when cut short."""
        enable_line_editing()
        try:
            self._play_match()
        except Quit:
            self._say_kept()
            return 0
        except EOFError:
            self.screen.say("The input ended in mid-game.")
            self._say_kept()
            return 1
        except (KeyboardInterrupt, StorageError):
            self.screen.say()
            self._say_kept()
            raise
        finally:
            if self.journal:
                self.journal.close()
        return 0

    def _play_match(self) -> None:
        while True:
            self.announcer.open_round()
            while self.table.game.outcome() is None:
                self._turn()
            self.announcer.close_round()
            self._write_record()
            if self.table.standing.over:
                break
            self._happen({"round": self.table.match.round + 1})
        self.announcer.close_match()
        if self.journal:
            self.journal.finish(dumps(self.table.records))
        self._offer_review()

    def _offer_review(self) -> None:
        """On a terminal, a look back at what was played; scripts are never asked."""
        if not self.screen.interactive or not any(map(self.table.setup.is_human, (1, 2))):
            return
        with suppress(EOFError):
            if self.screen.ask("Look at the game again? (y/n) ").strip().lower() in ("y", "yes"):
                for record in self.table.records:
                    show_review(record, self.screen)

    def _happen(self, event: Event) -> None:
        """Let an event happen: tried first, then on disk, and only then shown."""
        self.table.apply(event)
        if self.journal:
            self.journal.append(event)

    def _turn(self) -> None:
        if self._too_long():
            self._happen({"off": True})
            return
        self.announcer.turn()
        if self.table.setup.is_human(self.table.seat):
            self._human_turn()
        else:
            self._computer_turn()

    def _too_long(self) -> bool:
        setup = self.table.setup
        most = setup.max_moves
        if most is None and not any(map(setup.is_human, (1, 2))):
            most = MOST_MOVES_OF_PROGRAMS
        return most is not None and len(self.table.game.move_stack) >= most

    def _computer_turn(self) -> None:
        kind = self.table.setup.players[self.table.seat - 1]
        move = make_player(kind, self.table.dice()).choose(self.table.game.position)
        note = player_note(kind, self.table.game.ruleset)
        asked = self.announcer.asked(move)
        self._happen({"move": str(move)})
        if note:
            self.screen.say(f"({note})", style="dim")
        self.screen.say(asked)
        self._show_move()

    def _show_move(self) -> None:
        self.announcer.moved()
        self.announcer.divided()

    def _human_turn(self) -> None:
        if self.table.setup.hints:
            self.coach.values()
        game = self.table.game
        moves = len(game.move_stack)
        while game.outcome() is None and len(game.move_stack) == moves:
            self._answer()

    def _answer(self) -> None:
        """Ask once, and do what was typed if it can be done."""
        wording = self.announcer.wording
        question = wording.ask_digit if self._held is None else wording.ask_side
        typed = self.screen.ask(self.announcer.prompt(question)).strip()
        word, _, rest = typed.partition(" ")
        try:
            command = self._commands.get(word.lower())
            if command and (not rest.strip() or word.lower() in WITH_WORDS):
                command(rest.strip())
            else:
                self._move(typed)
        except StorageError:
            raise
        except DigitDuelError as problem:
            self.screen.complain(problem)

    def _move(self, typed: str) -> None:
        if self._held is None:
            move = self._read(typed)
        elif typed.lower() in ENDS:
            move = Move(self._held.digit, ENDS[typed.lower()])
        else:
            raise DigitDuelError(f"{quoted(typed)} is no side for {self._held}: type L or R.")
        if move.end is None and self.table.game.ruleset.ends == "both":
            self._hold(move)
            return
        self._held = None
        self._happen({"move": str(move)})
        self._show_move()

    def _read(self, typed: str) -> Move:
        """Move.parse, with what would do in this game."""
        try:
            return Move.parse(typed)
        except InvalidMoveError:
            digits = format_digits(self.table.game.position.available_digits)
            raise InvalidMoveError(
                f"{quoted(typed)} is not a move: type a digit ({digits}), or help."
            ) from None

    def _hold(self, move: Move) -> None:
        """Keep a digit until its end is said, unless it fits neither."""
        self._held = None
        position = self.table.game.position
        refusals = [position.refusal(Move(move.digit, end)) for end in "LR"]
        if all(refusals):
            raise DigitDuelError(refusals[-1])
        self._held = move

    # --- what can be typed instead of a move ---

    def _help(self, _: str) -> None:
        self.screen.say(HELP)

    def _rules(self, _: str) -> None:
        for line in describe.rules_in_words(self.table.game.ruleset):
            self.screen.item("- ", line)

    def _hint(self, _: str) -> None:
        self.coach.hint()

    def _why(self, typed: str) -> None:
        self.coach.why(self._read(typed) if typed else None)

    def _undo(self, _: str) -> None:
        self._held = None
        count = 1 if all(map(self.table.setup.is_human, (1, 2))) else 2
        if len(self.table.game.move_stack) < count:
            raise DigitDuelError("there is no move of yours to take back yet.")
        self._happen({"undo": count})
        self.screen.say("Taken back.")
        self.announcer.moved()

    def _resign(self, _: str) -> None:
        self._happen({"resign": self.table.seat})

    def _off(self, _: str) -> None:
        other = 3 - self.table.seat
        names, is_human = self.table.setup.names, self.table.setup.is_human(other)
        if is_human and not self._agrees(names[other - 1]):
            self.screen.say("The game goes on.")
            return
        self._happen({"off": True})

    def _agrees(self, name: str) -> bool:
        try:
            while True:
                answer = self.screen.ask(f"{name}, do you agree to call it off? (y/n) ").strip()
                if answer.lower() in ("y", "yes", "n", "no"):
                    return answer.lower().startswith("y")
        except EOFError:
            # A script that ends here speaks for both; a terminal that closes agrees to nothing.
            if self.screen.interactive:
                raise
            return True

    def _save(self, name: str) -> None:
        if not name:
            raise DigitDuelError("save needs a file name, such as: save game.txt")
        try:
            file = self._saved.setdefault(name, RecordFile(Path(name).expanduser()))
            file.write(self.table.records)
        except (StorageError, RuntimeError) as problem:  # a bad name must not end the game
            raise DigitDuelError(str(problem)) from None
        self.screen.say(f"Saved to {name}.")

    def _quit(self, _: str) -> None:
        raise Quit

    # --- files ---

    def _write_record(self) -> None:
        """Bring the file of `--record` up to date."""
        path = self.table.setup.record
        if path is not None:
            digest = RecordFile(Path(path), self.table.recorded).write(self.table.records)
            self._happen({"recorded": digest})

    def _say_kept(self) -> None:
        with suppress(DigitDuelError):
            self._write_record()
        if self.journal:
            self.screen.say(f"The game is kept: 'digitduel resume {self.journal.id}' goes on.")


def start(setup: Setup, screen: Screen, tell_verdict: bool = False) -> int:
    """Play a new match; where it cannot be saved, say so and play all the same."""
    journal = None
    try:
        journal = Journal.create(setup)
    except StorageError as problem:
        screen.complain(f"This game is not being saved: {problem}")
    if note := describe.opening_note(setup.ruleset):
        screen.say(f"Note: {note}", style="yellow")
        _offer_others(setup.ruleset, screen)
    for warning in setup.ruleset.warnings:
        screen.say(f"Note: {warning}", style="yellow")
    if tell_verdict:
        evaluator = evaluator_with_progress(setup.ruleset)
        screen.say(verdict(Report.of(Position(setup.ruleset), evaluator)))
    return Session(Table(setup), screen, journal).run()


def _offer_others(ruleset: Ruleset, screen: Screen) -> None:
    """Name the best setting that makes a real game, if one is known."""
    from digitduel.atlas import offers  # only here, so that a real game starts without it

    ships = ruleset.key in ruleset_keys()
    for other in offers(ruleset)[:1]:
        start = f"digitduel play {ruleset.key}" if ships else "the same with"
        flags = rule_flags(other.ruleset, other.changed)
        screen.say(f"For a real game: {start} {flags} ({other.reason}).", style="yellow")
        if ships:
            screen.say(f"More of them: digitduel recommend {ruleset.key}", style="yellow")
