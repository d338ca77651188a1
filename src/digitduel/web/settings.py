"""Everything about a server that can be set, with what holds unless it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from digitduel.errors import DigitDuelError
from digitduel.files import data_home
from digitduel.text import quoted

DAY = 24 * 60 * 60
SITE = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?/?"
)
PORTS = {"http": 80, "https": 443}  # that an address need not name


def origin(address: str) -> str:
    """A site's address as browsers write it; DigitDuelError if it is none.

    >>> origin("HTTPS://Duel.Example.org:443/")
    'https://duel.example.org'
    """
    site = SITE.fullmatch(address.lower())
    if site is None or int(site["port"] or 0) > 65_535:
        raise DigitDuelError(
            f"{quoted(address)} is no site's address: give one like 'https://duel.example.org'."
        )
    scheme, port = site["scheme"], site["port"]
    named = "" if port is None or int(port) == PORTS[scheme] else f":{port}"
    return f"{scheme}://{site['host']}{named}"


@dataclass(frozen=True)
class Settings:
    """How one server behaves. Each limit is there so that no request can cost without bound."""

    database: str = ""  # a file, or postgresql://...; empty: a file in the user's data folder

    public_url: str = ""  # scheme and host that visitors use; empty: whatever they say

    creations_a_minute: int = 60  # new games per browser
    creations_per_address: int = 1_200  # in a minute too: a class may share one
    moves_a_second: int = 100  # changes per token, on average over five seconds
    most_moves: int = 2_000  # of a round: then it is called off (R11)
    most_changes: int = 20_000  # of a game over all its rounds: then no takeback, no rematch
    most_connections: int = 8_000  # at a time
    most_streams: int = 5_000  # of them
    per_address: int = 800  # connections of one address at a time, half of them streams
    largest_body: int = 64 * 1024  # bytes of a request

    keep_finished: float = 30 * DAY  # seconds since the last change
    keep_unfinished: float = 365 * DAY
    heartbeat: float = 15.0  # seconds between signs of life on a stream
    sweep: float = 15.0  # seconds between looks for replies that are due
    answer_seconds: float = 10.0  # for a reply, a solution or a reason
    workers: int = 1  # processes for replies, and as many for solving

    @property
    def is_postgres(self) -> bool:
        """Whether the store is a PostgreSQL server."""
        return self.database.startswith(("postgresql://", "postgres://"))

    @property
    def file(self) -> Path:
        """The SQLite file; the usual one is with the user's games."""
        return Path(self.database) if self.database else data_home() / "web.db"
