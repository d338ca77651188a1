"""`digitduel serve`: one clear line when it cannot, and a clean end when it can."""

from __future__ import annotations

import gc
import re
import signal
import socket
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from digitduel.web.app import create_app
from digitduel.web.server import MANY, server_for
from tests.web.helpers import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.web.settings import Settings


def serve(*flags: str, code: str = "") -> subprocess.CompletedProcess[str]:
    run = "import sys; from digitduel.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", f"{code}\n{run}", "serve", *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve("--port", str(port), "--database", str(tmp_path / "x.db"))
    assert done.returncode == 1
    assert re.fullmatch(
        rf"Error: cannot listen on 127.0.0.1 port {port}: .* in use. .*\n", done.stderr
    )


@pytest.mark.parametrize(
    "database", ["/dev/null/x.db", "postgresql://127.0.0.1:1/x", "postgresql://%zz", "/proc/\n/x"]
)
def test_a_database_that_cannot_be_used(database: str) -> None:
    done = serve("--port", "0", "--database", database)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: cannot use the database")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("missing", "flags", "extra"),
    [
        ("fastapi", [], "digitduel[web]"),
        ("psycopg", ["--database", "postgresql://localhost/x"], "digitduel[web,postgres]"),
    ],
)
def test_a_missing_extra(missing: str, flags: list[str], extra: str) -> None:
    done = serve("--port", "0", *flags, code=f"import sys; sys.modules['{missing}'] = None")
    assert done.returncode == 1
    assert done.stderr == f"Error: {missing} is missing: install it with  pip install '{extra}'\n"


@pytest.mark.parametrize(
    "flags",
    [["--port", "99999"], ["--create-rate", "0"], ["--max-moves", "x"], ["--public-url", "x"]],
)
def test_flags_out_of_range(flags: list[str]) -> None:
    assert serve(*flags).returncode == 2


def test_what_belongs_to_streams_is_set_aside_until_half_of_them_are_gone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for name in ("freeze", "unfreeze", "collect"):
        monkeypatch.setattr(gc, name, partial(done.append, name))
    running = server_for(create_app(settings), "127.0.0.1")
    for count in (MANY - 1, MANY, MANY + 1, 4 * MANY, 2 * MANY, 2 * MANY - 1, 0, 0):
        done.append(str(count))
        running.server_state.connections = set(range(count))  # type: ignore[arg-type]
        running._settle()
    assert " ".join(done) == (
        f"{MANY - 1} {MANY} freeze {MANY + 1} {4 * MANY} freeze {2 * MANY} "
        f"{2 * MANY - 1} unfreeze collect freeze 0 unfreeze collect 0"
    )


def test_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "digitduel", "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--database", str(tmp_path / "x.db")], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert re.match(r"Digit Duel: http://127\.0\.0\.1:\d+/", server.stdout.readline())
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(timeout=PATIENCE) in (0, 130)
        finally:
            server.kill()
