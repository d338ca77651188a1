"""Playing and watching: one page, kept up to date by a stream of its own HTML, which a browser
has one of, however many games it shows."""

from typing import Annotated, Any, get_args

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.sse import EventSourceResponse, format_sse_event
from pydantic import StringConstraints

from digitduel import describe
from digitduel.errors import DigitDuelError, InvalidMoveError
from digitduel.web import models
from digitduel.web.api import links
from digitduel.web.depends import Address, HubOf, ServiceOf, Token
from digitduel.web.errors import BAD_INPUT, NoTokenError, RefusedError, UnknownGameError
from digitduel.web.hosted import HostedDuel
from digitduel.web.models import Action, Command, MoveRequest
from digitduel.web.pages.addresses import analysis_address, rules_address
from digitduel.web.pages.joining import ask, to_game
from digitduel.web.pages.rendering import by_script, fragment, page
from digitduel.web.pages.view import GameView
from digitduel.web.rights import holder, seats_of
from digitduel.web.service import Service, viewer_of
from digitduel.web.versions import version_of

router = APIRouter(prefix="/games/{game_id}")
streams = APIRouter()

LONGEST_PART = models.LONGEST_KEY - 10  # of a key that a page gives: the button is added to it
MOST_WATCHED = 50  # games in one stream; stream.js asks for no more
Watched = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}(\.[0-9]{1,15})?$")]


@streams.get("/live")
async def live(
    request: Request,
    hub: HubOf,
    watch: Annotated[list[Watched], Query(min_length=1, max_length=MOST_WATCHED)],
) -> EventSourceResponse:
    """The inside of all game pages that a browser shows as server-sent events, one for each
    version. `watch` names a game and the version that is shown: `ID.VERSION`."""
    token, base = holder(request), str(request.base_url)

    def render(duel: HostedDuel) -> bytes:
        seen = f"{seats_of(duel, token)} {base}"
        return version_of(duel).once(seen, lambda: _event(request, duel))

    named = (name.partition(".") for name in watch)
    seen = {game_id: int(version) if version else None for game_id, _, version in named}
    return await hub.respond(seen, render, token, is_page=True)


@router.get("")
def game(
    request: Request,
    game_id: str,
    service: ServiceOf,
    token: Token,
    watch: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """A game, for whoever plays or watches it; while a seat is free, others are asked to join."""
    duel = service.find(game_id)
    is_guest = not duel.joined and not seats_of(duel, token)
    if is_guest and not watch and not by_script(request):
        return ask(request, duel)
    return _page(request, duel)


@router.get("/record")
def record(game_id: str, service: ServiceOf, address: Address) -> PlainTextResponse:
    """All rounds as a file."""
    name = f'attachment; filename="digitduel-{game_id}.txt"'
    text = service.record(game_id, address)
    return PlainTextResponse(text, headers={"Content-Disposition": name})


for command in (*get_args(Command), "name"):
    router.add_api_route(f"/{command}", to_game)  # of a form that was sent, opened again


@router.post("/{what}")
def change(
    request: Request,
    game_id: str,
    what: Command,
    service: ServiceOf,
    token: Token,
    round: Annotated[models.RoundNumber, Form()],  # noqa: A002  (the field's own name)
    ply: Annotated[models.PlyNumber, Form()],
    key: Annotated[str, Form(min_length=1, max_length=LONGEST_PART, pattern=models.VISIBLE)],
    digit: Annotated[str, Form(pattern="^[0-9]?$")] = "",
    end: Annotated[str, Form(pattern="^[LR]?$")] = "",
    asks: Annotated[str, Form(pattern="^(yes)?$")] = "",
) -> Response:
    """Play, resign, call off, take back, or start a rematch."""
    # One key for all buttons of a page: what was pressed makes it a request of its own.
    once = f"{key}-{what}{digit}{end}"
    try:
        asked: MoveRequest | Action
        if what == "move":
            if not digit:
                raise InvalidMoveError("no digit was chosen: press one to play it.")
            asked = MoveRequest(move=f"{digit}{end}", ply=ply, round=round, key=once)
        else:
            asked = Action(ply=ply, round=round, key=once, asks=bool(asks) or None)
        duel = service.act(what, game_id, token, asked)
    except UnknownGameError:
        raise
    except DigitDuelError as error:
        return _refused(request, service, game_id, error)
    if by_script(request) and request.headers.get("x-live") == "1":
        # The stream brings the page's inside: sent here too, every move would cost it twice.
        return Response(status_code=204, headers={"X-Version": str(duel.version)})
    if by_script(request):
        return _page(request, duel)
    return to_game(game_id)


def _refused(request: Request, service: Service, game_id: str, error: DigitDuelError) -> Response:
    """The game as it stands, with the reason."""
    duel = (error.duel if isinstance(error, RefusedError) else None) or service.find(game_id)
    status = error.status if isinstance(error, RefusedError) else BAD_INPUT
    message = str(error)
    if isinstance(error, NoTokenError):
        message = "this browser holds no seat in this game; perhaps its cookies are switched off."
    response = _page(request, duel, message, status)
    response.headers.update(error.headers if isinstance(error, RefusedError) else {})
    return response


def _page(
    request: Request, duel: HostedDuel, message: str | None = None, status: int = 200
) -> Response:
    template = "_table.html" if by_script(request) else "game.html"
    unfolded = request.query_params.get("open", "")
    return page(template, status, **_shown(request, duel, message, unfolded))


def _event(request: Request, duel: HostedDuel) -> bytes:
    """A game and its version, then the page's inside."""
    html = fragment("_table.html", **_shown(request, duel))
    return format_sse_event(data_str=f"{duel.id}.{duel.version}\n{html}", event="game")


def _shown(
    request: Request, duel: HostedDuel, message: str | None = None, unfolded: str = ""
) -> dict[str, Any]:
    """What the templates show of a game: besides the version, whatever the viewer's seats and the
    site asked for make of it. `message` says why a request was refused, `unfolded` is a part that
    is open without a script."""
    version, viewer = version_of(duel), viewer_of(duel, holder(request))
    return {
        "view": GameView(duel, viewer),
        "may": viewer.may,
        "message": message or "",
        "unfolded": unfolded,
        "links": links(request, duel, None),
        "duel": duel,
        "state": version.state,
        "latest": version.latest,
        "number": describe.shown_number(duel),
        "ruleset": duel.ruleset,
        "goal": describe.goal(duel.ruleset),
        "terms": describe.terms(duel.ruleset),
        "analysis": analysis_address(duel.ruleset, duel.moves),
        "rules": rules_address(duel.ruleset),
    }
