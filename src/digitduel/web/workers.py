"""Processes for long work. One that takes too long is ended, and a new one takes its place.

Not pebble's: there a worker that is killed while idle (the system is out of memory) breaks the pool
for good, work goes to whichever process is free, not to the one that remembers, and threads poll.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from queue import Empty, LifoQueue
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from digitduel.web.errors import BusyError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

# A fresh interpreter: forking a server with threads and sockets is asking for trouble.
CONTEXT = multiprocessing.get_context("spawn")
START_SECONDS = 20.0
GENTLE = 5
MOST_WAITING = 60


class TooSlowError(Exception):
    """The work was not done in its time."""


class Worker:
    """One process, started when it is first needed, that does one thing at a time."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, seconds: float, work: Callable[..., Any], *given: Any) -> Any:
        """What `work(*given)` gives, or raises there; TooSlowError if it takes too long."""
        try:
            if self._pipe is not None and self._pipe.poll():  # at its end: killed while idle
                self.stop()
            pipe = self._pipe or self._start()
            pipe.send((work, given))
            if not pipe.poll(seconds):
                raise TooSlowError
            failed, answer = pipe.recv()
        except (EOFError, OSError, TooSlowError) as error:  # stuck, or killed from outside
            self.stop()
            raise TooSlowError from error
        if failed:
            raise answer
        return answer

    def _start(self) -> Connection:
        pipe, other = CONTEXT.Pipe()
        process = CONTEXT.Process(target=_work, args=(other,), daemon=True)
        process.start()
        self._process = process
        other.close()
        if not pipe.poll(START_SECONDS):
            raise TooSlowError
        pipe.recv()
        self._pipe = pipe
        return pipe

    def stop(self) -> None:
        """End the process at once."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None


def _work(pipe: Connection) -> None:
    """Answer until the server is gone: then the pipe is at its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    with contextlib.suppress(AttributeError, OSError):
        os.nice(GENTLE)  # people who play come first
    pipe.send("ready")
    while True:
        try:
            work, given = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (False, work(*given))
        except Exception as error:
            answer = (True, error)
        pipe.send(answer)


class Workers:
    """A few workers; whoever finds none free waits for one, though not for ever."""

    def __init__(self, count: int, patience: float) -> None:
        self._patience = patience
        # Whoever waits holds a thread of the server, which has only so many.
        self._places = BoundedSemaphore(count + MOST_WAITING)
        self._all = [Worker() for _ in range(count)]
        # The last one used is the first to be used again: it remembers, and has been started.
        self._free: LifoQueue[Worker] = LifoQueue()
        for worker in reversed(self._all):
            self._free.put(worker)

    def ask(self, seconds: float, work: Callable[..., Any], *given: Any) -> Any:
        """As `Worker.ask`; BusyError if no worker gets free in time, or too many wait for one."""
        busy = BusyError("too much to think about just now: try again.", wait=2)
        if not self._places.acquire(blocking=False):
            raise busy
        try:
            worker = self._free.get(timeout=self._patience)
            try:
                return worker.ask(seconds, work, *given)
            finally:
                self._free.put(worker)
        except Empty:
            raise busy from None
        finally:
            self._places.release()

    def close(self) -> None:
        """End them all."""
        for worker in self._all:
            worker.stop()
