"""Golden transcripts: real sessions through the real command, with their whole output.

A file holds `# why`, one `$ digitduel ...` line, `< ` lines that are typed, then the output.
UPDATE_TRANSCRIPTS=1 writes the output anew: read the difference before you commit it.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tests.terminal import digitduel

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    head = [line for line in lines if line[:2] in ("# ", "$ ", "< ")]
    command = next(line[2:] for line in head if line.startswith("$ "))
    stdin = "".join(line[2:] for line in head if line.startswith("< "))
    program, *args = shlex.split(command)
    assert program == "digitduel"
    done = digitduel(*args, stdin=stdin, home=tmp_path)
    played = "".join(head) + "\n" + done.stdout + done.stderr + f"[exit code {done.returncode}]\n"
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        path.write_text(played)
    assert played == text


def test_there_are_transcripts_of_every_game() -> None:
    assert len(TRANSCRIPTS) >= 15
