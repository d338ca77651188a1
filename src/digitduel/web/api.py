"""JSON under /api. Each route parses, calls the service and answers."""

from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse
from fastapi.sse import EventSourceResponse

from digitduel.position import Move
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_keys, setting_names
from digitduel.text import quoted
from digitduel.web import models
from digitduel.web.depends import Address, EvaluationsOf, HubOf, ServiceOf, Token, VisitorOf
from digitduel.web.errors import UnknownGameError
from digitduel.web.hosted import HostedDuel
from digitduel.web.hub import last_seen
from digitduel.web.models import Action, Join, Line, LineMove, MoveRequest, NewGame, VersionNumber
from digitduel.web.service import SeatTaken, ruleset_for, viewer_of
from digitduel.web.versions import version_of


def _refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": models.Refusal} for status in statuses}


router = APIRouter(prefix="/api", responses=_refusals(400, 408, 413, 421, 422, 429, 503))
GAME = _refusals(404, 503)
CHANGE = _refusals(401, 403, 404, 409, 429, 503)
Seen = Annotated[VersionNumber | None, Query(description="The version seen last.")]


# Routes are tried in this order: the one that is asked for most comes first.
@router.post(
    "/games/{game_id}/moves", tags=["playing"], response_model=models.GameState, responses=CHANGE
)
def move(game_id: str, body: MoveRequest, service: ServiceOf, token: Token) -> Response:
    """Play a move. It is on disk before this answers; a stale one gets 409 and the state."""
    return _state(service.act("move", game_id, token, body))


@router.get("/rulesets", tags=["games"], response_model=list[dict[str, Any]])
async def rulesets() -> Response:
    """The games there are, each with its goal, its rules and the names of its settings."""
    return Response(_rulesets(), media_type="application/json")


@cache
def _rulesets() -> bytes:
    games = [_game(find_ruleset(key)) for key in ruleset_keys()]
    return bytes(JSONResponse(jsonable_encoder(games)).body)


def _game(ruleset: Ruleset) -> dict[str, Any]:
    named = {"key": ruleset.key, "title": ruleset.title, "goal": ruleset.goal}
    return {**named, "rules": ruleset.rules, "settings": setting_names(ruleset.key)}


@router.post("/games", status_code=201, tags=["games"], responses=_refusals(403, 429, 503))
def create(request: Request, new: NewGame, service: ServiceOf, address: Address) -> models.Seated:
    """Make a game. Whoever makes it has seat 1; the token is shown this once."""
    return _seated(request, service.create(new, address))


@router.post("/games/{game_id}/join", tags=["games"], responses=CHANGE | _refusals(410))
def join(request: Request, game_id: str, body: Join, service: ServiceOf) -> models.Seated:
    """Take seat 2 while it is free."""
    return _seated(request, service.join(game_id, body))


@router.post("/games/{game_id}/handover", tags=["games"], responses=CHANGE)
def handover(request: Request, game_id: str, service: ServiceOf, token: Token) -> models.Handover:
    """Let your seat go on in another browser or program: whoever has the secret takes it, once."""
    duel, secret = service.offer_seat(game_id, token)
    return models.Handover(secret=secret, link=seat_link(request, duel, secret))


@router.post("/games/{game_id}/seat", tags=["games"], responses=CHANGE | _refusals(410))
def seat(
    request: Request, game_id: str, body: models.TakeSeat, service: ServiceOf
) -> models.Seated:
    """Go on with a seat that was handed over; the token it had plays no more."""
    return _seated(request, service.take_seat(game_id, body.secret))


@router.post(
    "/games/{game_id}/name", tags=["games"], response_model=models.GameState, responses=CHANGE
)
def rename(game_id: str, body: models.Rename, service: ServiceOf, token: Token) -> Response:
    """What you are called from now on."""
    return _state(service.rename(game_id, token, body.name))


@router.get("/lobby", tags=["games"])
def lobby(service: ServiceOf) -> list[models.Waiting]:
    """The settings for whoever is there, and how many wait under each."""
    return [
        models.Waiting(setting=name, title=find_ruleset(name).title, waiting=count)
        for name, count in service.waiting().items()
    ]


@router.post("/lobby", status_code=201, tags=["games"], responses=_refusals(403, 429, 503))
def meet(
    request: Request, body: models.Meet, service: ServiceOf, address: Address
) -> models.Seated:
    """Play whoever waits under this setting, without names; if nobody does, wait for somebody.

    Who waits should keep the game's stream open: others are sent to those who are there. To leave,
    call the game off.
    """
    return _seated(request, service.meet(body.setting, address))


@router.get("/games/{game_id}", tags=["games"], response_model=models.GameState, responses=GAME)
def state(game_id: str, service: ServiceOf) -> Response:
    """The game as it stands."""
    return _state(service.find(game_id))


@router.get("/games/{game_id}/clock", tags=["games"], responses=GAME)
def clock(game_id: str, service: ServiceOf) -> models.ClockNow:
    """What the clock shows just now; 404 where none was agreed."""
    duel = service.find(game_id)
    if duel.times is None:
        raise UnknownGameError(f"there is no clock in game {quoted(game_id)}.")
    now = max(service.playing_time.told(), duel.times.since or 0)
    left = list(duel.time_left(now))
    return models.ClockNow(now=now, left=left, time_up_at=duel.time_up_at)


@router.get("/games/{game_id}/you", tags=["games"], responses=GAME)
def you(game_id: str, service: ServiceOf, token: Token) -> models.Viewer:
    """What your token may do in a game just now."""
    return viewer_of(service.find(game_id), token)


@router.get(
    "/games/{game_id}/record",
    tags=["games"],
    response_class=PlainTextResponse,
    responses=GAME | _refusals(429),
)
def record(game_id: str, service: ServiceOf, address: Address) -> PlainTextResponse:
    """All rounds as a record file, as `digitduel replay` reads it."""
    return PlainTextResponse(service.record(game_id, address))


ACTIONS = {
    "resign": "Give the game to the other.",
    "off": "Propose to call the game off, or agree to it; a move withdraws the proposal.",
    "undo": "Take your last move back, or a resignation; a friend is asked, or grants it so.",
    "rematch": "Start the next round, the other seat first; a friend is asked, or agrees so.",
    "decline": "Say no to what the other proposes, or withdraw your own proposal.",
}


def _add_action(name: str, description: str) -> None:
    def act(game_id: str, service: ServiceOf, token: Token, body: Action | None = None) -> Response:
        return _state(service.act(name, game_id, token, body or Action()))

    act.__name__ = name
    router.add_api_route(
        f"/games/{{game_id}}/{name}",
        act,
        methods=["POST"],
        description=description,
        tags=["playing"],
        response_model=models.GameState,
        responses=CHANGE,
    )


for name, description in ACTIONS.items():
    _add_action(name, description)


@router.get(
    "/games/{game_id}/stream",
    tags=["games"],
    response_class=StreamingResponse,  # the hub encodes each event once for all who watch
    responses=GAME | {200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream(
    game_id: str,
    hub: HubOf,
    token: Token,
    after: Seen = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> EventSourceResponse:
    """Server-sent events: the state as data, its version as id; resumes with Last-Event-ID. A
    player who shows the token is here for the other."""
    seen = last_seen(last_event_id, after)
    return await hub.respond({game_id: seen}, lambda duel: version_of(duel).server_event, token)


@router.post(
    "/solve",
    tags=["solving"],
    response_model_exclude_unset=True,
    responses=_refusals(403, 429, 503),
)
def solve(body: Line, evaluations: EvaluationsOf, visitor: VisitorOf) -> models.Solved:
    """What a position and each move in it is worth with best play."""
    report = evaluations.solve(visitor, ruleset_for(body.game, body.rules), body.moves)
    return models.Solved(**report.to_json())


@router.post("/explain", tags=["solving"], responses=_refusals(403, 429, 503))
def explain(body: LineMove, evaluations: EvaluationsOf, visitor: VisitorOf) -> models.Explained:
    """Why a move is good or bad, in words, and the line that proves it."""
    rules, move = ruleset_for(body.game, body.rules), Move.parse(body.move)
    return models.Explained(**evaluations.explain(visitor, rules, body.moves, move).to_json())


def seat_link(request: Request, duel: HostedDuel, secret: str) -> str:
    """Where a seat goes on, as a whole address."""
    return f"{str(request.base_url).rstrip('/')}/games/{duel.id}/seat?secret={secret}"


def links(request: Request, duel: HostedDuel, invite: str | None) -> models.Links:
    """Where people go, as whole addresses."""
    watch = f"{str(request.base_url).rstrip('/')}/games/{duel.id}"
    return models.Links(invite=f"{watch}/join?invite={invite}" if invite else None, watch=watch)


def _seated(request: Request, seated: SeatTaken) -> models.Seated:
    duel = seated.duel
    return models.Seated.model_construct(
        id=duel.id,
        version=duel.version,
        state=version_of(duel).state,
        links=links(request, duel, seated.invite),
        token=seated.token,
        you=viewer_of(duel, seated.token),
    )


def _state(duel: HostedDuel) -> Response:
    return Response(version_of(duel).json, media_type="application/json")
