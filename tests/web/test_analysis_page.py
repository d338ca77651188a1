"""What the analysis page takes, and what is too much for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from digitduel.web import evaluations
from digitduel.web.errors import BusyError
from digitduel.web.pages.analysis import MOST_MOVES
from digitduel.web.workers import TooSlowError

if TYPE_CHECKING:
    import httpx2 as httpx

TAGS = """\
[Game "ends"]
[Target "1000000007"]
[Digits "1-9"]
[Player1 "a"]
[Player2 "b"]
[First "1"]
[Result "*"]
"""
LONGEST_ADDRESS = 8_000  # what proxies take


def posted(client: httpx.Client, moves: int) -> httpx.Response:
    record = f"{TAGS}\n{' '.join(['5R'] * moves)}\n"
    return client.post("/analysis", data={"record": record}, follow_redirects=False)


def test_a_long_record_gets_an_address_that_can_be_asked_for(client: httpx.Client) -> None:
    answer = posted(client, MOST_MOVES)
    assert answer.status_code == 303
    address = answer.headers["Location"]
    assert len(address) < LONGEST_ADDRESS
    shown = client.get(address.replace("ply=0", f"ply={MOST_MOVES}"))
    assert shown.status_code == 200
    assert f"after {MOST_MOVES} of {MOST_MOVES}" in shown.text


def test_a_record_of_too_many_moves_is_refused(client: httpx.Client) -> None:
    answer = posted(client, MOST_MOVES + 1)
    assert answer.status_code == 422
    assert "it has 2,001 moves: at most 2,000 can be read here" in answer.text


@pytest.mark.parametrize("page", ["/analysis", "/analysis/record"])
def test_a_line_of_too_many_moves_is_refused(client: httpx.Client, page: str) -> None:
    moves = "5," * (MOST_MOVES + 1)
    answer = client.get(page, params={"game": "forbidden", "moves": moves})
    assert answer.status_code == 422
    assert "line has 2,001 moves: give at most 2,000" in answer.text


def test_the_board_is_shown_where_the_values_take_too_long(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = client.app.state.evaluations  # type: ignore[attr-defined]
    monkeypatch.setattr(desk._answers, "ask", lambda _visitor, _seconds, work, *given: work(*given))
    monkeypatch.setattr(evaluations, "processor_limit", _spent)
    answer = client.get("/analysis?game=pool&target=12&moves=5+2")
    assert answer.status_code == 200
    assert "No values here" in answer.text


def _spent(seconds: float) -> None:
    raise TooSlowError(seconds)


def test_a_busy_solver_is_said_so(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = client.app.state.evaluations  # type: ignore[attr-defined]

    def busy(*_: object) -> None:
        raise BusyError("too much to think about just now: try again.", wait=2)

    monkeypatch.setattr(desk._answers, "ask", busy)
    answer = client.get("/analysis?game=pool&target=12&moves=5+2")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert client.get("/?game=pool&target=12").status_code == 200  # which only says less


# --- Pocket cards. ---


def test_the_page_says_the_pocket_card_as_the_terminal_does(client: httpx.Client) -> None:
    answer = client.get("/analysis?game=pool&target=12&moves=5+2")
    assert "Pocket card" in answer.text
    assert "Leave 3, 6 or 9: wins 68.8% against a careful player" in answer.text
    assert "digitduel card pool --target 12 --svg card.svg" in answer.text


def test_where_there_is_a_recipe_the_page_says_it_in_place_of_a_card(client: httpx.Client) -> None:
    answer = client.get("/analysis?game=pool&target=44&digits=1-6&uses=2")
    assert "The second player wins by copying the digit." in answer.text
    assert "Pocket card" not in answer.text
    assert "The starter plays 7 and has won." in client.get("/analysis?game=pool&target=7").text


def test_a_card_that_no_choice_can_follow_is_not_offered(client: httpx.Client) -> None:
    answer = client.get("/analysis?game=conquest&target=13")
    assert "No card of up to 3 remainders helps against a careful player." in answer.text


@pytest.mark.parametrize(
    "rules",
    ["game=ends&target=97&digits=1-9", "game=closest&target=100003"],
)
def test_a_card_that_takes_too_long_is_left_to_the_terminal(
    client: httpx.Client, rules: str
) -> None:
    answer = client.get(f"/analysis?{rules}")
    assert answer.status_code == 200
    assert "The best card is not looked for here" in answer.text
    assert "digitduel card" in answer.text


def test_a_card_is_worked_out_once(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = client.app.state.evaluations  # type: ignore[attr-defined]
    asked, ask = [], desk._answers.ask

    def counted(*given: Any) -> Any:
        asked.append(given[2])
        return ask(*given)

    monkeypatch.setattr(desk._answers, "ask", counted)
    for moves in ("", "5", "5+2"):
        client.get(f"/analysis?game=pool&target=12&moves={moves}")
    assert asked.count(evaluations.quick_pocket) == 1
