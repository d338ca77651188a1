"""Text in lines that fit: for commands that print a page and need no screen."""

from __future__ import annotations

import shutil

import click

WIDEST = 78


def wrapped(text: str, first: str = "", later: str | None = None) -> str:
    """A text wrapped to the terminal, with what its first line and the later ones begin with."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return click.wrap_text(text, width, first, " " * len(first) if later is None else later)
