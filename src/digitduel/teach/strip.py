"""How the value swung during a game: a strip of signs, or of bars in a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from digitduel.solver import Value
from digitduel.teach.words import SIGNS

if TYPE_CHECKING:
    from digitduel.teach.grading import Analysis

BAR, GAP, HEIGHT, MARGIN = 22, 4, 40, 30
COLORS = {
    Value.WIN: "#2a78d6",
    Value.LOSS: "#c2571a",
    Value.ENDLESS: "#8a8a86",
    Value.UNKNOWN: "#c9c9c4",
}


def strip_text(analysis: Analysis) -> str:
    """One sign for the start and one after each move: + the starter wins, - the other, = open."""
    return "".join(SIGNS[each.value] for each in analysis.values)


def strip_svg(analysis: Analysis, starter: str = "first", other: str = "second") -> str:
    """The strip as an SVG picture: bars up for `starter`, down for `other`, a line for open."""
    width = 2 * MARGIN + len(analysis.values) * (BAR + GAP)
    middle, height = MARGIN + HEIGHT, 2 * (MARGIN + HEIGHT)
    bars = "".join(_bar(index, each.value, middle) for index, each in enumerate(analysis.values))
    title = f"+ {starter} wins with best play, - {other} wins, = open"
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
