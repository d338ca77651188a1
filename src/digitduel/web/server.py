"""Running the application: one process, one socket, limits that a public server needs."""

from __future__ import annotations

import contextlib
import logging
import socket
from typing import TYPE_CHECKING

import uvicorn

from digitduel.errors import StorageError
from digitduel.files import reason

if TYPE_CHECKING:
    from fastapi import FastAPI

KEEP_ALIVE_SECONDS = 30
STOPPING_SECONDS = 5
BACKLOG = 2_048
LARGEST_HEAD = 32 * 1024
MORE_THAN_STREAMS = 1_000  # connections besides the streams


class Server(uvicorn.Server):
    """Ends the streams first, or stopping would wait for people to close their pages."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: streams, then requests that are being answered, then the application."""
        state = self.config.app.state  # type: ignore[union-attr]
        if hub := getattr(state, "hub", None):
            hub.close()
        await super().shutdown(sockets)


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
    most_connections = app.state.settings.most_streams + MORE_THAN_STREAMS
    _allow_files(most_connections)
    config = uvicorn.Config(
        app,
        http="h11",  # it bounds the size of a request's head; httptools does not
        h11_max_incomplete_event_size=LARGEST_HEAD,
        log_level="warning",
        access_log=False,  # addresses hold invitations
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOPPING_SECONDS,
        limit_concurrency=most_connections,
        backlog=BACKLOG,
        proxy_headers=True,
        forwarded_allow_ips=proxies,
    )
    Server(config).run(sockets=[listener])


def _allow_files(wanted: int) -> None:
    """Each stream is an open file: ask for as many as there may be."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
