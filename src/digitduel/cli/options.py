"""Options that several commands share: GAME and the flags that change its rules."""

from __future__ import annotations

from functools import wraps
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from digitduel.fields import RULES, parse_field, typed_rules
from digitduel.ruleset import (
    Ruleset,
    find_ruleset,
    read_ruleset,
    ruleset_keys,
    setting_names,
    split_name,
)
from digitduel.text import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from digitduel.atlas import Recommendation

Result = TypeVar("Result")


class GameName(click.ParamType[str]):
    """The name of a shipped game or of its setting, or a TOML file; completes all of them."""

    name = "game"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002  (click's interface)
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        settings = (f"{key}:{name}" for key in ruleset_keys() for name in setting_names(key))
        names = (*ruleset_keys(), *settings)
        known = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return known or [CompletionItem(incomplete, type="file")]


class SettingName(click.ParamType[str]):
    """The name of a setting of some game; completes all there are."""

    name = "setting"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002  (click's interface)
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        known = dict.fromkeys(name for key in ruleset_keys() for name in setting_names(key))
        return [CompletionItem(name) for name in known if name.startswith(incomplete)]


def load_game(name: str, setting: str | None = None) -> Ruleset:
    """The game that a GAME argument names, with the setting of `--setting`, if it was given."""
    key, named = split_name(name)
    is_file = key not in ruleset_keys() and (
        name.endswith(".toml") or isfile(name)  # noqa: PTH113  (no name is too long for this one)
    )
    if setting is not None:
        flag = f"--setting {quoted(setting)}"
        if is_file:
            raise click.UsageError(
                f"{flag} is for {listed(ruleset_keys(), 'or')}: {quoted(name)} has no settings."
            )
        if named is not None:
            raise click.UsageError(
                f"{quoted(name)} names a setting, and {flag} too: leave one out."
            )
        name = f"{name}:{setting}"
    return read_ruleset(Path(name)) if is_file else find_ruleset(name)


def rule_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Give a command the rule flags, as one argument `changes`: the rules that were given."""

    @wraps(command)
    def with_changes(**options: Any) -> Result:
        given = {name: options.pop(name) for name in RULES}
        changes = {
            name: parse_field(name, value) if isinstance(value, str) else value
            for name, value in given.items()
            if value is not None
        }
        return command(changes=changes, **options)

    decorated: Callable[..., Result] = with_changes
    for rule in reversed(RULES.values()):
        option = click.option(
            rule.flag, rule.name, metavar=rule.kind.metavar, default=None, help=rule.help
        )
        decorated = option(decorated)
    return decorated


def game_argument(command: Callable[..., Result]) -> Callable[..., Result]:
    """Give a command GAME, `--setting` and the rule flags, as one argument `ruleset`."""

    @wraps(command)
    def with_ruleset(
        game: str, setting: str | None, changes: dict[str, Any], **options: Any
    ) -> Result:
        return command(ruleset=load_game(game, setting).replace(**changes), **options)

    named = click.option(
        "--setting", type=SettingName(), metavar="easy", help="A setting that has a name."
    )
    decorated = named(rule_options(with_ruleset))
    return click.argument("game", type=GameName(), metavar="GAME")(decorated)


def rule_flags(ruleset: Ruleset, names: Collection[str]) -> str:
    """What to type for some rules."""
    return typed_rules(ruleset, names)


def play_command(offer: Recommendation) -> str:
    """What to type to play a setting: its name, or else its rules."""
    rules = f"--setting {offer.name}" if offer.name else rule_flags(offer.ruleset, offer.changed)
    return f"digitduel play {offer.ruleset.key} {rules}"


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
