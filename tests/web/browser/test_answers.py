"""What the pages answer, asked without a browser: to anything a page that helps, never a 5xx."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digitduel.web.app import create_app
from digitduel.web.hub import BEAT
from digitduel.web.pages.game import live
from digitduel.web.settings import Settings
from tests.web.browser.test_analysis import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx2 as httpx

FIELDS = (
    *("game", "target", "digits", "uses", "ends", "forbidden", "limit", "full", "leading_zero"),
    *("opponent", "level", "first", "warned", "instead", "moves", "ply", "why", "record"),
)
TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", "0", "1", "7", "-1", "9" * 40, "1-9", "none", "unlimited", "5R", "NaN"]),
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = str(tmp_path_factory.mktemp("pages") / "games.db")
    allowed = Settings(database=database, creations_per_address=10**6, moves_a_second=10**6)
    with TestClient(create_app(allowed), raise_server_exceptions=False) as client:
        client.headers["Sec-Fetch-Site"] = "same-origin"
        yield client


def new_game(pages: httpx.Client, **fields: str) -> str:
    """The address of a new game's page."""
    form = {"game": "pool", "target": "12", "opponent": "device"} | fields
    answer = pages.post("/games", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def pressed(version: int, ply: int, **fields: str) -> dict[str, str]:
    return {"key": f"v{version}", "ply": str(ply), "round": "1"} | fields


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(FIELDS), TEXTS, max_size=6))
def test_any_fields_get_a_page(pages: httpx.Client, fields: dict[str, str]) -> None:
    small = fields | {"limit": "4"}  # what is thought about here is the pages, not the games
    for path in ("/", "/note", "/analysis", "/analysis/record", "/rules/pool"):
        answer = pages.get(path, params=small)
        assert answer.status_code in (200, 422), (path, answer.status_code)
    for path in ("/games", "/analysis"):
        answer = pages.post(path, data=fields, follow_redirects=False)
        assert answer.status_code in (200, 303, 422), (path, answer.status_code)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["move", "resign", "off", "undo", "rematch", "join", "x"]),
    st.dictionaries(
        st.sampled_from(["key", "ply", "round", "digit", "end", "invite"]), TEXTS, max_size=6
    ),
)
def test_any_press_is_answered_and_the_game_stands(
    pages: httpx.Client, what: str, fields: dict[str, str]
) -> None:
    path = new_game(pages)
    for script in ({}, {"HX-Request": "true"}):
        answer = pages.post(f"{path}/{what}", data=fields, headers=script, follow_redirects=False)
        assert answer.status_code < 500, answer.text
    assert pages.get(path).status_code == 200


def test_a_page_for_every_trouble(pages: httpx.Client) -> None:
    for path, status in (
        ("/nowhere", 404),
        ("/games/nonsense", 404),
        ("/games/aaaaaaaaaaaaaaaa", 404),
        ("/live", 422),
        ("/live?watch=%20", 422),
        (f"/live?{'&'.join(['watch=aaaaaaaaaaaaaaaa'] * 51)}", 422),
        ("/rules/nonsense", 404),
        ("/rules/pool?target=1", 422),
        ("/analysis?game=nonsense", 422),
        ("/analysis/record?moves=x", 422),
    ):
        answer = pages.get(path)
        assert answer.status_code == status, path
        assert "text/html" in answer.headers["content-type"], path
        assert 'href="/"' in answer.text, path
    assert pages.put("/").status_code == 405


def test_the_address_of_a_form_opened_again_leads_on(pages: httpx.Client) -> None:
    path = new_game(pages)
    for sent, leads in [("/games", "/")] + [(f"{path}/{what}", path) for what in ("move", "undo")]:
        answer = pages.get(sent, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, leads)


def test_an_invitation_that_lost_its_end_says_so(pages: httpx.Client) -> None:
    path = new_game(pages, opponent="friend")
    pages.cookies.clear()
    shown = pages.get(f"{path}/join?invite=half").text
    assert "This link holds no invitation to this game" in shown
    assert "Join the game" not in shown
    assert pages.post(f"{path}/join", data={"invite": "half"}).status_code == 403
    assert "Join the game" in pages.get(f"{path}/join").text, "the game's address is enough"


@pytest.mark.parametrize("text", ["\ufeff{}", "  {}\r\n", "{}"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_record_may_come_from_any_system(pages: httpx.Client, text: str, newline: str) -> None:
    record = text.format(RECORD.replace("\n", newline))
    for sent in ({"data": {"record": record}}, {"files": {"file": ("a.txt", record.encode())}}):
        answer = pages.post("/analysis", **sent, follow_redirects=False)
        assert answer.status_code == 303, answer.text


def test_a_script_is_sent_to_the_page_that_tells(pages: httpx.Client) -> None:
    answer = pages.get("/games/aaaaaaaaaaaaaaaa", headers={"HX-Request": "true"})
    assert answer.status_code == 404
    assert answer.headers["HX-Refresh"] == "true"


def test_a_script_gets_the_inside_and_a_form_goes_back_to_the_page(pages: httpx.Client) -> None:
    path = new_game(pages)
    answer = pages.post(f"{path}/move", data=pressed(1, 0, digit="5"), follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    script = {"HX-Request": "true"}
    inside = pages.post(f"{path}/move", data=pressed(2, 1, digit="2"), headers=script)
    assert inside.status_code == 200
    assert "<html" not in inside.text
    assert 'data-version="3"' in inside.text


def test_the_same_press_twice_is_one_move(pages: httpx.Client) -> None:
    path = new_game(pages)
    for _ in range(2):
        answer = pages.post(f"{path}/move", data=pressed(1, 0, digit="5"))
        assert answer.status_code == 200
    assert pages.get(f"/api{path}").json()["moves"] == ["5"]
    other = pages.post(f"{path}/move", data=pressed(1, 0, digit="6"))
    assert other.status_code == 409
    assert "Player 1 has moved meanwhile: look again." in other.text


def test_the_invitation_is_the_address_of_the_game(pages: httpx.Client) -> None:
    path = new_game(pages, opponent="friend")
    shown = re.search(r'id="invite-link" readonly value="([^"]+)"', pages.get(path).text)
    assert shown is not None
    assert shown[1] == f"http://testserver{path}"
    stranger = TestClient(pages.app)  # type: ignore[attr-defined]
    asked, watched = stranger.get(path).text, stranger.get(f"{path}?watch=yes").text
    assert "Join the game" in asked
    assert "Take the free seat" in watched
    assert "invite-link" not in asked + watched


def test_a_page_without_a_script_looks_again_while_it_waits(pages: httpx.Client) -> None:
    path = new_game(pages, first="2", opponent="friend")
    again = f'<noscript><meta http-equiv="refresh" content="4; url={path}">'
    assert again in pages.get(path).text
    # A refused move is shown at the address it was sent to: the page itself is looked at again.
    form = {"round": "1", "ply": "0", "key": "k", "digit": "5"}
    assert again in pages.post(f"{path}/move", data=form).text
    mine = new_game(pages, opponent="friend")
    assert "http-equiv" not in pages.get(mine).text, "whoever is to move is not disturbed"


@pytest.mark.parametrize(("first", "words"), [("1", "Player 1 starts."), ("2", "You start.")])
def test_an_invitation_says_who_starts(pages: httpx.Client, first: str, words: str) -> None:
    path = new_game(pages, opponent="friend", first=first)
    guest = TestClient(pages.app)  # type: ignore[attr-defined]
    assert words in guest.get(f"{path}/join").text
    pages.post(f"{path}/resign", data=pressed(1, 0))
    assert "This round is over; join for a rematch." in guest.get(f"{path}/join").text


def test_a_stream_gives_signs_of_life_that_a_page_can_see(tmp_path: Path) -> None:
    soon = Settings(database=str(tmp_path / "games.db"), heartbeat=0.01)
    with TestClient(create_app(soon)) as client:
        path = new_game(client)
        scope = {"type": "http", "path": path, "headers": [(b"host", b"here")]}
        request = Request({**scope, "scheme": "http", "query_string": b"", "method": "GET"})

        async def seen() -> list[object]:
            stream = await live(request, client.app.state.hub, [path.rpartition("/")[2]])  # type: ignore[attr-defined]
            events = aiter(stream.body_iterator)
            return [await anext(events) for _ in range(4)]

        assert client.portal is not None
        _, table, here, beat = client.portal.call(seen)
    assert str(here).startswith("b'event: here")
    assert "<title>" in str(table)
    assert bytes(beat).startswith(BEAT)  # type: ignore[call-overload]


def test_a_page_whose_stream_is_up_is_answered_without_the_game(pages: httpx.Client) -> None:
    path = new_game(pages)
    live = {"HX-Request": "true", "X-Live": "1"}
    answer = pages.post(f"{path}/move", data={**pressed(1, 0), "digit": "5"}, headers=live)
    assert (answer.status_code, answer.content, answer.headers["x-version"]) == (204, b"", "2")
    refused = pages.post(f"{path}/move", data=pressed(2, 1), headers=live)
    assert refused.status_code == 422
    assert "No digit was chosen" in refused.text


def test_pages_hold_no_inline_script_or_style(pages: httpx.Client) -> None:
    paths = ["/", "/rules", "/rules/ends", "/analysis?game=pool&target=12&moves=5", "/nowhere"]
    for path in [*paths, new_game(pages), new_game(pages, opponent="friend")]:
        text = pages.get(path).text
        assert not re.search(r"<style|\sstyle=|<script(?! src=)|\son\w+=", text), path
        assert not re.search(r"(src|href)=\"https?:", text), path


def test_the_game_of_a_record_need_not_be_one_of_ours(pages: httpx.Client) -> None:
    record = (
        '[Game "mine"]\n[Title "Mine"]\n[Goal "Win"]\n[Digits "1-5"]\n[Target "11"]\n'
        '[Player1 "a"]\n[Player2 "b"]\n[First "1"]\n[Result "*"]\n\n5 2\n'
    )
    answer = pages.post("/analysis", data={"record": record}, follow_redirects=False)
    assert answer.status_code == 303
    assert "target=11" in answer.headers["location"]
    assert pages.get(answer.headers["location"]).status_code == 200
