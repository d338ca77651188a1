"""Who works on a sweep: this process, others on this machine, or a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import re
import signal
import socket
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar, cast

from digitduel.atlas.extras import missing
from digitduel.errors import DigitDuelError
from digitduel.text import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Params = ParamSpec("Params")
Result = TypeVar("Result")

# Seconds to wait for a cluster to answer.
PATIENCE = 5


class Workforce(NamedTuple):
    """An executor, and how many pieces of work it should hold at a time."""

    executor: Executor
    width: int


class Here(Executor):
    """Does the work at once, in this process."""

    def submit(
        self, work: Callable[Params, Result], /, *args: Params.args, **named: Params.kwargs
    ) -> Future[Result]:
        future: Future[Result] = Future()
        try:
            future.set_result(work(*args, **named))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def workforce(jobs: int, cluster: str | None = None) -> Iterator[Workforce]:
    """So many processes on this machine, or the cluster at an address."""
    if cluster is not None:
        with _connected(cluster) as force:
            yield force
    elif jobs == 1:
        yield Workforce(Here(), 1)
    else:
        pool = ProcessPoolExecutor(jobs, initializer=_prepare_worker)
        try:
            yield Workforce(pool, 2 * jobs)
        finally:
            pool.shutdown(cancel_futures=True)


def _prepare_worker() -> None:
    """Let a worker end without a word: with Ctrl-C, and when whoever waits for it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _connected(address: str) -> Iterator[Workforce]:
    try:
        from distributed import Client
    except ImportError as error:
        raise missing(error, "cluster", "a cluster") from None
    _check_scheduler(address)
    # Dask's own client is not typed.
    client: Any = cast("Any", Client)(address, timeout=PATIENCE, set_as_default=False)
    with _without_logging(), client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except OSError:  # a TimeoutError is one
            raise DigitDuelError(
                f"the cluster at {quoted(address)} has no workers: start some with "
                f"dask worker {address}."
            ) from None
        threads = sum(client.nthreads().values())
        try:
            yield Workforce(client.get_executor(pure=False), 4 * threads)
        except DigitDuelError:
            if client.status == "running":
                raise
            raise DigitDuelError(
                f"the scheduler at {quoted(address)} is gone. What is done is kept: start the "
                "scheduler again, and the same command goes on from there."
            ) from None


@contextmanager
def _without_logging() -> Iterator[None]:
    """Keep what Dask's client logs to itself: what matters to the user is said in words."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _check_scheduler(address: str) -> None:
    """See that a scheduler answers: a client that cannot connect is slow to give up, and noisy."""
    match = re.fullmatch(r"[a-z]+://\[?([^\s/\]]+)\]?:([0-9]{1,5})", address)
    if not match:
        raise _no_cluster(address, "not an address")
    try:
        socket.create_connection((match[1], int(match[2])), timeout=PATIENCE).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_cluster(address, error) from None
    try:
        asyncio.run(_connect_once(address))
    except Exception:  # whatever answers there may answer anything
        raise _no_cluster(address, "what answers there is no Dask scheduler") from None


async def _connect_once(address: str) -> None:
    from distributed.comm import core

    async with asyncio.timeout(PATIENCE):
        comm = await cast("Any", core).connect(address, timeout=PATIENCE)
        await comm.close()


def _no_cluster(address: str, why: object) -> DigitDuelError:
    return DigitDuelError(
        f"no cluster answers at {quoted(address)} ({why}): "
        "give the address that its scheduler shows, such as tcp://10.0.0.1:8786."
    )
