"""What goes over the line: compressed where it helps, never a stream; tags and HEAD stay right."""

from __future__ import annotations

import gzip
import json
import re
import socket
from typing import TYPE_CHECKING

import httpx2 as httpx
import pytest

from digitduel.web import assets
from digitduel.web.assets import LEAST, PREVIEW, STATIC, asset

if TYPE_CHECKING:
    from tests.web.helpers import Server

GZIP, PLAIN = {"Accept-Encoding": "gzip, br"}, {"Accept-Encoding": "identity"}


@pytest.mark.parametrize("path", ["/", "/rules", "/api/rulesets", asset("base.css")])
def test_pages_json_and_files_are_compressed(path: str, client: httpx.Client) -> None:
    packed, plain = client.get(path, headers=GZIP), client.get(path, headers=PLAIN)
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content  # the client unpacks it
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    for answer in (packed, plain):
        assert "accept-encoding" in answer.headers["vary"].lower()
    head = client.head(path, headers=GZIP)
    assert head.content == b""
    assert head.headers == packed.headers


@pytest.mark.parametrize("path", ["/health", asset("icon.svg"), asset(PREVIEW)])
def test_what_is_small_or_compressed_already_is_left_alone(path: str, client: httpx.Client) -> None:
    answer = client.get(path, headers=GZIP)
    assert "content-encoding" not in answer.headers
    assert len(answer.content) < LEAST or answer.content.startswith(b"\x89PNG")


def test_a_file_is_compressed_once(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[int] = []
    compress = gzip.compress

    def counted(content: bytes, mtime: float | None = None) -> bytes:
        packed.append(len(content))
        return compress(content, mtime=mtime)

    monkeypatch.setattr(gzip, "compress", counted)
    assets._packed.cache_clear()
    for _ in range(3):
        assert client.get("/static/base.css", headers=GZIP).status_code == 200
    assert packed == [(STATIC / "base.css").stat().st_size]


def test_a_browser_that_has_a_file_is_not_sent_it_again(client: httpx.Client) -> None:
    tags = [client.get("/static/base.css", headers=each).headers["etag"] for each in (GZIP, PLAIN)]
    assert tags[0] == f"W/{tags[1]}"  # other bytes, the same file
    for tag in tags:
        for accepted in (GZIP, PLAIN):
            again = client.get("/static/base.css", headers=accepted | {"If-None-Match": tag})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["vary"] == "Accept-Encoding"
    other = client.get("/static/base.css", headers=GZIP | {"If-None-Match": '"other"'})
    assert other.status_code == 200


def test_a_part_of_a_file_is_a_part_of_the_file_itself(client: httpx.Client) -> None:
    part = client.get("/static/base.css", headers=GZIP | {"Range": "bytes=0-9"})
    assert part.status_code == 206
    assert part.content == (STATIC / "base.css").read_bytes()[:10]


@pytest.mark.parametrize("path", ["/live?watch={}.1", "/api/games/{}/stream"])
def test_a_stream_is_not_compressed(path: str, server: Server) -> None:
    game = httpx.post(f"{server.url}/api/games", json={"game": "pool"}).json()["id"]
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(
            f"GET {path.format(game)} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += line.recv(4096)
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert b"text/event-stream" in head
    assert b"content-encoding" not in head


# --- What a messenger or a phone's home screen shows. ---


def said(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="([a-z:]+)" content="([^"]*)">', page))


def test_a_link_in_a_messenger_shows_the_game(client: httpx.Client) -> None:
    made = client.post("/api/games", json={"game": "ends", "rules": {"target": 13}}).json()
    shared = said(client.get(made["links"]["watch"]).text)
    assert shared["og:title"] == "A friend invites you to Divisor Duel (two-ended), target 13"
    assert shared["og:url"] == made["links"]["watch"]
    invited = said(client.get(made["links"]["invite"]).text)
    assert invited["og:title"] == shared["og:title"]
    assert invited["og:url"] == made["links"]["invite"]
    picture = shared["og:image"]
    assert picture == f"http://testserver{asset(PREVIEW)}"
    answer = client.get(picture)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert len(answer.content) < 30_000
    client.post(f"/api/games/{made['id']}/join", json={"invite": made["links"]["invite"]})
    assert said(client.get(made["links"]["watch"]).text)["og:title"].startswith("Divisor Duel (two")


def test_the_manifest_names_files_that_are_there(client: httpx.Client) -> None:
    address = re.search('rel="manifest" href="([^"]*)"', client.get("/rules").text)
    assert address is not None
    answer = client.get(address[1])
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512", "any"}
    for icon in manifest["icons"]:
        found = client.get(icon["src"])
        assert found.headers["content-type"] == icon["type"]
        assert len(found.content) < 5_000
