"""kill -9 of the web server at random moments, while people play in many ways at once.

Whoever gets no answer asks again with the same key. Nothing that was acknowledged is lost, nothing
is done twice, and after the last restart every game is still the sum of its changes.
"""

from __future__ import annotations

import threading
import time
from random import Random
from typing import TYPE_CHECKING, Any

import httpx2 as httpx

from digitduel.web.hosted import HostedDuel
from digitduel.web.settings import Settings
from digitduel.web.store import open_store
from tests.web.helpers import PATIENCE, Player, QuickServer, create, friends

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.faults.campaign import Campaign

LONG = {"digits": "1-9", "target": 10**9 + 7}
KINDS = ("friend", "friend", "device", "device", "careful")
COMMANDS = ("undo", "resign", "off", "rematch", "decline")


def run(
    campaign: Campaign, folder: Path, kinds: Sequence[str] = KINDS, most_pause: float = 0.3
) -> None:
    """Kill and restart until the budget is used up; people see what is there after each."""
    server = QuickServer(str(folder / "games.db"))
    people = [
        Person(server.url, kind, campaign.random.random(), f"127.0.1.{number}")
        for number, kind in enumerate(kinds, start=1)
    ]
    campaign.begin()
    threads = [threading.Thread(target=person.play) for person in people]
    try:
        for thread in threads:
            thread.start()
        while campaign.goes_on():
            time.sleep(campaign.random.uniform(0, most_pause))
            server.kill()
            campaign.count("kills")
            server.start()
    finally:
        for person in people:
            person.stopped.set()
        for thread in threads:
            thread.join(PATIENCE)
        server.kill()
        server.close()
    for person in people:
        assert person.fault is None, person.fault
        campaign.count("acknowledged changes", len(person.acknowledged))
    check_all(folder / "games.db", people)


class Person:
    """Plays both seats of one game on and on, and remembers what was acknowledged."""

    def __init__(self, url: str, kind: str, seed: float, address: str) -> None:
        self.url, self.random, self.address = url, Random(seed), address
        with self._client(PATIENCE) as client:
            if kind == "friend":
                self.players = list(friends(client, "ends", rules=LONG))
            else:
                self.players = [create(client, "ends", opponent=kind, rules=LONG)[0]] * 2
        self.id, self.kind = self.players[0].id, kind
        self.acknowledged: dict[str, int] = {}  # the version that each key made
        self.version = 1
        self.fault: str | None = None
        self.stopped = threading.Event()

    def play(self) -> None:
        try:
            while not self.stopped.is_set():
                with self._client(5) as client:
                    self._play_on(client)
        except Exception as fault:
            self.fault = f"{self.kind}: {fault!r}"

    def _play_on(self, client: httpx.Client) -> None:
        """Until the connection breaks."""
        while not self.stopped.is_set():
            seat, what, body = self._next(client)
            while not self.stopped.is_set():  # until it is answered
                try:
                    self._send(client, seat, what, body)
                    break
                except AGAIN:
                    time.sleep(0.01)

    def _next(self, client: httpx.Client) -> tuple[int, str, dict[str, Any]]:
        state = self._state(client)
        key = {"key": f"k{len(self.acknowledged)}-{self.random.random()}"}
        if state["over"]:
            return self.random.randrange(2), "rematch", key
        if self.random.random() < 0.1:
            return self.random.randrange(2), self.random.choice(COMMANDS), key
        move = f"{self.random.randint(1, 9)}{self.random.choice('LR')}"
        seat = (state["seat"] or 1) - 1
        return seat, "moves", key | {"move": move, "ply": state["ply"], "round": state["round"]}

    def _state(self, client: httpx.Client) -> dict[str, Any]:
        while True:
            try:
                found: dict[str, Any] = _known(client.get(f"/api/games/{self.id}")).json()
            except AGAIN:
                time.sleep(0.01)
            else:
                # What was acknowledged before a kill is there after it.
                assert found["version"] >= self.version, (found["version"], self.version)
                return found

    def _send(self, client: httpx.Client, seat: int, what: str, body: dict[str, Any]) -> None:
        player = self.players[seat]
        answer = _known(Player(client, self.id, player.token).post(what, **body))
        if answer.status_code == 200:
            version = answer.json()["version"]
            self.acknowledged[body["key"]] = version
            self.version = max(self.version, version)

    def _client(self, seconds: float) -> httpx.Client:
        """From an address of one's own; there is no TLS to set up."""
        transport = httpx.HTTPTransport(local_address=self.address, verify=False)
        return httpx.Client(base_url=self.url, timeout=seconds, transport=transport)


class TurnError(Exception):
    """So many ask at once that somebody's turn did not come in time."""


AGAIN = (httpx.TransportError, TurnError)


def _known(answer: httpx.Response) -> httpx.Response:
    """An answer that players may get."""
    if answer.status_code == 503 and "too much to do just now" in answer.text:
        raise TurnError
    assert answer.status_code in (200, 409, 422, 429), answer.text
    return answer


def check_all(database: Path, people: list[Person]) -> None:
    """Every acknowledged change is on disk once, and each game is the sum of its changes."""
    store = open_store(Settings(database=str(database)))
    try:
        for person in people:
            changes = store.changes(person.id)
            assert [change.version for change in changes] == list(range(1, len(changes) + 1))
            made = {change.key.partition("/")[2]: change.version for change in changes}
            for key, version in person.acknowledged.items():
                # A rematch or a proposal that found everything done makes no change.
                assert made.get(key, version) == version, (key, version)
            assert HostedDuel.of(person.id, changes) == store.duel_at(person.id)
    finally:
        store.close()
