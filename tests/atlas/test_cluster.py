"""A sweep on a real Dask cluster on this machine, with a worker that is killed half way."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import pytest

from digitduel.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 60
SWEEP = ("atlas", "closest", "--targets", "300..450")


@contextmanager
def dask(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A part of a cluster, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words, "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(path: Path, lines: int, process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait until a file has so many lines."""
    patience = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < patience
        assert process is None or process.poll() is None
        time.sleep(0.02)


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler: where to find it, and its process."""
    note = folder / "scheduler.json"
    local = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(note))
    with dask("scheduler", *local) as process:
        wait_for(note, 1)
        yield json.loads(note.read_text())["address"], process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler that lasts, and where to find it."""
    with scheduler(tmp_path_factory.mktemp("dask")) as (found, _):
        yield found


def worker(address: str, folder: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    place = ("--local-directory", str(folder))
    return dask("worker", address, "--nthreads", "1", "--no-nanny", *place)


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(address: str, tmp_path: Path) -> None:
    out = tmp_path / "cluster.json"
    command = [sys.executable, "-m", "digitduel", *SWEEP, "--cluster", address, "--out", str(out)]
    with worker(address, tmp_path / "1"), worker(address, tmp_path / "2") as doomed:
        sweep = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        wait_for(out.with_name("cluster.json.partial.jsonl"), 6, sweep)
        doomed.kill()
        assert sweep.poll() is None, "the sweep was over before the worker was killed"
        said = b"".join(sweep.communicate(timeout=4 * PATIENCE))
    assert sweep.returncode == 0, said
    assert b"Traceback" not in said
    local = tmp_path / "local.json"
    assert main([*SWEEP, "--jobs", "2", "--out", str(local)]) == 0
    assert out.read_bytes() == local.read_bytes()


def test_a_cluster_that_is_gone_is_said_in_words_and_nothing_is_lost(tmp_path: Path) -> None:
    out = tmp_path / "gone.json"
    partial = out.with_name("gone.json.partial.jsonl")
    with scheduler(tmp_path) as (address, process), worker(address, tmp_path / "1"):
        command = [sys.executable, "-m", "digitduel", *SWEEP, "--cluster", address]
        command += ["--out", str(out)]
        sweep = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        wait_for(partial, 4, sweep)
        process.kill()
        said = b"".join(sweep.communicate(timeout=4 * PATIENCE)).decode()
    assert sweep.returncode == 2, said
    assert "Traceback" not in said
    assert "is gone. What is done is kept" in said
    assert partial.read_bytes().count(b"\n") >= 4


def test_a_cluster_without_workers_is_said_in_words(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "none.json")
    assert main([*SWEEP, "--cluster", address, "--out", out]) == 2
    assert "has no workers" in capsys.readouterr().err


@pytest.mark.parametrize("answer", ["d.sendall(b'HTTP/1.1 400 Bad Request' * 9)", "pass"])
def test_what_is_no_scheduler_is_said_in_words(
    answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "import socket, time; s = socket.create_server(('127.0.0.1', 0)); "
    code += "print(s.getsockname()[1], flush=True); c = s.accept()[0]; d = s.accept()[0]; "
    code += f"{answer}; time.sleep(60)"
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert server.stdout is not None
    address = f"tcp://127.0.0.1:{int(server.stdout.readline())}"
    try:
        out = str(tmp_path / "none.json")
        assert main([*SWEEP, "--cluster", address, "--out", out]) == 2
        assert "no Dask scheduler" in capsys.readouterr().err
    finally:
        server.kill()
        server.communicate()
