"""Saying what happens in a match, in the words of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from digitduel import describe
from digitduel.wording import fill

if TYPE_CHECKING:
    from digitduel.cli.screen import Screen
    from digitduel.duel import Duel
    from digitduel.position import Move, Position

SHOWN_MOVES = 20


class Announcer:
    """The voice of a match: it looks at a duel and speaks on the screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def open_round(self, duel: Duel) -> None:
        """What to know before the first move, or on coming back to a game."""
        match, moves = duel.match, duel.moves
        self.screen.say()
        if match.rounds > 1:
            starter = duel.terms.names[match.starter - 1]
            kind = ", best of" if match.best_of else " of"
            self.screen.say(f"Round {match.round}{kind} {match.rounds}: {starter} starts.")
        self._say(duel, duel.ruleset.wording.opening)
        if agreed := describe.changed_rules(duel.ruleset):
            self.screen.say(f"Agreed rules: {agreed}")
        if moves:
            dots = "... " if len(moves) > SHOWN_MOVES else ""
            self.screen.say(f"Played so far: {dots}{' '.join(map(str, moves[-SHOWN_MOVES:]))}")

    def turn(self, duel: Duel) -> None:
        """Whose turn it is."""
        self.screen.say()
        self._say(duel, duel.ruleset.wording.turn)

    def moved(self, duel: Duel) -> None:
        """The number and the digits left."""
        line = duel.ruleset.wording.moved
        self._say(duel, line)
        if duel.ruleset.uses is not None and "{digits}" not in line:
            self._say(duel, "Digits left: {digits}")

    def divided(self, duel: Duel) -> None:
        """What the last move came to: the division, and that it decides nothing if so."""
        for line in describe.divisions(duel.position):
            self.screen.say(line, style="cyan")
        if duel.position.outcome() is None:
            self.screen.say(prompt(duel, duel.ruleset.wording.miss))

    def close_round(self, duel: Duel) -> None:
        """Who won and why, and the score."""
        text = describe.result(duel, duel.terms.names, duel.match.starter)
        self.screen.say(text, style="bold green")
        if duel.match.rounds > 1:
            (one, two), (ann, bob) = duel.standing.score, duel.terms.names
            self.screen.say(f"Score: {ann} {one}, {bob} {two}.")

    def close_match(self, duel: Duel) -> None:
        """The champion, or the tie."""
        champion = duel.standing.champion
        if duel.match.rounds == 1:
            return
        if champion is None:
            self.screen.say("The match is tied.", style="bold green")
        else:
            name = duel.terms.names[champion - 1]
            self.screen.say(f"{name} wins the match.", style="bold green")

    def _say(self, duel: Duel, line: str) -> None:
        """A line of the game with the last digit set off; an empty one is left out."""
        if not line:
            return
        self.screen.say_line(
            line,
            describe.general_words(duel.position)
            | {"player": duel.name, "digits": self._digits(duel.position)}
            | {"number": self.screen.number(describe.shown_number(duel))},
        )

    def _digits(self, position: Position) -> Text | str:
        """The digits still available; with style, the others keep their places, empty."""
        if self.screen.plain or position.ruleset.uses != 1:
            return describe.digits_left(position)
        left = position.available_digits
        places = [str(digit) if digit in left else "." for digit in position.ruleset.digits]
        return Text(" ").join(Text(sign, style="dim" if sign == "." else "bold") for sign in places)


def prompt(duel: Duel, line: str) -> str:
    """A question with its placeholders filled."""
    return fill(line, **describe.general_words(duel.position), player=duel.name)


def asked(duel: Duel, move: Move) -> str:
    """A computer's answers to the questions that a person would be asked."""
    answers = [f"{prompt(duel, duel.ruleset.wording.ask_digit)}{move.digit}"]
    if move.end:
        answers.append(f"{prompt(duel, duel.ruleset.wording.ask_side)}{move.end}")
    return "\n".join(answers)
