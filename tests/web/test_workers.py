"""Costly work has processes of its own, with limits that hold."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from threading import Thread
from typing import TYPE_CHECKING

import psutil
import pytest

from digitduel import errors
from digitduel.position import Move
from digitduel.web.turns import Spending, Turns, Visitor
from digitduel.web.workers import CONTEXT, TooSlowError, Workers, limit_memory, processor_limit
from tests.web.helpers import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

ANN = Visitor("192.0.2.1", "ann")
MEBIBYTE = 2**20


def prepare() -> None:
    """What the tests' workers start with."""
    limit_memory(100 * MEBIBYTE)


def fill(size: int) -> int:
    """So many bytes of memory, used."""
    return len(b"x" * size)


def spin(seconds: float) -> str:
    """Busy until stopped."""
    with processor_limit(seconds):
        while True:
            pass


@pytest.fixture
def spending() -> Spending:
    return Spending(clock=lambda: 0.0)


@pytest.fixture
def workers(spending: Spending) -> Iterator[Workers]:
    workers = Workers(1, Turns(1, PATIENCE, spending), prepare)
    yield workers
    workers.close()


def test_work_that_takes_too_long_is_ended(workers: Workers) -> None:
    assert workers.ask(ANN, PATIENCE, divmod, 17, 5) == (3, 2)
    with pytest.raises(TooSlowError):
        workers.ask(ANN, 0.2, time.sleep, 10 * PATIENCE)
    assert workers.ask(ANN, PATIENCE, divmod, 18, 5) == (3, 3)  # a new one took its place


def test_work_that_costs_too_much_is_ended_and_its_worker_goes_on(workers: Workers) -> None:
    pid = workers.ask(ANN, PATIENCE, os.getpid)
    with pytest.raises(TooSlowError):
        workers.ask(ANN, PATIENCE, spin, 0.1)
    assert workers.ask(ANN, PATIENCE, os.getpid) == pid


def test_what_work_costs_is_charged_to_who_asked(workers: Workers, spending: Spending) -> None:
    workers.ask(ANN, PATIENCE, sum, range(3 * 10**6))
    assert spending.of(ANN) == spending.of(ANN.network) > 0
    with pytest.raises(errors.InvalidMoveError):
        workers.ask(ANN, PATIENCE, Move.parse, "x")
    assert spending.of(ANN) < PATIENCE  # a refusal costs what it took
    with pytest.raises(TooSlowError):
        workers.ask(ANN, 0.2, time.sleep, 10 * PATIENCE)
    assert spending.of(ANN) >= 0.2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts a process's memory")
def test_a_worker_gets_so_much_memory_and_no_more(workers: Workers) -> None:
    assert workers.ask(ANN, PATIENCE, fill, 80 * MEBIBYTE) == 80 * MEBIBYTE
    with pytest.raises(MemoryError):
        workers.ask(ANN, PATIENCE, fill, 110 * MEBIBYTE)
    with pytest.raises(MemoryError):  # what cannot be sent is no answer, and no end of the worker
        workers.ask(ANN, PATIENCE, bytes, 80 * MEBIBYTE)
    pid = workers.ask(ANN, PATIENCE, os.getpid)
    assert psutil.Process(pid).memory_info().rss < 200 * MEBIBYTE


def test_a_worker_killed_while_idle_is_replaced(workers: Workers) -> None:
    idle = workers.ask(ANN, PATIENCE, os.getpid)
    os.kill(idle, signal.SIGKILL)
    process = workers._all[0]._process
    assert process is not None
    process.join(PATIENCE)
    assert workers.ask(ANN, PATIENCE, os.getpid) != idle


def test_a_worker_that_cannot_be_started_is_one_that_is_too_slow(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(CONTEXT.Process, "start", refuse)
    with pytest.raises(TooSlowError):
        workers.ask(ANN, 1, len, "four")
    monkeypatch.undo()
    assert workers.ask(ANN, PATIENCE, len, "four") == 4


def test_errors_of_a_worker_come_back(workers: Workers) -> None:
    with pytest.raises(errors.InvalidMoveError):
        workers.ask(ANN, PATIENCE, Move.parse, "x")


def test_a_worker_with_nothing_to_do_gives_its_memory_back(workers: Workers) -> None:
    pid = workers.ask(ANN, PATIENCE, os.getpid)
    workers.rest(PATIENCE)
    assert workers.ask(ANN, PATIENCE, os.getpid) == pid  # it was needed just now
    busy = Thread(target=workers.ask, args=(ANN, PATIENCE, time.sleep, 0.5))
    busy.start()
    while not workers._all[0]._busy.locked():
        time.sleep(0.001)
    workers.rest(0.0)  # not while it works
    busy.join()
    assert workers.ask(ANN, PATIENCE, os.getpid) == pid
    workers.rest(0.0)
    assert not psutil.pid_exists(pid)
    assert workers.ask(ANN, PATIENCE, os.getpid) != pid
