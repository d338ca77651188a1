"""How fast rule sets are solved: this solver, a textbook one, and OpenSpiel's, in one run.

    python benchmarks/solve.py                     a table on the screen
    python benchmarks/solve.py --markdown FILE     the same as a Markdown file
    python benchmarks/solve.py --quick             small targets only

Ours is timed with 1,000 probes of random positions. All times are processor time, the best of
several runs, so that other work on the machine does not count. OpenSpiel takes part if it is
installed (`pip install open_spiel`); it is needed for nothing else.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
import tracemalloc
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from solve_peers import openspiel, textbook

from digitduel import Position, Ruleset, find_ruleset
from digitduel.solver import estimate, solve

if TYPE_CHECKING:
    from collections.abc import Callable

TARGETS = (7, 101, 997, 10_007, 10**6, 1_000_003)
PROBES = 1000
# Left out: what we would need longer for (nanoseconds), and OpenSpiel from the target on that
# follows one for which it took longer (seconds).
MOST_WORK, LONGEST = 60 * 10**9, 20.0

GAMES = {
    "pool": find_ruleset("pool"),
    "closest": find_ruleset("closest"),
    "conquest": find_ruleset("conquest"),
    "forbidden": find_ruleset("forbidden"),
    "ends": find_ruleset("ends"),
    "ends, 1-9": find_ruleset("ends").replace(digits=tuple(range(1, 10))),
}


class Row(NamedTuple):
    """One line of the table; times in milliseconds, None where not measured."""

    game: str
    target: int
    layout: str = "too large"
    states: int = 0
    warm: float | None = None
    cold: float | None = None
    peak: float | None = None
    textbook: float | None = None
    openspiel: float | None = None


def random_positions(ruleset: Ruleset) -> list[Position]:
    """Positions in play from random games: mostly late ones, as there are more of those."""
    rng, found = random.Random(1), list[Position]()
    while len(found) < PROBES:
        position, line = Position(ruleset), list[Position]()
        while position.ending is None and len(line) < 20:
            line.append(position)
            position = position.play(rng.choice(position.legal_moves))
        found.append(rng.choice(line[-3:]))
    return found


def best_time(run: Callable[[], object], seconds: float = 2.0) -> float:
    """The least processor time that a function takes, tried for some seconds."""
    best, end = float("inf"), time.perf_counter() + seconds
    while True:
        started = time.process_time()
        run()
        best = min(best, time.process_time() - started)
        if time.perf_counter() > end:
            return best


def warm_time(ruleset: Ruleset) -> float:
    """The time to solve anew and probe, in a process that has solved something before."""
    positions = random_positions(ruleset)
    solve(find_ruleset("pool"))

    def run() -> None:
        probe = solve(ruleset).probe
        for position in positions:
            probe(position)

    return best_time(run)


COLD = """
import sys, time, json
started = time.process_time()
from digitduel import Position, find_ruleset, solve
ruleset = find_ruleset("pool").replace(**json.loads(sys.argv[1]))
solve(ruleset).probe(Position(ruleset))
print(time.process_time() - started)
"""


def cold_time(ruleset: Ruleset, runs: int = 3) -> float:
    """The time of a fresh process from its first import to its first answer."""
    rules = json.dumps({**ruleset.rules, "smallest_target": 1})
    command = [sys.executable, "-c", COLD, rules]
    return min(
        float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(runs)
    )


def peak_memory(ruleset: Ruleset) -> float:
    """The most bytes that were allocated at a time while solving."""
    tracemalloc.start()
    solve(ruleset)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def measure(game: str, target: int, last: list[float]) -> Row:
    """One line; `last` keeps how long OpenSpiel took for the target before."""
    ruleset = GAMES[game].replace(target=target)
    size = estimate(ruleset)
    if size.bytes > 2**30 or size.work > MOST_WORK:
        return Row(game, target, states=size.states)
    row = Row(
        game,
        target,
        size.layout,
        size.states,
        warm_time(ruleset) * 1e3,
        cold_time(ruleset) * 1e3,
        peak_memory(ruleset) / 2**20,
    )
    # Memoised recursion never comes back from a game that can go round in circles.
    if ruleset.capacity is None or target > 10**5:
        return row
    row = row._replace(textbook=best_time(lambda: textbook(ruleset)) * 1e3)
    if last[0] < LONGEST:
        last[0] = openspiel(ruleset) or 0.0
        row = row._replace(openspiel=last[0] * 1e3 or None)
    return row


HEADER = (
    "game", "target", "layout", "states", "warm ms", "states/s", "cold ms", "peak MiB",
    "textbook ms", "ratio", "OpenSpiel ms", "ratio",
)  # fmt: skip
WIDTHS = (10, 11, 11, 18, 10, 12, 9, 10, 13, 8, 14, 8)


def cells(row: Row) -> list[str]:
    """A line of the table as text."""

    def number(value: float | None, digits: int = 1) -> str:
        return "-" if value is None else f"{value:,.{digits}f}"

    def ratio(other: float | None) -> str:
        if other is None or row.warm is None:
            return "-"
        times = other / row.warm
        return f"{times:,.0f}x" if times >= 10 else f"{times:.1f}x"

    # Counting stops at 10^11.
    states = f"{row.states:,}" if row.states < 10**11 else "over 10^11"
    # The sparse layout does not look at every state, so that would say nothing.
    counted = row.warm is not None and row.layout != "sparse"
    speed = f"{row.states / (row.warm or 1) / 1e3:,.1f} M" if counted else "-"
    return [
        row.game, f"{row.target:,}", row.layout, states, number(row.warm, 2), speed,
        number(row.cold, 0), number(row.peak), number(row.textbook), ratio(row.textbook),
        number(row.openspiel, 0), ratio(row.openspiel),
    ]  # fmt: skip


def main() -> None:
    """Measure everything and show it line by line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    parser.add_argument("--quick", action="store_true", help="targets 7 and 101 only")
    arguments = parser.parse_args()
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed (pip install open_spiel): its columns stay empty.")
    rows = [list(HEADER)]
    print(as_line(rows[0]))
    for game in GAMES:
        last = [0.0]
        for target in TARGETS[:2] if arguments.quick else TARGETS:
            rows.append(cells(measure(game, target, last)))
            print(as_line(rows[-1]), flush=True)
    if arguments.markdown:
        rows.insert(1, ["---"] * 3 + ["---:"] * (len(HEADER) - 3))
        table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
        arguments.markdown.write_text(table, encoding="utf-8")


def as_line(row: list[str]) -> str:
    return "".join(f"{cell:>{width}}" for cell, width in zip(row, WIDTHS, strict=True))


if __name__ == "__main__":
    main()
