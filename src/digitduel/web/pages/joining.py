"""Taking a seat: by the game's own address while one is free, or from another device."""

import secrets
from typing import Annotated
from urllib.parse import quote, unquote

import segno
from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from digitduel.describe import goal, opening_note, rules_in_words, terms
from digitduel.errors import DigitDuelError
from digitduel.web.api import links, seat_link
from digitduel.web.depends import BrowserToken, ServiceOf, Token
from digitduel.web.errors import BAD_INPUT, RefusedError
from digitduel.web.hosted import LONGEST_NICKNAME, HostedDuel, nickname
from digitduel.web.models import LONGEST_KEY, LONGEST_LINK, Join
from digitduel.web.pages.rendering import page
from digitduel.web.rights import keep_cookie, matches, seats_of, set_cookie
from digitduel.web.service import TAKEN, SeatTaken

router = APIRouter()
NAME = "nickname"
NAME_AGE = 365 * 24 * 60 * 60
Link = Annotated[str, Query(max_length=LONGEST_LINK)]
NameText = Annotated[str, Form(max_length=4 * LONGEST_NICKNAME)]


# --- A friend's seat. ---


@router.get("/games/{game_id}/join")
def invitation(
    request: Request, game_id: str, service: ServiceOf, token: Token, invite: Link = ""
) -> Response:
    """Ask whether to join. Looking does not join: programs look at links to preview them."""
    duel = service.find(game_id)
    if seats_of(duel, token):
        return to_game(duel.id)
    problem = None
    if invite and not matches(invite, duel.invite):
        problem = "this link holds no invitation to this game: ask your friend for the whole link."
    return ask(request, duel, invite, problem)


@router.post("/games/{game_id}/join")
def join(
    request: Request,
    game_id: str,
    service: ServiceOf,
    token: BrowserToken,
    shown: Token,
    invite: Annotated[str, Form(max_length=LONGEST_LINK)] = "",
    key: Annotated[str | None, Form(min_length=16, max_length=LONGEST_KEY)] = None,
    again: Annotated[str, Form(pattern="^(yes)?$")] = "",
    name: NameText = "",
) -> Response:
    """Take the seat. The key makes a second try good if the first answer got lost."""
    if seats_of(service.find(game_id), shown):
        return to_game(game_id)
    try:
        wanted = Join(invite=invite or None, key=key, again=bool(again), name=nickname(name))
        seated = service.join(game_id, wanted, token)
    except DigitDuelError as error:
        return ask(request, service.find(game_id), invite, str(error), _status(error))
    return _seated(request, seated, wanted.name)


def ask(
    request: Request,
    duel: HostedDuel,
    invite: str = "",
    problem: str | None = None,
    status: int = 200,
) -> Response:
    """The page that asks; where there is nothing to ask, it offers to watch."""
    if problem is None and duel.joined:
        problem = TAKEN
    return page(
        "join.html",
        status,
        duel=duel,
        ruleset=duel.ruleset,
        goal=goal(duel.ruleset),
        rules=rules_in_words(duel.ruleset),
        terms=terms(duel.ruleset),
        note=opening_note(duel.ruleset),
        problem=problem,
        invite=invite,
        key=secrets.token_urlsafe(18),
        name=kept_name(request),
    )


# --- The same seat on another device. ---


@router.post("/games/{game_id}/handover")
def handover(request: Request, game_id: str, service: ServiceOf, token: Token) -> Response:
    """A private link with which this browser's seat goes on elsewhere, once."""
    duel, secret = service.offer_seat(game_id, token)
    link = seat_link(request, duel, secret)
    return page("handover.html", duel=duel, link=link, picture=qr_code(link).svg_data_uri(scale=5))


@router.get("/games/{game_id}/handover")
def handed_over(game_id: str) -> Response:
    """The address of that page, opened again."""
    return to_game(game_id)


@router.get("/games/{game_id}/seat")
def seat(game_id: str, service: ServiceOf, token: Token, secret: Link = "") -> Response:
    """Ask whether to go on here."""
    duel = service.find(game_id)
    if seats_of(duel, token):
        return to_game(game_id)
    return page("seat.html", duel=duel, secret=secret)


@router.post("/games/{game_id}/seat")
def take_seat(
    request: Request,
    game_id: str,
    service: ServiceOf,
    token: BrowserToken,
    secret: Annotated[str, Form(max_length=LONGEST_LINK)] = "",
) -> Response:
    """Go on here; the browser that had the seat watches from now on."""
    return _seated(request, service.take_seat(game_id, secret, token))


@router.get("/games/{game_id}/qr.svg")
def qr(request: Request, game_id: str, service: ServiceOf) -> Response:
    """The game's own address as a picture for a camera."""
    code = qr_code(links(request, service.find(game_id), None).watch)
    svg = code.svg_inline(scale=5, border=2, dark="#000", light="#fff")
    return Response(
        svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1),
        media_type="image/svg+xml",
        headers={"Cache-Control": "private, max-age=86400"},
    )


def qr_code(text: str) -> segno.QRCode:
    """A picture of a link."""
    return segno.make_qr(text, error="m")


# --- What a player is called. ---


@router.post("/games/{game_id}/name")
def rename(
    request: Request, game_id: str, service: ServiceOf, token: Token, name: NameText = ""
) -> Response:
    """Another name, in this game and for those to come."""
    service.rename(game_id, token, name)
    response = to_game(game_id)
    keep_name(request, response, nickname(name))
    return response


def kept_name(request: Request) -> str:
    """The nickname that this browser has kept; nothing if it is none."""
    try:
        return nickname(unquote(request.cookies.get(NAME, ""))) or ""
    except DigitDuelError:
        return ""


def keep_name(request: Request, response: Response, name: str | None) -> None:
    """Let a browser keep its nickname, or the lack of one."""
    if name or request.cookies.get(NAME):
        keep_cookie(request, response, NAME, quote(name or ""), NAME_AGE)


def to_game(game_id: str) -> RedirectResponse:
    """Where the game is."""
    return RedirectResponse(f"/games/{game_id}", status_code=303)


def _seated(request: Request, seated: SeatTaken, name: str | None = None) -> Response:
    response = to_game(seated.duel.id)
    set_cookie(request, response, seated.token)
    keep_name(request, response, name or kept_name(request))
    return response


def _status(error: DigitDuelError) -> int:
    return error.status if isinstance(error, RefusedError) else BAD_INPUT
