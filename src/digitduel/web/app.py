"""The application: routes, guards, what starts and ends with it, and how errors are told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from anyio.to_thread import current_default_thread_limiter, run_sync
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from digitduel import __version__
from digitduel.errors import DigitDuelError
from digitduel.text import quoted
from digitduel.web import api, apidocs, models, pages
from digitduel.web.assets import LEAST, STATIC, Assets
from digitduel.web.computer import Computer
from digitduel.web.errors import BAD_INPUT, BusyError, RefusedError
from digitduel.web.evaluations import Evaluations
from digitduel.web.guard import HEADERS, TURNS, Guard
from digitduel.web.health import Health
from digitduel.web.hub import READ_AT_ONCE, Hub
from digitduel.web.pages.rendering import Addressed
from digitduel.web.rights import new_token
from digitduel.web.service import Service
from digitduel.web.settings import Settings
from digitduel.web.store import Store, open_store
from digitduel.web.timekeeper import Timekeeper
from digitduel.web.versions import version_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOUR = 3600
UNREADABLE = "There was an error parsing the body"  # what the framework says
# One for every request that has its turn; streams, health and housekeeping share the others.
THREADS = sum(kind.places for kind in TURNS.values()) + 2 * READ_AT_ONCE

logger = logging.getLogger(__name__)


def create_app(settings: Settings | None = None, store: Store | None = None) -> FastAPI:
    """The application with these settings; it opens its store when it starts, if it has none."""
    app = FastAPI(
        title="Digit Duel",
        version=__version__,
        description="Two players take turns adding a digit to a shared number.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the usual pages load scripts from elsewhere: apidocs has one that does not
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.settings = settings = settings or Settings()
    app.state.store = store
    # From the inside out. What is compressed leaves streams and static files as they are.
    app.add_middleware(Addressed)
    app.add_middleware(GZipMiddleware, minimum_size=LEAST, compresslevel=6)
    app.add_middleware(Guard, settings=settings, answer=_refused)
    app.include_router(api.router)
    app.include_router(apidocs.router)
    app.add_api_route(
        "/health",
        health,
        tags=["server"],
        response_model=models.Health,
        responses={503: {"model": models.Health}},
    )
    app.include_router(pages.router)
    app.mount("/static", Assets(directory=STATIC), name="static")
    app.add_exception_handler(DigitDuelError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)
    return app


# --- What starts and ends with the application. ---


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    current_default_thread_limiter().total_tokens = THREADS
    service = Service(app.state.store or await run_sync(open_store, settings), settings)
    app.state.cookie_key = await run_sync(_cookie_key, service.store)
    evaluations = Evaluations(settings)
    hub = Hub(service, now=service.playing_time.told)
    computer = Computer(service, evaluations)
    keeper = Timekeeper(service)
    app.state.service, app.state.evaluations, app.state.hub = service, evaluations, hub
    app.state.health = Health(service.store)
    service.observers += [hub.changed, keeper.changed, computer.changed]
    service.present = hub.waiting
    service.store.listen(hub.heard, hub.missed, hub.presence.told)
    await run_sync(keeper.start)
    chores = asyncio.create_task(_housekeeping(service, computer, evaluations))
    try:
        yield
    finally:
        chores.cancel()
        hub.close()
        computer.close()
        await run_sync(keeper.close)
        await run_sync(evaluations.close)
        await run_sync(service.store.close)


def _cookie_key(store: Store) -> str:
    """What cookies are signed with; one for today where a damaged store does not give its own."""
    try:
        return store.secret("cookies")
    except BusyError as error:
        logger.warning("the key for cookies cannot be read, another is used for now: %s", error)
        return new_token()


async def _housekeeping(service: Service, computer: Computer, evaluations: Evaluations) -> None:
    """Take up replies that are due, let idle workers go, and remove each hour what nobody has
    touched for long."""
    loop = asyncio.get_running_loop()
    removed_at = loop.time()
    unseated: str | None = ""  # games up to this one are seated, None when all are
    idle = 0.0  # at the start every game that waits is taken up
    while True:
        try:
            await run_sync(evaluations.rest)
            await run_sync(computer.sweep, idle)
            idle = service.settings.sweep
            if unseated is not None:
                unseated = await run_sync(service.store.seat_older_games, unseated)
            if loop.time() - removed_at >= HOUR:
                await run_sync(service.remove_idle)
                removed_at = loop.time()
        except BusyError:
            pass  # the store has told why
        except Exception:
            logger.exception("housekeeping failed")
        await asyncio.sleep(service.settings.sweep)


# --- Whether it works. ---


async def health(request: Request) -> Response:
    """Whether games can be read and changed: 200, or 503 if not."""
    state = request.app.state
    is_good = await state.health.is_good()
    answer = {"status": "ok" if is_good else "unavailable", "store": state.service.store.kind}
    return JSONResponse(answer, 200) if is_good else JSONResponse(answer, 503, {"Retry-After": "1"})


# --- Errors: the reason, and nothing of the server's inside. ---


def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, RefusedError):  # the engine's: what was given makes no sense
        return _error(request, BAD_INPUT, str(error))
    state = version_of(error.duel).state.model_dump() if error.duel else None
    return _error(request, error.status, str(error), state, error.headers)


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  (registered for it)
    return _error(request, BAD_INPUT, "; ".join(map(_reason, error.errors()[:3])))


def _reason(problem: dict[str, Any]) -> str:
    """What is wrong with a field: its name, what was given, and what would be accepted."""
    if problem["type"] == "json_invalid":
        return f"the body is not JSON: {problem['ctx']['error']} at character {problem['loc'][-1]}."
    place, given = problem["loc"][1:4], problem.get("input")
    if not place:
        return "the body is no object: send a JSON object, with 'Content-Type: application/json'."
    name = quoted(".".join(map(str, place)))
    if problem["type"] == "missing":
        return f"{name} is missing."
    if problem["type"] == "extra_forbidden":
        return f"there is no field {name} here: leave it out."
    shown = json.dumps(given) if isinstance(given, bool | None) else quoted(given)
    return f"{name} = {shown} is refused: {problem['msg'][:1].lower()}{problem['msg'][1:]}."


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  (registered for it)
    headers = dict(error.headers or {})
    path = quoted(request.url.path)
    programs = _is_for_programs(request)
    listing = ": /api/docs lists what there is." if programs else "."
    json_wanted = "send JSON in UTF-8, with 'Content-Type: application/json'."
    known = {
        400: f"the body cannot be read: {json_wanted if programs else 'use the form on the page.'}",
        404: f"there is nothing at {path}{listing}",
        405: f"{quoted(request.method)} does nothing at {path}: "
        f"use {headers.get('Allow', 'another method')}.",
    }
    # A page says itself what is missing; the framework has only a phrase.
    general = error.detail in (HTTPStatus(error.status_code).phrase, UNREADABLE)
    message = known.get(error.status_code, error.detail) if general else error.detail
    return _error(request, error.status_code, message, None, headers)


def _unexpected(request: Request, error: Exception) -> Response:
    logger.error("unexpected: %s %s", request.method, request.url.path, exc_info=error)
    answer = _error(request, 500, "something went wrong on the server; it has been noted.")
    answer.headers.update(HEADERS)  # this answer does not pass the guard
    return answer


def _is_for_programs(request: Request) -> bool:
    return f"{request.url.path}/".startswith(("/api/", "/health/"))


def _error(
    request: Request,
    status: int,
    message: str,
    state: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """The error as JSON, or as a page where a page was asked for."""
    message = message.encode("utf-8", "backslashreplace").decode()
    if not _is_for_programs(request):
        page = pages.error_page(request, status, message)
        page.headers.update(headers or {})
        return page
    body = {"detail": message} | ({"state": state} if state else {})
    return JSONResponse(body, status_code=status, headers=headers)
