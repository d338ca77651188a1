"""How long the command takes to start, beside a Python that does nothing. One run.

    python benchmarks/startup.py [--before ../before/src]

The least of several runs, each in turn; wall time, since it is what people wait for. `play` is
timed until its first question is there. Modules are compiled before, as an installer does it, and
started as the installed command starts them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 15
START = "import sys; from digitduel.cli import main; sys.exit(main())"
HERE = str(Path(__file__).parents[1] / "src")
PROMPT = b"digit: "  # how the question ends
COMMANDS = {
    "digitduel games": ("games",),
    "digitduel play pool, to its first question": ("play", "pool"),
    "digitduel play pool --target 12, to its first question": ("play", "pool", "--target", "12"),
    "digitduel solve pool --target 12": ("solve", "pool", "--target", "12"),
    "digitduel solve pool --target 101": ("solve", "pool", "--target", "101"),
}


def seconds(*command: str, source: str = HERE, compiled: str) -> float:
    """How long a command takes to its end, or to its first question."""
    asks = "play" in command
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"PYTHONPATH": source, "XDG_DATA_HOME": home}
        environment |= {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        began = time.perf_counter()
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as process:
            if asks:
                _read_question(process)
                took = time.perf_counter() - began
                process.kill()
                return took
            process.communicate()
            took = time.perf_counter() - began
        if process.returncode:
            sys.exit(f"{' '.join(command)} failed")
        return took


def _read_question(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None  # noqa: S101  (it is a pipe)
    said = b""
    while not said.endswith(PROMPT):
        more = os.read(process.stdout.fileno(), 4096)
        if not more:
            sys.exit(f"no question came: {said!r}")
        said += more


def main() -> None:
    """Measure all in turn, and print them with their ratio to a Python that does nothing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", metavar="SRC", help="the src folder of other code to compare")
    before = parser.parse_args().before
    sources = {"now": HERE} | ({"before": before} if before else {})
    least: dict[tuple[str, str], float] = {}
    nothing = 9.0
    with tempfile.TemporaryDirectory() as compiled:
        for _ in range(RUNS):
            nothing = min(nothing, seconds(sys.executable, "-c", "pass", compiled=compiled))
            for name, words in COMMANDS.items():
                for which, source in sources.items():
                    command = (sys.executable, "-c", START, *words)
                    took = seconds(*command, source=source, compiled=compiled)
                    least[name, which] = min(least.get((name, which), 9.0), took)
    print(f"python -c pass: {nothing * 1000:.1f} ms")
    print("| command | " + " | ".join(f"{which} | ratio" for which in sources) + " |")
    print("| --- |" + " ---: | ---: |" * len(sources))
    for name in COMMANDS:
        cells = [
            f"{least[name, which] * 1000:.0f} ms | {least[name, which] / nothing:.1f}"
            for which in sources
        ]
        print(f"| `{name}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
