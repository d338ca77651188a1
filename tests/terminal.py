"""Running the real command, as a person or a script would."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COMMAND = (sys.executable, "-m", "digitduel")
PATIENCE = 120


def environment(home: Path, **changes: str) -> dict[str, str]:
    """The variables the command sees: its own home, and no settings of our own terminal."""
    ours = ("NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR")
    inherited = {key: value for key, value in os.environ.items() if key not in ours}
    return inherited | {"DIGITDUEL_HOME": str(home), "PYTHONUTF8": "1"} | changes


def digitduel(
    *args: str, home: Path, stdin: str | bytes = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end, with `stdin` piped in."""
    done = subprocess.run(
        [*COMMAND, *args],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=environment(home, **(env or {})),
        cwd=home,
        timeout=PATIENCE,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in out + err, out[-2000:] + err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def typed(*lines: str) -> str:
    """Lines as a person types them."""
    return "".join(f"{line}\n" for line in lines)
