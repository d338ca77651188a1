"""Text in lines that fit: for commands that print a page and need no screen."""

from __future__ import annotations

import shutil
import textwrap

WIDEST = 78


def wrapped(text: str, first: str = "", later: str | None = None) -> str:
    """A text wrapped to the terminal, with what its first line and the later ones begin with."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * len(first) if later is None else later,
        break_on_hyphens=False,  # a flag in two parts could not be typed
        break_long_words=False,
    )
