"""Text in lines that fit: for commands that print a page and need no screen."""

from __future__ import annotations

import shutil
import textwrap

WIDEST = 78


def wrapped(text: str, label: str = "") -> str:
    """A text wrapped to the terminal, its lines in one column beside the label."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return textwrap.fill(
        text,
        width,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,  # a flag in two parts could not be typed
        break_long_words=False,
    )
