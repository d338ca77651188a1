"""Who may play: what is kept of a token, and which seats it holds."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from fastapi import Request, Response

from digitduel import find_ruleset
from digitduel.events import HUMAN, Terms
from digitduel.web.hosted import HostedDuel
from digitduel.web.rights import (
    COOKIE_AGE,
    cookie_name,
    digest,
    holder,
    keep_cookie,
    matches,
    new_id,
    new_token,
    seats_of,
)
from tests.web.helpers import create

if TYPE_CHECKING:
    import httpx2 as httpx


def duel(*, friend: str | None = None, invite: str | None = "an invitation") -> HostedDuel:
    """A match of Ann's, with a friend if one took up the invitation."""
    return HostedDuel.begin(
        Terms(find_ruleset("pool")),
        id="a",
        version=1,
        host=digest("ann"),
        invite=invite and digest(invite),
        friend=friend and digest(friend),
    )


def test_of_a_token_its_sha256_is_kept() -> None:
    assert digest("ann") == hashlib.sha256(b"ann").hexdigest()


def test_text_that_is_no_unicode_has_a_digest_like_any_other() -> None:
    assert digest("\udcff") != digest("\udcfe")


def test_a_secret_matches_its_own_digest_only() -> None:
    assert matches("ann", digest("ann"))
    assert not matches("bob", digest("ann"))
    assert not matches("ann", "ann")
    assert not matches("ann", None)


def test_a_token_plays_for_the_seat_it_holds() -> None:
    assert seats_of(duel(friend="bob"), "ann") == (1,)
    assert seats_of(duel(friend="bob"), "bob") == (2,)
    assert seats_of(duel(friend="ann"), "ann") == (1, 2)


@pytest.mark.parametrize("token", [None, "", "eve", "an invitation", digest("ann")])
def test_whoever_holds_no_seat_plays_for_none(token: str | None) -> None:
    assert seats_of(duel(), token) == ()
    assert seats_of(duel(invite=None), token) == ()


def test_at_one_device_the_host_plays_for_both_seats() -> None:
    assert seats_of(duel(invite=None), "ann") == (1, 2)


def test_against_the_computer_the_host_plays_for_one_seat() -> None:
    terms = Terms(find_ruleset("pool"), players=(HUMAN, "casual"))
    alone = HostedDuel.begin(terms, id="a", version=1, host=digest("ann"), invite=None)
    assert seats_of(alone, "ann") == (1,)


def test_tokens_have_256_bits_and_names_of_games_96() -> None:
    assert {len(new_token()) for _ in range(20)} == {43}  # 6 bits a character
    assert {len(new_id()) for _ in range(20)} == {16}
    assert len({new_token() for _ in range(20)}) == 20
    assert len({new_id() for _ in range(20)}) == 20


def test_a_cookie_from_before_they_were_signed_keeps_its_seats(client: httpx.Client) -> None:
    ann, _ = create(client, opponent="device", rules={"target": 101})
    client.cookies.set("digitduel", str(ann.token))
    assert client.get(f"/api/games/{ann.id}/you").json()["seats"] == [1, 2]
    form = {"game": "pool", "target": "12", "opponent": "device"}
    site = {"Sec-Fetch-Site": "same-origin"}
    answer = client.post("/games", data=form, headers=site, follow_redirects=False)
    assert not answer.cookies["digitduel"].startswith(str(ann.token))


def request(scheme: str, authorization: str = "") -> Request:
    headers = [(b"host", b"duel.test"), (b"authorization", authorization.encode())]
    return Request({"type": "http", "scheme": scheme, "path": "/", "headers": headers})


def test_under_tls_the_cookie_has_a_name_that_no_neighbour_can_set() -> None:
    assert cookie_name(request("https")) == "__Host-digitduel"
    assert cookie_name(request("http")) == "digitduel"


@pytest.mark.parametrize(("scheme", "secure"), [("https", True), ("http", False)])
def test_a_kept_secret_is_read_by_no_script_and_sent_by_no_other_site(
    scheme: str, secure: bool
) -> None:
    response = Response()
    keep_cookie(request(scheme), response, "secret", "value", 90)
    first, *others = response.headers["set-cookie"].split("; ")
    assert first == "secret=value"
    expected = {"HttpOnly", "Max-Age=90", "Path=/", "SameSite=lax"}
    assert set(others) == expected | ({"Secure"} if secure else set())


def test_a_browser_keeps_its_token_for_a_year() -> None:
    assert COOKIE_AGE == 31_536_000


@pytest.mark.parametrize(
    ("authorization", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer  abc ", "abc"),
        ("Bearer ", None),
        ("Bearer", None),
        ("Basic abc", None),
        ("", None),
    ],
)
def test_a_program_shows_its_token_as_a_bearer(authorization: str, token: str | None) -> None:
    assert holder(request("https", authorization)) == token
