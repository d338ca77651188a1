"""Who may play: unguessable tokens, of which only digests are kept."""

import hashlib
import hmac
import secrets
from hmac import compare_digest

from fastapi import Request, Response

from digitduel.web.hosted import DEVICE, HostedDuel

COOKIE = "digitduel"
COOKIE_AGE = 365 * 24 * 60 * 60


def new_token() -> str:
    """256 bits that nobody guesses."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """The name of a game: whoever knows it may watch."""
    return secrets.token_urlsafe(12)


def digest(secret: str) -> str:
    """What is stored of a token or an invitation."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def matches(secret: str, kept: str | None) -> bool:
    """Whether a secret is the one whose digest was kept; takes as long either way."""
    return kept is not None and compare_digest(digest(secret), kept)


def seats_of(duel: HostedDuel, token: str | None) -> tuple[int, ...]:
    """The seats that a token plays for: none, one, or both at one device."""
    if token is None:
        return ()
    held = [seat for seat, kept in ((1, duel.host), (2, duel.friend)) if matches(token, kept)]
    return (1, 2) if held and duel.opponent == DEVICE else tuple(held)


def cookie_name(request: Request) -> str:
    """Under TLS a name that no neighbouring site can set."""
    return f"__Host-{COOKIE}" if request.url.scheme == "https" else COOKIE


def holder(request: Request) -> str | None:
    """The token shown with a request: a program's, or else a browser's one for all its games."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    # Whoever shows a seat's token has the seat, also in a cookie from before they were signed.
    return _cookie(request).partition(".")[0] or None


def browser_token(request: Request) -> str | None:
    """The token for a new seat: the one in a browser's cookie, if this installation made it."""
    kept = _cookie(request)
    token = kept.partition(".")[0]
    return token if compare_digest(kept.encode(), signed(request, token).encode()) else None


def _cookie(request: Request) -> str:
    return request.cookies.get(cookie_name(request), "")


def signed(request: Request, token: str) -> str:
    """A token as a cookie holds it: with a signature that only this installation can give."""
    key: str = request.app.state.cookie_key
    return f"{token}.{hmac.digest(key.encode(), token.encode(), 'sha256').hex()}"


def set_cookie(request: Request, response: Response, token: str) -> None:
    """Let a browser keep its token."""
    keep_cookie(request, response, cookie_name(request), signed(request, token), COOKIE_AGE)


def keep_cookie(request: Request, response: Response, name: str, value: str, seconds: int) -> None:
    """Let a browser keep something that no script reads."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, seconds, secure=secure, httponly=True, samesite="lax")
