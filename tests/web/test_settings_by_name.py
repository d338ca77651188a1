"""Settings by their names, on the pages and in the API; what a newcomer meets first."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from digitduel import Position, find_ruleset, ruleset_keys, setting_names
from digitduel.atlas import recommendations
from digitduel.describe import changed_rules
from digitduel.ruleset import easiest, newcomers_game
from digitduel.text import sentence

if TYPE_CHECKING:
    import httpx2 as httpx

EASY = find_ruleset("closest:easy")
SETTINGS = [setting.full_name for setting in recommendations()]


class Form(HTMLParser):
    """The form of the start page: what it sends when nothing is touched, and which is marked."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self.marked: list[str] = []
        self.is_open = False
        self._select: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "select":
            self._select = name
        elif tag == "option" and "selected" in given and self._select:
            self.sent[self._select] = given["value"]
        elif tag == "button" and name == "instead" and "aria-current" in given:
            self.marked.append(given["value"])
        elif tag == "input" and name and (given.get("type") != "radio" or "checked" in given):
            self.sent[name] = given.get("value", "")
        elif tag == "details" and given.get("class") == "fields":
            self.is_open = "open" in given


def started(client: httpx.Client, page: str) -> dict[str, object]:
    """The game that a page's form starts, as the API shows it."""
    sent = Form(client.get(page).text).sent
    answer = client.post("/games", data=sent, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    state: dict[str, object] = client.get(f"/api{answer.headers['location']}").json()
    return state


@pytest.fixture
def client(client: httpx.Client) -> httpx.Client:
    client.headers["Sec-Fetch-Site"] = "same-origin"
    return client


def test_a_newcomer_who_presses_start_is_in_a_real_game(client: httpx.Client) -> None:
    state = started(client, "/")
    newcomers = find_ruleset(easiest(newcomers_game()))
    assert (state["game"], state["rules"]) == (newcomers.key, newcomers.rules)
    assert not Position(newcomers).winning_moves


@pytest.mark.parametrize("key", ruleset_keys())
def test_every_game_on_the_start_page_begins_with_its_easiest_setting(
    client: httpx.Client, key: str
) -> None:
    assert f'href="/?game={easiest(key)}#setup"' in client.get("/").text
    assert started(client, f"/?game={easiest(key)}")["rules"] == find_ruleset(easiest(key)).rules


@pytest.mark.parametrize("key", ruleset_keys())
def test_the_rulebooks_setting_is_offered_last_and_says_what_it_is(
    client: httpx.Client, key: str
) -> None:
    shown = client.get(f"/?game={easiest(key)}").text
    marked = Form(shown)
    assert (marked.marked, marked.is_open) == (["0"], False)
    for setting in recommendations(key):
        assert sentence(setting.heading) in shown
    assert "The rulebook&#39;s; over on move 1" in shown
    rulebooks = str(len(setting_names(key)))
    chosen = client.get("/", params={"game": key, "target": "12", "instead": rulebooks}).text
    assert Form(chosen).marked == [rulebooks]
    assert Form(chosen).sent["target"] == "7"


def test_rules_of_ones_own_are_open(client: httpx.Client) -> None:
    assert not Form(client.get("/?game=closest:easy&target=15").text).is_open
    assert Form(client.get("/?game=closest:easy&limit=5").text).is_open


@pytest.mark.parametrize("name", SETTINGS)
def test_the_api_makes_a_game_of_a_setting(client: httpx.Client, name: str) -> None:
    made = client.post("/api/games", json={"game": name})
    assert made.status_code == 201, made.text
    state = made.json()["state"]
    assert (state["game"], state["rules"]) == (name.partition(":")[0], find_ruleset(name).rules)


def test_rules_can_be_changed_on_top_of_a_setting(client: httpx.Client) -> None:
    made = client.post("/api/games", json={"game": "closest:easy", "rules": {"target": 15}})
    assert made.json()["state"]["rules"] == find_ruleset("closest:easy").replace(target=15).rules


def test_the_api_solves_and_explains_a_setting(client: httpx.Client) -> None:
    line = {"game": "closest:easy", "moves": ["5"]}
    assert client.post("/api/solve", json=line).json()["rules"] == EASY.rules
    assert client.post("/api/explain", json={**line, "move": "1"}).status_code == 200


def test_the_api_names_the_settings_of_each_game(client: httpx.Client) -> None:
    for game in client.get("/api/rulesets").json():
        assert game["settings"] == list(setting_names(game["key"]))


def test_an_unknown_setting_is_refused_with_the_known_ones(client: httpx.Client) -> None:
    words = "has no setting called"
    made = client.post("/api/games", json={"game": "closest:eazy"})
    assert made.status_code == 422
    assert "closest has no setting called 'eazy': known are easy" in made.json()["detail"]
    assert words in client.get("/?game=closest:eazy").text
    assert Form(client.get("/?game=closest:eazy").text).sent["game"] == "closest"
    for page, status in (("/analysis?game=closest:eazy", 422), ("/rules/closest:eazy", 404)):
        answer = client.get(page)
        assert (answer.status_code, words in answer.text) == (status, True)


@pytest.mark.parametrize(
    "page", ["/analysis?game={}", "/rules/{}", "/atlas?game={}", "/note?game={}"]
)
def test_every_page_takes_the_full_name_of_a_setting(client: httpx.Client, page: str) -> None:
    answer = client.get(page.format("closest:easy"))
    assert answer.status_code == 200
    if "atlas" not in page:
        assert changed_rules(EASY).lower() in answer.text.lower()
