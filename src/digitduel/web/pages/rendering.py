"""Templates, and the page that tells of an error."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from digitduel.ruleset import easiest, find_ruleset, ruleset_keys
from digitduel.text import sentence

if TYPE_CHECKING:
    from fastapi import Request

WEB = Path(__file__).parent.parent
STATIC = WEB / "static"

environment = Environment(
    loader=FileSystemLoader(WEB / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


@cache
def asset(name: str) -> str:
    """The address of a static file; it changes with the file, so that no browser keeps an old one.

    >>> asset("base.css").startswith("/static/base.css?v=")
    True
    """
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:10]}"


def equation(text: str) -> Markup:
    r"""A line of arithmetic with a sign for times, from left to right in any page.

    >>> print(ascii(str(equation("521 = 7 x 74 + 3"))))
    '<bdi dir="ltr">521 = 7 \xd7 74 + 3</bdi>'
    """
    return Markup('<bdi dir="ltr">{}</bdi>').format(
        text.replace(" x ", " \N{MULTIPLICATION SIGN} ")
    )


environment.globals["asset"] = asset
environment.globals["easiest"] = easiest
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
    429: ("Too fast", "Wait a moment, then try again."),
    503: ("Busy", "Wait a moment, then try again. Every game is kept."),
}
SORRY = ("Something went wrong", "It is not your doing. Try again; every game is kept.")


def error_page(request: Request, status: int, message: str) -> Response:
    """A page that says what is wrong and where to go; a script is told to load that page itself."""
    if by_script(request):
        # What may pass is not shown: the page keeps what it has and tries again.
        passing = status >= 429
        return Response(
            status_code=status, headers={"HX-Reswap": "none"} if passing else {"HX-Refresh": "true"}
        )
    heading, advice = HELP.get(status, SORRY)
    return page("error.html", status, heading=heading, advice=advice, message=message)
