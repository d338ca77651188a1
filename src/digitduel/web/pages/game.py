"""Playing and watching: one page, kept up to date by a stream of its own HTML."""

from collections.abc import AsyncIterable, AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from digitduel import describe
from digitduel.errors import DigitDuelError, InvalidMoveError
from digitduel.web.api import links
from digitduel.web.depends import ServiceOf, Token
from digitduel.web.errors import BAD_INPUT, NoTokenError, RefusedError, UnknownGameError
from digitduel.web.hosted import HostedDuel
from digitduel.web.hub import HubOf, last_seen
from digitduel.web.models import LONGEST_KEY, Action, MoveRequest
from digitduel.web.pages.addresses import analysis_address, rules_address
from digitduel.web.pages.joining import kept_invite
from digitduel.web.pages.rendering import by_script, fragment, page
from digitduel.web.pages.view import GameView
from digitduel.web.rights import holder
from digitduel.web.service import Service, viewer_of

router = APIRouter(prefix="/games/{game_id}")

What = Literal["move", "resign", "off", "undo", "rematch"]
Chunk = str | bytes | memoryview
Count = Annotated[int, Form(ge=0, le=1_000_000)]
BEAT = b"event: beat\ndata: \n\n"


@router.get("")
def game(request: Request, game_id: str, service: ServiceOf) -> Response:
    """A game, for whoever plays or watches it."""
    return _page(request, service.find(game_id))


@router.get("/live")
async def live(
    request: Request,
    game_id: str,
    hub: HubOf,
    after: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> EventSourceResponse:
    """The same page's inside as server-sent events, one for each version."""

    def render(duel: HostedDuel) -> bytes:
        html = _inside(_view(request, duel))
        return format_sse_event(data_str=html, id=str(duel.version))

    seen = last_seen(request.headers.get("last-event-id"), after)
    response = hub.respond(await hub.find(game_id), seen, render)
    response.body_iterator = with_beats(response.body_iterator)
    return response


async def with_beats(events: AsyncIterable[Chunk]) -> AsyncIterator[Chunk]:
    """The same events, with signs of life that a page can see in place of comments."""
    async for event in events:
        yield BEAT if event == KEEPALIVE_COMMENT else event


@router.get("/record")
def record(game_id: str, service: ServiceOf) -> PlainTextResponse:
    """All rounds as a file."""
    name = f'attachment; filename="digitduel-{game_id}.txt"'
    return PlainTextResponse(service.record(game_id), headers={"Content-Disposition": name})


@router.get("/move")
@router.get("/resign")
@router.get("/off")
@router.get("/undo")
@router.get("/rematch")
def back(game_id: str) -> RedirectResponse:
    """To the game: the address of a form that was sent, opened again."""
    return RedirectResponse(f"/games/{game_id}", status_code=303)


@router.post("/{what}")
def change(
    request: Request,
    game_id: str,
    what: What,
    service: ServiceOf,
    token: Token,
    round: Annotated[int, Form(ge=1, le=1_000_000)],  # noqa: A002  (the field's own name)
    ply: Count,
    key: Annotated[str, Form(min_length=1, max_length=LONGEST_KEY - 10, pattern="^[!-~]+$")],
    digit: Annotated[str, Form(pattern="^[0-9]?$")] = "",
    end: Annotated[str, Form(pattern="^[LR]?$")] = "",
) -> Response:
    """Play, resign, call off, take back, or start a rematch."""
    # One key for all buttons of a page: what was pressed makes it a request of its own.
    once = f"{key}-{what}{digit}{end}"
    try:
        if what == "move":
            if not digit:
                raise InvalidMoveError("no digit was chosen: press one to play it.")
            asked = MoveRequest(move=f"{digit}{end}", ply=ply, round=round, key=once)
            duel = service.move(game_id, token, asked)
        else:
            duel = service.act(what, game_id, token, Action(ply=ply, round=round, key=once))
    except UnknownGameError:
        raise
    except DigitDuelError as error:
        return _refused(request, service, game_id, error)
    if by_script(request):
        return Response(_inside(_view(request, duel)), media_type="text/html")
    return RedirectResponse(f"/games/{game_id}", status_code=303)


def _refused(request: Request, service: Service, game_id: str, error: DigitDuelError) -> Response:
    """The game as it stands, with the reason."""
    duel = (error.duel if isinstance(error, RefusedError) else None) or service.find(game_id)
    status = error.status if isinstance(error, RefusedError) else BAD_INPUT
    message = str(error)
    if isinstance(error, NoTokenError):
        message = "this browser holds no seat in this game; perhaps its cookies are switched off."
    return _page(request, duel, message, status)


def _page(
    request: Request, duel: HostedDuel, message: str | None = None, status: int = 200
) -> Response:
    view = _view(request, duel, message)
    if by_script(request):
        return Response(_inside(view), status_code=status, media_type="text/html")
    return page("game.html", status, **_shown(view))


def _view(request: Request, duel: HostedDuel, message: str | None = None) -> GameView:
    viewer = viewer_of(duel, holder(request))
    invite = kept_invite(request) if viewer.seats and not duel.joined else None
    return GameView(duel, viewer, links(request, duel, invite), message)


def _inside(view: GameView) -> str:
    return fragment("_table.html", **_shown(view))


def _shown(view: GameView) -> dict[str, Any]:
    duel = view.duel
    return {
        "view": view,
        "state": view.state,
        "ruleset": duel.ruleset,
        "terms": describe.terms(duel.ruleset),
        "analysis": analysis_address(duel.ruleset, duel.moves),
        "rules": rules_address(duel.ruleset),
    }
