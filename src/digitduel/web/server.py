"""Running the application: one process, one socket, limits that a public server needs."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
from errno import EMFILE, ENFILE
from typing import TYPE_CHECKING, Any

import uvicorn

from digitduel.errors import StorageError
from digitduel.files import reason
from digitduel.web.connections import KEEP_ALIVE_SECONDS, SELDOM, Config

if TYPE_CHECKING:
    from fastapi import FastAPI

    from digitduel.web.settings import Settings

STOPPING_SECONDS = 5
BACKLOG = 2_048
LARGEST_HEAD = 32 * 1024
MANY = 500
SWITCH_SECONDS = 0.001  # that a thread keeps others waiting, the one with the event loop among them
FILES_BESIDES = 100  # open files that are no connections: the store, pipes to workers

logger = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """Ends the streams first, or stopping would wait for people to close their pages."""

    _settled = 0  # connections there were when memory was last set aside

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start: the loop itself would tell of each connection that finds no file."""
        asyncio.get_running_loop().set_exception_handler(_note)
        await super().startup(sockets)
        gc.freeze()  # what was imported stays

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: streams, then requests that are being answered, then the application."""
        state = self.config.app.state  # type: ignore[union-attr]
        if hub := getattr(state, "hub", None):
            hub.close()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Once a second: could one more connection be taken, and have many come or gone?"""
        if counter % 10 == 0:
            _try_a_file()
            self._settle()
        return await super().on_tick(counter)

    def _settle(self) -> None:
        """Set aside what belongs to those who stay. To look through thousands of streams for
        garbage would stop everybody for a second, over and over; half of them gone, it is due."""
        count = len(self.server_state.connections)
        if count < self._settled // 2:
            gc.unfreeze()
            gc.collect()
            self._settled = 0
        if count >= self._settled + MANY:
            gc.freeze()
            self._settled = count


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; StorageError says why there is none."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = infos[0]
        listener = socket.socket(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            listener.listen(BACKLOG)
        except OSError:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        raise StorageError(
            f"cannot listen on {host} port {port}: {reason(error)}. "
            "Choose another --host or --port."
        ) from None
    return listener


def run(listener: socket.socket, app: FastAPI, proxies: str = "127.0.0.1") -> None:
    """Serve until told to stop."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    for talkative in ("python_multipart", "psycopg.pool"):  # of each odd form, each try to connect
        logging.getLogger(talkative).setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_SECONDS)
    server_for(app, proxies).run(sockets=[listener])


def server_for(app: FastAPI, proxies: str) -> Server:
    """The application's server, with the limits of its settings."""
    settings: Settings = app.state.settings
    config = Config(
        app,
        most=_connections(settings.most_connections),
        per_address=settings.per_address,
        ws="none",
        h11_max_incomplete_event_size=LARGEST_HEAD,  # httptools would not bound it
        log_level="warning",
        access_log=False,  # addresses hold invitations
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOPPING_SECONDS,
        backlog=BACKLOG,
        proxy_headers=True,
        forwarded_allow_ips=proxies,
    )
    for flooded in ("uvicorn.error", __name__):
        logging.getLogger(flooded).addFilter(SELDOM)
    return Server(config)


def _connections(wanted: int) -> int:
    """How many there may be: each is an open file, and the server needs some of its own."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        files = wanted + FILES_BESIDES
        if soft < files:
            soft = files if hard == resource.RLIM_INFINITY else min(files, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return min(wanted, max(soft - FILES_BESIDES, soft // 2))
    return wanted


def _try_a_file() -> None:
    try:
        os.close(os.dup(2))
    except OSError as error:
        _out_of_files(error)


def _out_of_files(error: object) -> bool:
    """Whether that is what went wrong; then it is told, and passes when others hang up."""
    out = isinstance(error, OSError) and error.errno in (EMFILE, ENFILE)
    if out:
        logger.warning("no file can be opened, so nobody can connect: raise the limit (ulimit -n)")
    return out


def _note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not _out_of_files(context.get("exception")):
        loop.default_exception_handler(context)
