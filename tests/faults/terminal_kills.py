"""Matches at the terminal, killed again and again: every move that was shown is there, once."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from digitduel.cli.options import rule_flags
from digitduel.cli.saves import NOTES, TerminalDuel
from digitduel.events import (
    HUMAN,
    CalledOff,
    Event,
    Moved,
    Resigned,
    RoundBegun,
    TakenBack,
    Terms,
    event_from,
)
from digitduel.journal import json_object, whole_lines
from digitduel.match import Match
from digitduel.players import make_player
from digitduel.record import dumps
from digitduel.ruleset import find_ruleset
from tests.cli.nursery import Nursery

if TYPE_CHECKING:
    from tests.cli.nursery import Run
    from tests.faults.campaign import Campaign

GAMES = (
    find_ruleset("pool").replace(target=12),
    find_ruleset("pool").replace(target=97),
    find_ruleset("ends").replace(target=997, digits="1-9"),
    find_ruleset("forbidden").replace(target=13),
    find_ruleset("closest").replace(target=33),
    find_ruleset("conquest").replace(target=13, full="closest"),
    find_ruleset("conquest").replace(target=997),
)
PLAYERS = (HUMAN, HUMAN, "random", "casual", "careful", "level:1")
MOST_MOVES = 30
RECORD, SAVED = "match.txt", "saved.txt"
# A match is killed so often at most, and then let live.
LIVES = 12
# Most kills come at random times, the others before a step that changes the disk.
LONGEST, STEPS = 0.05, 40
LANES = 3


@dataclass
class Plan:
    """A match as it must go: what happens, what people type for it, and what it is then."""

    args: list[str]
    events: list[Event]
    lines: list[str]  # for each event
    states: list[TerminalDuel]  # before each event, and after the last

    @property
    def result(self) -> bytes:
        """The record of the whole match."""
        return dumps(self.states[-1].records).encode()


def run(campaign: Campaign, folder: Path) -> None:
    """Play matches, some at a time: most of a run is waiting for the disk."""
    seeds = [campaign.random.random() for _ in range(LANES)]
    with ThreadPoolExecutor(LANES) as lanes:
        for lane in [lanes.submit(_lane, campaign, folder / str(seed), seed) for seed in seeds]:
            lane.result()


def _lane(campaign: Campaign, folder: Path, seed: float) -> None:
    """Play one match after another."""
    random, talk, home = Random(seed), folder / "talk", folder / "home"
    talk.mkdir(parents=True)
    with Nursery(talk) as nursery:
        while campaign.goes_on():
            home.mkdir()
            _play(campaign, nursery, new_plan(random), home, random)
            shutil.rmtree(home)
            campaign.count("matches")


# --- What must happen. ---


def new_plan(random: Random) -> Plan:
    """Any match."""
    ruleset, players = random.choice(GAMES), (random.choice(PLAYERS), random.choice(PLAYERS))
    rounds, seed = random.choice((1, 1, 2, 3)), str(random.randrange(10**6))
    terms = Terms(ruleset, Match(rounds), players, seed=seed, most_moves=MOST_MOVES)
    flags = rule_flags(ruleset, ruleset.differences(find_ruleset(ruleset.key).__dict__))
    args = ["play", ruleset.key, *flags.split(), "--p1", players[0], "--p2", players[1]]
    args += ["--seed", seed, "--rounds", str(rounds), "--max-moves", str(MOST_MOVES)]
    args += ["--record", RECORD] if random.random() < 0.7 else []
    plan = Plan(args, [], [], [TerminalDuel.begin(terms)])
    while not plan.states[-1].standing.over:
        event, line = _next(plan.states[-1], random)
        plan.events.append(event)
        plan.lines.append(line)
        plan.states.append(plan.states[-1].after(event))
    return plan


def _next(duel: TerminalDuel, random: Random) -> tuple[Event, str]:
    """What happens next, and what is typed for it."""
    if duel.outcome() is not None:
        return RoundBegun(), ""
    kind, people = duel.terms.players[duel.seat - 1], duel.terms.people
    if kind != HUMAN:
        player = make_player(kind, Random(duel.randomness))
        return Moved(player.choose(duel.position)), ""
    agreed = "\ny\n" if len(people) > 1 else "\n"
    back, chance = duel.takeback(people), random.random()
    if chance < 0.01:
        return Resigned(duel.seat), "resign\n"
    if chance < 0.02:
        return CalledOff(), f"off{agreed}"
    if chance < 0.1 and back is not None:
        return TakenBack(back), f"undo{agreed}"
    move, save = random.choice(list(duel.position.legal_moves)), f"save {SAVED}\n"
    return Moved(move), f"{save if chance < 0.2 else ''}{move}\n"


# --- What happens. ---


def _play(campaign: Campaign, nursery: Nursery, plan: Plan, home: Path, random: Random) -> None:
    """One match to its end, with kills; what is on disk is looked at after each."""
    done, lives = 0, random.randint(1, LIVES)
    while not is_over(home):
        after, step = random.uniform(0, LONGEST), random.randint(1, STEPS)
        by_step = random.random() < 0.3
        done, killed = live(
            nursery,
            plan,
            home,
            done,
            after=None if by_step or not lives else after,
            step=step if by_step and lives else None,
        )
        lives -= killed
        campaign.count("kills", killed)
    check_end(plan, home)
    campaign.count("events", len(plan.events))


def live(
    nursery: Nursery,
    plan: Plan,
    home: Path,
    done: int,
    *,
    after: float | None = None,
    step: int | None = None,
    syscall: str | None = None,
) -> tuple[int, bool]:
    """One life of a match that had come so far: how far it is then, and whether it was killed."""
    ended = nursery.run(
        *(["resume"] if saves(home) else plan.args),
        home=home,
        stdin="".join(plan.lines[done:]),
        after=after,
        step=step,
        syscall=syscall,
    )
    assert ended.killed or (ended.code == 0 and is_over(home)), (plan.args, ended)
    return look(plan, home, done, ended), ended.killed


def look(plan: Plan, home: Path, done: int, ended: Run) -> int:
    """How far a match is on disk after one more life: nothing that was shown is missing."""
    assert "not written over" not in ended.out, (plan.args, ended)
    now = _done(plan, home)
    kept = [event for event in plan.events[done:now] if isinstance(event, Moved | TakenBack)]
    assert len(kept) >= _shown(plan.states[0], ended.out), (plan.args, ended, kept)
    _check_record(plan, home)
    return now


def check_end(plan: Plan, home: Path) -> None:
    """The match is kept once, its record is whole, and nothing else is left."""
    (finished,) = (home / "finished").iterdir()
    assert finished.read_bytes() == plan.result
    assert RECORD not in plan.args or (home / RECORD).read_bytes() == plan.result
    assert not [path for path in home.rglob("*") if path.suffix == ".part"]


def saves(home: Path) -> list[Path]:
    """The saves there are, but for starts that were killed."""
    return [path for path in (home / "games").glob("*.jsonl") if path.stat().st_size]


def is_over(home: Path) -> bool:
    """Whether the match is among the finished ones, and its journal gone."""
    return any((home / "finished").glob("*.txt")) and not saves(home)


def _done(plan: Plan, home: Path) -> int:
    """How much of the plan is on disk: it has happened as planned, each thing once."""
    if is_over(home):
        return len(plan.events)
    happened: list[Event] = []
    for path in saves(home):
        lines = whole_lines(path.read_bytes()).splitlines()[2:]
        events = [event_from(json_object(line), *NOTES) for line in lines]
        happened += [event for event in events if not isinstance(event, NOTES)]
    assert happened == plan.events[: len(happened)]
    return len(happened)


def _shown(duel: TerminalDuel, out: str) -> int:
    """How many moves and takebacks a run has shown: each brings the line of its number."""
    wording = duel.ruleset.wording
    mark, opening = wording.moved.partition("{")[0], wording.opening.partition("{")[0]
    openings = out.count(opening) if mark in wording.opening else 0
    return out.count(mark) - openings


def _check_record(plan: Plan, home: Path) -> None:
    """A record file that is there holds the match as it was at some time."""
    for path in filter(Path.exists, (home / RECORD, home / SAVED)):
        data = path.read_bytes()
        assert any(dumps(state.records).encode() == data for state in reversed(plan.states))
