"""Playing a match at the terminal, from the first prompt to the champion.

What shows values and looks back is imported when it is asked for: a game starts without it.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from digitduel import describe
from digitduel.cli import announcer
from digitduel.cli.alarm import Woken, alarm, forget_typed
from digitduel.cli.options import play_command, rule_flags
from digitduel.cli.saves import Left, create_save, finish_save, write_record
from digitduel.cli.screen import enable_line_editing
from digitduel.errors import DigitDuelError, InvalidMoveError, StorageError
from digitduel.events import CalledOff, Moved, Resigned, RoundBegun, TakenBack, event_json
from digitduel.fields import format_digits
from digitduel.match import other_seat
from digitduel.players import make_player, player_note
from digitduel.position import Move, Position
from digitduel.ruleset import ruleset_keys
from digitduel.text import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.cli.saves import TerminalDuel
    from digitduel.cli.screen import Screen
    from digitduel.events import Event
    from digitduel.journal import Journal
    from digitduel.ruleset import Ruleset

ENDS = {"l": "L", "left": "L", "r": "R", "right": "R"}

HELP = """\
Type a digit to play it; where both ends are open, 5L or 5R also says the end.
  help       this list
  rules      how this game goes
  hint       a best move, and why
  why 5      why a move is good or bad; without a move: the last one played
  undo       take a move back, if the other agrees (the computer: both moves)
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

    def __init__(
        self,
        duel: TerminalDuel,
        screen: Screen,
        journal: Journal | None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """`seconds` tells how time goes on: only a match with a clock asks."""
        self.duel = duel
        self.screen = screen
        self.journal = journal
        self._held: Move | None = None  # a digit whose end has not been said yet
        self._seconds = seconds
        # Playing time goes on from the last event that was kept.
        self._began = seconds() - ((duel.times and duel.times.since) or 0) / 1000

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
            announcer.open_round(self.duel, self.screen)
            while self.duel.outcome() is None:
                self._turn()
            announcer.close_round(self.duel, self.screen)
            self._write_record()
            if self.duel.standing.over:
                break
            self._happen(RoundBegun())
        announcer.close_match(self.duel, self.screen)
        if self.journal:
            finish_save(self.journal, self.duel)
            self.journal = None  # whoever leaves now leaves nothing behind
        self._offer_review()

    def _offer_review(self) -> None:
        """On a terminal, a look back at what was played; scripts are never asked."""
        if not self.screen.interactive or not self.duel.terms.people:
            return
        with suppress(EOFError):
            if self.screen.ask("Look at the game again? (y/n) ").strip().lower() in ("y", "yes"):
                from digitduel.cli.review import show_review

                for record in self.duel.records:
                    show_review(record, self.screen)

    def _happen(self, event: Event) -> None:
        """Let an event happen: tried first, then on disk, and only then shown."""
        if self.duel.times is not None:
            event = replace(event, at=self._now())
        after = self.duel.after(event)
        if self.journal:
            self.journal.append(event_json(event))
        self.duel = after

    def _now(self) -> int:
        """The playing time in milliseconds."""
        return round(1000 * (self._seconds() - self._began))

    def _turn(self) -> None:
        announcer.turn(self.duel, self.screen)
        if self.duel.seat in self.duel.terms.people:
            self._human_turn()
        else:
            self._computer_turn()

    def _computer_turn(self) -> None:
        duel = self.duel
        kind = duel.terms.players[duel.seat - 1]
        player = make_player(kind, Random(duel.randomness))  # noqa: S311  (a game)
        move = player.choose(duel.position)
        note = player_note(kind, duel.ruleset)
        self._happen(Moved(move))
        if note:
            self.screen.say(f"({note})", style="dim")
        self.screen.say(announcer.asked(duel, move))
        self._show_move()

    def _show_move(self) -> None:
        announcer.moved(self.duel, self.screen)
        announcer.divided(self.duel, self.screen)

    def _human_turn(self) -> None:
        if self.duel.hints:
            from digitduel.cli.values import show_values

            show_values(self.duel, self.screen)
        ply, self._held = self.duel.ply, None
        self._look_at_clock()
        while self.duel.outcome() is None and self.duel.ply == ply:
            with suppress(Woken):
                self._answer()
            self._look_at_clock()

    def _look_at_clock(self) -> None:
        """End the round if the time is up."""
        if up := self.duel.time_up(self._now()):
            self._happen(up)

    def _ask(self, question: str) -> str:
        """What is typed; Woken if the time is up before that."""
        up_at = self.duel.time_up_at
        try:
            with alarm(None if up_at is None else (up_at - self._now()) / 1000):
                typed = self.screen.ask(question)
        except Woken:
            self.screen.say()
            forget_typed()
            raise
        if up_at is not None and self._now() >= up_at:
            raise Woken
        return typed

    def _answer(self) -> None:
        """Ask once, and do what was typed if it can be done."""
        wording = self.duel.ruleset.wording
        question = wording.ask_digit if self._held is None else wording.ask_side
        typed = self._ask(announcer.prompt(self.duel, question)).strip()
        word, _, rest = typed.partition(" ")
        try:
            command = getattr(self, f"do_{word.lower()}", None)
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
        if move.end is None and self.duel.ruleset.ends == "both":
            self._hold(move)
            return
        self._held = None
        self._happen(Moved(move))
        self._show_move()

    def _read(self, typed: str) -> Move:
        """Move.parse, with what would do in this game."""
        try:
            return Move.parse(typed)
        except InvalidMoveError:
            digits = format_digits(self.duel.position.available_digits)
            raise InvalidMoveError(
                f"{quoted(typed)} is not a move: type a digit ({digits}), or help."
            ) from None

    def _hold(self, move: Move) -> None:
        """Keep a digit until its end is said, unless it fits neither."""
        self._held = None
        position = self.duel.position
        refusals = [position.refusal(Move(move.digit, end)) for end in "LR"]
        if all(refusals):
            raise DigitDuelError(refusals[-1])
        self._held = move

    # --- what can be typed instead of a move: each word has a method ---

    def do_help(self, _: str) -> None:
        self.screen.say(HELP)

    def do_rules(self, _: str) -> None:
        for line in describe.rules_in_words(self.duel.ruleset):
            self.screen.item("- ", line)

    def do_hint(self, _: str) -> None:
        from digitduel.cli.values import show_hint

        show_hint(self.duel, self.screen)

    def do_why(self, typed: str) -> None:
        from digitduel.cli.values import show_why

        show_why(self.duel, self._read(typed) if typed else None, self.screen)

    def do_undo(self, _: str) -> None:
        if self._held is not None:
            self.screen.say(f"{self._held} is taken back.")
            self._held = None
            return
        count = self.duel.takeback(self.duel.terms.people)
        if count is None:
            raise DigitDuelError("there is no move of yours to take back yet.")
        # Whoever made the move wants it back: the other, whose turn it is, is asked.
        asked = self.duel.seat if len(self.duel.terms.people) > 1 else other_seat(self.duel.seat)
        if self._agreed(asked, f"take {self.duel.moves[-1]} back"):
            self._happen(TakenBack(count))
            self.screen.say("Taken back.")
            announcer.moved(self.duel, self.screen)

    def do_resign(self, _: str) -> None:
        self._happen(Resigned(self.duel.seat))

    def do_off(self, _: str) -> None:
        if self._agreed(other_seat(self.duel.seat), "call it off"):
            self._happen(CalledOff())

    def _agreed(self, seat: int, what: str) -> bool:
        """Whether the player on a seat agrees; a computer always does."""
        is_person, name = seat in self.duel.terms.people, self.duel.terms.names[seat - 1]
        if not is_person or self._says_yes(f"{name}, do you agree to {what}?"):
            return True
        self.screen.say("The game goes on.")
        return False

    def _says_yes(self, question: str) -> bool:
        try:
            while True:
                answer = self._ask(f"{question} (y/n) ").strip().lower()
                if answer in ("y", "yes", "n", "no"):
                    return answer.startswith("y")
        except EOFError:
            # A script that ends here speaks for both; a terminal that closes agrees to nothing.
            if self.screen.interactive:
                raise
            return True

    def do_save(self, name: str) -> None:
        if not name:
            raise DigitDuelError("save needs a file name, such as: save game.txt")
        try:
            write_record(Path(name).expanduser().absolute(), self.duel, self._happen)
        except (StorageError, RuntimeError) as problem:  # a bad name must not end the game
            raise DigitDuelError(str(problem)) from None
        self.screen.say(f"Saved to {name}.")

    def do_quit(self, _: str) -> None:
        raise Quit

    # --- files ---

    def _write_record(self) -> None:
        """Bring the file of `--record` up to date."""
        if self.duel.record is not None:
            write_record(Path(self.duel.record), self.duel, self._happen)

    def _say_kept(self) -> None:
        with suppress(DigitDuelError):
            self._write_record()
        if self.duel.times is not None and self.duel.outcome() is None:
            with suppress(DigitDuelError):
                self._happen(Left())
        if self.journal:
            self.screen.say(
                f"The game is kept: 'digitduel resume {self.journal.path.stem}' goes on."
            )


def start(duel: TerminalDuel, screen: Screen, tell_verdict: bool = False) -> int:
    """Play a new match; where it cannot be saved, say so and play all the same."""
    journal, ruleset = None, duel.ruleset
    if note := describe.opening_note(ruleset):
        screen.say(f"Note: {note}", style="yellow")
        _offer_others(ruleset, screen)
    for warning in ruleset.warnings:
        screen.say(f"Note: {warning}", style="yellow")
    if tell_verdict:
        from digitduel.cli.progress import evaluator_with_progress
        from digitduel.teach import Report, verdict

        evaluator = evaluator_with_progress(ruleset)
        screen.say(verdict(Report.of(Position(ruleset), evaluator)))
    try:
        journal = create_save(duel)
    except StorageError as problem:
        screen.complain(f"This game is not being saved: {problem}")
    return Session(duel, screen, journal).run()


def _offer_others(ruleset: Ruleset, screen: Screen) -> None:
    """Name the first setting that makes a real game, if one is known."""
    from digitduel.atlas import offers  # only here, so that a real game starts without it

    ships = ruleset.key in ruleset_keys()
    for other in offers(ruleset)[:1]:
        same = f"the same with {rule_flags(other.ruleset, other.changed)}"
        real = play_command(other) if ships else same
        screen.say(f"For a real game: {real} ({other.reason}).", style="yellow")
        if ships:
            screen.say(f"More of them: digitduel recommend {ruleset.key}", style="yellow")
