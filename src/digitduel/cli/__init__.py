"""The terminal: thin commands that parse, call and render. They contain no rule of a game."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digitduel import __version__
from digitduel.errors import DigitDuelError, StorageError, UnreadableError
from digitduel.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

DONE, FAILURE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

# Each command is a module, imported when it is called: start-up stays light.
COMMANDS = sorted(path.stem for path in Path(__file__).parent.glob("commands/[a-z]*.py"))
SPELLINGS = {"analyze": "analyse"}


class Commands(click.Group):
    """The commands, found by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's interface)
        return COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        cmd_name = SPELLINGS.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"digitduel.cli.commands.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in (*COMMANDS, *SPELLINGS):
            hint = did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"there is no command {args[0]!r}: {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="digitduel")
@click.pass_context
def digitduel(ctx: click.Context) -> int:
    """Two players take turns adding a digit to a shared number. Make it divisible by
    the target and you win.

    Without a command, on a terminal, a menu leads to a game.

    \b
    Examples:
      digitduel                             choose everything from a menu
      digitduel games                       the five games
      digitduel play closest --setting easy
      digitduel play pool --target 12       two people at this keyboard
      digitduel play closest --target 33 --p2 careful
      digitduel resume                      go on with the game you left
    """
    if ctx.invoked_subcommand is not None:
        return DONE
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(ctx.get_help())
        return DONE
    from digitduel.cli.menu import run_menu

    return run_menu()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0 done, 1 failure, 2 bad input, 130 interrupted."""
    _open_what_is_closed()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Odd bytes in what is typed, or names a terminal cannot show, are no reason to stop.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    try:
        code = digitduel.main(argv, prog_name="digitduel", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except StorageError as error:
        click.echo(f"Error: {error}", err=True)
        return BAD_INPUT if isinstance(error, UnreadableError) else FAILURE
    except DigitDuelError as error:
        click.echo(f"Error: {error}", err=True)
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _no_output()
    except OSError as error:
        with suppress(OSError):
            click.echo(f"Error: the output cannot be written: {error.strerror or error}.", err=True)
        return _no_output()
    return code if isinstance(code, int) else DONE


def _open_what_is_closed() -> None:
    """Whoever starts us with a closed stream has nothing to say, or wants to hear nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115  (open to the end)


def _no_output() -> int:
    # Whoever read our output has left, or the disk is full: Python must not try again at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILURE
