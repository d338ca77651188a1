"""A disk that is full: one line says so, nothing is lost, and with space again it goes on.

Files that may not grow (`ulimit -f`) stand for it everywhere, and a small file system of its own
where we may mount one.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import httpx2 as httpx

from digitduel.web.health import WRITE_SECONDS
from tests.cli.nursery import Nursery
from tests.faults import sweep_kills
from tests.faults.terminal_kills import check_end, is_over, look, new_plan, saves
from tests.web.helpers import PATIENCE, friends, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.nursery import Run
    from tests.faults.campaign import Campaign
    from tests.web.helpers import Player, Server

NOT_SAVED = "This game is not being saved"
# A game that nobody ends by accident.
LONG = {"digits": "1-9", "target": 10**9 + 7}
PAGE = 4096


def run(campaign: Campaign, folder: Path) -> None:
    """Matches, sweeps and the server in turn."""
    talk, home = folder / "talk", folder / "home"
    talk.mkdir()
    with Nursery(talk, *sweep_kills.MODULES) as nursery, _small_disk(folder / "disk") as disk:
        if disk is None:
            campaign.count("skipped: no mount")
        turns: list[Callable[[], None]] = [
            lambda: _matches(campaign, nursery, home),
            lambda: _sweeps(campaign, nursery, folder),
            lambda: _server(campaign, folder),
        ]
        if disk is not None:
            turns.insert(0, lambda: _on_small_disk(campaign, nursery, disk))
        while campaign.goes_on():
            for turn in turns:
                turn()


# --- Matches. ---


def _matches(campaign: Campaign, nursery: Nursery, home: Path) -> None:
    for _ in range(10):
        home.mkdir()
        _match(campaign, nursery, home, lambda: campaign.random.randint(0, 4_000))
        shutil.rmtree(home)


def _match(
    campaign: Campaign,
    nursery: Nursery,
    home: Path,
    largest: Callable[[], int | None],
    make_room: Callable[[], None] = lambda: None,
) -> None:
    """One match, while no file may grow beyond the `largest` size, and then to its end."""
    plan, done, roomy = new_plan(campaign.random), 0, False
    while not is_over(home):
        ended = nursery.run(
            *(["resume"] if saves(home) else plan.args),
            home=home,
            stdin="".join(plan.lines[done:]),
            largest=None if roomy else largest(),
        )
        campaign.count("lives of matches")
        if NOT_SAVED in ended.out:
            campaign.count("matches that could not be saved")
            assert not saves(home)
            return
        _check_said(ended, roomy)
        campaign.count("refusals of matches", ended.code)
        done = look(plan, home, done, ended)
        if campaign.random.random() < 0.5 or not campaign.goes_on():
            make_room()
            roomy = True
    check_end(plan, home)


def _check_said(ended: Run, roomy: bool) -> None:
    """It went well, or one line says why not."""
    assert ended.code in ((0,) if roomy else (0, 1)), ended
    lines = ended.err.splitlines()
    assert len(lines) == ended.code, ended
    assert all("cannot write" in line for line in lines), ended


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of some pages; None where we may not mount one."""
    folder.mkdir()
    mount = [
        shutil.which("mount") or "mount",
        "-t",
        "tmpfs",
        "-o",
        "size=128k,nr_inodes=40",
        "tmpfs",
        str(folder),
    ]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run([shutil.which("umount") or "umount", str(folder)], check=True)


def _on_small_disk(campaign: Campaign, nursery: Nursery, disk: Path) -> None:
    home, filler = disk / "home", disk / "filler"
    for _ in range(10):
        home.mkdir()
        _fill(filler, campaign.random.randint(0, 6) * PAGE)
        _match(campaign, nursery, home, lambda: None, lambda: filler.unlink(missing_ok=True))
        filler.unlink(missing_ok=True)
        shutil.rmtree(home)


def _fill(path: Path, leave: int) -> None:
    """Take all space but so many bytes."""
    with path.open("wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(PAGE))
        file.truncate(max(file.tell() - leave, 0))


# --- Sweeps. ---


def _sweeps(campaign: Campaign, nursery: Nursery, folder: Path) -> None:
    whole, home = folder / "whole", folder / "home"
    args = ["atlas", *campaign.random.choice(sweep_kills.SWEEPS)]
    for place in (whole, home):
        place.mkdir()
    assert nursery.run(*args, home=whole).code == 0
    for _ in range(3):
        ended = nursery.run(*args, home=home, largest=campaign.random.randint(0, 20_000))
        _check_said(ended, roomy=False)
        campaign.count("refusals of sweeps", ended.code)
    assert nursery.run(*args, home=home).code == 0
    assert sweep_kills.files(home) == sweep_kills.files(whole), args
    for place in (whole, home):
        shutil.rmtree(place)


# --- The server. ---


def _server(campaign: Campaign, folder: Path) -> None:
    """Moves while the database may not grow, then again when it may, then after a restart."""
    database = folder / "games.db"
    with serving(str(database), "--move-rate", "100000") as server:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            players, moves = friends(client, "ends", rules=LONG), list[str]()
            _limit(server, database.stat().st_size + campaign.random.randint(0, 100) * PAGE)
            while _move(campaign, players, moves) and len(moves) < 300:
                pass
            if not any(_move(campaign, players, moves) for _ in range(3)):
                time.sleep(WRITE_SECONDS)
                assert client.get("/health").status_code == 503
                campaign.count("looks at /health while moves are refused")
            assert players[0].state()["moves"] == moves
            _limit(server, resource.RLIM_INFINITY)
            assert _move(campaign, players, moves)
        server.kill()
        server.start()
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            players[0].client = client
            assert players[0].state()["moves"] == moves
    for path in folder.glob("games.db*"):
        path.unlink()


def _limit(server: Server, size: int) -> None:
    """No file of the server may grow beyond this size."""
    limits = (size, resource.RLIM_INFINITY)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)


def _move(campaign: Campaign, players: tuple[Player, Player], moves: list[str]) -> bool:
    """Try one more move: it is acknowledged, or refused with 503."""
    ply = len(moves)
    move = f"{ply % 9 + 1}{'LR'[ply % 2]}"
    answer = players[ply % 2].move(move, ply=ply, key=f"k{ply}")
    assert answer.status_code in (200, 503), answer.text
    campaign.count(f"moves answered with {answer.status_code}")
    if answer.status_code == 200:
        moves.append(move)
    return answer.status_code == 200
