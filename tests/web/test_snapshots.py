"""A snapshot is the match itself."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from digitduel.errors import DigitDuelError
from digitduel.events import (
    CalledOff,
    Event,
    Moved,
    Proposed,
    Resigned,
    RoundBegun,
    TakenBack,
    Terms,
)
from digitduel.match import Match
from digitduel.position import Move
from digitduel.web.hosted import HostedDuel, Joined
from digitduel.web.snapshots import duel_from, snapshot
from tests.strategies import rulesets

MOVES = st.builds(Move, st.integers(0, 9), st.sampled_from([None, "L", "R"]))
EVENTS: st.SearchStrategy[Event] = st.one_of(
    *[st.builds(Moved, MOVES)] * 4,
    st.builds(TakenBack, st.integers(0, 3)),
    st.builds(Resigned, st.sampled_from([1, 2])),
    st.builds(Proposed, st.sampled_from([1, 2])),
    st.just(CalledOff()),
    st.just(RoundBegun()),
    st.builds(Joined, st.just("digest"), st.none() | st.just("key")),
)


@given(st.data())
def test_a_match_comes_back_from_its_snapshot(data: st.DataObject) -> None:
    match = Match(rounds=9, first=data.draw(st.sampled_from([1, 2])))
    terms = Terms(data.draw(rulesets()), match, seed="s", most_moves=data.draw(st.integers(1, 9)))
    duel = HostedDuel.begin(terms, id="game", version=1, host="h", invite="i")
    for event in data.draw(st.lists(EVENTS, max_size=30)):
        try:
            duel = replace(duel.after(event), version=duel.version + 1)
        except DigitDuelError:
            continue
        kept = json.loads(json.dumps(snapshot(duel)))
        back = duel_from(duel.id, duel.version, kept)
        assert back == duel
        assert [ply.state for ply in back.last or ()] == [ply.state for ply in duel.last or ()]
