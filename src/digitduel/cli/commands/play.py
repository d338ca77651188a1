"""`digitduel play GAME`: a game or a match at this terminal."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING

import click

from digitduel.cli.options import color_option, game_argument
from digitduel.cli.saves import TerminalDuel, check_record
from digitduel.clock import Clock
from digitduel.events import HUMAN, Terms
from digitduel.match import MOST_ROUNDS, Match
from digitduel.players import PLAYERS

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

KINDS = (HUMAN, *PLAYERS)
LARGEST_SEED = 2**32


@click.command("play")
@game_argument
@click.option("--p1", default=HUMAN, type=click.Choice(KINDS), help="Who is Player 1.")
@click.option("--p2", default=HUMAN, type=click.Choice(KINDS), help="Who is Player 2.")
@click.option("--names", metavar="ANN,BOB", help="What the players are called.")
@click.option("--first", default="1", type=click.Choice(["1", "2", "random"]), help="Who starts.")
@click.option("--rounds", type=click.IntRange(1, MOST_ROUNDS), help="Play this many rounds.")
@click.option("--best-of", type=click.IntRange(1, MOST_ROUNDS), help="Stop when decided (odd).")
@click.option(
    "--start",
    default="alternate",
    type=click.Choice(["alternate", "same"]),
    help="Who starts the later rounds.",
)
@click.option("--clock", metavar="5+3", help="Minutes for each, and seconds added per move.")
@click.option("--seed", type=int, help="Makes the computer's choices repeatable.")
@click.option("--max-moves", type=click.IntRange(1), help="Call a round off after so many moves.")
@click.option("--record", metavar="FILE", help="Write the game to a record file.")
@click.option("--hints", is_flag=True, help="Show what each digit is worth while you play.")
@click.option("--verdict", is_flag=True, help="Say beforehand who wins with best play.")
@color_option
def command(
    ruleset: Ruleset,
    p1: str,
    p2: str,
    names: str | None,
    first: str,
    rounds: int | None,
    best_of: int | None,
    start: str,
    clock: str | None,
    seed: int | None,
    max_moves: int | None,
    record: str | None,
    hints: bool,
    verdict: bool,
    no_color: bool,
) -> int:
    """Play GAME: the key of a game ('digitduel games' lists them), one of its settings
    ('digitduel recommend' lists those), or a TOML file.

    Two programs that play each other stop after 1,000 moves unless --max-moves says otherwise.

    \b
    Examples:
      digitduel play closest --setting easy
      digitduel play pool --target 12
      digitduel play ends --digits 1-9 --target 17 --p2 careful
      digitduel play closest --target 33 --names Ann,Bob --clock 5+3
      digitduel play conquest --target 13 --digits 1,3,5,7,9 --full closest --rounds 4
      digitduel play closest --target 33 --p1 casual --p2 careful --seed 1
    """
    from digitduel.cli.screen import Screen
    from digitduel.cli.session import start as start_session

    if rounds is not None and best_of is not None:
        raise click.UsageError("give --rounds or --best-of, not both.")
    if seed is None:
        seed = SystemRandom().randrange(LARGEST_SEED)
    screen = Screen(no_color)
    terms = Terms(
        ruleset=ruleset,
        match=Match(
            rounds=rounds or best_of or 1,
            best_of=best_of is not None,
            first=toss(seed) if first == "random" else int(first),
            alternate=start == "alternate",
        ),
        players=(p1, p2),
        names=_names(names),
        seed=str(seed),
        most_moves=max_moves,
        clock=None if clock is None else Clock.parse(clock),
    )
    path = None if record is None else Path(record).absolute()
    if path is not None:
        check_record(path)
    if first == "random":
        screen.say(f"The coin says: {terms.names[terms.match.first - 1]} starts.")
    duel = TerminalDuel.begin(terms, record=None if path is None else str(path), hints=hints)
    return start_session(duel, screen, tell_verdict=verdict)


def toss(seed: int) -> int:
    """The seat that a coin toss lets start."""
    return Random(f"{seed}/coin").choice((1, 2))  # noqa: S311  (a game)


def _names(text: str | None) -> tuple[str, str]:
    if text is None:
        return "Player 1", "Player 2"
    if not text.isprintable():  # bytes that the locale does not know
        text = os.fsencode(text).decode("utf-8", "replace")
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise click.UsageError(f"--names {text!r} is not two names: write them as Ann,Bob.")
    return names[0], names[1]
