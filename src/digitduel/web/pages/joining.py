"""An invitation: kept for whoever sends it, taken up by whoever gets it."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from digitduel.describe import goal, opening_note, rules_in_words, terms
from digitduel.web.depends import BrowserToken, ServiceOf, Token
from digitduel.web.errors import NotAllowedError, UsedInviteError
from digitduel.web.hosted import HostedDuel
from digitduel.web.models import LONGEST_KEY, LONGEST_LINK
from digitduel.web.pages.rendering import page
from digitduel.web.rights import keep_cookie, matches, seats_of, set_cookie

router = APIRouter()
COOKIE = "invite"
COOKIE_AGE = 30 * 24 * 60 * 60
Invite = Annotated[str, Query(max_length=LONGEST_LINK)]


def keep_invite(request: Request, response: Response, game_id: str, invite: str | None) -> None:
    """Let the inviter's browser keep the invitation, of which the server has only a digest.

    In a cookie for this game's pages it survives a reload and never stands in the address,
    so that the address of the page is the one for watching.
    """
    if invite is not None:
        keep_cookie(request, response, COOKIE, invite, COOKIE_AGE, f"/games/{game_id}")


def kept_invite(request: Request) -> str | None:
    """The invitation that this browser sends out, on the pages of its game."""
    return request.cookies.get(COOKIE)


@router.get("/games/{game_id}/join")
def invitation(game_id: str, service: ServiceOf, token: Token, invite: Invite = "") -> Response:
    """Ask whether to join. Looking does not join: programs look at links to preview them."""
    duel = service.find(game_id)
    if seats_of(duel, token):
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    return _ask(duel, invite)


@router.post("/games/{game_id}/join")
def join(
    request: Request,
    game_id: str,
    service: ServiceOf,
    token: BrowserToken,
    invite: Annotated[str, Form(max_length=LONGEST_LINK)] = "",
    key: Annotated[str | None, Form(min_length=16, max_length=LONGEST_KEY)] = None,
) -> Response:
    """Take the seat. The key makes a second try good if the first answer got lost."""
    try:
        seated = service.join(game_id, invite, token, key)
    except (UsedInviteError, NotAllowedError) as error:
        return _ask(service.find(game_id), invite, str(error), error.status)
    response = RedirectResponse(f"/games/{game_id}", status_code=303)
    set_cookie(request, response, seated.token)
    return response


def _ask(duel: HostedDuel, invite: str, problem: str | None = None, status: int = 200) -> Response:
    """The page that asks; where there is nothing to ask, it offers to watch."""
    if problem is None and duel.joined:
        problem = "somebody has taken this seat already: the game can still be watched."
    elif problem is None and not matches(invite, duel.invite):
        problem = "this link holds no invitation to this game: ask your friend for the whole link."
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
    )
