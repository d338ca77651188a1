"""Runs the tests of the atlas as if on other processors: figures are the same on all of them.

    .venv/bin/python scripts/processors.py             all of them
    .venv/bin/python scripts/processors.py Haswell     those whose name holds one of the words

Each run has other kernels for linear algebra, no optional vector units, or other threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Tests of what is worked out with Python's own integers, one by one.
WHOLE_NUMBERS = ("tests/atlas/test_recipes.py", "tests/atlas/test_sums.py")
PROBE = "import numpy; numpy.ones((64, 64)) @ numpy.ones((64, 64))"


def settings() -> dict[str, dict[str, str]]:
    """A name for each processor, and the variables that make this one like it."""
    cores = ("Haswell", "SkylakeX", "Zen")
    threads = ("1", "2")
    return {
        **{f"OpenBLAS as on {core}": {"OPENBLAS_CORETYPE": core} for core in cores},
        "no optional vector units": {"NPY_DISABLE_CPU_FEATURES": " ".join(optional_features())},
        **{f"BLAS threads: {count}": {"OPENBLAS_NUM_THREADS": count} for count in threads},
    }


def optional_features() -> list[str]:
    """What numpy makes use of on this machine beyond what it needs."""
    umath = import_module("numpy._core._multiarray_umath")
    return [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]


def unfit(variables: dict[str, str]) -> str | None:
    """Why this machine cannot be like that processor; None if it can."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=os.environ | variables, capture_output=True, check=False
    )
    if done.returncode == 0:
        return None
    if done.returncode < 0:
        return f"numpy is ended by signal {-done.returncode} here: an instruction is missing"
    return done.stderr.decode(errors="replace").strip().rpartition("\n")[2]


def main() -> None:
    """One run of the tests for each processor, and a line about each."""
    which = "not cluster and not slow"  # the slow ones do what is done here
    command = [sys.executable, "-m", "pytest", "--quiet", "-m", which, "tests/atlas"]
    command += [f"--ignore={path}" for path in WHOLE_NUMBERS]
    words = sys.argv[1:] or [""]
    failed = False
    lines = []
    for name, variables in settings().items():
        if not any(word in name for word in words):
            continue
        reason = unfit(variables)
        if reason is None:
            done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, check=False)
            failed |= done.returncode != 0
            lines.append(f"{'failed' if done.returncode else 'passed'}   {name}")
        else:
            lines.append(f"skipped  {name}: {reason}")
    print("", *lines, sep="\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
