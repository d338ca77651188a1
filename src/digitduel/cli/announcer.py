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


def open_round(duel: Duel, screen: Screen) -> None:
    """What to know before the first move, or on coming back to a game."""
    match, moves = duel.match, duel.moves
    screen.say()
    if match.rounds > 1:
        starter = duel.terms.names[match.starter - 1]
        kind = ", best of" if match.best_of else " of"
        screen.say(f"Round {match.round}{kind} {match.rounds}: {starter} starts.")
    _say(screen, duel, duel.ruleset.wording.opening)
    if agreed := describe.changed_rules(duel.ruleset):
        screen.say(f"Agreed rules: {agreed}")
    if moves:
        dots = "... " if len(moves) > SHOWN_MOVES else ""
        screen.say(f"Played so far: {dots}{' '.join(map(str, moves[-SHOWN_MOVES:]))}")


def turn(duel: Duel, screen: Screen) -> None:
    """Whose turn it is, and the time that both have left."""
    screen.say()
    _say(screen, duel, duel.ruleset.wording.turn)
    if duel.times is not None:
        both = zip(duel.terms.names, map(describe.time_left, duel.times.left), strict=True)
        screen.say(f"Clock: {', '.join(f'{name} {left}' for name, left in both)}", style="dim")


def moved(duel: Duel, screen: Screen) -> None:
    """The number and the digits left."""
    line = duel.ruleset.wording.moved
    _say(screen, duel, line)
    if duel.ruleset.uses is not None and "{digits}" not in line:
        _say(screen, duel, "Digits left: {digits}")


def divided(duel: Duel, screen: Screen) -> None:
    """What the last move came to: the division, and that it decides nothing if so."""
    for line in describe.divisions(duel.position):
        screen.say(line, style="cyan")
    if duel.position.outcome() is None:
        screen.say(prompt(duel, duel.ruleset.wording.miss))


def close_round(duel: Duel, screen: Screen) -> None:
    """Who won and why, and the score."""
    text = describe.result(duel, duel.terms.names, duel.match.starter)
    screen.say(text, style="bold green")
    if duel.match.rounds > 1:
        (one, two), (ann, bob) = duel.standing.score, duel.terms.names
        screen.say(f"Score: {ann} {one}, {bob} {two}.")


def close_match(duel: Duel, screen: Screen) -> None:
    """The champion, or the tie."""
    champion = duel.standing.champion
    if duel.match.rounds == 1:
        return
    if champion is None:
        screen.say("The match is tied.", style="bold green")
    else:
        name = duel.terms.names[champion - 1]
        screen.say(f"{name} wins the match.", style="bold green")


def _say(screen: Screen, duel: Duel, line: str) -> None:
    """A line of the game with the last digit set off; an empty one is left out."""
    if not line:
        return
    screen.say_line(
        line,
        describe.general_words(duel.position)
        | {"player": duel.name, "digits": _digits(screen, duel.position)}
        | {"number": screen.number(describe.shown_number(duel))},
    )


def _digits(screen: Screen, position: Position) -> Text | str:
    """The digits still available; with style, the others keep their places, empty."""
    if screen.plain or position.ruleset.uses != 1:
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
