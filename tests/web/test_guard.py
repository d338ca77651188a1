"""Headers, origins, cookies, secrets, how often."""

import asyncio
import socket
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi import Request, Response
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from digitduel.errors import DigitDuelError
from digitduel.web import guard, rights
from digitduel.web.app import create_app
from digitduel.web.assets import asset
from digitduel.web.depends import ServiceOf, Token
from digitduel.web.errors import BusyError, RefusedError, TooManyError
from digitduel.web.guard import CHANGES, GAMES, PAGES, QUESTIONS, TURNS, Guard
from digitduel.web.limits import MOST_NAMES, Allowance
from digitduel.web.settings import Settings, origin
from tests.web.helpers import PATIENCE, Server, create, friends

MOVE = {"move": "5", "ply": 0}
SETUP = {"game": "pool", "target": "101", "opponent": "friend"}


@pytest.mark.parametrize("path", ["/api/rulesets", "/api/docs", "/nothing", "/health"])
def test_security_headers_on_every_answer(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/", "/atlas", "/rules/pool", "/health", "/nothing", "/api/docs", "/api/games/none"]
)
def test_head_tells_what_get_would_answer(server: Server, path: str) -> None:
    with httpx.Client(base_url=server.url) as client:
        told, whole = client.head(path), client.get(path)
    assert told.status_code == whole.status_code
    assert told.headers["content-type"] == whole.headers["content-type"]
    assert told.content == b""


@pytest.mark.parametrize("path", ["/api/games/{}/stream", "/live?watch={}"])
def test_head_of_a_stream_ends_and_leaves_nobody_watching(settings: Settings, path: str) -> None:
    with TestClient(create_app(settings)) as client:
        ann, _ = create(client)
        told = client.head(path.format(ann.id))
        assert told.status_code == 200
        assert told.headers["content-type"].startswith("text/event-stream")
        assert told.content == b""
        assert client.app.state.hub.streams == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/api/games/{}/stream", "/live?watch={}"])
def test_head_of_a_stream_keeps_the_connection(server: Server, path: str) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        ann, _ = create(client)
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            head = f"HEAD {path.format(ann.id)} HTTP/1.1\r\nHost: x\r\n\r\n"
            get = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            connection.sendall((head + get).encode())
            answers = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answers.count(b"HTTP/1.1 200") == 2
    assert b"text/event-stream" in answers
    assert b"retry:" not in answers


def test_a_length_told_in_two_ways_is_refused(server: Server) -> None:
    smuggled = "0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    head = (
        "POST /api/solve HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(smuggled)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall((head + smuggled).encode())
        answers = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answers.startswith(b"HTTP/1.1 400")
    assert answers.count(b"HTTP/1.1") == 1  # and the connection is closed
    assert b"contradict each other" in answers


class Crowd:
    """A guard before an application that answers when it is told to, and what it is asked."""

    def __init__(self, settings: Settings) -> None:
        self.guard = Guard(self._answer, settings=settings, answer=self._refuse)
        self.may_answer = asyncio.Event()
        self.begun: list[str] = []  # by visitor, in the order of their turns
        self.answers: list[tuple[str, str, int]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun.append(scope["client"][0])
        await self.may_answer.wait()
        await Response("fine")(scope, receive, send)

    @staticmethod
    def _refuse(_: Request, error: RefusedError) -> Response:
        return Response(str(error), error.status, {"Retry-After": f"{error.wait}"})

    async def _ask(self, visitor: str, path: str, method: str, *, gone: bool) -> None:
        heard: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            if not heard and not gone:
                await asyncio.Event().wait()
            return heard.pop() if heard else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answers.append((visitor, path, message["status"]))

        scope = {"type": "http", "method": method, "path": path, "headers": []}
        await self.guard(scope | {"client": (visitor, 1)}, receive, send)

    async def comes(
        self, visitor: str, path: str, count: int = 1, method: str = "GET", *, gone: bool = False
    ) -> None:
        for _ in range(count):
            self._tasks.append(asyncio.create_task(self._ask(visitor, path, method, gone=gone)))
        await self.settles()

    async def settles(self) -> None:
        for _ in range(50):
            await asyncio.sleep(0)

    async def ends(self) -> None:
        self.may_answer.set()
        await asyncio.gather(*self._tasks)


@pytest.fixture
def crowd(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Crowd:
    monkeypatch.setattr(guard, "REFUSAL_SECONDS", 0.0)
    return Crowd(replace(settings, per_address=4))


def test_requests_of_one_visitor_at_once_leave_room_for_others(crowd: Crowd) -> None:
    async def come() -> None:
        for visitor in "ab":
            for path in ("/", "/live"):
                await crowd.comes(visitor, path, 3)
        assert sorted(crowd.answers) == [
            (visitor, path, 429) for visitor in "ab" for path in ("/", "/live")
        ]
        await crowd.ends()
        await crowd.comes("a", "/")  # places are given back
        await crowd.ends()

    asyncio.run(come())
    assert Counter(status for *_, status in crowd.answers) == {429: 4, 200: 9}


KINDS = {
    CHANGES: ("POST", "/api/games/x/moves"),
    GAMES: ("GET", "/games/x"),
    QUESTIONS: ("GET", "/analysis"),
    PAGES: ("GET", "/rules"),
}


@pytest.mark.parametrize("kind", TURNS)
def test_hundreds_of_requests_of_one_visitor_wait_behind_one_of_another(
    settings: Settings, kind: str
) -> None:
    places, share, _ = TURNS[kind]
    method, path = KINDS[kind]

    async def come() -> list[str]:
        crowd = Crowd(settings)
        await crowd.comes("a", path, 390, method)
        assert crowd.begun == ["a"] * share  # and there are places left
        await crowd.comes("b", path, 1, method)
        assert crowd.begun[share:] == ["b"]
        for visitor in range(places - share - 1):
            await crowd.comes(str(visitor), path, 1, method)
        await crowd.comes("c", path, 1, method)  # all have their turn: who has none is next
        assert len(crowd.begun) == places
        await crowd.ends()
        return crowd.begun[places:]

    then = asyncio.run(come())
    assert then.index("c") == 0
    assert len(then) == 390 - share + 1


def test_a_game_that_is_held_keeps_no_other_of_the_same_address_waiting(
    settings: Settings,
) -> None:
    async def come() -> list[str]:
        crowd = Crowd(settings)
        await crowd.comes("a", "/api/games/held/moves", 100, "POST")
        await crowd.comes("a", "/api/games/free/moves", 1, "POST")
        await crowd.ends()
        return [path for _, path, _ in crowd.answers]

    share = TURNS[CHANGES].share
    assert "/api/games/free/moves" in asyncio.run(come())[share : share + 2]


def test_whoever_asks_much_keeps_no_other_kind_of_request_waiting(settings: Settings) -> None:
    async def come() -> list[str]:
        crowd = Crowd(settings)
        for method, path in KINDS.values():
            for visitor in range(50):
                await crowd.comes(str(visitor), path, 1, method)
            await crowd.comes("player", "/live")
        begun = crowd.begun
        await crowd.ends()
        return begun

    assert Counter(asyncio.run(come()))["player"] == len(KINDS)


def test_between_two_turns_of_one_visitor_the_loop_comes_round(settings: Settings) -> None:
    """Or hundreds of short answers, each of them quick, would be one that is slow."""

    async def come() -> list[int]:
        crowd, rounds = Crowd(settings), list[int]()
        crowd.may_answer.set()
        asked = asyncio.create_task(crowd.comes("a", "/rules", 100))
        while not asked.done():
            before = len(crowd.begun)
            await asyncio.sleep(0)
            rounds.append(len(crowd.begun) - before)
        await crowd.ends()
        return rounds

    assert max(asyncio.run(come())) <= TURNS[PAGES].share


def test_a_turn_is_over_when_the_answer_begins(settings: Settings) -> None:
    async def come() -> int:
        begun = 0

        async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
            nonlocal begun
            begun += 1
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await asyncio.Event().wait()  # nobody reads on

        crowd = Crowd(settings)
        crowd.guard = Guard(answer, settings=settings, answer=crowd._refuse)
        await crowd.comes("a", "/rules", 3 * TURNS[PAGES].share)
        return begun

    assert asyncio.run(come()) == 3 * TURNS[PAGES].share


def test_nothing_is_begun_for_who_has_hung_up(crowd: Crowd) -> None:
    async def come() -> None:
        await crowd.comes("a", "/", gone=True)
        await crowd.ends()

    asyncio.run(come())
    assert not crowd.begun


def test_nobody_waits_for_a_turn_for_ever(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TURNS, PAGES, TURNS[PAGES]._replace(patience=0.01))
    share = TURNS[PAGES].share

    async def come() -> list[int]:
        crowd = Crowd(settings)
        await crowd.comes("a", "/rules", share + 1)
        while not crowd.answers:
            await asyncio.sleep(0.01)
        assert [status for *_, status in crowd.answers] == [503]
        await crowd.ends()
        await crowd.comes("a", "/rules", share)  # and the turn that was not had is not lost
        await crowd.ends()
        return [status for *_, status in crowd.answers]

    assert asyncio.run(come()) == [503] + [200] * 2 * share


PUBLIC = "https://duel.example.org"


@pytest.fixture
def public(settings: Settings) -> Iterator[TestClient]:
    """A server that knows where visitors find it; its proxy tells no scheme."""
    with TestClient(
        create_app(replace(settings, public_url=PUBLIC)), base_url="http://duel.example.org"
    ) as client:
        yield client


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:8000", "duel.example.org:80", "", "["])
def test_an_unknown_host_is_refused_where_the_public_one_is_known(
    public: TestClient, host: str
) -> None:
    for path in ("/api/rulesets", "/", "/static/base.css"):
        answer = public.get(path, headers={"Host": host})
        assert answer.status_code == 421
        assert PUBLIC in answer.text
    assert public.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["duel.example.org", "Duel.Example.org", "duel.example.org:443"])
def test_links_use_the_public_address(public: TestClient, host: str) -> None:
    made = public.post("/api/games", json={"game": "pool"}, headers={"Host": host}).json()
    assert made["links"]["watch"] == f"{PUBLIC}/games/{made['id']}"
    assert made["links"]["invite"].startswith(f"{PUBLIC}/games/{made['id']}/join?invite=")


@pytest.mark.parametrize(
    ("site", "status"),
    [(PUBLIC, 303), ("http://duel.example.org", 403), ("https://evil.example", 403)],
)
def test_changes_come_from_the_public_address(public: TestClient, site: str, status: int) -> None:
    made = public.post("/games", data=SETUP, headers={"Origin": site}, follow_redirects=False)
    assert made.status_code == status
    if status == 303:
        assert made.headers["set-cookie"].startswith("__Host-digitduel=")
        assert "secure" in made.headers["set-cookie"].lower()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("https://duel.example.org", PUBLIC),
        ("HTTPS://duel.Example.org:443/", PUBLIC),
        ("http://10.0.0.7:8000", "http://10.0.0.7:8000"),
        ("http://[2001:DB8::1]:80", "http://[2001:db8::1]"),
    ],
)
def test_a_public_address_is_written_as_browsers_write_it(given: str, meant: str) -> None:
    assert origin(given) == meant


@pytest.mark.parametrize(
    "given",
    [
        "duel.example.org",
        "ftp://x",
        "https://",
        "https://x/y",
        "https://a@x",
        "http://x:99999",
        "http://x?",
        "http://x#",
        "http://[",
        "http://x%20y",
        "http://x:",
        "http://x\x00",
    ],
)
def test_what_is_no_address_of_a_site_is_refused(given: str) -> None:
    with pytest.raises(DigitDuelError, match="is no site's address"):
        origin(given)


def test_only_static_files_are_kept_by_browsers(client: httpx.Client) -> None:
    style = client.get(asset("base.css"))
    assert "immutable" in style.headers["cache-control"]
    for old in ("/static/base.css", "/static/base.css?v=0123456789"):
        assert client.get(old).headers["cache-control"] == "no-cache"


def test_the_docs_keep_to_the_policy(client: httpx.Client) -> None:
    page = client.get("/api/docs").text
    assert "<script" not in page
    assert "style=" not in page
    assert client.get("/api/docs/style.css").headers["content-type"].startswith("text/css")


def browser_game(client: httpx.Client, headers: Any = None) -> tuple[str, str]:
    """A game that a page makes: its id, and the cookie that the browser is to keep."""
    made = client.post("/games", data=SETUP, headers=headers, follow_redirects=False)
    assert made.status_code == 303, made.text
    cookie = next(
        one for one in made.headers.get_list("set-cookie") if one.startswith("digitduel=")
    )
    client.cookies.clear()
    return made.headers["location"].rpartition("/")[2], cookie.partition(";")[0]


def with_cookie(client: httpx.Client) -> tuple[str, dict[str, str]]:
    """A game whose token a browser keeps, and the path of its moves."""
    game_id, cookie = browser_game(client)
    return f"/api/games/{game_id}/moves", {"Cookie": cookie}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[bad"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "https://TestServer"}, 200),
    ],
)
def test_a_cookie_counts_only_from_our_own_pages(
    client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    path, cookie = with_cookie(client)
    assert client.post(path, json=MOVE, headers=cookie | headers).status_code == status


@pytest.mark.parametrize("before", ["a,b=c; ", "[x]=1; ", "x y; ", 'q="; ', "a=b\x01; ", "=; "])
def test_no_odd_cookie_hides_ours_from_the_guard(client: httpx.Client, before: str) -> None:
    path, cookie = with_cookie(client)
    odd = (before + cookie["Cookie"]).encode("latin-1")
    refused = client.post(path, json=MOVE, headers={b"Cookie": odd})
    assert refused.status_code == 403
    assert "another site" in refused.json()["detail"]


@pytest.mark.parametrize(
    "made_up", ["x" * 43, f"{'x' * 43}.{'0' * 64}", "", ".", "\xe9.\xe9", '"a.b"', "x" * 10_000]
)
def test_a_cookie_that_the_server_did_not_make_is_replaced(
    client: httpx.Client, made_up: str
) -> None:
    cookie = f"digitduel={made_up}".encode("latin-1")
    headers = {b"Cookie": cookie, b"Origin": b"http://testserver"}
    game_id, given = browser_game(client, headers)
    assert given.encode("latin-1") != cookie
    seats = [
        client.get(f"/api/games/{game_id}/you", headers={b"Cookie": each}).json()["seats"]
        for each in (cookie, given.encode("latin-1"))
    ]
    assert seats == [[], [1]]


def test_a_signature_of_another_installation_is_none(tmp_path: Path, settings: Settings) -> None:
    there = replace(settings, database=str(tmp_path / "another.db"))
    with TestClient(create_app(there)) as other, TestClient(create_app(settings)) as client:
        _, cookie = browser_game(other)
        headers = {"Cookie": cookie, "Origin": "http://testserver"}
        assert browser_game(client, headers)[1] != cookie
        assert browser_game(other, headers)[1] == cookie


def test_a_restart_keeps_the_signatures(settings: Settings) -> None:
    with TestClient(create_app(settings)) as before:
        game_id, cookie = browser_game(before)
    with TestClient(create_app(settings)) as after:
        you = after.get(f"/api/games/{game_id}/you", headers={"Cookie": cookie}).json()
        assert you["seats"] == [1]


def test_no_program_chooses_the_token_of_a_seat(client: httpx.Client) -> None:
    chosen = {"Authorization": "Bearer chosen"}
    game_id, _ = browser_game(client, chosen)
    assert client.get(f"/api/games/{game_id}/you", headers=chosen).json()["seats"] == []
    ann, invite = create(client)
    join = {"invite": invite}
    client.post(f"/games/{ann.id}/join", data=join, headers=chosen, follow_redirects=False)
    assert ann.state()["joined"]
    assert client.get(f"/api/games/{ann.id}/you", headers=chosen).json()["seats"] == []


def test_no_other_site_makes_games(client: httpx.Client) -> None:
    answer = client.post(
        "/api/games", json={"game": "pool"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert "another site" in answer.json()["detail"]


def test_one_cookie_for_many_games(settings: Settings) -> None:
    app = create_app(settings)

    @app.post("/try/{game}")
    def make(request: Request, game: str, service: ServiceOf, token: Token) -> Response:
        from digitduel.web.models import NewGame

        seated = service.create(NewGame(game=game), "x", token)
        response = Response(seated.duel.id)
        rights.set_cookie(request, response, seated.token)
        return response

    for base, name in (("http://t", "digitduel"), ("https://t", "__Host-digitduel")):
        with TestClient(app, base_url=base, headers={"Origin": base}) as browser:
            games = [browser.post(f"/try/{game}") for game in ("pool", "ends")]
            cookie = games[0].headers["set-cookie"].lower()
            assert cookie.startswith(f"{name}=".lower())
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            assert ("secure" in cookie) == base.startswith("https")
            assert len({each.headers["set-cookie"] for each in games}) == 1
            for game in games:
                you = browser.get(f"/api/games/{game.text}/you").json()
                assert you["seats"] == [1]


def test_only_digests_are_kept(client: httpx.Client, settings: Settings) -> None:
    made = client.post("/api/games", json={"game": "pool"}).json()
    invite = made["links"]["invite"].rpartition("=")[2]
    with sqlite3.connect(settings.file) as database:
        kept = "\n".join(database.iterdump())
    database.close()
    assert made["id"] in kept
    assert made["token"] not in kept
    assert invite not in kept
    assert len(made["token"]) >= 43  # 256 bits


def test_so_many_new_games_a_minute_per_address(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, creations_per_address=60))) as client:
        answers = [client.post("/api/games", json={"game": "pool"}) for _ in range(62)]
        assert [each.status_code for each in answers[:60]] == [201] * 60
        refused = answers[-1]
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert "too many new games from your address" in refused.json()["detail"]


def test_a_class_behind_one_address_is_counted_by_browsers(settings: Settings) -> None:
    limits = replace(settings, creations_a_minute=2, creations_per_address=10)
    form = {"game": "pool", "target": "12"}
    with TestClient(create_app(limits), headers={"Sec-Fetch-Site": "same-origin"}) as client:

        def pupil() -> list[int]:
            client.cookies.clear()  # the first game comes from a browser that is not known yet
            return [
                client.post("/games", data=form, follow_redirects=False).status_code
                for _ in range(4)
            ]

        # Refused games of one browser are not counted against the others at its address.
        assert [pupil() for _ in range(3)] == [[303, 303, 303, 429]] * 3
        assert pupil() == [303, 429, 429, 429]


def test_moves_are_limited_per_token(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, moves_a_second=2))) as client:
        ann, bob = friends(client, rules={"target": 101})
        statuses = [ann.move("x", ply=0).status_code for _ in range(20)]
        assert 429 in statuses
        assert bob.move("x", ply=0).status_code == 422  # the other player is free to play


def test_an_allowance_is_given_anew_and_names_stay_few() -> None:
    now = [0.0]
    allowance = Allowance(most=2, seconds=10, what="moves", clock=lambda: now[0])
    for second in (0.0, 9.0, 10.0, 10.0, 20.0):
        now[0] = second
        allowance.take("ann")
    now[0] = 29.5
    allowance.take("ann")
    with pytest.raises(TooManyError, match="try again in 1 second"):
        allowance.take("ann")
    for number in range(MOST_NAMES + 10):
        allowance.take(str(number))
    assert len(allowance._counts) <= MOST_NAMES


def test_an_unexpected_error_tells_nothing(client: httpx.Client) -> None:
    assert isinstance(client, TestClient)
    service = client.app.state.service  # type: ignore[attr-defined]
    service.find = lambda _: 1 / 0
    answer = client.get("/api/games/AAAAAAAAAAAAAAAA")
    assert answer.status_code == 500
    assert answer.json() == {"detail": "something went wrong on the server; it has been noted."}
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_game_is_called_off_when_it_gets_too_long(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, most_moves=10, most_changes=12))) as client:
        ann, _ = create(client, "ends", opponent="device", rules={"digits": "1-9", "target": 9973})
        for ply in range(10):
            state = ann.move("5R", ply=ply).json()
        assert (state["termination"], state["result"]) == ("called-off", "*")
        assert ann.move("5R", ply=10).status_code == 409
        assert ann.post("rematch").status_code == 200
        refused = ann.move("5R", ply=0) and ann.post("undo")
        assert refused.status_code == 409
        assert "enough changes" in refused.json()["detail"]


def test_records_are_limited_per_address(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = client.app.state.service  # type: ignore[attr-defined]
    monkeypatch.setattr(service, "_records", Allowance(1, 60, "records"))
    ann, _ = create(client)
    assert client.get(f"/api/games/{ann.id}/record").status_code == 200
    refused = client.get(f"/games/{ann.id}/record")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("way", ["form", "script", "api"])
def test_whoever_is_refused_is_told_when_to_come_back(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, way: str, status: int
) -> None:
    ann, _ = create(client, opponent="device", rules={"target": 101})

    def refuse(*_: object, **__: object) -> None:
        raise TooManyError("too many.", wait=7) if status == 429 else BusyError("busy.", wait=7)

    monkeypatch.setattr(client.app.state.service, "_commit", refuse)  # type: ignore[attr-defined]
    if way == "api":
        answer = ann.move("5", ply=0)
    else:
        headers = ann.headers | ({"HX-Request": "true"} if way == "script" else {})
        form = {"round": "1", "ply": "0", "key": "k" * 16, "digit": "5"}
        answer = client.post(f"/games/{ann.id}/move", data=form, headers=headers)
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, "7")
