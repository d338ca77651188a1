"""What routes ask for: the service, the token shown, the address asked from.

All are coroutines, though none waits: FastAPI sends plain functions through a thread.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from digitduel.web.evaluations import Evaluations
from digitduel.web.rights import holder
from digitduel.web.service import Service

BEARER = HTTPBearer(auto_error=False, description="The token of whoever made or joined the game.")


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def _evaluations(request: Request) -> Evaluations:
    evaluations: Evaluations = request.app.state.evaluations
    return evaluations


async def _token(
    request: Request,
    _: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)],  # for the documentation
) -> str | None:
    return holder(request)


def address(request: Request) -> str:
    """Where a request comes from, as the server (or a proxy it trusts) says."""
    return request.client.host if request.client else "unknown"


async def _address(request: Request) -> str:
    return address(request)


ServiceOf = Annotated[Service, Depends(_service)]
EvaluationsOf = Annotated[Evaluations, Depends(_evaluations)]
Token = Annotated[str | None, Depends(_token)]
Address = Annotated[str, Depends(_address)]
