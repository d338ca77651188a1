"""How fast the atlas is: its quick sweep beside a textbook solution, jobs, all targets. One run.

    python benchmarks/atlas.py [--every N]
    python benchmarks/atlas.py --before ../before/src

The textbook solution takes minutes for all of 2..2000, so by default it solves every 50th target,
and so does the sweep it is compared with; `--every 1` is the whole of it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from solve_peers import textbook

from digitduel import find_ruleset
from digitduel.atlas import Sweep, measure, run
from digitduel.atlas.measures import COLUMNS, SOLVED
from digitduel.atlas.sweep import Axis
from digitduel.atlas.workers import Here

LARGEST = 2000
RUNS = 3


def sweep_over(targets: range, columns: tuple[str, ...]) -> list[tuple[int, int]]:
    """Value and plies of each target; the other columns are worked out too."""
    sweep = Sweep(find_ruleset("pool"), (Axis("target", targets),), columns)
    rows = [row for _, rows in run(sweep, Here(), width=1) for row in rows]
    return [(1 if row["value"] == "win" else -1, row["plies"]) for row in rows]


def against_textbook(every: int) -> None:
    """The quick columns, and the same solved one by one with an lru_cache, in this process."""
    targets = range(2, LARGEST + 1, every)
    started = time.perf_counter()
    expected = [textbook(find_ruleset("pool").replace(target=target)) for target in targets]
    slow = time.perf_counter() - started
    print(f"pool, {len(targets)} targets of 2..{LARGEST}, one process:")
    print(f"  textbook, value, plies and winning first moves   {slow:7.2f} s")
    for words, columns in (("these three columns", SOLVED), ("all columns", COLUMNS)):
        fast = float("inf")
        for _ in range(RUNS):
            started = time.perf_counter()
            found = sweep_over(targets, columns)
            fast = min(fast, time.perf_counter() - started)
        if found != expected:
            sys.exit("the atlas and the textbook do not agree")
        print(f"  atlas, {words:<41} {fast:7.2f} s   {slow / fast:.0f} times as fast")


def command(*words: str) -> float:
    """The least time that the command took in several runs."""
    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "digitduel", "atlas", *words, "--out", "a.csv"],
                stdout=subprocess.DEVNULL,
                cwd=folder,
                check=True,
            )
            times.append(time.perf_counter() - started)
    return min(times)


def jobs(*words: str) -> None:
    one, two = command(*words, "--jobs", "1"), command(*words, "--jobs", "2")
    print(f"digitduel atlas {' '.join(words)}:")
    print(f"  one job {one:8.2f} s   two jobs {two:6.2f} s   {one / two:.2f} times as fast")


def all_targets() -> None:
    started = time.perf_counter()
    script = [sys.executable, "-m", "digitduel", "atlas", "pool", "--all-targets"]
    said = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    taken = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"digitduel atlas pool --all-targets: {taken:.1f} s, at most {peak:.2f} GiB")
    print("  " + said.strip().replace("\n", "\n  "))


def measures() -> None:
    print("one rule set, all measures:")
    for key, target in (("pool", 997), ("conquest", 997), ("forbidden", 997), ("ends", 997)):
        ruleset, best = find_ruleset(key).replace(target=target), float("inf")
        for _ in range(RUNS):
            started = time.perf_counter()
            measure(ruleset)
            best = min(best, time.perf_counter() - started)
        print(f"  {key:<10} {target}   {1000 * best:8.1f} ms")


ROW = """
import time; from digitduel import find_ruleset; from digitduel.atlas import measure
rules, best = find_ruleset('closest').replace(target=97), 9.0
for _ in range(40):
    began = time.process_time(); measure(rules)
    best = min(best, time.process_time() - began)
print(best)
"""
# What a target takes in a quick sweep, and the rows of some targets.
TARGETS = """
import json, sys, time; from digitduel import find_ruleset; from digitduel.atlas import Sweep, run
from digitduel.atlas.measures import SOLVED; from digitduel.atlas.sweep import Axis
from digitduel.atlas.workers import Here
key, first, last, step, shown = sys.argv[1], *map(int, sys.argv[2:])
targets = range(first, last + 1, step)
sweep = Sweep(find_ruleset(key), (Axis('target', targets),), SOLVED)
began = time.process_time()
rows = [row for _, rows in sorted(run(sweep, Here(), width=1)) for row in rows]
print(json.dumps([(time.process_time() - began) / len(targets), rows[:: shown // step]]))
"""


def by(source: str, code: str, *words: str) -> str:
    """What a program prints with the code in a src folder."""
    script, environment = [sys.executable, "-c", code, *words], os.environ | {"PYTHONPATH": source}
    done = subprocess.run(script, capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def against_before(source: str) -> None:
    """A row with every column, and targets of quick sweeps, by this code and by another in turn."""
    here, there = str(Path(__file__).parents[1] / "src"), str(Path(source).resolve())
    best = dict.fromkeys((there, here), float("inf"))
    for path in (there, here) * RUNS:
        best[path] = min(best[path], float(by(path, ROW)))
    print("one row of closest 97, all columns:")
    print(f"  before {1000 * best[there]:.2f} ms   now {1000 * best[here]:.2f} ms   ", end="")
    print(f"{best[here] / best[there]:.2f} times as long")
    for key, first, last, every in (("closest", 2, 100_000, 50), ("pool", 2001, 20_000, 9)):
        whole = key, str(first), str(last)
        old, expected = json.loads(by(there, TARGETS, *whole, str(every), str(every)))
        new, found = json.loads(by(here, TARGETS, *whole, "1", str(every)))
        if found != expected:
            sys.exit("this code and the other do not agree")
        print(
            f"{key} {first}..{last}, a target: before {1000 * old:.2f} ms (every {every}th)   ",
            end="",
        )
        print(f"now {1000 * new:.3f} ms (all)   {old / new:.0f} times as fast")


def rows_against_before(source: str) -> None:
    """Rows of games that may never end, with every column, by this code and by another, in turn."""
    code = (
        "import sys, time\nfrom digitduel import find_ruleset\n"
        "from digitduel.atlas import measure\n"
        "rules, best = find_ruleset(sys.argv[1]).replace(target=int(sys.argv[2])), 9.0\n"
        "for _ in range(9):\n"
        "    began = time.process_time(); measure(rules)\n"
        "    best = min(best, time.process_time() - began)\n"
        "print(best)"
    )
    for game, target in (
        ("forbidden", "97"),
        ("ends", "97"),
        ("forbidden", "997"),
        ("ends", "997"),
    ):
        before, now = in_turn(source, "-c", code, game, target)
        print(f"one row of {game} {target}, all columns:")
        print_ratio(*(min(float(done.stdout) for done in runs) for runs in (before, now)))


def all_targets_against_before(source: str) -> None:
    """Every target of `pool`, by this code and by another, in turn, each in a fresh process."""
    code = (
        "import resource, sys, time; began = time.perf_counter()\n"
        "from digitduel.cli import main; main(['atlas', 'pool', '--all-targets'])\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20\n"
        "print(time.perf_counter() - began, peak, file=sys.stderr)"
    )
    before, now = in_turn(source, "-c", code)
    if {done.stdout for done in (*before, *now)} != {before[0].stdout}:
        sys.exit("the two do not say the same of all targets")
    seconds, peaks = [], []
    for runs in (before, now):
        figures = [[float(word) for word in done.stderr.split()] for done in runs]
        seconds.append(min(taken for taken, _ in figures))
        peaks.append(max(peak for _, peak in figures))
    print("atlas pool --all-targets:")
    print_ratio(*seconds)
    print(f"  at most {peaks[0]:.2f} GiB before, {peaks[1]:.2f} GiB now")


Done = subprocess.CompletedProcess[str]


def in_turn(source: str, *words: str) -> tuple[list[Done], list[Done]]:
    """What Python says to the same words with other code and with this, several times in turn."""
    done: tuple[list[Done], list[Done]] = [], []
    paths = str(Path(source).resolve()), str(Path(__file__).parents[1] / "src")
    for _ in range(RUNS):
        for path, runs in zip(paths, done, strict=True):
            runs.append(
                subprocess.run(
                    [sys.executable, *words],
                    capture_output=True,
                    text=True,
                    check=True,
                    env=os.environ | {"PYTHONPATH": path},
                )
            )
    return done


def print_ratio(before: float, now: float) -> None:
    print(f"  before {1000 * before:.1f} ms   now {1000 * now:.1f} ms   ", end="")
    print(f"{before / now:.1f} times as fast")


def main() -> None:
    """All of it, or with `--before` that alone."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--before", metavar="SRC", help="the src folder of other code to compare")
    asked = parser.parse_args()
    if asked.before:
        against_before(asked.before)
        rows_against_before(asked.before)
        all_targets_against_before(asked.before)
        return
    against_textbook(asked.every)
    jobs("pool", "--targets", f"2..{LARGEST}", "--columns", ",".join(SOLVED))
    jobs("closest", "--targets", "2..200")
    measures()
    all_targets()


if __name__ == "__main__":
    main()
