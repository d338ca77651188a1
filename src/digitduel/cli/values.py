"""Values on the screen: by colour and sign and word, never by colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel import describe
from digitduel.position import Position, Side
from digitduel.solver import Value
from digitduel.teach import SIGNS, WORDS, in_words, ranked

if TYPE_CHECKING:
    from digitduel.cli.screen import Screen
    from digitduel.game import Game
    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator

STYLES = {Value.WIN: "green", Value.LOSS: "red", Value.ENDLESS: "blue", Value.UNKNOWN: "dim"}


def verdict(ruleset: Ruleset, evaluator: Evaluator) -> str:
    """Who wins with best play, in a sentence."""
    start = Position(ruleset)
    worth = evaluator.probe(start)
    if worth.value is Value.UNKNOWN:
        return f"The game is too large to solve: no win within {evaluator.sight(start)} plies."
    if worth.plies is None:
        return "With best play neither player can force a win, and the game never ends."
    winner = "whoever starts" if worth.value is Value.WIN else "whoever does not start"
    return f"With best play {winner} wins, in {_plies(worth.plies)}."


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"


def show_values(game: Game, evaluator: Evaluator, screen: Screen) -> None:
    """A position's value, and each move with its own, best first."""
    rules, position = game.ruleset, game.position
    screen.say(f"{rules.title}, target {rules.target}", style="bold")
    if agreed := describe.changed_rules(rules):
        screen.say(f"Agreed rules: {agreed}")
    for warning in rules.warnings:
        screen.complain(warning)
    if not game.move_stack:
        screen.say(verdict(rules, evaluator))
    else:
        mover = "the starter" if position.turn is Side.FIRST else "the second player"
        screen.say(f"After {' '.join(map(str, game.move_stack))}: {describe.division(position)}")
        screen.say(_standing(position, mover, evaluator))
    for move, worth in ranked(position, evaluator):
        number = describe.shorten(position.play(move).number)
        screen.say(
            f"  {SIGNS[worth.value]} {move!s:<3} {number:<12} {in_words(worth)}",
            style=STYLES[worth.value],
        )


def _standing(position: Position, mover: str, evaluator: Evaluator) -> str:
    worth = evaluator.probe(position)
    if worth.value is Value.UNKNOWN:
        return f"To move: {mover}. No forced win within {evaluator.sight(position)} plies."
    if worth.plies is None:
        return f"To move: {mover}. With best play neither player can force a win."
    return f"To move: {mover}, who {in_words(worth).replace(' in', ' with best play in')}."


def hints(position: Position, evaluator: Evaluator) -> list[tuple[str, str]]:
    """A line for each value there is, with its style: which moves have it."""
    lines: dict[Value, list[str]] = {}
    for move, worth in ranked(position, evaluator):
        plies = "" if worth.plies is None else f" ({worth.plies})"
        lines.setdefault(worth.value, []).append(f"{move}{plies}")
    return [
        (f"  {SIGNS[value]} {WORDS[value]}: {', '.join(moves)}", STYLES[value])
        for value, moves in lines.items()
    ]
