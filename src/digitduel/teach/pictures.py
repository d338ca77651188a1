"""Pictures for learners, and the same as text: where digits lead, how the value swung."""

from __future__ import annotations

from html import escape
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, NamedTuple

from digitduel.describe import shorten
from digitduel.solver import Value
from digitduel.teach.verdicts import SIGNS

if TYPE_CHECKING:
    from digitduel.position import Move, Position
    from digitduel.teach.grading import Analysis

MOST_NODES_ON_A_CIRCLE = 24
SIZE, NODE = 420, 17
TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#555"/></marker></defs>'
)

BAR, GAP, HEIGHT, MARGIN, LETTER = 22, 4, 40, 30, 6
COLORS = {
    Value.WIN: "#2a78d6",
    Value.LOSS: "#c2571a",
    Value.ENDLESS: "#8a8a86",
    Value.UNKNOWN: "#c9c9c4",
}


def _svg(width: int, height: int, title: str, drawing: str) -> str:
    """A picture with its title above."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="12">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{width}" height="{height}" fill="#fcfcfb"/>'
        f'<text x="12" y="20" fill="#333">{escape(title)}</text>{drawing}</svg>\n'
    )


# --- How each digit moves the remainder. ---


class Step(NamedTuple):
    """A move, the sum it stands for, and the remainder it leads to."""

    move: Move
    sum: str
    remainder: int
    note: str  # what it means for the game; empty if it goes on


def remainder_table(position: Position) -> list[Step]:
    """What each legal move makes of the remainder.

    >>> from digitduel import Game, Move, find_ruleset
    >>> game = Game(find_ruleset("conquest"), [Move(5)])
    >>> remainder_table(game.position)[0]
    Step(move=Move(digit=1, end=None), sum='10 x 5 + 1 = 51 = 7 x 7 + 2', remainder=2, note='')
    """
    return [_step(position, move) for move in position.legal_moves]


def _step(position: Position, move: Move) -> Step:
    target, rest = position.ruleset.target, position.remainder
    if position.goes_left(move):
        place = position.state.place % target
        value, words = move.digit * place + rest, f"{move.digit} x {place} + {rest}"
    else:
        value, words = 10 * rest + move.digit, f"10 x {rest} + {move.digit}"
    after = value % target
    sum_ = f"{words} = {value} = {target} x {value // target} + {after}"
    note = "" if after else "divisible!"
    if struck := position.play(move).forbidden_divisors:
        note = f"loses: {struck[0]} is forbidden"
    return Step(move, sum_, after, note)


def remainder_graph(position: Position) -> str:
    """The same as an SVG picture: the remainder now, and an arrow for each digit."""
    target, now = position.ruleset.target, position.remainder
    labels: dict[int, list[str]] = {}
    for step in remainder_table(position):
        labels.setdefault(step.remainder, []).append(str(step.move))
    few = target <= MOST_NODES_ON_A_CIRCLE
    nodes = list(range(target)) if few else sorted({0, now, *labels})
    places = {node: _place(index, len(nodes)) for index, node in enumerate(nodes)}
    arrows = "".join(_arrow(places[now], places[node], m) for node, m in labels.items())
    dots = "".join(_dot(node, places[node], node == now) for node in nodes)
    title = f"From {shorten(position.number) or 'the start'}, remainder {now} of {target}"
    return _svg(SIZE, SIZE + 30, title, TIP + arrows + dots)


def _place(index: int, count: int) -> tuple[float, float]:
    angle = 2 * pi * index / count - pi / 2
    radius = SIZE / 2 - 2 * NODE
    return SIZE / 2 + radius * cos(angle), 30 + SIZE / 2 + radius * sin(angle)


def _dot(node: int, place: tuple[float, float], is_now: bool) -> str:
    x, y = place
    fill, ink = ("#2a78d6", "#fff") if is_now else ("#e3f3e3" if node == 0 else "#eee", "#222")
    ring = 3 if node == 0 else 1
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{NODE}" fill="{fill}" stroke="#555" '
        f'stroke-width="{ring}"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="{ink}">{node}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float], moves: list[str]) -> str:
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y)
    label = " ".join(moves)
    if length == 0:
        return (
            f'<circle cx="{x:.1f}" cy="{y - NODE - 9:.1f}" r="11" fill="none" stroke="#555"/>'
            f'<text x="{x + 14:.1f}" y="{y - NODE - 14:.1f}" fill="#222">{label}</text>'
        )
    shift_x, shift_y = (to_x - x) / length * NODE, (to_y - y) / length * NODE
    text_x, text_y = x + (to_x - x) * 0.72, y + (to_y - y) * 0.72
    return (
        f'<line x1="{x + shift_x:.1f}" y1="{y + shift_y:.1f}" x2="{to_x - shift_x:.1f}" '
        f'y2="{to_y - shift_y:.1f}" stroke="#555" marker-end="url(#tip)"/>'
        f'<text x="{text_x:.1f}" y="{text_y:.1f}" text-anchor="middle" fill="#111" '
        f'stroke="#fcfcfb" stroke-width="3" paint-order="stroke" font-weight="bold">{label}</text>'
    )


# --- How the value swung during a game, for the starter. ---


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
    return _svg(width, height, title, bars)


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
