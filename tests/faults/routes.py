"""Requests that make hardly any sense, to every route there is: no answer is a 5xx.

A body, a query or a header begins as a sensible one and is then bent. Schemathesis does the same
by the OpenAPI document in tests/web/test_api_bad_input.py; this one is faster and has the pages.
"""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import httpx2 as httpx

from digitduel.ruleset import ruleset_keys
from digitduel.web.app import create_app
from tests.web.helpers import PATIENCE, create, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.faults.campaign import Campaign

AT_ONCE = 3
BATCH = 200  # requests over one connection
ODD = (
    *("", "0", "-1", "1e9", "NaN", "null", "true", "[]", "{}", "%", "\0", "\ud800", "\u202e", "🙂"),
    *(
        "5",
        "5R",
        "9L",
        "x" * 400,
        "9" * 400,
        "1-9",
        "none",
        "unlimited",
        "both",
        "closest",
        "../..",
    ),
    *("' OR 1=1 --", "<script>", "\r\nX: y", "level:8", "device", "friend", "perfect", "random"),
)
KINDS = (
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "",
    "x; charset=z",
)
HEADERS = ("Cookie", "Origin", "HX-Request", "Last-Event-ID", "Accept", "Range", "If-None-Match")
RECORD = '[Game "pool"]\n[Player1 "a"]\n[Player2 "b"]\n[First "1"]\n[Result "*"]\n\n5 2\n'


def run(campaign: Campaign, folder: Path) -> None:
    """Send batches over a few connections at once."""
    flags = ("--move-rate", "100000")
    with serving(str(folder / "games.db"), *flags) as server, ThreadPoolExecutor(AT_ONCE) as pool:
        with httpx.Client(base_url=server.url) as client:
            people = [create(client, "ends", opponent=kind)[0] for kind in ("device", "friend")]
        seats = [(person.id, str(person.token)) for person in people]
        routes = list(all_routes(create_app().routes))
        while campaign.goes_on():
            seeds = [campaign.random.random() for _ in range(AT_ONCE)]
            batches = [Batch(server.port, Random(seed), routes, seats) for seed in seeds]
            for statuses in pool.map(Batch.send, batches):
                campaign.count("requests", len(statuses))
                for status in statuses:
                    campaign.count(f"answers {status // 100}xx")
            assert server.is_up()


def all_routes(routes: list[Any]) -> Iterator[tuple[str, str]]:
    """Every method and path."""
    for route in routes:
        if inner := getattr(route, "original_router", None):
            yield from all_routes(inner.routes)
        else:
            for method in getattr(route, "methods", None) or ("GET",):
                yield method, f"{route.path}/base.css" if route.path == "/static" else route.path


class Batch:
    """Requests over one connection, which is opened anew whenever the server closes it."""

    def __init__(
        self,
        port: int,
        random: Random,
        routes: list[tuple[str, str]],
        seats: list[tuple[str, str]],
    ) -> None:
        self.port, self.random, self.routes, self.seats = port, random, routes, seats

    def send(self) -> list[int]:
        """Send them all; the statuses of the answers."""
        statuses, connection = [], None
        for _ in range(BATCH):
            request = self._request()
            for _ in range(2):
                connection = connection or Connection(self.port)
                status = connection.ask(request)
                if status is not None:
                    break
                connection.close()
                connection = None
            if status is None:
                continue  # closed on us: as good an answer as any
            assert status < 500, (status, request)
            statuses.append(status)
            if connection and connection.closing:
                connection.close()
                connection = None
        if connection:
            connection.close()
        return statuses

    # --- A request in the making. ---

    def _request(self) -> bytes:
        method, path = self.random.choice(self.routes)
        if self.random.random() < 0.05:
            method = self.random.choice(["HEAD", "OPTIONS", "PUT", "PATCH", "TRACE", "GETS", "get"])
        game_id, token = self.random.choice(self.seats)
        path = path.replace("{game_id}", self._bent(game_id, 0.1)).replace("{what}", self._what())
        path = path.replace("{key}", self._bent(self.random.choice(ruleset_keys()), 0.3))
        address = quote(path, safe="/%?=&", errors="surrogatepass")
        if method in ("GET", "HEAD") or self.random.random() < 0.2:
            address += "?" + urlencode(self._fields(), errors="surrogatepass")
        kind, body = self._body() if method == "POST" or self.random.random() < 0.05 else ("", b"")
        head = [f"{method} {address} HTTP/1.1", "Host: 127.0.0.1", f"X-Forwarded-For: {self._ip()}"]
        head += [f"Content-Length: {len(body)}"] if body or method == "POST" else []
        head += [f"Content-Type: {kind}"] if kind else []
        head += self._headers(token)
        return "\r\n".join([*head, "", ""]).encode("utf-8", "surrogatepass") + body

    def _headers(self, token: str) -> list[str]:
        said = []
        if self.random.random() < 0.7:
            said.append(f"Authorization: Bearer {self._bent(token, 0.1)}")
        for name in HEADERS:
            if self.random.random() < 0.1:
                odd = quote(self._odd(), errors="surrogatepass")
                cookies = f"digitduel={odd}; nickname={odd}; new-game={odd}"
                said.append(f"{name}: {cookies if name == 'Cookie' else odd}")
        return said

    def _ip(self) -> str:
        return ".".join(str(self.random.randrange(1, 255)) for _ in range(4))

    def _what(self) -> str:
        return self.random.choice(
            ["move", "resign", "off", "undo", "rematch", "decline", "join", "%00", "x"]
        )

    def _odd(self) -> str:
        return self.random.choice(ODD)

    def _bent(self, text: str, chance: float) -> str:
        if self.random.random() >= chance:
            return text
        place = self.random.randrange(len(text) + 1)
        longer = text[:place] + self._odd() + text[place:]
        return self.random.choice([text[:place], longer, self._odd()])

    def _fields(self) -> dict[str, str]:
        sensible = {
            "game": self.random.choice(ruleset_keys()),
            "target": str(self.random.choice([7, 12, 97, 10**6 + 3])),
            "digits": "1-9",
            "uses": "2",
            "ends": "both",
            "forbidden": "2,3",
            "limit": "8",
            "opponent": "device",
            "first": "1",
            "moves": "5R 4L",
            "move": "5R",
            "ply": "0",
            "round": "1",
            "key": f"k{self.random.randrange(10**9)}",
            "digit": "5",
            "end": "R",
            "why": "5R",
            "sort": "value",
            "after": "1",
            "invite": "x" * 43,
            "secret": "x" * 43,
            "again": "yes",
            "name": "Ann",
            "match": "best",
            "rounds": "3",
            "clock": "5+3",
            "setting": "closest:easy",
            "watch": f"{self.random.choice(self.seats)[0]}.1",
            "open": "resign",
            "record": RECORD,
        }
        names = self.random.sample(list(sensible), self.random.randrange(len(sensible)))
        return {self._bent(name, 0.02): self._bent(sensible[name], 0.15) for name in names}

    def _body(self) -> tuple[str, bytes]:
        kind = self.random.choice(KINDS)
        fields: dict[str, Any] = dict(self._fields())
        if self.random.random() < 0.5 or kind == KINDS[0]:
            kind = KINDS[0] if self.random.random() < 0.95 else kind
            for name in ("ply", "round", "first"):
                if name in fields and str(fields[name]).isdecimal():
                    fields[name] = int(fields[name])
            if self.random.random() < 0.5:
                fields["moves"] = str(fields.get("moves", "")).split()
            rules = {n: fields.pop(n) for n in ("target", "digits", "uses") if n in fields}
            if self.random.random() < 0.7:
                fields["rules"] = rules
            keep = self.random.choice([("move", "ply", "key"), ("game", "rules"), tuple(fields)])
            text = json.dumps({name: fields[name] for name in keep if name in fields})
            return kind, self._bent(text, 0.1).encode("utf-8", "surrogatepass")
        return kind, urlencode(fields, errors="surrogatepass").encode()


class Connection:
    """One connection, and just enough HTTP to know what was answered."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._file = self._socket.makefile("rb")
        self.closing = False

    def ask(self, request: bytes) -> int | None:
        """The status of the answer; None if there is none."""
        try:
            self._socket.sendall(request)
            status = int(self._file.readline().split()[1])
            length, kind = 0, b""
            while (line := self._file.readline()) not in (b"\r\n", b""):
                name, _, value = line.lower().partition(b":")
                length = int(value) if name == b"content-length" else length
                kind = value if name == b"content-type" else kind
                self.closing |= name == b"connection" and b"close" in value
            if b"event-stream" in kind or b"chunked" in kind:
                self.closing = True
            elif request[:4] != b"HEAD" and status not in (204, 304):
                self._file.read(length)
            return status
        except (OSError, IndexError, ValueError):
            return None

    def close(self) -> None:
        self._file.close()
        self._socket.close()
