"""The ladder of one setting as a picture that needs no library, so that a server can draw it.

Colours are for paper; a page gives its own to the classes.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from digitduel.atlas.reading import FAIR_FROM, FAIR_TO, rungs
from digitduel.text import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from digitduel.atlas.reading import Row, Rung

    # By column; None where games between two never end.
    Chances = Mapping[int, float | None]

# Each rung has a column; a panel has a heading, a picture, and a line of figures below it.
WIDTH, LEFT, COLUMN, BAR = 360, 26, 44, 26
HEADING, TALL, FIGURES, GAP, AXIS, INSET = 20, 60, 17, 10, 50, 4
PANEL = HEADING + TALL + FIGURES + GAP
EVEN, LOWEST_BAR, MARK = 0.5, 0.4, 3.5
STEPS = "Seeing one move further wins (50%: no use)"
STARTER = "The starter wins, between equals"
TARGET = "The target decides, between equals"
COLOURS = {
    "bars": 'fill="#3d44b4"',
    "line": 'fill="none" stroke="#5e5a52" stroke-width="1.5"',
    "marks": 'fill="#3d44b4"',
    "band": 'fill="#eeeefb"',
    "even": 'fill="none" stroke="#8d877b"',
    "heading": 'fill="#1d1c1a" font-weight="600" font-size="14"',
    "figures": 'fill="#1d1c1a" text-anchor="middle"',
    "notes": 'fill="#5e5a52" font-size="12"',
}


def ladder_chart(row: Row, name: str = "this setting") -> str:
    """What each step of sight pays, what the start is worth, how often the target decides: SVG."""
    ladder = rungs(row)
    columns = list(enumerate(ladder))
    steps = {column: rung.step for column, rung in columns[1:]}
    firsts = {column: rung.first for column, rung in columns[:-1]}
    targets = {column: rung.target for column, rung in columns[:-1]}
    panels = (
        _panel(0, STEPS, steps, _bars(steps)),
        _panel(1, STARTER, firsts, _band() + _joined(firsts, _dot)),
        _panel(2, TARGET, targets, _joined(targets, _square)),
    )
    height = len(panels) * PANEL + AXIS
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ladder" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" font-family="sans-serif" font-size="13">'
        f"<title>{escape(f'The ladder of {name}')}</title><desc>{_said(ladder)}</desc>"
        f"{''.join(panels)}{_axis(ladder, len(panels) * PANEL)}</svg>"
    )


def _said(ladder: list[Rung]) -> str:
    """What the picture shows, for whoever cannot see it."""
    steps = ", ".join(
        f"{rung.name} against {below.name} {percent(rung.step, places=0)}"
        for below, rung in pairwise(ladder)
    )
    *sights, _ = ladder
    firsts = ", ".join(f"{rung.name} {percent(rung.first, places=0)}" for rung in sights)
    targets = ", ".join(f"{rung.name} {percent(rung.target, places=0)}" for rung in sights)
    return f"By moves seen ahead. {STEPS}: {steps}. {STARTER}: {firsts}. {TARGET}: {targets}."


def _panel(place: int, heading: str, chances: Chances, drawing: str) -> str:
    """A heading, what is drawn, and the figures."""
    foot = HEADING + TALL + FIGURES - 4
    figures = "".join(
        _text(_x(column), foot, percent(chance, places=0)) for column, chance in chances.items()
    )
    return (
        f'<g transform="translate(0 {place * PANEL})">'
        + _group("heading", _text(4, 14, heading))
        + f'<g transform="translate(0 {HEADING})">{drawing}</g>'
        + _group("figures", figures)
        + "</g>"
    )


def _bars(steps: Chances) -> str:
    """A bar for each step, from what pays nothing up, or down."""
    even = _y(EVEN, LOWEST_BAR)
    bars = "".join(
        _bar(column, even, _y(max(step, LOWEST_BAR), LOWEST_BAR))
        for column, step in steps.items()
        if step is not None
    )
    line = f'<path d="M4 {even:.1f}H{WIDTH - 4}"/>'
    note = _text(4, even - 5, "50%")
    return _group("bars", bars) + _group("even", line) + _group("notes", note)


def _bar(column: int, even: float, end: float) -> str:
    top, tall = min(even, end), abs(even - end)
    return f'<rect x="{_x(column) - BAR / 2}" y="{top:.1f}" width="{BAR}" height="{tall:.1f}"/>'


def _band() -> str:
    """Where a start is fair."""
    top, foot = _y(FAIR_TO), _y(FAIR_FROM)
    band = f'<rect x="4" y="{top:.1f}" width="{WIDTH - 8}" height="{foot - top:.1f}"/>'
    note = _text(_x(7) - 10, _y(EVEN) + 4, "fair")
    return _group("band", band) + _group("notes", note)


def _joined(chances: Chances, mark: Callable[[float, float], str]) -> str:
    """Marks, joined where nothing is missing between them."""
    places = {
        column: (_x(column), _y(chance)) for column, chance in chances.items() if chance is not None
    }
    lines = "".join(
        f"M{x} {y:.1f}L{places[column + 1][0]} {places[column + 1][1]:.1f}"
        for column, (x, y) in places.items()
        if column + 1 in places
    )
    marks = "".join(mark(x, y) for x, y in places.values())
    return _group("line", f'<path d="{lines}"/>' if lines else "") + _group("marks", marks)


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x}" cy="{y:.1f}" r="{MARK}"/>'


def _square(x: float, y: float) -> str:
    return f'<rect x="{x - MARK}" y="{y - MARK:.1f}" width="{2 * MARK}" height="{2 * MARK}"/>'


def _axis(ladder: list[Rung], top: int) -> str:
    """The sights, and what players of the first three are called."""
    sights = "".join(_text(_x(column), 12, rung.short) for column, rung in enumerate(ladder))
    names = "".join(
        _text(_x(column), 26, rung.name.split()[1])
        for column, rung in enumerate(ladder)
        if " " in rung.name
    )
    return (
        f'<g transform="translate(0 {top})">'
        + _group("even", f'<path d="M4 -4H{WIDTH - 4}"/>')
        + _group("figures", sights)
        + _group("notes", f'<g text-anchor="middle">{names}</g>' + _text(4, 44, "moves seen ahead"))
        + "</g>"
    )


def _group(kind: str, inside: str) -> str:
    return f'<g class="{kind}" {COLOURS[kind]}>{inside}</g>'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y:.1f}">{escape(text)}</text>'


def _x(column: int) -> int:
    return LEFT + column * COLUMN


def _y(chance: float, lowest: float = 0) -> float:
    return INSET + (TALL - 2 * INSET) * (1 - chance) / (1 - lowest)
