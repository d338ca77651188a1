"""Damaged files of every kind, given to every command that reads them: named and left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from digitduel.cli import INTERRUPTED
from digitduel.cli.saves import TerminalDuel, create_save
from digitduel.events import event_json
from digitduel.record import dumps
from digitduel.ruleset import GAMES_FOLDER
from tests.faults.arguments import at_work, call, clean
from tests.faults.terminal_kills import new_plan

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from tests.faults.campaign import Campaign
    from tests.faults.terminal_kills import Plan

SWEEP = ("atlas", "pool", "--targets", "2..20", "--columns", "value,plies", "--jobs", "1")
# What a reader may trip over, put in whole.
ODDITIES = (
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\n\n", b"[", b"]" * 3, b'"', b"\\", b"{}"),
    *(b"[" * 20_000, b"9" * 5_000, b"-1", b"0", b"1e999", b"NaN", b"null", b"true", b"Infinity"),
    *(b"\\ud800", "\u0663\u202e".encode(), b"\x1b[2J", b"[[x]]\n", b"= 5\n", b"x" * 30_000),
)
RECORD, SAVE, RULES = "game.txt", "home/games/pool-1.jsonl", "mine.toml"
TABLE, PARTIAL = "a.csv", "a.csv.partial.jsonl"


class Kind(NamedTuple):
    """A kind of file: where it is, and the commands that read it."""

    path: str
    commands: tuple[tuple[str, ...], ...]


KINDS = {
    "record": Kind(
        RECORD,
        (
            *(("replay", RECORD), ("replay", RECORD, "--json")),
            *(("analyse", RECORD), ("analyse", RECORD, "--svg", "a.svg")),
        ),
    ),
    "save": Kind(SAVE, (("resume", "--list"), ("resume", "pool-1"), ("resume",))),
    "rules": Kind(
        RULES,
        (
            *(("rules", RULES), ("rules", RULES, "--check"), ("rules", RULES, "--as-written")),
            *(("solve", RULES), ("play", RULES), ("remainders", RULES), ("recommend", RULES)),
        ),
    ),
    "table": Kind(TABLE, ((*SWEEP, "--out", TABLE),)),
    "sweep": Kind(PARTIAL, ((*SWEEP, "--out", TABLE),)),
}


def run(campaign: Campaign, folder: Path) -> None:
    """Damage one file after another."""
    with at_work(folder) as place:
        sound = _samples(place)
        while campaign.goes_on():
            clean(place)
            kind = campaign.random.choice(sorted(KINDS))
            if kind in ("record", "save"):
                sound[kind] = _of_match(kind, new_plan(campaign.random), place)
            if kind == "rules":
                games = sorted(GAMES_FOLDER.glob("*.toml"))
                sound[kind] = campaign.random.choice(games).read_bytes()
            path = place / KINDS[kind].path
            path.parent.mkdir(parents=True, exist_ok=True)
            damaged = _damaged(campaign.random, sound[kind])
            for args in KINDS[kind].commands:
                path.write_bytes(damaged)
                ended = call(args)
                campaign.count(kind if ended.code else f"{kind} (readable)")
                assert len(ended.err) < 3_000, (args, ended)
                campaign.count("interrupted", ended.code == INTERRUPTED)
                # What goes on with a file changes it; nobody else may.
                if ended.code == 2 or kind not in ("save", "sweep"):
                    assert path.read_bytes() == damaged, args
            if kind == "sweep" and (place / TABLE).exists():
                assert (place / TABLE).read_bytes() == sound["table"]


def _samples(place: Path) -> dict[str, bytes]:
    """Sound files of those kinds that are the same each time."""
    assert call((*SWEEP, "--out", TABLE)).code == 0
    table = (place / TABLE).read_bytes()
    (place / TABLE).unlink()
    return {"table": table, "sweep": _partial(place)}


def _partial(place: Path) -> bytes:
    """What is done of the sweep, all of it."""
    from digitduel.atlas.checkpoint import Checkpoint
    from digitduel.atlas.sweep import run as work_out
    from digitduel.atlas.sweep import sweep_from
    from digitduel.atlas.workers import Here
    from digitduel.ruleset import find_ruleset

    sweep = sweep_from(find_ruleset("pool"), SWEEP[3], (), SWEEP[5])
    with Checkpoint(place / PARTIAL, sweep) as checkpoint:
        for piece, rows in work_out(sweep, Here(), 1):
            checkpoint.add(piece, rows)
    return (place / PARTIAL).read_bytes()


def _of_match(kind: str, plan: Plan, place: Path) -> bytes:
    """The record of a match, or the save of a part of it."""
    if kind == "record":
        return dumps(plan.states[-1].records).encode()
    duel = TerminalDuel.begin(plan.states[0].terms)
    journal = create_save(duel)
    journal.append(*map(event_json, plan.events[: len(plan.events) // 2]))
    data = journal.path.read_bytes()
    journal.remove()
    assert place in journal.path.parents
    return data


# --- Damage. ---


def _damaged(random: Random, data: bytes) -> bytes:
    """A file with some things changed, here or there."""
    for _ in range(random.choice((1, 1, 2, 5))):
        data = random.choice((_byte, _oddity, _gap, _line, _line))(random, data)
    return data


def _byte(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return (
        data[:at] + bytes([random.choice((random.randrange(256), *b"0123456789"))]) + data[at + 1 :]
    )


def _oddity(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(ODDITIES) + data[at:]


def _gap(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + data[at + random.choice((1, 5, 40, len(data))) :]


def _line(random: Random, data: bytes) -> bytes:
    """A line is missing, there twice, or all from it on are the wrong way round."""
    lines = data.splitlines(keepends=True)
    at = random.randrange(len(lines) + 1)
    before, after = lines[:at], lines[at:]
    return b"".join(before + random.choice((after[1:], after[:1] + after, after[::-1])))
