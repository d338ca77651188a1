"""A wire that can be cut: a small TCP proxy on loopback, which stops forwarding when told to."""

from __future__ import annotations

import contextlib
import socket
import threading

CHUNK = 65_536


class Proxy:
    """Forwards every connection to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open = threading.Event()
        self._open.set()
        self._sockets: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def pause(self) -> None:
        """Forward nothing: both sides see a connection on which nothing comes."""
        self._open.clear()

    def resume(self) -> None:
        """Forward again, also what was sent meanwhile."""
        self._open.set()

    def cut(self) -> None:
        """End every connection."""
        for each in list(self._sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()
        self.resume()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(here,), daemon=True).start()

    def _connect(self, here: socket.socket) -> None:
        with here, contextlib.suppress(OSError):
            self._open.wait()
            with socket.create_connection(("127.0.0.1", self._target)) as there:
                self._sockets |= {here, there}
                back = threading.Thread(target=self._forward, args=(there, here), daemon=True)
                back.start()
                self._forward(here, there)
                back.join()
                self._sockets -= {here, there}

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                self._open.wait()
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
