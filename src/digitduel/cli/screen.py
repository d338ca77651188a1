"""What people see and type: lines out, with style where the terminal has it, and lines in."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from digitduel.text import LONGEST_QUOTE, quoted, sentence, visible
from digitduel.wording import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from digitduel.describe import ShownNumber


def plain_wanted(no_color: bool) -> bool:
    """Whether the user, the terminal or a pipe asks for text without any style."""
    return (
        no_color
        or bool(os.environ.get("NO_COLOR"))
        or os.environ.get("TERM") == "dumb"
        or not sys.stdout.isatty()
    )


class Screen:
    """The terminal, or whatever stands in its place."""

    def __init__(self, no_color: bool = False, console: Console | None = None) -> None:
        self.plain = plain_wanted(no_color) if console is None else console.color_system is None
        self.console = console or Console(
            color_system=None if self.plain else "auto", highlight=False, markup=False, emoji=False
        )

    @property
    def interactive(self) -> bool:
        """Whether a person sits there: both what is typed and what is shown is a terminal."""
        return sys.stdin.isatty() and self.console.is_terminal

    def say(self, text: str | Text = "", style: str = "") -> None:
        """Print a line or several."""
        text = visible(text) if isinstance(text, str) else text
        # Pipes get lines as they are; a terminal wraps them between words.
        self.console.print(text, style=style or None, soft_wrap=not self.console.is_terminal)

    def item(self, label: str, text: str) -> None:
        """Print an entry of a list, its lines in one column beside the label."""
        width = self.console.width if self.console.is_terminal else 0
        lines = textwrap.wrap(text, width - len(label)) if width > len(label) + 20 else [text]
        indent = " " * len(label)
        self.say("\n".join([label + lines[0], *(indent + line for line in lines[1:])]))

    def complain(self, problem: object) -> None:
        """Say why something was not accepted."""
        self.say(sentence(str(problem)), style="yellow")

    def say_line(self, line: str, words: Mapping[str, str | Text]) -> None:
        """Print a game's own line, its {placeholders} filled with words that may have style."""
        text = Text()
        for index, part in enumerate(PLACEHOLDER.split(line)):
            # Every second part is the name of a placeholder.
            word = words.get(part, part) if index % 2 else part
            text.append(visible(word) if isinstance(word, str) else word)
        self.say(text)

    def number(self, shown: ShownNumber) -> Text:
        """A number with its last digit set off."""
        if self.plain:
            return Text(shown.plain)
        return Text.assemble(
            (shown.before, "bold"), (shown.last, "bold reverse"), (shown.after, "bold")
        )

    def ask(self, prompt: str) -> str:
        """One line of input; EOFError when there is no more."""
        try:
            if sys.stdin.isatty():
                return input(prompt)
            self.console.print(Text(prompt), end="", soft_wrap=True)
            line = sys.stdin.readline()
        except OSError:  # the terminal has gone away
            line = ""
        if not line:
            self.say()
            raise EOFError
        typed = line.rstrip("\r\n")
        # A pipe does not echo: with the answer after each question the output reads as a game.
        self.say(typed if _echoes_well(typed) else quoted(typed))
        return typed


def _echoes_well(typed: str) -> bool:
    return typed.isprintable() and len(typed) <= LONGEST_QUOTE


def enable_line_editing() -> None:
    """Arrow keys and history at prompts, where the system has readline."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (importing it is what switches it on)
