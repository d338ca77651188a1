"""Small helpers for words: quoting what was given, lists, near misses."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

LONGEST_QUOTE = 40
LONGEST_PATH = 300


def quoted(value: object, longest: int = LONGEST_QUOTE) -> str:
    """What was given, fit for a message: short, on one line, no control characters.

    >>> quoted("se\\nven")
    "'se\\\\nven'"
    >>> quoted("9" * 50)
    "'999999999999999999'... (50 characters)"
    """
    if not isinstance(value, str):
        try:
            value = repr(value)
        except (ValueError, RecursionError):  # a number too long, or lists too deep
            return "a value too long to show"
        return value if len(value) <= longest else f"{value[:18]}..."
    if len(value) <= longest:
        return repr(value)
    return f"{value[:18]!r}... ({len(value):,} characters)"


def visible(text: str) -> str:
    """A text as a terminal may show it: control characters, which could steer it, are written out.

    >>> visible("An\\x1b[31mn\\n")
    'An\\\\x1b[31mn\\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def sentence(text: str) -> str:
    """A message as a sentence: the engine's begin small.

    >>> sentence("there is no game.")
    'There is no game.'
    """
    return text[:1].upper() + text[1:]


def file_name(path: Path) -> str:
    """The last part of a path, quoted only where it cannot be shown as it is.

    >>> from pathlib import Path
    >>> file_name(Path("games/mine.toml")), file_name(Path("mi\\ne.toml"))
    ('mine.toml', "'mi\\\\ne.toml'")
    """
    return path.name if path.name.isprintable() else quoted(path.name)


def listed(items: Iterable[object], joint: str = "and") -> str:
    """Items as a person lists them.

    >>> listed([2, 3, 5], "or")
    '2, 3 or 5'
    """
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} {joint} {last}" if most else last


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A hint naming the nearest known word, or all of them when none is near.

    >>> did_you_mean("poool", ["pool", "ends"])
    "did you mean 'pool'?"
    """
    import difflib  # only when something was misspelt: it takes as long to load as the rest

    known = list(known)
    near = difflib.get_close_matches(given, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known are {listed(known)}."


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "move"), counted(3, "move")
    ('1 move', '3 moves')
    """
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(chance: float | None, places: int = 1) -> str:
    """A chance as people write it: what is not certain is not called so.

    >>> percent(0.6875), percent(0.99999), percent(1.0), percent(None)
    ('68.8%', '99.9%', '100.0%', '-')
    >>> percent(0.923, places=0), percent(0.0004, places=0), percent(0.0, places=0)
    ('92%', '1%', '0%')
    """
    if chance is None:
        return "-"
    least = 10 ** -(places + 2)
    shown = chance if chance in (0, 1) else min(max(chance, least), 1 - least)
    return f"{shown:.{places}%}"


def large(number: int) -> str:
    """A number in full, or its size; Python refuses to write out very long ones.

    >>> large(10**6), large(10**30)
    ('1,000,000', 'about 10^30')
    """
    if number < 10**18:
        return f"{number:,}"
    return f"about 10^{int(number.bit_length() * log10(2))}"


def as_html(heading: str, rows: Mapping[str, str]) -> str:
    """What a notebook shows: a heading, and a table of names and what they are.

    >>> as_html("<Game>", {"moves": "5 2"})
    '<b>&lt;Game&gt;</b><table><tr><th>moves</th><td>5 2</td></tr></table>'
    """
    from html import escape  # only in notebooks

    cells = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows.items()
    )
    return f"<b>{escape(heading)}</b><table>{cells}</table>"
