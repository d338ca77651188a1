"""How fast the rules are: moves made a second, beside python-chess and OpenSpiel in one run.

    python benchmarks/engine.py                       a table on the screen
    python benchmarks/engine.py --before ../before/src    other code of ours beside it

Every move of a tree is made, none is only counted (perft without bulk counting). python-chess
(`pip install chess`) walks its own game, from the first position; OpenSpiel (`pip install
open_spiel`) walks `pool` and `conquest`, written in Python as it asks for it. Each goes its rounds
in a process of its own, in turn; the best round counts, in processor time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solve_peers import register

if TYPE_CHECKING:
    from collections.abc import Callable

TURNS, ROUNDS = 3, 15
# Rules, and how deep: some thousand moves each.
GAMES = {
    "pool": ({"target": 12}, 4),
    "closest": ({"target": 12}, 4),
    "conquest": ({"target": 13}, 4),
    "forbidden": ({"target": 13}, 5),
    "ends": ({"target": 17, "digits": "1-9"}, 3),
}
MEASURED = ("play", "move_values", "explain", "walk")


def best_rate(walk: Callable[[], int]) -> float:
    """The most that was done a second, in any round."""
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        done = walk()
        rates.append(done / (time.process_time() - began))
    return max(rates)


def ours(name: str, what: str) -> float:
    """Moves made a second, or positions valued, explained or walked through."""
    from digitduel import Position, find_ruleset, solve
    from digitduel.teach import explain

    rules, depth = GAMES[name]
    start = Position(find_ruleset(name).replace(**rules))
    if what == "play":
        return best_rate(lambda: made(start, depth))
    solution = solve(start.ruleset)
    some = [position for position, _ in islice(solution.walk(), 200)]
    if what == "move_values":
        return best_rate(lambda: len([solution.move_values(position) for position in some]))
    if what == "explain":
        few = some[:20]
        return best_rate(lambda: len([explain(at, at.legal_moves[0]) for at in few]))
    return best_rate(lambda: sum(1 for _ in islice(solution.walk(), 2000)))


def made(position: Any, depth: int) -> int:
    """How many moves are made, so deep."""
    moves = position.legal_moves
    if depth == 1:
        for move in moves:
            position.play(move)
        return len(moves)
    return len(moves) + sum(made(position.play(move), depth - 1) for move in moves)


def python_chess(_name: str, _what: str) -> float:
    """The same with python-chess; a move is taken back there, which is its way to go on."""
    import chess

    def walk(board: Any, depth: int) -> int:
        count = 0
        for move in board.legal_moves:
            board.push(move)
            count += 1 + (walk(board, depth - 1) if depth > 1 else 0)
            board.pop()
        return count

    return best_rate(lambda: walk(chess.Board(), 3))


def openspiel(name: str, _what: str) -> float:
    """The same with OpenSpiel, each state made by a copy of the one before."""
    import pyspiel

    from digitduel import find_ruleset

    rules, depth = GAMES[name]
    register(pyspiel, "digits", find_ruleset(name).replace(**rules))
    start = pyspiel.load_game("digits").new_initial_state()

    def walk(state: Any, depth: int) -> int:
        count = 0
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            count += 1 + (walk(after, depth - 1) if depth > 1 and not after.is_terminal() else 0)
        return count

    return best_rate(lambda: walk(start, depth))


WAYS = {"ours": ours, "chess": python_chess, "openspiel": openspiel}


def in_a_process(way: str, name: str, what: str = "play", source: str | None = None) -> float:
    """What one of the ways measures, in a process of its own."""
    path = source or str(Path(__file__).parents[1] / "src")
    command = [sys.executable, __file__, "--one", way, name, what]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": path}
    )
    return float(done.stdout)


def main() -> None:
    """Measure all in turn and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", metavar="SRC", help="the src folder of other code to compare")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        way, name, what = asked.one
        print(WAYS[way](name, what))
        return
    peers = {"chess": find_spec("chess"), "openspiel": find_spec("pyspiel")}
    for missing in (peer for peer, spec in peers.items() if spec is None):
        print(f"{missing} is not installed and takes no part")
    print("| game | thousand moves a second | before | python-chess | ratio | OpenSpiel | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in GAMES:
        print(row(name, asked.before, [peer for peer, spec in peers.items() if spec]))
    if asked.before:
        faster(asked.before)


def row(name: str, before: str | None, peers: list[str]) -> str:
    """One game: ours, other code of ours, and the peers, each in turn."""
    best: dict[str, float] = {}
    for _ in range(TURNS):
        best["now"] = max(best.get("now", 0), in_a_process("ours", name))
        if before:
            best["before"] = max(best.get("before", 0), in_a_process("ours", name, source=before))
        for peer in peers:
            if peer == "chess" or name in ("pool", "closest", "conquest"):
                best[peer] = max(best.get(peer, 0), in_a_process(peer, name))
    cells = [name, f"{best['now'] / 1000:.0f}", _thousands(best, "before")]
    for peer in ("chess", "openspiel"):
        ratio = f"{best['now'] / best[peer]:.1f}x" if peer in best else "-"
        cells += [_thousands(best, peer), ratio]
    return f"| {' | '.join(cells)} |"


def _thousands(rates: dict[str, float], name: str) -> str:
    return f"{rates[name] / 1000:.0f}" if name in rates else "-"


def faster(before: str) -> None:
    """What is built on moves, before and now."""
    print("\n| of `pool` 12, a second | before | now | ratio |")
    print("| --- | ---: | ---: | ---: |")
    for what in MEASURED[1:]:
        rates = {"now": 0.0, "before": 0.0}
        for _ in range(TURNS):
            rates["now"] = max(rates["now"], in_a_process("ours", "pool", what))
            rates["before"] = max(rates["before"], in_a_process("ours", "pool", what, before))
        ratio = rates["now"] / rates["before"]
        print(f"| {what} | {rates['before']:,.0f} | {rates['now']:,.0f} | {ratio:.1f}x |")


if __name__ == "__main__":
    main()
