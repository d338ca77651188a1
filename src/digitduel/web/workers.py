"""Processes for costly work, each with a limit of time and of memory.

Not pebble's: there a worker that is killed while idle (the system is out of memory) breaks the pool
for good, work goes to whichever process is free, not to the one that remembers, and threads poll.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import time
from queue import Empty, LifoQueue
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.web.errors import BusyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from types import FrameType

    from digitduel.web.turns import Turns, Visitor

# A fresh interpreter: forking a server with threads and sockets is asking for trouble.
CONTEXT = multiprocessing.get_context("spawn")
START_SECONDS = 20.0
GENTLE = 10
AGAIN_SECONDS = 0.05  # a reminder, should the first have gone unheard


class TooSlowError(Exception):
    """The work was not done in its time."""


class Answer(NamedTuple):
    """What came of some work, and the processor time it took."""

    value: Any  # or what was raised
    failed: bool
    seconds: float


class Worker:
    """One process, started when it is first needed, that does one thing at a time."""

    def __init__(self, prepare: Callable[[], object]) -> None:
        self._prepare = prepare
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._busy, self._stopping, self._used_at = Lock(), Lock(), 0.0

    def ask(self, seconds: float, work: Callable[..., Any], *given: Any) -> Answer:
        """What `work(*given)` gives or raises; TooSlowError if it takes too long by the clock."""
        with self._busy:
            self._used_at = time.monotonic()
            return self._ask(seconds, work, given)

    def rest(self, seconds: float) -> None:
        """End the process if nobody has needed it for so long; the next question starts one."""
        if self._busy.acquire(blocking=False):
            try:
                if time.monotonic() - self._used_at >= seconds:
                    self.stop()
            finally:
                self._busy.release()

    def _ask(self, seconds: float, work: Callable[..., Any], given: tuple[Any, ...]) -> Answer:
        try:
            if self._pipe is not None and self._pipe.poll():  # at its end: killed while idle
                self.stop()
            pipe = self._pipe or self._start()
            pipe.send((work, given))
            if not pipe.poll(seconds):
                raise TooSlowError
            answer: Answer = pipe.recv()
        except (EOFError, OSError, TooSlowError) as error:  # stuck, or killed from outside
            self.stop()
            raise TooSlowError from error
        return answer

    def _start(self) -> Connection:
        pipe, other = CONTEXT.Pipe()
        process = CONTEXT.Process(target=_work, args=(other, self._prepare), daemon=True)
        process.start()
        self._process = process
        other.close()
        if not pipe.poll(START_SECONDS):
            raise TooSlowError
        pipe.recv()
        self._pipe = pipe
        return pipe

    def stop(self) -> None:
        """End the process at once; by whichever thread comes first."""
        with self._stopping:
            pipe, self._pipe = self._pipe, None
            process, self._process = self._process, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()
            process.close()


class Workers:
    """A few workers, shared out by turns."""

    def __init__(self, count: int, turns: Turns, prepare: Callable[[], object]) -> None:
        """There may be as many turns at a time as there are workers."""
        self._turns = turns
        self._all = [Worker(prepare) for _ in range(count)]
        # The last one used is the first to be used again: it remembers, and has been started.
        self._free: LifoQueue[Worker] = LifoQueue()
        for worker in reversed(self._all):
            self._free.put(worker)

    def ask(self, visitor: Visitor, seconds: float, work: Callable[..., Any], *given: Any) -> Any:
        """As `Worker.ask`, in the visitor's turn, which is charged for it."""
        with self._turns.turn(visitor):
            try:
                worker = self._free.get(block=False)
            except Empty:  # closed meanwhile
                raise BusyError("the server is stopping.", wait=2) from None
            spent = seconds  # unless it is known better
            try:
                answer = worker.ask(seconds, work, *given)
                spent = answer.seconds
            finally:
                self._free.put(worker)
                self._turns.charge(visitor, spent)
        if answer.failed:
            raise answer.value
        return answer.value

    def rest(self, seconds: float) -> None:
        """Give the memory back of those that nobody has needed for so long."""
        for worker in self._all:
            worker.rest(seconds)

    def close(self) -> None:
        """End them all."""
        for worker in self._all:
            worker.stop()


# --- In the process itself. ---


def _work(pipe: Connection, prepare: Callable[[], object]) -> None:
    """Answer until the server is gone: then the pipe is at its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    prepare()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(GENTLE)  # people who play come first, but somebody waits for the start
    with contextlib.suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            pipe.send_bytes(_answer(*pipe.recv()))


def _answer(work: Callable[..., Any], given: tuple[Any, ...]) -> bytes:
    """What came of some work, ready to be sent."""
    began = time.process_time()
    try:
        value = work(*given)
        return pickle.dumps(Answer(value, False, time.process_time() - began))
    except Exception as error:  # also a value that does not fit the memory a second time
        return pickle.dumps(Answer(error, True, time.process_time() - began))


@contextlib.contextmanager
def processor_limit(seconds: float) -> Iterator[None]:
    """TooSlowError inside once so much processor time is spent, where the system can count it."""

    def ring(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001  (as it is called)
        raise TooSlowError

    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, ring)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def limit_memory(more: int) -> None:
    """From now on this process gets so many bytes more and then a MemoryError, on Linux."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm") as file:  # noqa: PTH123  (no file of ours)
            pages = int(file.read().split()[0])
        now = pages * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + more, now + more))
