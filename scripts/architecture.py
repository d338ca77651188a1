"""Draws docs/images/architecture.svg from the imports as they are: the floors of the house.

    .venv/bin/python scripts/architecture.py

Rooms stand on the diagonal, the highest first. A dot in a room's row is an import: follow its
column down to the room that is imported. Imports that pointed up would be dots left of a name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from graphlib import TopologicalSorter
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import grimp

if TYPE_CHECKING:
    from collections.abc import Mapping

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "architecture.svg"
PACKAGE = "digitduel"
# The packages that are drawn once more, with the rooms inside them.
OPENED = ("cli", "web", "learn", "atlas", "teach", "solver", "states")

ROW, STEP, MARGIN = 18, 16, 16
# A letter of the monospaced font is this wide, and one of the notes at most.
LETTER, NOTE_LETTER = 7.3, 5.6
COLUMNS = 2
STYLE = """
  .paper { fill: #ffffff } .line { stroke: #d9d9de } .dot { fill: #0072b2 } text { fill: #222226 }
  text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace }
  .title { font-weight: bold }
  .note { font: 11px system-ui, "DejaVu Sans", Helvetica, sans-serif }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #1f1f23 } .line { stroke: #44444c } .dot { fill: #6cb8ec } text { fill: #f1eee7 }
  }
"""

Imports = dict[str, set[str]]


class Drawing(NamedTuple):
    """Some lines of SVG, and the room that they take."""

    lines: list[str]
    width: float
    height: float


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(picture(), encoding="utf-8")


def picture() -> str:
    """The whole house, then what is inside its packages."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    rooms = imports_inside(graph, PACKAGE)
    house = staircase("the house", rooms, {room: purpose(room) for room in rooms})
    opened = [
        staircase(f"{name}/", imports_inside(graph, f"{PACKAGE}.{name}"))
        for name in OPENED
        if f"{PACKAGE}.{name}" in graph.modules
    ]
    return _page(
        [[house], *([*opened[at : at + COLUMNS]] for at in range(0, len(opened), COLUMNS))]
    )


def imports_inside(graph: grimp.ImportGraph, package: str) -> Imports:
    """Which room of a package imports which others; what is inside a room is the room's."""
    rooms = sorted(child for child in graph.find_children(package) if "__main__" not in child)
    imports: Imports = {_name(graph, room): set() for room in rooms}
    for room in rooms:
        for other in rooms:
            if room != other and graph.direct_import_exists(
                importer=room, imported=other, as_packages=True
            ):
                imports[_name(graph, room)].add(_name(graph, other))
    return imports


def _name(graph: grimp.ImportGraph, module: str) -> str:
    return module.rpartition(".")[2] + ("/" if graph.find_children(module) else "")


def purpose(room: str) -> str:
    """What a room is for: the beginning of its docstring."""
    words = import_module(f"{PACKAGE}.{room.rstrip('/')}").__doc__ or ""
    return re.split(r"[.:;](?:\s|$)", words, maxsplit=1)[0]


def floors(imports: Imports) -> list[list[str]]:
    """The rooms, floor by floor, the highest first: each stands just above what it imports."""
    heights: dict[str, int] = {}
    for room in TopologicalSorter(imports).static_order():
        heights[room] = 1 + max((heights[other] for other in imports[room]), default=-1)
    house = defaultdict(list)
    for room in sorted(imports):
        house[heights[room]].append(room)
    return [house[height] for height in sorted(house, reverse=True)]


def staircase(title: str, imports: Imports, notes: Mapping[str, str] | None = None) -> Drawing:
    """Rooms on the diagonal, a dot for each import, and what is to be noted at the end of a row."""
    rooms = [room for floor in floors(imports) for room in floor]
    left = max(len(room) * LETTER - number * STEP for number, room in enumerate(rooms))
    lines = [f'<text class="title" x="0" y="12">{escape(title)}</text>']
    spots = {room: (left + number * STEP, (number + 2) * ROW) for number, room in enumerate(rooms)}
    for room, (x, y) in spots.items():
        importers = [spots[other][1] for other in rooms if room in imports[other]]
        if importers:
            lines.append(
                f'<path class="line" d="M{x + STEP / 2:.1f} {min(importers):.1f}V{y:.1f}"/>'
            )
        reached = [spots[other][0] for other in imports[room]]
        if reached:
            lines.append(f'<path class="line" d="M{x:.1f} {y:.1f}H{max(reached) + STEP / 2:.1f}"/>')
    for room, (x, y) in spots.items():
        lines.append(f'<text text-anchor="end" x="{x:.1f}" y="{y + 4:.1f}">{escape(room)}</text>')
        lines += [
            f'<circle class="dot" cx="{spots[other][0] + STEP / 2:.1f}" cy="{y:.1f}" r="4">'
            f"<title>{escape(room)} imports {escape(other)}</title></circle>"
            for other in rooms
            if other in imports[room]
        ]
    edge = left + len(rooms) * STEP
    for room, note in (notes or {}).items():
        place = f'x="{edge + STEP:.1f}" y="{spots[room][1] + 4:.1f}"'
        lines.append(f'<text class="note" {place}>{escape(note)}</text>')
    noted = max((STEP + len(note) * NOTE_LETTER for note in (notes or {}).values()), default=0)
    return Drawing(lines, edge + noted, (len(rooms) + 2) * ROW)


def _page(rows: list[list[Drawing]]) -> str:
    """Drawings side by side and one below the other, on one sheet."""
    body: list[str] = []
    width, y = 0.0, float(MARGIN)
    for row in rows:
        x = float(MARGIN)
        for drawing in row:
            body += [f'<g transform="translate({x:.1f} {y:.1f})">', *drawing.lines, "</g>"]
            x += drawing.width + 3 * MARGIN
        width, y = max(width, x), y + max(drawing.height for drawing in row) + MARGIN
    size = f'width="{width:.0f}" height="{y:.0f}" viewBox="0 0 {width:.0f} {y:.0f}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        "<title>Who imports whom in Digit Duel</title>",
        f"<style>{STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
    ]
    return "\n".join([*head, *body, "</svg>", ""])


if __name__ == "__main__":
    main()
