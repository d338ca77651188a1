"""Saying what happens on the table, in the words of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from digitduel import describe
from digitduel.wording import fill

if TYPE_CHECKING:
    from digitduel.cli.screen import Screen
    from digitduel.cli.table import Table
    from digitduel.position import Move
    from digitduel.wording import Wording

SHOWN_MOVES = 20


class Announcer:
    """The voice of a match: it reads the table and speaks on the screen, and changes nothing."""

    def __init__(self, table: Table, screen: Screen) -> None:
        self.table = table
        self.screen = screen

    @property
    def wording(self) -> Wording:
        """The words of the game on the table."""
        return self.table.setup.ruleset.wording

    def open_round(self) -> None:
        """What to know before the first move, or on coming back to a game."""
        match, game = self.table.match, self.table.game
        self.screen.say()
        if match.rounds > 1:
            starter = self.table.setup.names[match.starter - 1]
            kind = ", best of" if match.best_of else " of"
            self.screen.say(f"Round {match.round}{kind} {match.rounds}: {starter} starts.")
        self._say(self.wording.opening)
        if agreed := describe.changed_rules(game.ruleset):
            self.screen.say(f"Agreed rules: {agreed}")
        if game.move_stack:
            moves = " ".join(map(str, game.move_stack[-SHOWN_MOVES:]))
            dots = "... " if len(game.move_stack) > SHOWN_MOVES else ""
            self.screen.say(f"Played so far: {dots}{moves}")

    def turn(self) -> None:
        """Whose turn it is."""
        self.screen.say()
        self._say(self.wording.turn)

    def prompt(self, line: str) -> str:
        """A question with its placeholders filled."""
        words = describe.general_words(self.table.game.position)
        return fill(line, **words, player=self.table.name)

    def asked(self, move: Move) -> str:
        """A computer's answers to the questions that a person would be asked."""
        answers = [f"{self.prompt(self.wording.ask_digit)}{move.digit}"]
        if move.end:
            answers.append(f"{self.prompt(self.wording.ask_side)}{move.end}")
        return "\n".join(answers)

    def moved(self) -> None:
        """The number and the digits left."""
        self._say(self.wording.moved)
        if self.table.game.ruleset.uses is not None and "{digits}" not in self.wording.moved:
            self._say("Digits left: {digits}")

    def divided(self) -> None:
        """What the last move came to: the division, and that the game goes on if it does."""
        game = self.table.game
        for line in describe.divisions(game.position):
            self.screen.say(line, style="cyan")
        if game.outcome() is None:
            self.screen.say(self.prompt(self.wording.miss))

    def close_round(self) -> None:
        """Who won and why, and the score."""
        table = self.table
        text = describe.result(table.game, table.setup.names, table.match.starter)
        self.screen.say(text, style="bold green")
        if table.match.rounds > 1:
            (one, two), (ann, bob) = table.standing.score, table.setup.names
            self.screen.say(f"Score: {ann} {one}, {bob} {two}.")

    def close_match(self) -> None:
        """The champion, or the tie."""
        match = self.table.standing
        if match.rounds == 1:
            return
        if match.champion is None:
            self.screen.say("The match is tied.", style="bold green")
        else:
            champion = self.table.setup.names[match.champion - 1]
            self.screen.say(f"{champion} wins the match.", style="bold green")

    def _say(self, line: str) -> None:
        """A line of the game with the last digit set off; an empty one is left out."""
        if not line:
            return
        game = self.table.game
        self.screen.say_line(
            line,
            describe.general_words(game.position)
            | {"player": self.table.name, "digits": self._digits()}
            | {"number": self.screen.number(describe.shown_number(game))},
        )

    def _digits(self) -> Text | str:
        """The digits still available; with style, the others keep their places, empty."""
        position = self.table.game.position
        if self.screen.plain or position.ruleset.uses != 1:
            return describe.digits_left(position)
        left = position.available_digits
        places = [str(digit) if digit in left else "." for digit in position.ruleset.digits]
        return Text(" ").join(Text(each, style="dim" if each == "." else "bold") for each in places)
