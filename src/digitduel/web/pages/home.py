"""The start: the five games, their settings, and a new game."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from digitduel.errors import DigitDuelError
from digitduel.ruleset import find_ruleset
from digitduel.teach.verdicts import prospect
from digitduel.web.depends import Address, BrowserToken, EvaluationsOf, ServiceOf, VisitorOf
from digitduel.web.errors import BAD_INPUT, BusyError, RefusedError
from digitduel.web.evaluations import Evaluations
from digitduel.web.hosted import nickname
from digitduel.web.pages.joining import keep_name, kept_name
from digitduel.web.pages.new_game import ANYONE, Given, NewGameForm
from digitduel.web.pages.rendering import by_script, page
from digitduel.web.pages.view import GameView
from digitduel.web.rights import COOKIE_AGE, holder, keep_cookie, set_cookie
from digitduel.web.service import SeatTaken, Service, viewer_of
from digitduel.web.turns import Visitor

router = APIRouter()
LAST_FORM = "new-game"  # the cookie that remembers it


@router.get("/")
def home(
    request: Request,
    given: Annotated[Given, Query()],
    evaluations: EvaluationsOf,
    visitor: VisitorOf,
    service: ServiceOf,
) -> HTMLResponse:
    """The games, and the settings of the one chosen: by the address, or else as the last time."""
    if request.url.query:
        form = NewGameForm.read(given)
    else:
        form = NewGameForm.remembered(request.cookies.get(LAST_FORM, ""))
    return _home(request, service, form, _verdict(form, evaluations, visitor))


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
        return _not_yet(request, service, form, BAD_INPUT, given)
    if form.note and given.warned != form.note:
        return _not_yet(request, service, form, given=given)
    try:
        name = nickname(kept_name(request) if given.name is None else given.name)
        seated = _seat(service, form, name, address, token)
    except DigitDuelError as error:
        if not isinstance(error, RefusedError):
            return _not_yet(request, service, replace(form, problem=str(error)), BAD_INPUT, given)
        refused = replace(form, refusal=str(error))
        response = _not_yet(request, service, refused, error.status, given)
        response.headers.update(error.headers)
        return response
    response = _made(request, f"/games/{seated.duel.id}")
    set_cookie(request, response, seated.token)
    if given.name is not None:
        keep_name(request, response, name)
    if given.name is not None or form.opponent != ANYONE:  # that one is a button of its own
        keep_cookie(request, response, LAST_FORM, form.kept, COOKIE_AGE)
    return response


def _seat(
    service: Service, form: NewGameForm, name: str | None, address: str, token: str | None
) -> SeatTaken:
    """A game of one's own, or one with whoever is there."""
    if form.opponent != ANYONE:
        return service.create(form.new_game(name), address, token)
    if form.setting is None:
        raise DigitDuelError("whoever is there plays the settings to choose from: choose one.")
    return service.meet(form.setting, address, token)


def _made(request: Request, game: str) -> Response:
    """Where the game is; a script that would be sent there itself could not send the browser."""
    if by_script(request):
        return Response(status_code=201, headers={"Location": game})
    return RedirectResponse(game, status_code=303)


def _not_yet(
    request: Request,
    service: Service,
    form: NewGameForm,
    status: int = 200,
    given: Given | None = None,
) -> Response:
    """The form as it was, with what is to be said first; a script keeps the form itself."""
    if by_script(request):
        return page("_note.html", status, form=form, verdict="")
    name = given.name if given else None
    return _home(request, service, form, status=status, focus_note=True, name=name)


def _home(
    request: Request,
    service: Service,
    form: NewGameForm,
    verdict: str = "",
    *,
    status: int = 200,
    focus_note: bool = False,
    name: str | None = None,
) -> HTMLResponse:
    """The page; `focus_note` brings what is to be said about the settings into view."""
    return page(
        "home.html",
        status,
        form=form,
        verdict=verdict,
        focus_note=focus_note,
        name=kept_name(request) if name is None else name,
        running=_running(service, holder(request)),
        waiting={name: find_ruleset(name) for name, count in _waiting(service).items() if count},
    )


def _running(service: Service, token: str | None) -> list[GameView]:
    """This browser's games that are not over; none while the store is away."""
    try:
        duels = service.running(token) if token else []
    except BusyError:
        return []
    return [GameView(duel, viewer_of(duel, token)) for duel in duels]


def _waiting(service: Service) -> dict[str, int]:
    try:
        return service.waiting()
    except BusyError:
        return {}


def _verdict(form: NewGameForm, evaluations: Evaluations, visitor: Visitor) -> str:
    """What kind of game it will be, in short, where there is nothing to warn of."""
    return prospect(evaluations.outlook(visitor, form.ruleset)) if form.is_plain else ""
