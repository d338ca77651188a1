"""`digitduel puzzle`: find the one move that wins."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import chain, islice
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import click

from digitduel.cli.options import GameName, color_option, load_game, rule_options
from digitduel.ruleset import easiest, newcomers_game, ruleset_keys, setting_names
from digitduel.text import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from digitduel.learn import Puzzle
    from digitduel.ruleset import Ruleset

LARGEST_SEED = 10**18
LARGEST_CHANCE = 1_000_000  # of seeds that nobody chose: names stay short


@dataclass(frozen=True)
class Wanted:
    """What was typed, but for how it is to be shown."""

    name: str | None
    setting: str | None
    game: str | None
    changes: dict[str, Any]
    theme: str | None
    difficulty: int | None
    daily: bool
    streak: bool
    seed: int | None
    count: int | None

    def check(self) -> None:
        """Refuse what says twice, or in two ways, which puzzle is meant."""
        kind = {"--theme": self.theme, "--difficulty": self.difficulty, "--count": self.count}
        rules = {"--setting": self.setting, "--game": self.game, "rules": self.changes}
        origin = {"--seed": None if self.seed is None else True, **rules}
        _refuse_together({"NAME": self.name, "--daily": self.daily, "--streak": self.streak})
        _refuse_together({"NAME": self.name}, {**kind, **origin})
        _refuse_together({"--daily": self.daily}, {**kind, **origin})
        _refuse_together({"--streak": self.streak}, kind)

    @property
    def is_any(self) -> bool:
        """Whether nothing was said of which puzzle is wanted, but perhaps of which setting."""
        return not (self.name or self.daily or self.streak or self.theme or self.difficulty) and (
            self.seed is None and self.count is None
        )

    def ruleset(self) -> Ruleset:
        """The rules that are wanted; those for newcomers if none are."""
        if self.setting is None and self.game is None:
            if self.changes:
                raise click.UsageError("a rule is changed, but of no game: name it with --game.")
            return load_game(easiest(newcomers_game()))
        if self.game is not None:
            return load_game(self.game, self.setting).replace(**self.changes)
        setting = str(self.setting)
        games = [key for key in ruleset_keys() if setting in setting_names(key)]
        if games:
            raise click.UsageError(
                f"--setting {quoted(setting)} names no game: write {games[0]}:{setting}."
            )
        return load_game(setting).replace(**self.changes)


def _refuse_together(one: Mapping[str, object], others: Mapping[str, object] | None = None) -> None:
    """Refuse several of some flags; or, if one of them is given, any of the others."""
    given = [flag for flag, value in one.items() if value]
    if given and others:
        given += [flag for flag, value in others.items() if value]
    if len(given) > 1:
        raise click.UsageError(f"{listed(given)} do not go together: leave one out.")


@click.command("puzzle")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--setting", type=GameName(), metavar="closest:easy", help="The setting to train.")
@click.option("--game", type=GameName(), metavar="GAME", help="Any game, with the flags below.")
@rule_options
@click.option("--theme", metavar='"two threats"', help="One theme only; 'list' names them all.")
@click.option("--difficulty", type=click.IntRange(1, 5), help="Only puzzles this hard.")
@click.option("--daily", is_flag=True, help="The puzzle of the day (UTC).")
@click.option("--streak", is_flag=True, help="Harder and harder, until the first mistake.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED - 1), help="The same puzzles again.")
@click.option("--count", type=click.IntRange(1), help="How many.")
@click.option("--json", "as_json", is_flag=True, help="For programs: a list, with solutions.")
@color_option
def command(as_json: bool, no_color: bool, **words: Any) -> int:
    """Solve puzzles: in a position find the one move that wins. NAME is a puzzle's
    short name (closest:easy/1/7/3), or its permanent one: the address with the moves.

    Puzzles that you missed come back after 1, 3, 7 and 21 days.

    \b
    Examples:
      digitduel puzzle
      digitduel puzzle --daily
      digitduel puzzle --setting pool:sharp --theme "two threats"
      digitduel puzzle --game pool --target 15 --difficulty 2
      digitduel puzzle --streak --seed 7
      digitduel puzzle closest:easy/1/7/3
      digitduel puzzle --seed 7 --count 10 --json
    """
    wanted = Wanted(**words)
    wanted.check()
    if wanted.theme == "list":
        return _list_themes()
    asked, more = _puzzles(wanted)
    if as_json:
        click.echo(json.dumps([puzzle.to_json() for puzzle in asked], indent=2))
        return 0
    from digitduel.cli.puzzling import Training
    from digitduel.cli.screen import Screen

    training = Training(Screen(no_color), today())
    if wanted.streak:
        return training.streak(asked)
    some = wanted.setting or wanted.game
    due = training.due(wanted.ruleset() if some else None) if wanted.is_any else iter(())
    return training.run(chain(due, asked, more), len(asked))


def today() -> date:
    """The day by which puzzles come and come back: the same all over the world."""
    return datetime.now(UTC).date()


def _puzzles(wanted: Wanted) -> tuple[list[Puzzle], Iterator[Puzzle]]:
    """The puzzles that are wanted, and what can follow them."""
    from digitduel import learn
    from digitduel.cli.progress import evaluator_with_progress

    if wanted.name is not None:
        return [learn.find_puzzle(wanted.name)], iter(())
    if wanted.daily:
        return [learn.daily(today())], iter(())
    theme = None if wanted.theme is None else learn.find_theme(wanted.theme).name
    wish, ruleset, seed = learn.Wish(theme, wanted.difficulty), wanted.ruleset(), wanted.seed
    if seed is None:
        seed = SystemRandom().randrange(LARGEST_CHANCE)
    evaluator_with_progress(ruleset)
    if wanted.streak:
        return learn.streak(ruleset, seed), iter(())
    asked = learn.some_puzzles(ruleset, wanted.count or 1, seed, wish)
    following = filter(wish.fits, learn.puzzles(ruleset, seed))
    return asked, iter(()) if wanted.count else islice(following, len(asked), None)


def _list_themes() -> int:
    from digitduel.cli.wrapping import wrapped
    from digitduel.learn import THEMES

    width = max(map(len, THEMES))
    for theme in THEMES.values():
        click.echo(wrapped(theme.words, f"  {theme.name:<{width}}  "))
    return 0
