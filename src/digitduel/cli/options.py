"""Options that several commands share: GAME and the flags that change its rules."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from click.shell_completion import CompletionItem

from digitduel.fields import ENDS, FULL, format_field, parse_field
from digitduel.ruleset import Ruleset, find_ruleset, read_ruleset, ruleset_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

Params = ParamSpec("Params")
Result = TypeVar("Result")

# Flag, field, placeholder, help: everything that can be changed about a game.
RULE_FLAGS = (
    ("--target", "target", "N", "The number to be divisible by."),
    ("--digits", "digits", "0-9|1,3,7", "The digits in the game."),
    ("--uses", "uses", "N|unlimited", "How often each digit may be used."),
    ("--ends", "ends", "|".join(ENDS), "Where a digit may go."),
    ("--forbid", "forbidden", "2,3,5|none", "Divisors that lose."),
    ("--limit", "limit", "N|none", "How long the number may get."),
    ("--full", "full", "|".join(FULL), "What happens when it is full."),
)


class GameName(click.ParamType[str]):
    """A key of a shipped game, or a TOML file; completes both."""

    name = "game"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002  (click's interface)
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        keys = [CompletionItem(key) for key in ruleset_keys() if key.startswith(incomplete)]
        return keys or [CompletionItem(incomplete, type="file")]


def load_game(name: str) -> Ruleset:
    """The game that a GAME argument names."""
    is_file = name not in ruleset_keys() and (name.endswith(".toml") or Path(name).is_file())
    return read_ruleset(Path(name)) if is_file else find_ruleset(name)


def game_argument(command: Callable[..., Result]) -> Callable[..., Result]:
    """Give a command GAME and the rule flags, as one argument `ruleset`."""

    @wraps(command)
    def with_ruleset(game: str, leading_zero: bool | None, **options: Any) -> Result:
        given = {field: options.pop(field) for _, field, _, _ in RULE_FLAGS}
        changes = {f: parse_field(f, text) for f, text in given.items() if text is not None}
        if leading_zero is not None:
            changes["leading_zero"] = leading_zero
        return command(ruleset=load_game(game).replace(**changes), **options)

    decorated: Callable[..., Result] = with_ruleset
    decorated = click.option(
        "--leading-zero/--no-leading-zero",
        default=None,
        help="Whether the number may begin with 0.",
    )(decorated)
    for flag, field, metavar, text in reversed(RULE_FLAGS):
        decorated = click.option(flag, field, metavar=metavar, help=text)(decorated)
    return click.argument("game", type=GameName(), metavar="GAME")(decorated)


def rule_flags(ruleset: Ruleset, fields: Collection[str]) -> str:
    """What to type for some rules.

    >>> rule_flags(find_ruleset("ends").replace(target=17, digits="1-9"), ("target", "digits"))
    '--target 17 --digits 1-9'
    """
    words = [
        f"{flag} {format_field(field, getattr(ruleset, field))}"
        for flag, field, _, _ in RULE_FLAGS
        if field in fields
    ]
    if "leading_zero" in fields:
        words.append("--leading-zero" if ruleset.leading_zero else "--no-leading-zero")
    return " ".join(words)


def color_option(command: Callable[..., Result]) -> Callable[..., Result]:
    """Give a command `--no-color`."""
    return click.option("--no-color", is_flag=True, help="Plain text, as with NO_COLOR.")(command)
