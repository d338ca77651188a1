"""The remainder view: how each digit moves the remainder, as a table and as a small graph."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, NamedTuple

from digitduel.describe import shorten

if TYPE_CHECKING:
    from digitduel.position import Move, Position

MOST_NODES_ON_A_CIRCLE = 24
SIZE, NODE = 420, 17


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
    return Step(move, sum_, after, _note(position.play(move), after))


def _note(after: Position, remainder: int) -> str:
    if struck := after.forbidden_divisors:
        return f"loses: {struck[0]} is forbidden"
    return "" if remainder else "divisible!"


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
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE + 30}" '
        f'width="{SIZE}" height="{SIZE + 30}" role="img" font-family="sans-serif" font-size="12">'
        f"<title>{title}</title>"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#555"/></marker></defs>'
        f'<rect width="{SIZE}" height="{SIZE + 30}" fill="#fcfcfb"/>'
        f'<text x="12" y="20" fill="#333">{title}</text>{arrows}{dots}</svg>\n'
    )


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
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
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
