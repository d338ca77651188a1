"""Options that several commands share: GAME and the flags that change its rules."""

from __future__ import annotations

from functools import wraps
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from digitduel.fields import RULES, parse_field
from digitduel.ruleset import Ruleset, find_ruleset, read_ruleset, ruleset_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

Result = TypeVar("Result")


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
    is_file = name not in ruleset_keys() and (
        name.endswith(".toml") or isfile(name)  # noqa: PTH113  (no name is too long for this one)
    )
    return read_ruleset(Path(name)) if is_file else find_ruleset(name)


def game_argument(command: Callable[..., Result]) -> Callable[..., Result]:
    """Give a command GAME and the rule flags, as one argument `ruleset`."""

    @wraps(command)
    def with_ruleset(game: str, **options: Any) -> Result:
        given = {name: options.pop(name) for name in RULES}
        changes = {
            name: parse_field(name, value) if isinstance(value, str) else value
            for name, value in given.items()
            if value is not None
        }
        return command(ruleset=load_game(game).replace(**changes), **options)

    decorated: Callable[..., Result] = with_ruleset
    for rule in reversed(RULES.values()):
        option = click.option(
            rule.flag, rule.name, metavar=rule.kind.metavar, default=None, help=rule.help
        )
        decorated = option(decorated)
    return click.argument("game", type=GameName(), metavar="GAME")(decorated)


def rule_flags(ruleset: Ruleset, names: Collection[str]) -> str:
    """What to type for some rules.

    >>> rule_flags(find_ruleset("ends").replace(target=17, digits="1-9"), ("target", "digits"))
    '--target 17 --digits 1-9'
    """
    return " ".join(
        rule.typed(getattr(ruleset, name)) for name, rule in RULES.items() if name in names
    )


def named_file(flag: str, text: str | None) -> Path | None:
    """The file that an option names, if it was given; a usage error if that is no name."""
    if text is None:
        return None
    path = Path(text)
    if not path.name:
        raise click.UsageError(f"{flag} {text!r} names no file: give it a name.")
    return path


def color_option(command: Callable[..., Result]) -> Callable[..., Result]:
    """Give a command `--no-color`."""
    return click.option("--no-color", is_flag=True, help="Plain text, as with NO_COLOR.")(command)
