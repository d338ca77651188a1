"""What routes ask for: the service, the token shown, the address asked from.

All are coroutines, though none waits: FastAPI sends plain functions through a thread.
"""

from __future__ import annotations

from typing import Annotated, Any

from anyio.from_thread import run
from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from digitduel.web.evaluations import Evaluations
from digitduel.web.hub import Hub
from digitduel.web.limits import network
from digitduel.web.rights import browser_token, digest, holder
from digitduel.web.service import Service
from digitduel.web.turns import Visitor

BEARER = HTTPBearer(auto_error=False, description="The token of whoever made or joined the game.")


def _kept_as(name: str) -> Any:
    """Something that starts and ends with the application."""

    async def kept(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(kept)


async def _token(
    request: Request,
    _: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)],  # for the documentation
) -> str | None:
    return holder(request)


async def _browser_token(request: Request) -> str | None:
    """What a new seat is given to: a browser's own token, never one that a program thought of."""
    return browser_token(request)


async def _address(request: Request) -> str:
    """Where a request comes from, as the server (or a proxy it trusts) says."""
    return request.client.host if request.client else "unknown"


async def _visitor(request: Request) -> Visitor:
    """Who asks for something costly: their network, and of its visitors the one with this token."""
    token = holder(request)
    return Visitor(
        network(await _address(request)),
        digest(token) if token else "",
        lambda: run(request.is_disconnected),
    )


ServiceOf = Annotated[Service, _kept_as("service")]
EvaluationsOf = Annotated[Evaluations, _kept_as("evaluations")]
HubOf = Annotated[Hub, _kept_as("hub")]
Token = Annotated[str | None, Depends(_token)]
BrowserToken = Annotated[str | None, Depends(_browser_token)]
Address = Annotated[str, Depends(_address)]
VisitorOf = Annotated[Visitor, Depends(_visitor)]
