"""The examples of docs/api.md, run as they stand against a real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.helpers import PATIENCE

if TYPE_CHECKING:
    from tests.web.helpers import Server

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed here")
def test_the_examples_work(server: Server) -> None:
    known = {"BASE": server.url}
    examples = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(examples) > 8
    for example in examples:
        command = ["bash", "-euo", "pipefail", "-c", example]
        done = subprocess.run(
            command,
            env={**os.environ, **known},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, (example, done.stdout, done.stderr)
        remember(known, done.stdout)


def remember(known: dict[str, str], answer: str) -> None:
    """What a reader takes from an answer to the next example."""
    if '"token"' in answer:
        made = json.loads(answer)
        known["ID"] = made["id"]
        known["TOKEN" if made["links"]["invite"] else "FRIEND"] = made["token"]
        known["INVITE"] = made["links"]["invite"] or known["INVITE"]
