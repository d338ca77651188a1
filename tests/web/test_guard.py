"""Headers, origins, cookies, secrets, how often."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi import Request, Response
from fastapi.testclient import TestClient

from digitduel.web import rights
from digitduel.web.app import create_app
from digitduel.web.depends import ServiceOf, Token
from digitduel.web.errors import TooManyError
from digitduel.web.limits import MOST_NAMES, Allowance
from digitduel.web.pages.rendering import asset
from digitduel.web.settings import Settings
from tests.web.helpers import Server, create, friends

MOVE = {"move": "5", "ply": 0}


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


@pytest.mark.parametrize("path", ["/api/games/{}/stream", "/games/{}/live"])
def test_head_does_not_wait_for_a_stream_to_end(client: httpx.Client, path: str) -> None:
    ann, _ = create(client)
    assert client.head(path.format(ann.id)).status_code == 405


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


SETUP = {"game": "pool", "target": "101", "opponent": "friend"}


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


def test_60_new_games_a_minute_per_address(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, creations_a_minute=60))) as client:
        answers = [client.post("/api/games", json={"game": "pool"}) for _ in range(62)]
        assert [each.status_code for each in answers[:60]] == [201] * 60
        refused = answers[-1]
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert "too many new games" in refused.json()["detail"]


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
