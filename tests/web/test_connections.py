"""Over real sockets: connections that drip, idle, crowd or talk nonsense, and those beside them."""

from __future__ import annotations

import logging
import re
import resource
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import psutil
import pytest

from digitduel.web import connections
from digitduel.web.connections import Seldom
from tests.web.helpers import PATIENCE, Told, here, wait_for

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from pathlib import Path

    from digitduel.web.settings import Settings

HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
ANN, BOB = "127.0.0.2", "127.0.0.3"  # on Linux all of 127.0.0.0/8 is this machine
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")


def head_of(connection: socket.socket) -> str:
    """The head of the next answer, and whatever came with it."""
    data = b""
    while b"\r\n\r\n" not in data and (more := connection.recv(65536)):
        data += more
    return data.decode().lower()


def status_of(connection: socket.socket, asked: bytes = HEALTH) -> int:
    connection.sendall(asked)
    return int(head_of(connection).split()[1])


@pytest.mark.parametrize("before", [b"", HEALTH])
def test_a_head_that_drips_is_cut_off(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with here(settings) as running, running.connect() as connection:
        if before:
            assert status_of(connection, before) == 200
        deadline = time.monotonic() + PATIENCE
        with pytest.raises(OSError, match=r"reset|[Bb]roken"):  # noqa: PT012  (until it is cut)
            while time.monotonic() < deadline:
                connection.sendall(b"G")
                time.sleep(0.02)
        wait_for(lambda: running.connections == 0)


def test_a_connection_that_says_nothing_is_closed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with here(settings) as running, running.connect() as connection:
        assert connection.recv(1) == b""


def test_a_whole_head_has_time_for_the_rest(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    post = b"POST /api/solve HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"
    with here(settings) as running, running.connect() as connection:
        connection.sendall(post)
        time.sleep(1)
        assert status_of(connection, b"{}") == 422


def test_whoever_does_not_read_is_cut_off(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "STALLED_SECONDS", 0.3)
    ask = b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with here(settings) as running, running.connect() as connection:
        connection.settimeout(0.05)
        deadline = time.monotonic() + PATIENCE
        with pytest.raises(OSError, match=r"reset|[Bb]roken"):  # noqa: PT012  (until it is cut)
            while time.monotonic() < deadline:
                try:
                    connection.send(ask)
                except TimeoutError:
                    time.sleep(0.02)
        wait_for(lambda: running.connections == 0)


@linux
def test_connections_of_one_address_leave_room_for_others(settings: Settings) -> None:
    with here(replace(settings, per_address=10)) as running, ExitStack() as stack:
        held = [stack.enter_context(running.connect(ANN)) for _ in range(10)]
        wait_for(lambda: running.connections == 10)
        for _ in range(5):
            with running.connect(ANN) as refused:
                told = head_of(refused)
                assert told.startswith("http/1.1 429")
                assert re.search(r"retry-after: \d+\r\n", told)
        with running.connect(BOB) as other:
            assert status_of(other) == 200
        assert [status_of(each) for each in held] == [200] * 10
        held.pop().close()
        wait_for(lambda: running.connections == 9)
        with running.connect(ANN) as again:
            assert status_of(again) == 200


@linux
def test_a_full_server_says_when_to_try_again(settings: Settings) -> None:
    with here(replace(settings, most_connections=6)) as running, ExitStack() as stack:
        for number in range(6):
            stack.enter_context(running.connect(f"127.0.0.{number + 10}"))
        wait_for(lambda: running.connections == 6)
        with running.connect(ANN) as refused:
            told = head_of(refused)
        assert told.startswith("http/1.1 503")
        assert re.search(r"retry-after: \d+\r\n", told)


@linux
def test_a_proxy_leaves_room_for_who_asks_directly(settings: Settings) -> None:
    few = replace(settings, most_connections=10)
    with here(few, proxies="127.0.0.1") as running, ExitStack() as stack:
        for _ in range(9):
            stack.enter_context(running.connect())
        wait_for(lambda: running.connections == 9)
        with running.connect() as refused:
            assert head_of(refused).startswith("http/1.1 429")
        with running.connect(BOB) as other:
            assert status_of(other) == 200


def test_visitors_behind_a_proxy_are_counted_by_their_own_addresses(settings: Settings) -> None:
    few = replace(settings, per_address=6)
    with here(few, proxies="127.0.0.1") as running, ExitStack() as stack:
        made = b'{"game": "pool"}'
        with running.connect() as maker:
            maker.sendall(
                b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(made), made)
            )
            answer = b"".join(iter(lambda: maker.recv(65536), b""))
        found = re.search(rb'"id":"([^"]+)"', answer)
        assert found is not None

        def watch(visitor: str, path: str) -> str:
            connection = stack.enter_context(running.connect())
            head = f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {visitor}\r\n\r\n"
            connection.sendall(head.encode())
            return head_of(connection)

        game = found[1].decode()
        stream, live = f"/api/games/{game}/stream", f"/live?watch={game}"
        for visitors in (["192.0.2.7"] * 4, [f"2001:db8::{number}" for number in range(1, 5)]):
            told = [
                watch(visitor, path)
                for visitor, path in zip(visitors, (stream, live, stream, live), strict=True)
            ]
            assert [each.split()[1] for each in told] == ["200", "200", "200", "429"]
            assert re.search(r"retry-after: \d+\r\n", told[-1])
            assert watch(visitors[0], "/health").split()[1] == "200"  # streams leave room for moves
        assert watch("192.0.2.8", stream).split()[1] == "200"
        assert watch("2001:db8:0:1::1", stream).split()[1] == "200"


@contextmanager
def logged(name: str) -> Iterator[list[str]]:
    """What a logger tells."""
    told: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger(name).addHandler(handler)
    try:
        yield told
    finally:
        logging.getLogger(name).removeHandler(handler)


NONSENSE = [
    b"nonsense\r\n\r\n",
    b"GET / HTTP/9\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 70_000,
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /games HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"1\r\na\r\nzz\r\n",
    HEALTH + b"nonsense\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
]


def test_nonsense_does_not_flood_the_log(settings: Settings) -> None:
    with here(settings) as running, logged("uvicorn.error") as told, logged("asyncio") as traces:
        for nonsense in NONSENSE * 5:
            with running.connect() as connection:
                connection.sendall(nonsense)
                connection.settimeout(0.2)
                with suppress(OSError):  # some are cut off, one waits for more
                    connection.recv(65536)
        wait_for(lambda: running.connections == 0)
        with running.connect() as connection:
            assert status_of(connection) == 200
    assert traces == []
    assert len(told) == len(set(told)) <= 3  # each kind once


def test_a_warning_is_told_once_in_a_while_with_how_many_were_not() -> None:
    now = [0.0]
    seldom = Seldom(60, clock=lambda: now[0])

    def told(level: int, message: str) -> str | None:
        record = logging.LogRecord("x", level, "", 0, message, None, None)
        return record.getMessage() if seldom.filter(record) else None

    assert [told(logging.WARNING, "a") for _ in range(3)] == ["a", None, None]
    assert told(logging.WARNING, "b") == "b"
    assert [told(logging.ERROR, "c") for _ in range(2)] == ["c", "c"]
    now[0] = 60.0
    assert told(logging.WARNING, "a") == "a (2 more since this was told last)"
    now[0] = 120.0
    assert told(logging.WARNING, "a") == "a"


@linux
@pytest.mark.slow
@pytest.mark.parametrize("code", ["", "import sys; sys.modules['uvloop'] = None"])
def test_out_of_files_is_told_once_and_survived(tmp_path: Path, code: str) -> None:
    running = Told(tmp_path, code=code)
    try:
        process = psutil.Process(running.process.pid)
        most = process.num_fds() + 5
        process.rlimit(resource.RLIMIT_NOFILE, (most, most))
        with ExitStack() as stack:
            running.crowd(stack, 50)
            wait_for(lambda: "no file can be opened" in running.told)
            time.sleep(1.5)  # it is tried again meanwhile
        wait_for(running.is_up)
    finally:
        running.kill()
    assert running.told.count("\n") == 1, running.told


@linux
def test_a_low_limit_of_files_leaves_some_for_the_server(tmp_path: Path) -> None:
    running = Told(tmp_path, files=160)
    try:
        with ExitStack() as stack:
            crowd = running.crowd(stack, 150)
            assert head_of(crowd[-1]).startswith("http/1.1 429")
            assert status_of(crowd[0]) == 200
        wait_for(running.is_up)
    finally:
        running.kill()
    assert "too many connections from one address" in running.told
    assert running.told.count("\n") == 1, running.told
