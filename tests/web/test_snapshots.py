"""A snapshot is the match itself."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from digitduel.clock import Clock
from digitduel.duel import Proposal
from digitduel.errors import DigitDuelError
from digitduel.events import (
    PROPOSALS,
    CalledOff,
    Declined,
    Event,
    MatchBegun,
    Moved,
    Proposed,
    Resigned,
    RoundBegun,
    TakenBack,
    Terms,
    TimeUp,
)
from digitduel.match import Match
from digitduel.position import Move
from digitduel.ruleset import find_ruleset
from digitduel.web.hosted import HostedDuel, Joined, Renamed, SeatMoved, SeatOffered
from digitduel.web.snapshots import duel_from, snapshot
from tests.strategies import rulesets

MOVES = st.builds(Move, st.integers(0, 9), st.sampled_from([None, "L", "R"]))
EVENTS: st.SearchStrategy[Event] = st.one_of(
    *[st.builds(Moved, MOVES)] * 4,
    st.builds(TakenBack, st.integers(0, 3)),
    st.builds(Resigned, st.sampled_from([1, 2])),
    st.builds(Proposed, st.sampled_from([1, 2]), st.sampled_from(PROPOSALS)),
    st.builds(Declined, st.sampled_from([1, 2])),
    st.just(CalledOff()),
    st.just(RoundBegun()),
    st.just(MatchBegun()),
    st.builds(Joined, st.just("digest"), st.none() | st.just("key"), st.none() | st.just("Bob")),
    st.builds(SeatOffered, st.sampled_from([1, 2]), st.just("secret")),
    st.builds(SeatMoved, st.sampled_from([1, 2]), st.just("elsewhere")),
    st.builds(TimeUp, st.sampled_from([1, 2]), st.booleans()),
    st.builds(Renamed, st.sampled_from([1, 2]), st.sampled_from(["Ann", "Bob"])),
)


@given(st.data())
def test_a_match_comes_back_from_its_snapshot(data: st.DataObject) -> None:
    match = Match(
        rounds=data.draw(st.sampled_from([1, 3, 9])), first=data.draw(st.sampled_from([1, 2]))
    )
    terms = Terms(
        data.draw(rulesets()),
        match,
        seed="s",
        most_moves=data.draw(st.integers(1, 9)),
        clock=data.draw(st.none() | st.just(Clock(60, 3))),
    )
    duel = HostedDuel.begin(terms, id="game", version=1, host="h", invite="i", lobby="pool:easy")
    for at, event in enumerate(data.draw(st.lists(EVENTS, max_size=30))):
        try:
            stamped = replace(event, at=12_345 * at)
            duel = replace(duel.after(stamped), version=duel.version + 1)
        except DigitDuelError:
            continue
        kept = json.loads(json.dumps(snapshot(duel)))
        back = duel_from(duel.id, duel.version, kept)
        assert back == duel
        assert [ply.state for ply in back.last or ()] == [ply.state for ply in duel.last or ()]


def test_a_snapshot_from_before_proposals_had_kinds_is_read() -> None:
    duel = HostedDuel.begin(Terms(find_ruleset("pool")), id="game", version=2, host="h", invite="i")
    kept = snapshot(duel) | {"offer": 2}
    for later in ("proposal", "declined", "earlier", "secrets", "lobby", "times"):
        del kept[later]
    assert duel_from("game", 2, kept) == replace(duel, proposal=Proposal(2, "off"))
