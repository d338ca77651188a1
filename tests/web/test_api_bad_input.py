"""Whatever is thrown at it answers 4xx with a reason, and the game is as before."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from digitduel.web.app import create_app
from digitduel.web.settings import Settings
from tests.web.helpers import PATIENCE, create, friends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.helpers import Player, Server

JSON = {"Content-Type": "application/json"}
DEEP = "[" * 20_000 + "]" * 20_000
BODIES = {
    "nothing": b"",
    "no json": b"{",
    "not utf-8": b'{"game": "\xff\xfe"}',
    "null": b"null",
    "list": b"[]",
    "text": b'"pool"',
    "deep": DEEP.encode(),
    "deep rule": f'{{"game": "pool", "rules": {{"target": {DEEP}}}}}'.encode(),
    "nan": b'{"game": "pool", "rules": {"target": NaN}}',
    "infinity": b'{"game": "pool", "rules": {"target": Infinity}}',
    "huge int": b'{"game": "pool", "rules": {"target": ' + b"9" * 5_000 + b"}}",
    "large int": b'{"game": "pool", "rules": {"target": ' + b"9" * 60 + b"}}",
    "float": b'{"game": "pool", "rules": {"target": 7.0}}',
    "nul": b'{"game": "po\\u0000ol"}',
    "surrogate": b'{"game": "\\ud800"}',
    "surrogate rule": b'{"game": "pool", "rules": {"\\ud800": "\\udfff"}}',
    "nul rule": b'{"game": "pool", "rules": {"ends": "\\u0000"}}',
    "unknown game": b'{"game": "chess"}',
    "unknown rule": b'{"game": "pool", "rules": {"tagret": 7}}',
    "texts": b'{"game": "pool", "rules": {"title": "x", "wording": {}}}',
    "unknown field": b'{"game": "pool", "colour": "red"}',
    "bad first": b'{"game": "pool", "first": 3}',
    "true first": b'{"game": "pool", "first": true}',
    "bad opponent": b'{"game": "pool", "opponent": "level:99"}',
    "human": b'{"game": "pool", "opponent": "human"}',
    "many forbidden": json.dumps(
        {"game": "forbidden", "rules": {"forbidden": list(range(11, 99, 2))}}
    ).encode(),
    "no safe start": b'{"game": "pool", "rules": {"digits": [2, 4], "forbidden": [2]}}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_no_game_is_made_of_this(client: httpx.Client, body: bytes) -> None:
    for path in ("/api/games", "/api/solve", "/api/explain"):
        answer = client.post(path, content=body, headers=JSON)
        assert 400 <= answer.status_code < 500, (path, answer.text)
        assert answer.json()["detail"]


MOVES: dict[str, Any] = {
    "no ply": {"move": "5"},
    "text ply": {"move": "5", "ply": "0"},
    "true ply": {"move": "5", "ply": True},
    "negative ply": {"move": "5", "ply": -1},
    "huge ply": {"move": "5", "ply": 10**30},
    "float ply": {"move": "5", "ply": 0.5},
    "number": {"move": 5, "ply": 0},
    "long number": {"move": "5" * 5_000, "ply": 0},
    "nul": {"move": "5\0", "ply": 0},
    "nul key": {"move": "5", "ply": 0, "key": "a\0b"},
    "surrogate key": {"move": "5", "ply": 0, "key": "\ud800"},
    "long key": {"move": "5", "ply": 0, "key": "k" * 65},
    "empty key": {"move": "5", "ply": 0, "key": ""},
    "used digit": {"move": "4", "ply": 1},
    "superscript": {"move": "²", "ply": 0},
    "minus": {"move": "-3", "ply": 0},
    "decimal": {"move": "1.5", "ply": 0},
    "empty": {"move": "", "ply": 0},
    "round": {"move": "5", "ply": 0, "round": 2},
}


@pytest.mark.parametrize("body", MOVES.values(), ids=MOVES)
def test_no_move_is_made_of_this(client: httpx.Client, body: dict[str, Any]) -> None:
    ann, _ = friends(client, rules={"target": 101})
    before = ann.state()
    path, text = f"/api/games/{ann.id}/moves", json.dumps(body)
    answer = client.post(path, content=text, headers=JSON | ann.headers)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["detail"]
    assert ann.state() == before


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/x",
        "/api/games/%00",
        "/api/games/%ff%fe",
        "/api/games/%ED%A0%80",
        "/api/games/..%2f..%2fetc%2fpasswd",
        "/api/games/" + "A" * 16,
        "/api/games/" + "A" * 8_000,
        "/api/games/AAAAAAAAAAAAAAAA'--/stream",
        "/api/games/AAAAAAAAAAAAAAAA/record",
        "/api/games/AAAAAAAAAAAAAAAA/stream?after=-1",
        "/api/games/AAAAAAAAAAAAAAAA/stream?after=" + "9" * 5_000,
        "/api/nothing",
        "/api",
        "/api/docs/../openapi",
    ],
)
def test_there_is_nothing_there(client: httpx.Client, path: str) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"):
        answer = client.request(method, path)
        assert 400 <= answer.status_code < 500, (method, answer.text)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", "ä", ""]
)
def test_other_content_types(client: httpx.Client, kind: str) -> None:
    headers = {b"Content-Type": kind.encode("latin-1")}
    answer = client.post("/api/games", content=b'{"game": "pool"}', headers=headers)
    assert 400 <= answer.status_code < 500


def test_odd_tokens(client: httpx.Client) -> None:
    ann, _ = friends(client)
    for value in (
        b"Bearer",
        b"Bearer  ",
        b"Basic eDp4",
        b"Bearer \xff\xfe",
        b"Bearer " + b"x" * 9_000,
    ):
        answer = client.post(
            f"/api/games/{ann.id}/moves",
            json={"move": "5", "ply": 0},
            headers={b"Authorization": value},
        )
        assert answer.status_code in (401, 403)


def test_a_5000_digit_number_is_no_trouble(client: httpx.Client) -> None:
    ann, _ = create(client, "ends", opponent="device", rules={"digits": "1-9", "target": 10**9 + 7})
    for path in ("/api/solve", "/api/explain"):
        body = {"game": "ends", "rules": {"target": 13}, "moves": ["5R"] * 5_000, "move": "5R"}
        answer = client.post(path, json=body)
        assert answer.status_code == 422
    answer = client.post(
        f"/api/games/{ann.id}/moves", json={"move": "1" * 5_000, "ply": 0}, headers=ann.headers
    )
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"json": {"move": "7", "ply": "one"}}, "'ply' = 'one' is refused: input should be"),
        ({"json": {"move": "7", "ply": True}}, "'ply' = true is refused"),
        ({"json": {"move": "7"}}, "'ply' is missing."),
        ({"json": {"move": "7", "ply": 0, "foo": 1}}, "there is no field 'foo' here"),
        ({"content": "{", "headers": JSON}, "the body is not JSON"),
        ({"content": b"\xff", "headers": JSON}, "the body cannot be read: send JSON in UTF-8"),
        (
            {"content": '{"move": "7", "ply": 0}', "headers": {"Content-Type": "text/plain"}},
            "send a JSON object, with 'Content-Type: application/json'",
        ),
    ],
)
def test_a_refusal_names_what_was_given_and_what_would_do(
    client: httpx.Client, sent: dict[str, Any], reason: str
) -> None:
    ann, _ = create(client, opponent="device")
    token = {"Authorization": f"Bearer {ann.token}"}
    sent = sent | {"headers": token | sent.get("headers", {})}
    answer = client.post(f"/api/games/{ann.id}/moves", **sent)
    assert answer.status_code in (400, 422)
    assert reason in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"opponent": "human"}, "there is no opponent 'human': known are friend, device"),
        ({"rules": {"target": 10**30}}, "target = '1000"),
        ({"rules": {"forbidden": [3, 10**30]}}, "at most 30 digits"),
    ],
)
def test_a_new_game_that_is_refused(
    client: httpx.Client, body: dict[str, Any], reason: str
) -> None:
    answer = client.post("/api/games", json={"game": "pool"} | body)
    assert answer.status_code == 422
    assert reason in answer.json()["detail"]


def test_10_mb_bodies(server: Server) -> None:
    """Refused by their length, and by what arrives when no length is told."""
    told = b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n"
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    untold = (
        b"POST /api/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 3
    )
    for request in (told, untold):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(request)
            answer = connection.recv(1_000)
            assert answer.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET /\x00 HTTP/1.1",
        b"\x16\x03\x01\x02\x00",
        b"GET / HTTP/9.9",
        b"GET http://elsewhere.example/ HTTP/1.1",
        b"GET " + b"/" * 100_000 + b" HTTP/1.1",
        b"POST /api/games HTTP/1.1\r\nContent-Length: -5",
        b"POST /api/games HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6",
        b"POST /api/games HTTP/1.1\r\nContent-Length: " + b"9" * 30,
        b"GET /api/rulesets HTTP/1.1\r\nX: " + b"y" * 200_000,
        b"GET /api/games/\xff\xfe HTTP/1.1",
    ],
)
def test_what_is_hardly_http(server: Server, request_line: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        answer = b""
        try:
            connection.sendall(request_line + b"\r\nHost: x\r\nConnection: close\r\n\r\n")
            while part := connection.recv(10_000):
                answer += part
        except ConnectionError:
            pass  # closed on us: as good an answer as any
        assert answer == b"" or answer.split(b" ")[1][:1] in (b"2", b"4")
    assert server.is_up()


def test_a_head_without_end(server: Server) -> None:
    """What is held of a request's head is bounded."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 10_000_000:
                connection.sendall(b"X-More: " + b"y" * 10_000 + b"\r\n")
                sent += 10_000
        assert sent < 10_000_000


FORM = {"Content-Type": "application/x-www-form-urlencoded"}
FORMS = {
    "empty": b"",
    "binary": b"\xff\xfe\x00=%00%ff&a",
    "wrong kinds": b"game=pool&target=NaN&first=-1&ply=x&round=1e9&move=%F0&key=%00&what=x",
    "huge number": b"game=pool&target=" + b"9" * 5_000 + b"&ply=" + b"9" * 5_000,
    "unknown": b"game=%00chess&opponent=level%3A99&first=3&invite=%ED%A0%80&record=%00",
    "many fields": b"&".join(b"f%d=1" % number for number in range(3_000)),
    "repeated": b"game=pool&game=ends&target=7&target=8&digits=1&digits=1",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_forms_and_queries_of_the_pages(client: httpx.Client, form: bytes) -> None:
    ann, _ = create(client)
    headers = FORM | {"Origin": "http://testserver", "Cookie": f"digitduel={ann.token}"}
    before = ann.state()
    posted = ("/games", "/analysis", f"/games/{ann.id}/join", f"/games/{ann.id}/move")
    for path in (*posted, f"/games/{ann.id}/undo", f"/games/{ann.id}/%00", "/games/x/move"):
        for kind in (FORM, JSON, {"Content-Type": "multipart/form-data; boundary=x"}, {}):
            answer = client.post(path, content=form, headers=headers | kind)
            assert answer.status_code < 500, (path, answer.text)
    query = "".join(each for each in form.decode("latin-1")[:8_000] if each.isprintable())
    for path in ("/", "/note", "/analysis", "/analysis/record", "/rules/pool", "/rules/%00"):
        answer = client.get(f"{path}?{query}")
        assert answer.status_code < 500, (path, answer.text)
    assert ann.state() == before


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The API as its own OpenAPI document describes it."""
    file = tmp_path_factory.mktemp("schemathesis") / "games.db"
    limits = Settings(database=str(file), creations_per_address=10**6, moves_a_second=10**6)
    return schemathesis.openapi.from_asgi("/api/openapi.json", create_app(limits))


schema = schemathesis.pytest.from_fixture("api")
thorough = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.slow
@schema.parametrize()
@thorough
def test_schemathesis(case: Any) -> None:
    case.call_and_validate(checks=[schemathesis.checks.not_a_server_error])


@pytest.fixture(scope="module")
def table(server: Server) -> Iterator[Player]:
    """A game whose player schemathesis is."""
    with httpx.Client(base_url=server.url) as client:
        player, _ = create(client, "ends", opponent="device", rules={"target": 101})
        yield player


@pytest.mark.slow
@schema.parametrize()
@thorough
def test_schemathesis_with_rights_in_a_real_game(case: Any, table: Player, server: Server) -> None:
    if "{game_id}" not in case.path or case.path.endswith("/stream"):
        return  # tried above; a stream has no end
    case.path_parameters = {"game_id": table.id}
    case.headers = {**(case.headers or {}), **table.headers}
    answer = case.call(base_url=server.url)
    assert answer.status_code < 500, answer.text
    assert table.state()["game"] == "ends"
