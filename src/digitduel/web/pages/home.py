"""The start: the five games, their settings, and a new game."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from digitduel.web.depends import Address, ServiceOf, Token
from digitduel.web.errors import BAD_INPUT
from digitduel.web.pages.joining import keep_invite
from digitduel.web.pages.new_game import MANNERS, Given, NewGameForm
from digitduel.web.pages.rendering import page
from digitduel.web.rights import set_cookie

router = APIRouter()


@router.get("/")
def home(given: Annotated[Given, Query()]) -> HTMLResponse:
    """The games, and the settings of the one chosen."""
    return _home(NewGameForm.read(given))


@router.get("/note")
def note(given: Annotated[Given, Query()]) -> HTMLResponse:
    """What is to be said about the settings, while they are being changed."""
    return page("_note.html", form=NewGameForm.read(given))


@router.get("/games")
def start() -> RedirectResponse:
    """Where the settings are chosen: the address of a form that was sent, opened again."""
    return RedirectResponse("/", status_code=303)


@router.post("/games")
def create(
    request: Request,
    given: Annotated[Given, Form()],
    service: ServiceOf,
    address: Address,
    token: Token,
) -> Response:
    """Make a game; one that is over on move 1 only once that has been said."""
    form = NewGameForm.read(given)
    if form.problem:
        return _home(form, BAD_INPUT, focus_note=True)
    if form.note and given.warned != form.note:
        return _home(form, focus_note=True)
    seated = service.create(form.new_game(), address, token)
    response = RedirectResponse(f"/games/{seated.duel.id}", status_code=303)
    set_cookie(request, response, seated.token)
    keep_invite(request, response, seated.duel.id, seated.invite)
    return response


def _home(form: NewGameForm, status: int = 200, *, focus_note: bool = False) -> HTMLResponse:
    """The page; `focus_note` brings what is to be said about the settings into view."""
    return page("home.html", status, form=form, levels=MANNERS, focus_note=focus_note)
