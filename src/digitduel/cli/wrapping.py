"""Text in lines that fit: for commands that print a page and need no screen."""

from __future__ import annotations

import os
import textwrap

WIDEST, USUAL = 78, 80
STDOUT = 1


def terminal_width() -> int:
    """How many columns there are: COLUMNS, or the terminal's own, or the usual ones.

    As shutil has it, which takes as long to load as all that `digitduel games` does.
    """
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    try:
        return os.get_terminal_size(STDOUT).columns or USUAL
    except OSError:
        return USUAL


def wrapped(text: str, label: str = "") -> str:
    """A text wrapped to the terminal, its lines in one column beside the label."""
    width = min(terminal_width(), WIDEST)
    return textwrap.fill(
        text,
        width,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,  # a flag in two parts could not be typed
        break_long_words=False,
    )
