"""How long the command takes to start, as a ratio to a Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
import time

RUNS = 20


def quickest(*command: str) -> float:
    """The least time that a command took in several runs."""
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Measure both in one run and print the ratio."""
    nothing = quickest(sys.executable, "-c", "pass")
    games = quickest(sys.executable, "-m", "digitduel", "games")
    print(f"python -c pass   {nothing * 1000:6.1f} ms")
    print(f"digitduel games  {games * 1000:6.1f} ms   {games / nothing:.1f} times as long")


if __name__ == "__main__":
    main()
