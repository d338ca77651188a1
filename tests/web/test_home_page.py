"""The start page without a browser: what is remembered, and what a refusal leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from digitduel.ruleset import easiest, find_ruleset, newcomers_game
from digitduel.web.app import create_app
from digitduel.web.errors import BusyError
from digitduel.web.pages.home import LAST_FORM
from digitduel.web.pages.new_game import LONGEST_KEPT, Given, NewGameForm
from digitduel.web.service import Service

if TYPE_CHECKING:
    import httpx2 as httpx

    from digitduel.web.settings import Settings

FORM = {
    "game": "ends",
    "target": "1,013",
    "digits": "135",
    "opponent": "device",
    "level": "7",
    "first": "random",
}
NEWCOMERS = NewGameForm.read(Given())


@pytest.fixture
def client(client: httpx.Client) -> httpx.Client:
    client.headers["Sec-Fetch-Site"] = "same-origin"
    client.follow_redirects = False
    return client


def remembered(client: httpx.Client) -> NewGameForm:
    return NewGameForm.remembered(client.cookies[LAST_FORM].strip('"'))


def test_a_browser_remembers_the_last_game(client: httpx.Client) -> None:
    assert client.post("/games", data=FORM).status_code == 303
    form = remembered(client)
    assert form == NewGameForm.read(Given(**FORM))
    assert form.ruleset == find_ruleset("ends").replace(target=1013, digits="1,3,5")
    shown = client.get("/").text
    assert 'value="1013"' in shown
    assert 'value="device" checked' in shown
    assert '<option value="7" selected' in shown
    assert 'value="random" checked' in shown
    # An address says what it means, whatever was played last.
    assert 'value="friend" checked' in client.get("/?game=pool").text


def test_what_makes_no_game_is_not_remembered(client: httpx.Client) -> None:
    assert client.post("/games", data=FORM | {"target": "x"}).status_code == 422
    assert LAST_FORM not in client.cookies


@pytest.mark.parametrize(
    "kept",
    ["", "nonsense", "game=chess", "game=pool&target=x", "target=" + "9" * 400, "%ff=%00&game=%ff"],
)
def test_a_cookie_that_is_nonsense_means_the_usual_start(kept: str, client: httpx.Client) -> None:
    assert NewGameForm.remembered(kept) == NEWCOMERS
    client.cookies.set(LAST_FORM, kept)
    shown = client.get("/")
    assert shown.status_code == 200
    assert find_ruleset(easiest(newcomers_game())).target == NEWCOMERS.ruleset.target
    assert f'required value="{NEWCOMERS.ruleset.target}"' in shown.text


def test_a_cookie_stays_small() -> None:
    divisors = ",".join(str(10**12 + number) for number in range(20))
    form = NewGameForm.read(Given(game="forbidden", forbidden=divisors))
    assert len(form.kept) <= LONGEST_KEPT
    assert NewGameForm.remembered(urlencode({"game": "pool", "first": "2"} | {"x": "y" * 5_000}))


def busy(*_: object) -> None:
    raise BusyError("the store does not answer: try again.", wait=3)


def test_a_refusal_keeps_the_form(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(replace(settings, creations_a_minute=1))
    with TestClient(app, headers={"Sec-Fetch-Site": "same-origin"}) as client:
        for _ in range(2):
            client.post("/games", data=FORM, follow_redirects=False)
        many = client.post("/games", data=FORM)
        by_script = client.post("/games", data=FORM, headers={"HX-Request": "true"})
        monkeypatch.setattr(Service, "create", busy)
        away = client.post("/games", data=FORM)
    for answer, status, words in (
        (many, 429, "Too many new games from this browser: try again in "),
        (away, 503, "The store does not answer: try again."),
    ):
        assert answer.status_code == status
        assert int(answer.headers["retry-after"]) >= 1
        assert words in answer.text
        assert 'value="1013"' in answer.text
        assert 'value="device" checked' in answer.text
    assert by_script.status_code == 429
    assert "<html" not in by_script.text
    assert "Too many new games" in by_script.text


def test_a_script_is_told_where_the_game_is(client: httpx.Client) -> None:
    by_script = {"HX-Request": "true"}
    made = client.post("/games", data=FORM, headers=by_script)
    assert (made.status_code, made.text) == (201, "")
    assert client.get(made.headers["location"]).status_code == 200
    warned = client.post("/games", data={"game": "pool", "target": "7"}, headers=by_script)
    assert warned.status_code == 200
    assert "Over before it begins." in warned.text
    assert "<html" not in warned.text
    # What is refused before the form is read comes in words too.
    headers = by_script | {"Sec-Fetch-Site": "cross-site"}
    foreign = client.post("/games", data=FORM, headers=headers)
    assert foreign.status_code == 403
    assert foreign.text == "This request comes from another site: use the page itself."


@pytest.mark.parametrize(
    ("query", "is_open"),
    [
        ("game=pool&target=12", False),
        ("game=pool&target=12&unfolded=yes", True),
        ("game=pool&target=x", True),
        ("game=pool&target=12&digits=1-5", True),
        ("game=pool&target=12&digits=1-5&instead=0", True),
        ("game=pool&target=12&digits=1-5&instead=0&unfolded=yes", True),
    ],
)
def test_rules_that_were_in_sight_stay_there(
    query: str, is_open: bool, client: httpx.Client
) -> None:
    shown = client.get(f"/?{query}").text
    assert ('<details class="fields" open>' in shown) is is_open
    assert ('name="unfolded" value="yes" disabled' in shown) is not is_open


def test_the_button_of_whoever_waits_changes_nothing_that_is_kept(client: httpx.Client) -> None:
    client.post("/games", data=FORM | {"name": "Ann"})
    kept = dict(client.cookies)
    client.post("/games", data={"game": "closest:easy", "opponent": "anyone"})
    assert dict(client.cookies) == kept


def test_a_form_that_asks_for_no_name_makes_a_game(client: httpx.Client) -> None:
    made = client.post("/games", data={"game": "pool", "target": "12"})
    assert made.status_code == 303


def test_what_was_typed_stays_where_there_is_no_game(client: httpx.Client) -> None:
    form = FORM | {"name": "Ann", "match": "best", "rounds": "4"}
    refused = client.post("/games", data=form)
    assert refused.status_code == 422
    assert "best of 4 could end even" in refused.text.lower()
    assert 'value="Ann"' in refused.text
