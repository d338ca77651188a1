"""What positions are worth, on the screen: by colour and sign and word, never by colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digitduel import describe
from digitduel.errors import DigitDuelError
from digitduel.players import perfect_moves
from digitduel.position import END_LETTERS, Move
from digitduel.solver import Value, evaluator_meanwhile
from digitduel.teach import SIGNS, WORDS, Report, in_words, verdict
from digitduel.text import listed

if TYPE_CHECKING:
    from digitduel.cli.screen import Screen
    from digitduel.duel import Duel
    from digitduel.game import Game
    from digitduel.position import Position
    from digitduel.solver import Evaluator

STYLES = {Value.WIN: "green", Value.LOSS: "red", Value.ENDLESS: "blue", Value.UNKNOWN: "dim"}


def show_report(game: Game, report: Report, screen: Screen) -> None:
    """What is known of the position that `game` has come to: each move's value, best first."""
    rules = game.ruleset
    screen.say(f"{rules.title}, target {rules.target}", style="bold")
    if agreed := describe.changed_rules(rules):
        screen.say(f"Agreed rules: {agreed}")
    for warning in rules.warnings:
        screen.complain(warning)
    if game.move_stack:
        line = " ".join(map(str, game.move_stack))
        screen.say(f"After {line}: {describe.division(game.position)}")
    screen.say(verdict(report))
    for move, number, worth in report.moves:
        screen.say(
            f"  {SIGNS[worth.value]} {move!s:<3} {describe.shorten(number):<12} {in_words(worth)}",
            style=STYLES[worth.value],
        )


# --- Help for whoever is to move. ---


def show_values(duel: Duel, screen: Screen) -> None:
    """A line for each value there is: which moves have it, and for how long."""
    lines: dict[Value, list[str]] = {}
    for move, _, worth in Report.of(duel.position, _evaluator(duel, screen)).moves:
        length = "" if worth.plies is None else f" ({worth.plies})"
        lines.setdefault(worth.value, []).append(f"{move}{length}")
    for value, moves in lines.items():
        screen.say(f"  {SIGNS[value]} {WORDS[value]}: {', '.join(moves)}", style=STYLES[value])


def show_hint(duel: Duel, screen: Screen) -> None:
    """The best moves, in a lost position those that set the best trap, and why the first is one."""
    position, evaluator = duel.position, _evaluator(duel, screen)
    best = perfect_moves(position, evaluator)
    screen.say(f"Best: {listed(best, 'or')}.")
    screen.say(_reason(position, best[0], evaluator))


def show_why(duel: Duel, move: Move | None, screen: Screen) -> None:
    """The reason for a move that could be made now, or for the last that was."""
    position = duel.position
    if move is None:
        if duel.last is None:
            raise DigitDuelError("no move has been played yet: name one, such as: why 5")
        position, move = duel.previous, duel.last.move
    evaluator = _evaluator(duel, screen)
    for meant in _meant(position, move):
        screen.say(_reason(position, meant, evaluator))


def _reason(position: Position, move: Move, evaluator: Evaluator) -> str:
    from digitduel.atlas.advice import advice_for  # only here: values are shown without it
    from digitduel.teach import explain

    return explain(position, move, evaluator, advice_for(position.ruleset)).text


def _evaluator(duel: Duel, screen: Screen) -> Evaluator:
    """Who knows the values; says so when it only looks ahead."""
    evaluator = evaluator_meanwhile(duel.ruleset)
    if evaluator.note:
        screen.say(f"({evaluator.note})", style="dim")
    return evaluator


def _meant(position: Position, move: Move) -> list[Move]:
    """The moves that may be meant: a digit alone, where it can go to either end, means both."""
    if move.end is not None or position.ruleset.ends != "both":
        return [move]
    if not position.number:  # both ends are one
        return [Move(move.digit, "R")]
    both = [Move(move.digit, end) for end in END_LETTERS["both"]]
    return [meant for meant in both if position.refusal(meant) is None] or both[:1]
