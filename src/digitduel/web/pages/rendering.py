"""Templates, and the page that tells of an error."""

from __future__ import annotations

from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.datastructures import URL

from digitduel.ruleset import easiest, find_ruleset, ruleset_keys
from digitduel.text import sentence
from digitduel.web.assets import asset
from digitduel.web.hosted import LONGEST_NICKNAME

if TYPE_CHECKING:
    from fastapi import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

WEB = Path(__file__).parent.parent

environment = Environment(
    loader=FileSystemLoader(WEB / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


_asked: ContextVar[URL | None] = ContextVar("asked", default=None)


class Addressed:
    """Lets a page know its own address, which messengers are told with it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; each has a context of its own."""
        if scope["type"] == "http":
            _asked.set(URL(scope=scope))
        await self._app(scope, receive, send)


def absolute(path: str = "") -> str:
    """A path of this site with scheme and host; without one, the address of the page itself."""
    asked = _asked.get()
    if asked is None:
        return ""
    return f"{asked.scheme}://{asked.netloc}{path}" if path else str(asked)


def equation(text: str) -> Markup:
    r"""A line of arithmetic with a sign for times, from left to right in any page.

    >>> print(ascii(str(equation("521 = 7 x 74 + 3"))))
    '<bdi dir="ltr">521 = 7 \xd7 74 + 3</bdi>'
    """
    return Markup('<bdi dir="ltr">{}</bdi>').format(
        text.replace(" x ", " \N{MULTIPLICATION SIGN} ")
    )


environment.globals["absolute"] = absolute
environment.globals["asset"] = asset
environment.globals["easiest"] = easiest
environment.globals["longest_name"] = LONGEST_NICKNAME
environment.globals["shipped_games"] = [find_ruleset(key) for key in ruleset_keys()]
environment.filters["equation"] = equation
environment.filters["sentence"] = sentence
environment.filters["typeset"] = lambda signs: signs.replace("-", "\N{MINUS SIGN}")


def fragment(template: str, **shown: Any) -> str:
    """A template filled in."""
    return environment.get_template(template).render(shown)


def page(template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """A template as an answer."""
    return HTMLResponse(fragment(template, **shown), status_code=status)


def by_script(request: Request) -> bool:
    """Whether htmx asks, which wants only the part that changes."""
    return request.headers.get("hx-request") == "true"


# What helps, for each kind of trouble: a heading, and what to do.
HELP = {
    401: ("You have no seat here", "Open the game in the browser you made or joined it with."),
    403: ("Not for you to do", "You can watch the game, or start one of your own."),
    404: ("Nothing here", "Look at the address once more, or start something new."),
    405: ("That way does not lead there", "Go to the start and try from there."),
    409: ("Not now", "Go back to the game and look how it stands."),
    410: ("That invitation has been used", "Ask your friend for a new one, or watch the game."),
    413: ("Too much at once", "Send something smaller."),
    421: ("Another address", "Use the address that the message names."),
    422: ("That cannot be read", "Check what was given, and try again."),
    429: ("Too fast", "Wait a moment, then go back and try again: what you chose is still there."),
    503: ("Busy", "Wait a moment, then go back and try again. Every game is kept."),
}
SORRY = ("Something went wrong", "It is not your doing. Try again; every game is kept.")


def error_page(request: Request, status: int, message: str) -> Response:
    """A page that says what is wrong and where to go; a script is told to load that page itself."""
    if by_script(request):
        # What may pass is not swapped in: the page keeps what it has and tries again.
        passing = status >= 429
        headers = {"HX-Reswap": "none"} if passing else {"HX-Refresh": "true"}
        return PlainTextResponse(sentence(message), status, headers)
    heading, advice = HELP.get(status, SORRY)
    return page("error.html", status, heading=heading, advice=advice, message=message)
