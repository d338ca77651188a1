"""Static files: each has an address that changes with it, and is compressed once."""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers

if TYPE_CHECKING:
    from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
PREVIEW = "preview.png"  # what a messenger shows of a link
LEAST = 500  # bytes that are worth compressing
MOST_PACKED = 100  # files
# Scripts as they are sent: lean, and several as one, since they are smaller together.
BUNDLES = {
    "game.js": ("share.js", "live.js", "moves.js", "keys.js", "alerts.js"),
    "start.js": ("home.js",),
    "tabs.js": ("stream.js",),
}


@cache
def asset(name: str) -> str:
    """The address of a static file; it changes with the file, so that no browser keeps an old one.

    >>> asset("base.css").startswith("/static/base.css?v=")
    True
    """
    content = _bundle(name) if name in BUNDLES else (STATIC / name).read_bytes()
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:10]}"


@cache
def _bundle(name: str) -> bytes:
    """Scripts without comments and indentation; several as one, each in a block of its own."""
    scripts = [(STATIC / part).read_text(encoding="utf-8") for part in BUNDLES[name]]
    lean = [re.sub(r"^(\s*//.*\n|[ \n]+)", "", script, flags=re.MULTILINE) for script in scripts]
    return (lean[0] if len(lean) == 1 else "".join(f"{{\n{each}}}\n" for each in lean)).encode()


class Assets(StaticFiles):
    """The files; under the address that names what is in it, a browser may keep a file."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One of them, compressed for whoever can read that."""
        wanted = Headers(scope=scope)
        if path in BUNDLES:
            response = _bundled(path, wanted)
        else:
            response = await super().get_response(path, scope)
        if isinstance(response, FileResponse) and _takes_gzip(wanted):
            name, version = str(response.path), response.headers["etag"]
            response = _encoded(response, await run_sync(_packed, name, version))
        response.headers.add_vary_header("Accept-Encoding")
        asked = f"/static/{path}?{scope['query_string'].decode('latin-1')}"
        if response.status_code == 200 and asked == asset(path):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        if path == PREVIEW:  # which is for the pages of others
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response


def _bundled(name: str, wanted: Headers) -> Response:
    """Scripts as one; its address names what is in it, so the address is its tag, too."""
    tag = f'"{asset(name).partition("=")[2]}"'
    if tag in wanted.get("if-none-match", ""):
        return Response(status_code=304, headers={"etag": f"W/{tag}"})
    answer = Response(_bundle(name), media_type="text/javascript", headers={"etag": tag})
    return _encoded(answer, _packed_bundle(name)) if _takes_gzip(wanted) else answer


@cache
def _packed_bundle(name: str) -> bytes:
    return gzip.compress(_bundle(name), mtime=0)


def _takes_gzip(wanted: Headers) -> bool:
    return "gzip" in wanted.get("accept-encoding", "") and "range" not in wanted


@lru_cache(MOST_PACKED)
def _packed(name: str, version: str) -> bytes | None:  # noqa: ARG001  (another when it is changed)
    """A file compressed; None where it is small, or a picture, which is compressed already."""
    content = Path(name).read_bytes()
    is_worth_it = len(content) >= LEAST and not name.endswith(".png")
    return gzip.compress(content, mtime=0) if is_worth_it else None


def _encoded(response: Response, packed: bytes | None) -> Response:
    """The same answer with its content compressed; its tag is weak, for the bytes are others."""
    if packed is None:
        return response
    left_out = ("content-length", "accept-ranges")
    headers = {name: text for name, text in response.headers.items() if name not in left_out}
    changed = {"content-encoding": "gzip", "etag": f"W/{headers['etag']}"}
    return Response(packed, response.status_code, headers | changed)
