"""How the value swung during a game, for the starter: a row of signs, or of bars in a picture."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from digitduel.solver import Value
from digitduel.teach.verdicts import SIGNS

if TYPE_CHECKING:
    from digitduel.teach.grading import Analysis

BAR, GAP, HEIGHT, MARGIN, LETTER = 22, 4, 40, 30, 6
COLORS = {
    Value.WIN: "#2a78d6",
    Value.LOSS: "#c2571a",
    Value.ENDLESS: "#8a8a86",
    Value.UNKNOWN: "#c9c9c4",
}


def swing_text(analysis: Analysis) -> str:
    """One sign for the start and one after each move, each of them for the starter."""
    return "".join(SIGNS[worth.value] for worth in analysis.values)


def swing_legend(analysis: Analysis, starter: str = "the starter") -> str:
    """What the signs mean, and for whom: `starter` is what to call the starter."""
    unknown = "" if analysis.depth is None else ", ? not known"
    return f"for {starter}: + wins with best play, - loses, = open{unknown}"


def swing_svg(analysis: Analysis, starter: str = "the starter") -> str:
    """The same as an SVG picture: bars up where `starter` wins, down for losses."""
    title = f"Swing {swing_legend(analysis, starter)}"
    width = 2 * MARGIN + max(len(analysis.values) * (BAR + GAP), len(title) * LETTER)
    middle, height = MARGIN + HEIGHT, 2 * (MARGIN + HEIGHT)
    bars = "".join(_bar(ply, worth.value, middle) for ply, worth in enumerate(analysis.values))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="12">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{width}" height="{height}" fill="#fcfcfb"/>'
        f'<text x="{MARGIN}" y="18" fill="#333">{escape(title)}</text>{bars}</svg>\n'
    )


def _bar(ply: int, value: Value, middle: int) -> str:
    x = MARGIN + ply * (BAR + GAP)
    top = {Value.WIN: middle - HEIGHT, Value.LOSS: middle}.get(value, middle - 2)
    tall = HEIGHT if value in (Value.WIN, Value.LOSS) else 4
    sign_y = {Value.WIN: middle - 12, Value.LOSS: middle + 26}.get(value, middle - 8)
    ink = "#fff" if value in (Value.WIN, Value.LOSS) else "#333"
    label = "start" if ply == 0 else str(ply)
    return (
        f'<rect x="{x}" y="{top}" width="{BAR}" height="{tall}" rx="3" fill="{COLORS[value]}"/>'
        f'<text x="{x + BAR / 2}" y="{sign_y}" text-anchor="middle" fill="{ink}" '
        f'font-weight="bold">{SIGNS[value]}</text>'
        f'<text x="{x + BAR / 2}" y="{middle + HEIGHT + 16}" text-anchor="middle" '
        f'fill="#333" font-size="{8 if ply == 0 else 11}">{label}</text>'
    )
