"""PostgreSQL stopped, killed, shut down, locked or cut off while games are played on two servers.

Every request is answered in time, streams stay open and catch up, and what was acknowledged is
there once.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import psycopg

from tests.web.helpers import PATIENCE, Player, Postgres, events, friends, serving
from tests.web.helpers import postgres_programs as programs
from tests.web.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.campaign import Campaign

ANSWER_SECONDS = 5.0  # the promise of docs/deploy.md
SLACK_SECONDS = 1.0  # for a machine that is busy with all of this
LONGEST_FAULT = 6.0
GAMES = 4
FAULTS = 50  # of one crowd
ENDLESS: dict[str, Any] = {"digits": "1-9", "target": 10**9 + 7}


def run(campaign: Campaign, _: Path) -> None:
    """Faults one after the other, with pauses in which everything must be well again."""
    found = programs()
    if found is None:
        assert not os.environ.get("CI"), "PostgreSQL is not installed here"
        campaign.count("runs without PostgreSQL")
        return
    # Not the campaign's own folder: it is closed to the user that PostgreSQL runs as.
    with TemporaryDirectory(prefix="digitduel-postgres-") as home, ExitStack() as ending:
        postgres = Postgres(Path(home), found)
        ending.callback(_end, postgres)
        proxy = Proxy(postgres.port)
        ending.callback(proxy.close)
        address = postgres.database("faults")
        through = address.replace(f":{postgres.port}/", f":{proxy.port}/")
        flags = ("--max-moves", "20000")
        servers = [ending.enter_context(serving(each, *flags)) for each in (address, through)]
        attack = Attack(campaign, postgres, proxy, address)
        while campaign.goes_on():
            crowd = Crowd(campaign, [server.url for server in servers])
            try:
                attack.trouble(crowd)
            finally:
                crowd.end()
            crowd.check_games()


def _end(postgres: Postgres) -> None:
    with suppress(subprocess.SubprocessError, OSError):  # after a fault it may be down
        postgres.stop("immediate")


class Attack:
    """The ways in which a database can be away; each ends by itself."""

    def __init__(self, campaign: Campaign, postgres: Postgres, proxy: Proxy, address: str) -> None:
        self._campaign, self._random = campaign, campaign.random
        self._postgres, self._proxy, self._address = postgres, proxy, address
        faults = [
            ("stops", self.stopped),
            ("kills", self.killed),
            ("shutdowns", self.shut_down),
            ("locked rows", self.locked_row),
            ("locked tables", self.locked_table),
            ("pauses of the wire", self.paused_wire),
            ("cuts of the wire", self.cut_wire),
        ]
        self._faults = campaign.in_turn(faults)

    def trouble(self, crowd: Crowd) -> None:
        """Fault after fault, until the games grow long."""
        self._crowd = crowd
        crowd.await_progress()
        for _ in range(FAULTS):
            name, fault = next(self._faults)
            with fault():
                time.sleep(self._random.uniform(0, LONGEST_FAULT))
            crowd.await_progress()
            self._campaign.count(name)
            if not self._campaign.goes_on():
                break

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self._postgres.pause()
        try:
            yield
        finally:
            self._postgres.resume()

    @contextmanager
    def killed(self) -> Iterator[None]:
        self._postgres.kill()
        try:
            yield
        finally:
            self._postgres.start()

    @contextmanager
    def shut_down(self) -> Iterator[None]:
        self._postgres.stop(self._random.choice(("fast", "immediate")))
        try:
            yield
        finally:
            self._postgres.start()

    @contextmanager
    def locked_row(self) -> Iterator[None]:
        held, *others = self._crowd.matches
        before = [len(match.moves) for match in others]
        with psycopg.connect(self._address) as connection:
            connection.execute(
                "SELECT id FROM games WHERE id = %s FOR UPDATE", [held.players[0].id]
            )
            yield
            # The others went on all the while.
            self._crowd.await_progress(others, before)

    @contextmanager
    def locked_table(self) -> Iterator[None]:
        with psycopg.connect(self._address) as connection:
            connection.execute("SET lock_timeout = '60s'")
            connection.execute("LOCK TABLE games IN ACCESS EXCLUSIVE MODE")
            yield

    @contextmanager
    def paused_wire(self) -> Iterator[None]:
        self._proxy.pause()
        try:
            yield
        finally:
            self._proxy.resume()

    @contextmanager
    def cut_wire(self) -> Iterator[None]:
        self._proxy.cut()
        yield


class Crowd:
    """Players, watchers and a visitor, each in a thread; what any of them finds is a fault."""

    def __init__(self, campaign: Campaign, urls: list[str]) -> None:
        self.campaign, self.urls = campaign, urls
        self.over = threading.Event()
        self._faults: list[BaseException] = []
        self._threads: list[threading.Thread] = []
        self.matches = [Match(self, Random(f"{campaign.seed}/{n}")) for n in range(GAMES)]
        for match in self.matches:
            self.start(match.play)
        self.start(self._visit)

    def start(self, work: Callable[[], None], *, waits: bool = False) -> None:
        """Let somebody begin; who only waits for news is not waited for at the end."""

        def note_faults() -> None:
            try:
                work()
            except BaseException as fault:  # told in the main thread
                if not self.over.is_set():
                    self._faults.append(fault)

        thread = threading.Thread(target=note_faults, daemon=True)
        if not waits:
            self._threads.append(thread)
        thread.start()

    def clients(self) -> list[httpx.Client]:
        """One for each server; an answer that takes too long is an error."""
        seconds = ANSWER_SECONDS + SLACK_SECONDS
        return [httpx.Client(base_url=url, timeout=seconds) for url in self.urls]

    def note(self, answer: httpx.Response) -> httpx.Response:
        """Count an answer, and how long it took."""
        assert answer.status_code in (200, 201, 503), f"{answer.request.url}: {answer.text}"
        if answer.status_code == 503:
            assert int(answer.headers["Retry-After"]) > 0
        counts, took = self.campaign.counts, round(answer.elapsed.total_seconds() * 1000)
        self.campaign.count(f"answers with {answer.status_code}")
        counts["ms at most"] = max(counts["ms at most"], took)
        return answer

    def check(self) -> None:
        """Raise what somebody has found."""
        for fault in self._faults:
            raise fault

    def await_progress(
        self, matches: list[Match] | None = None, before: list[int] | None = None
    ) -> None:
        """Until each game has gone on, and each watcher has seen it."""
        matches = self.matches if matches is None else matches
        before = [match.made for match in matches] if before is None else before
        deadline = time.monotonic() + PATIENCE
        while not all(match.made > made for match, made in zip(matches, before, strict=True)):
            self.check()
            assert time.monotonic() < deadline, "a game does not go on"
            time.sleep(0.02)
        for match in matches:
            match.await_watchers(match.version)
        self.check()

    def end(self) -> None:
        """Everybody stops after what is being done."""
        self.over.set()
        for thread in self._threads:
            thread.join(2 * ANSWER_SECONDS)

    def check_games(self) -> None:
        """What was acknowledged is there, once, and nothing else."""
        self.check()
        for match in self.matches:
            for client in self.clients():
                moves = Player(client, match.players[0].id).state()["moves"]
                assert moves == match.moves, f"{len(moves)} moves, acknowledged {len(match.moves)}"
            self.campaign.count("acknowledged moves", match.made)

    def _visit(self) -> None:
        """Ask for all the other things."""
        random = Random(self.campaign.seed)
        clients = self.clients()
        while not self.over.is_set():
            client, match = random.choice(clients), random.choice(self.matches)
            game = match.players[0].id
            path = random.choice(
                ("/health", f"/games/{game}", f"/api/games/{game}/record", "/rules")
            )
            self.note(client.get(path))
            answer = self.note(client.post("/api/games", json={"game": "ends"}))
            if answer.status_code == 201:
                made = answer.json()
                invite = {"invite": made["links"]["invite"], "key": "k" * 32}
                self.note(client.post(f"/api/games/{made['id']}/join", json=invite))
            self.over.wait(0.05)


class Match:
    """Two friends who never stop, a server for each, and a watcher on each server."""

    def __init__(self, crowd: Crowd, random: Random) -> None:
        self._crowd, self._random = crowd, random
        self._clients = crowd.clients()
        self.made = 0
        self._begin()

    def _begin(self) -> None:
        self.players = friends(self._clients[0], "ends", rules=ENDLESS)
        self.moves: list[str] = []
        self.version = 2
        self.seen = [0] * len(self._clients)
        for n in range(len(self._clients)):
            self._crowd.start(partial(self._watch, n, self.players[0].id), waits=True)

    def play(self) -> None:
        """Move after move; one that is refused is sent again, to either server."""
        while not self._crowd.over.is_set():
            move = f"{self._random.randint(1, 9)}{self._random.choice('LR')}"
            key = f"{self._random.getrandbits(64):x}"
            while not self._try(move, key):
                if self._crowd.over.wait(0.05):
                    return

    def _try(self, move: str, key: str) -> bool:
        mover = self.players[len(self.moves) % 2]
        player = Player(self._random.choice(self._clients), mover.id, mover.token)
        answer = self._crowd.note(player.move(move, ply=len(self.moves), key=key))
        if answer.status_code == 503:
            return False
        self.moves.append(move)
        assert answer.json()["moves"] == self.moves
        self.version, self.made = answer.json()["version"], self.made + 1
        return True

    def _watch(self, n: int, game: str) -> None:
        """See versions that only ever grow, on one stream that is never closed."""
        with httpx.Client(base_url=self._crowd.urls[n], timeout=PATIENCE) as client:
            while not self._crowd.over.is_set():
                with client.stream("GET", f"/api/games/{game}/stream") as response:
                    if response.status_code == 503:
                        continue
                    for version, _ in events(response):
                        assert version > self.seen[n]
                        self.seen[n] = version
                        if self._crowd.over.is_set():
                            return
                    raise AssertionError("a stream has ended")

    def await_watchers(self, version: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while min(self.seen) < version:
            self._crowd.check()
            assert time.monotonic() < deadline, f"watchers are at {self.seen}, not at {version}"
            time.sleep(0.02)
