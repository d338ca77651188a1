"""Commands that start at once: everything is imported, and each run is a fork, fit to be killed.

Run as a program it takes a run as a line of JSON on stdin, and prints how that ended. Tests use
the class `Nursery`, which starts the program and speaks to it.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import importlib
import io
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
import traceback
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Self

from tests.terminal import PATIENCE

# What the commands import when they are called.
MODULES = ("session", "menu", *(f"commands.{name}" for name in ("play", "resume", "replay")))
TRACEBACK = 70
ROOM = 2**20
# What changes a disk, or is about to, among what Python tells an audit hook.
STEPS = ("open", "os.rename", "os.remove", "os.mkdir", "fcntl.flock", "os.listdir")
PR_SET_CHILD_SUBREAPER, PR_SET_PTRACER = 36, 0x59616D61


class Run(NamedTuple):
    """How a run ended: its exit code, or the signal as a negative number; what it said."""

    code: int
    out: str
    err: str

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


# --- For tests. ---


class Nursery:
    """A process in which commands are forked."""

    def __init__(self, folder: Path, *more: str) -> None:
        """Keep what is typed in `folder`; import `more` modules beforehand."""
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.nursery", str(folder), *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=PATIENCE)

    def run(
        self,
        *args: str,
        home: Path,
        stdin: str | bytes = "",
        after: float | None = None,
        step: int | None = None,
        syscall: str | None = None,
        largest: int | None = None,
    ) -> Run:
        """Run the command; killed `after` seconds or before its `step`th step, if that is given.

        A step is what may change the disk, or with strace one `syscall`. No file it writes may grow
        beyond the `largest` size.
        """
        typed = stdin.encode() if isinstance(stdin, str) else stdin
        (self._folder / "stdin").write_bytes(typed)
        asked = {"args": args, "home": str(home), "after": after, "step": step}
        asked |= {"syscall": syscall, "largest": largest}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        run = Run(*json.loads(self._process.stdout.readline()))
        assert run.code != TRACEBACK, run.err
        assert "Traceback" not in run.out + run.err, run.err
        return run


# --- In the nursery. ---


def main(folder: Path, *more: str) -> None:
    """Fork whenever asked, until stdin ends."""
    for name in (*(f"digitduel.cli.{name}" for name in MODULES), *more):
        importlib.import_module(name)
    # Whoever is orphaned by a kill becomes a child of ours: we see whether it ends.
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    _warm_up(folder)
    gc.freeze()
    for line in sys.stdin:
        asked, (out, said), (err, told) = json.loads(line), _roomy_pipe(), _roomy_pipe()
        child = os.fork()
        if child == 0:
            _be(asked, os.open(folder / "stdin", os.O_RDONLY), said, told)
        os.close(said)
        os.close(told)
        if asked["syscall"] is not None:
            _trace(child, asked["syscall"], asked["step"])
        run = _ended(child, asked["after"]), _all_of(out), _all_of(err)
        sys.stdout.write(json.dumps(run) + "\n")
        sys.stdout.flush()


def _roomy_pipe() -> tuple[int, int]:
    """A pipe for all that a command says, which nobody reads before it has ended."""
    ends = os.pipe()
    fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, ROOM)
    return ends


def _all_of(end: int) -> str:
    with open(end, "rb") as file:
        return file.read().decode()


def _warm_up(folder: Path) -> None:
    """Play a game: what Python compiles and reads once, it then has at hand in each fork."""
    from digitduel.cli import main as digitduel

    os.environ["DIGITDUEL_HOME"] = str(folder)
    stdin, sys.stdin = sys.stdin, io.StringIO("5\n1\nhelp\nresign\n")
    with redirect_stdout(io.StringIO()):
        for args in (["games", "--json"], ["play", "pool", "--target", "97"], ["replay"]):
            assert digitduel(args) == 0
    sys.stdin = stdin


def _be(asked: dict[str, Any], *streams: int) -> NoReturn:
    """Become the command."""
    from digitduel.cli import main as digitduel

    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  (open to the end)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.environ["DIGITDUEL_HOME"] = asked["home"]
    os.chdir(asked["home"])
    if asked["largest"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (asked["largest"], asked["largest"]))
    if asked["syscall"] is not None:
        _prctl(PR_SET_PTRACER, -1)
        os.kill(os.getpid(), signal.SIGSTOP)  # until strace is there
    elif asked["step"] is not None:
        _die_before(asked["step"])
    try:
        code = digitduel(asked["args"])
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        code = TRACEBACK
    os._exit(code)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _trace(child: int, syscall: str, step: int) -> None:
    """Let strace kill a child that waits for it, as it enters a system call for the `step`th time.

    Where strace may not do so, the child goes on and is not killed.
    """
    os.waitpid(child, os.WUNTRACED)
    strace = subprocess.Popen(
        [
            *("strace", "-q", "-o", os.devnull, "-p", str(child)),
            *("-e", f"trace={syscall}", "-e", f"inject={syscall}:signal=KILL:when={step}"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    status = Path(f"/proc/{child}/status")
    while strace.poll() is None and "TracerPid:\t0\n" in status.read_text():
        time.sleep(0.001)
    os.kill(child, signal.SIGCONT)


def _die_before(step: int) -> None:
    steps, command = count(1), os.getpid()

    def hook(event: str, _: object) -> None:
        if event in STEPS and os.getpid() == command and next(steps) == step:
            os.kill(command, signal.SIGKILL)

    sys.addaudithook(hook)


def _ended(child: int, after: float | None) -> int:
    """The exit code, once it and all that it started is gone."""
    handle = os.pidfd_open(child)
    select.select([handle], [], [], after)
    os.close(handle)
    if after is not None:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    deadline = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline:
            if os.waitpid(-child, os.WNOHANG)[0] == 0:
                time.sleep(0.005)
    except ChildProcessError:
        return code
    os.killpg(child, signal.SIGKILL)
    sys.stderr.write(f"what {child} started is still there after {PATIENCE} s\n")
    return TRACEBACK


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
