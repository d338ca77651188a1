"""What every request and answer passes: sizes, origins, headers. Plain ASGI keeps streams cheap."""

from __future__ import annotations

import asyncio
import contextlib
import math
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from zlib import crc32

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request

from digitduel.text import quoted
from digitduel.web.errors import (
    LargeBodyError,
    NotAllowedError,
    RefusedError,
    SlowBodyError,
    TooManyError,
    UnclearBodyError,
    UnknownHostError,
)
from digitduel.web.limits import Places, network
from digitduel.web.rights import COOKIE
from digitduel.web.settings import PORTS
from digitduel.web.turns import Spending, Turns, Visitor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from digitduel.web.settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: with it browsers send "Origin: null" along with plain forms.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# What matters for a file that is no page: a first visit loads ten of them.
FILE_HEADERS = {
    name: HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
RETRY_SECONDS = 10
REFUSAL_SECONDS = 1.0
BODY_SECONDS = 20

STREAMS, CHANGES, GAMES, QUESTIONS, PAGES = "streams", "changes", "games", "questions", "pages"


class Kind(NamedTuple):
    """How many requests of a kind are worked on at a time, how many of one address, and how many
    seconds others wait for their turn."""

    places: int
    share: int
    patience: float


# More at a time would be no faster: threads that work at once only keep each other and players
# waiting. Changes wait for the store and questions for a worker, so there are more of them. What
# needs the store is answered within five seconds, of which the store may take three.
TURNS = {
    CHANGES: Kind(32, 16, 2.0),
    GAMES: Kind(2, 1, 2.0),
    QUESTIONS: Kind(4, 2, 10.0),
    PAGES: Kind(2, 1, 10.0),
}
MOST_WAITING = 2_000
GROUPS = 16


class Guard:
    """Refuses what is too much, too large, too slow or meant for another host, and changes that
    another site asks for."""

    def __init__(
        self, app: ASGIApp, settings: Settings, answer: Callable[[Request, RefusedError], Response]
    ) -> None:
        self._app, self._answer = app, answer
        self._largest, self._public = settings.largest_body, settings.public_url
        half = math.ceil(settings.per_address / 2)
        self._streams, self._requests = Places(half), Places(half)
        self._turns = {
            name: Turns(
                *(kind.places, kind.patience, Spending()),
                most_waiting=MOST_WAITING,
                share=kind.share,
            )
            for name, kind in TURNS.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(scope, send)
        if scope["method"] == "HEAD":  # what GET would answer, without the body
            scope, send = {**scope, "method": "GET"}, _only_head(send)
        try:
            with self._place(scope):
                replay = await self._read(Headers(scope=scope), receive)
                async with self._turn(scope, send) as send_in_turn:
                    if not _has_hung_up(receive):
                        await self._app(self._check(scope), replay, send_in_turn)
        except RefusedError as error:  # the application answers its own
            if isinstance(error, TooManyError):
                await asyncio.sleep(REFUSAL_SECONDS)  # or it would be asked again at once
            response = self._answer(Request(scope), error)
            response.headers["Connection"] = "close"  # what is left of the body is not read
            await response(scope, receive, send)

    @contextlib.contextmanager
    def _place(self, scope: Scope) -> Iterator[None]:
        """A visitor's place, by the address that the server or a proxy it trusts tells."""
        name, is_stream = _network(scope), kind_of(scope["method"], scope["path"]) == STREAMS
        places, what = (self._streams, "streams") if is_stream else (self._requests, "requests")
        if not places.take(name):
            raise TooManyError(
                f"more than {places.most} {what} at once from your address: try again in "
                f"{RETRY_SECONDS} seconds.",
                wait=RETRY_SECONDS,
            )
        try:
            yield
        finally:
            places.leave(name)

    @contextlib.asynccontextmanager
    async def _turn(self, scope: Scope, send: Send) -> AsyncIterator[Send]:
        """The visitor's turn, which is over when the answer begins: whoever reads slowly keeps
        nobody waiting. Streams have none: there is always one more to come."""
        turns = self._turns.get(kind_of(scope["method"], scope["path"]))
        if turns is None:
            yield send
            return
        with await turns.turn_in_loop(_visitor(scope)) as turn:

            async def send_at_last(message: Message) -> None:
                turn.close()
                await send(message)

            yield send_at_last

    def _check(self, scope: Scope) -> Scope:
        """The request, if it is meant for us and may have been sent by whoever sent it."""
        headers = Headers(scope=scope)
        if self._public and scope["path"] != "/health":  # which is asked from inside
            scope = _at_home(scope, headers, self._public)
        if scope["method"] not in SAFE_METHODS and (reason := foreign(headers, self._public)):
            raise NotAllowedError(reason)
        return scope

    async def _read(self, headers: Headers, receive: Receive) -> Receive:
        """The whole body, read before anything is done with it; it stops at the limit."""
        length = headers.get("content-length", "0")
        if "content-length" in headers and "transfer-encoding" in headers:
            reason = "Content-Length and Transfer-Encoding contradict each other: send one of them."
            raise UnclearBodyError(reason)
        too_large = LargeBodyError(f"the body is too large: send at most {self._largest:,} bytes.")
        if not length.isdecimal() or len(length) > 15 or int(length) > self._largest:
            raise too_large
        body, more = bytearray(), True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    message = await receive()
                    body += message.get("body", b"")
                    if len(body) > self._largest:
                        raise too_large
                    more = message.get("more_body", False)
        except TimeoutError:
            reason = f"the body did not arrive within {BODY_SECONDS} seconds."
            raise SlowBodyError(reason) from None
        if "body" in message:
            message["body"] = bytes(body)
        first = [message]

        async def replay() -> Message:
            return first.pop() if first else await receive()

        return replay


def kind_of(method: str, path: str) -> str:
    """What a request waits for besides its turn.

    >>> kind_of("POST", "/api/games/x/moves"), kind_of("GET", "/games/x"), kind_of("GET", "/rules")
    ('changes', 'games', 'pages')
    """
    page = path.removeprefix("/api")
    if page == "/live" or (page.startswith("/games") and page.endswith("/stream")):
        return STREAMS
    if page.startswith(("/games", "/lobby")):
        return GAMES if method in SAFE_METHODS else CHANGES
    is_question = page in ("/", "/note", "/solve", "/explain") or page.startswith("/analysis")
    return QUESTIONS if is_question else PAGES


def _visitor(scope: Scope) -> Visitor:
    """Whoever asks. Of one address each game, or each of some groups of them, is a visitor: a game
    that somebody holds keeps few others waiting."""
    parts: list[str] = scope["path"].removeprefix("/api").split("/")
    if len(parts) < 3 or parts[1] != "games":
        return Visitor(_network(scope))
    group = crc32(parts[2].encode("utf-8", "surrogatepass")) % GROUPS
    return Visitor(_network(scope), str(group))


def _network(scope: Scope) -> str:
    return network(scope["client"][0]) if scope.get("client") else "unknown"


def foreign(headers: Headers, public: str = "") -> str | None:
    """Why a change is refused as another site's doing; None if it is not.

    `public` is our own origin where it is known; else the host that was asked for is ours.

    >>> foreign(Headers({"host": "a.example", "origin": "https://a.example"}))
    >>> foreign(Headers({"host": "a.example", "sec-fetch-site": "cross-site"}))
    'this request comes from another site: use the page itself.'
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        same = site in ("same-origin", "none")
    elif origin is not None:
        same = (
            origin.lower() == public
            if public
            else _netloc(origin) == headers.get("host", "").lower()
        )
    else:
        # No browser: fine for a program with its token, but a cookie must come from a page.
        same = "authorization" in headers or not _has_cookie(headers)
    return None if same else "this request comes from another site: use the page itself."


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _has_cookie(headers: Headers) -> bool:
    """Whether there is one of ours, read as the application reads it."""
    given = Request({"type": "http", "headers": headers.raw}).cookies
    return any(name.endswith(COOKIE) for name in given)


def _has_hung_up(receive: Receive) -> bool:
    """Whether nobody waits for the answer: one look, which the framework takes long for."""
    asking = receive().__await__()
    try:
        next(asking)
    except StopIteration as told:
        return bool(told.value["type"] == "http.disconnect")
    finally:
        asking.close()
    return False


def _at_home(scope: Scope, headers: Headers, public: str) -> Scope:
    """The request as one to our public address, whose scheme a proxy may have kept to itself."""
    scheme, _, netloc = public.partition("://")
    asked = headers.get("host", "")
    if asked.lower().removesuffix(f":{PORTS[scheme]}") != netloc:
        raise UnknownHostError(
            f"this is not the server of {quoted(asked)}: ask for {public} (a proxy must pass on "
            "the Host header)."
        )
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "scheme": scheme, "headers": [*others, (b"host", netloc.encode())]}


def _only_head(send: Send) -> Send:
    """The answer ends with its head: a stream then sees that nobody reads on."""

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body"})

    return send_head


def _with_headers(scope: Scope, send: Send) -> Send:
    is_file = scope["path"].startswith("/static/")
    cache, usual = ("no-cache", FILE_HEADERS) if is_file else ("no-store", HEADERS)

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in usual.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", cache)
        await send(message)

    return send_with_headers
