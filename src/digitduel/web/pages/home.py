"""The start: the five games, their settings, and a new game."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from digitduel.teach.verdicts import prospect
from digitduel.web.depends import Address, BrowserToken, EvaluationsOf, ServiceOf, VisitorOf
from digitduel.web.errors import BAD_INPUT
from digitduel.web.evaluations import Evaluations
from digitduel.web.pages.new_game import Given, NewGameForm
from digitduel.web.pages.rendering import page
from digitduel.web.rights import set_cookie
from digitduel.web.turns import Visitor

router = APIRouter()


@router.get("/")
def home(
    given: Annotated[Given, Query()], evaluations: EvaluationsOf, visitor: VisitorOf
) -> HTMLResponse:
    """The games, and the settings of the one chosen."""
    form = NewGameForm.read(given)
    return _home(form, _verdict(form, evaluations, visitor))


@router.get("/note")
def note(
    given: Annotated[Given, Query()], evaluations: EvaluationsOf, visitor: VisitorOf
) -> HTMLResponse:
    """What is to be said about the settings, while they are being changed."""
    form = NewGameForm.read(given)
    return page("_note.html", form=form, verdict=_verdict(form, evaluations, visitor))


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
    token: BrowserToken,
) -> Response:
    """Make a game; one that is over on move 1 only once that has been said."""
    form = NewGameForm.read(given)
    if form.problem:
        return _home(form, status=BAD_INPUT, focus_note=True)
    if form.note and given.warned != form.note:
        return _home(form, focus_note=True)
    seated = service.create(form.new_game(), address, token)
    response = RedirectResponse(f"/games/{seated.duel.id}", status_code=303)
    set_cookie(request, response, seated.token)
    return response


def _home(
    form: NewGameForm, verdict: str = "", *, status: int = 200, focus_note: bool = False
) -> HTMLResponse:
    """The page; `focus_note` brings what is to be said about the settings into view."""
    shown = {"form": form, "verdict": verdict, "focus_note": focus_note}
    return page("home.html", status, **shown)


def _verdict(form: NewGameForm, evaluations: Evaluations, visitor: Visitor) -> str:
    """What kind of game it will be, in short, where there is nothing to warn of."""
    return prospect(evaluations.outlook(visitor, form.ruleset)) if form.is_plain else ""
