"""One match for terminal and web: events, their JSON, takebacks, and what makes no sense."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import (
    DigitDuelError,
    Duel,
    Game,
    InvalidRecordError,
    Match,
    Move,
    Position,
    Record,
    Termination,
    find_ruleset,
)
from digitduel.events import (
    EVENTS,
    MOST_MOVES_OF_PROGRAMS,
    OFF,
    REMATCH,
    UNDO,
    Begun,
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
    event_from,
    event_json,
    kind_of,
)
from digitduel.match import seat_of
from digitduel.ruleset import table_from
from tests.strategies import accepted_moves, law, lines, rulesets, shipped_rulesets

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

POOL = find_ruleset("pool").replace(target=101)
ENDLESS = find_ruleset("ends").replace(digits="1-9", target=10**9 + 7)

names = st.lists(lines.map(lambda line: line[:40]), min_size=2, max_size=2, unique=True)
seats = st.sampled_from([1, 2])


@st.composite
def terms(draw: DrawFn) -> Terms:
    """Whatever can be agreed."""
    ann, bob = draw(names)
    return Terms(
        ruleset=draw(rulesets() | shipped_rulesets()),
        match=Match(draw(st.integers(1, 4)), first=draw(seats), alternate=draw(st.booleans())),
        players=draw(st.sampled_from([("human", "human"), ("human", "level:3"), ("a", "b")])),
        names=(ann, bob),
        seed=draw(st.text(max_size=5)),
        most_moves=draw(st.none() | st.integers(1, 8)),
    )


def possible(duel: Duel) -> st.SearchStrategy[Event]:
    """An event that makes sense now."""
    kinds: list[st.SearchStrategy[Event]] = []
    if duel.outcome() is None:
        kinds += [st.sampled_from(accepted_moves(duel.position)).map(Moved)] * 6
        kinds += [st.builds(Resigned, seats), st.just(CalledOff())]
        kinds += [st.builds(Proposed, seats)] if duel.proposal is None else []
    elif not duel.standing.over:
        kinds.append(st.just(RoundBegun()))
    else:
        kinds.append(st.just(MatchBegun()))
    if duel.outcome() is not None and duel.proposal is None:
        kinds.append(st.builds(Proposed, seats, st.just(REMATCH)))
    if duel.proposal is not None:
        kinds.append(st.builds(Declined, seats))
    if duel.ply:
        kinds.append(st.integers(1, duel.ply).map(TakenBack))
    return st.one_of(kinds) if kinds else st.nothing()


@st.composite
def stories(draw: DrawFn, most: int = 20) -> tuple[list[Event], Duel]:
    """The events of a match, and the match after them."""
    begun = Begun(draw(terms()))
    duel = Duel.begin(begun.terms)
    events: list[Event] = [begun]
    for _ in range(draw(st.integers(0, most))):
        strategy = possible(duel)
        if strategy.is_empty:
            break
        events.append(draw(strategy))
        duel = duel.after(events[-1])
    return events, duel


def played(*events: Event, ruleset: Any = POOL, **agreed: Any) -> Duel:
    duel = Duel.begin(Terms(ruleset, **agreed))
    for event in events:
        duel = duel.after(event)
    return duel


def moved(text: str) -> list[Event]:
    return [Moved(Move.parse(word)) for word in text.split()]


# --- Laws. ---


@law
@given(stories())
def test_a_duel_after_events_is_the_one_rebuilt_from_their_json(
    story: tuple[list[Event], Duel],
) -> None:
    events, duel = story
    begun, *rest = [event_from(json.loads(json.dumps(event_json(event)))) for event in events]
    assert isinstance(begun, Begun)
    again = Duel.begin(begun.terms)
    for event in rest:
        again = again.after(event)
    assert again == duel
    assert hash(again) == hash(duel)
    assert again.records == duel.records
    assert table_from(again.ruleset) == table_from(duel.ruleset)  # texts too


@law
@given(stories(), st.data())
def test_a_takeback_undoes_a_move_exactly(
    story: tuple[list[Event], Duel], data: st.DataObject
) -> None:
    _, duel = story
    duel = replace(duel, proposal=None, declined=None)  # a move withdraws them for good
    if duel.outcome() is None:
        move = data.draw(st.sampled_from(accepted_moves(duel.position)))
        assert duel.after(Moved(move)).previous == duel.position
        assert duel.after(Moved(move)).after(TakenBack(1)) == duel
        for ending in (Resigned(1), CalledOff()):
            assert duel.after(ending).after(TakenBack(0)) == duel


@law
@given(stories())
def test_a_round_is_a_game(story: tuple[list[Event], Duel]) -> None:
    """The history that is shared says what a game that is played says."""
    _, duel = story
    game = Game(duel.ruleset, duel.moves)
    assert duel.position == game.position
    assert duel.previous == game.previous
    assert list(duel.move_stack) == game.move_stack
    assert duel.ply == len(game.move_stack)
    assert duel.seat == seat_of(game.turn, duel.match.starter)
    if duel.agreed is None:
        assert duel.outcome() == game.outcome()
    rounds = (
        list(range(1, duel.round)) if duel.terms.match.rounds > 1 else [None] * (duel.round - 1)
    )
    assert [record.round for record in duel.finished] == rounds
    for record in duel.records:
        assert Record.of(record.replay(), record.players, record.first, record.round) == record


@law
@given(stories())
def test_no_round_goes_on_beyond_the_cap(story: tuple[list[Event], Duel]) -> None:
    _, duel = story
    cap = duel.terms.cap
    if cap is not None:
        assert duel.ply <= cap
        assert duel.ply < cap or duel.outcome() is not None


# --- Takebacks. ---


def test_a_takeback_plays_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = played(*moved("5R 1L 4L 2R 9L"), ruleset=ENDLESS)
    numbers = [duel.position.number]
    monkeypatch.setattr(Position, "play", lambda *_: pytest.fail("played again"))
    while duel.ply:
        duel = duel.after(TakenBack(1))
        numbers.append(duel.position.number)
    assert numbers == ["94152", "4152", "415", "15", "5", ""]
    assert duel == played(ruleset=ENDLESS)


def test_a_long_history_is_compared_shared_and_let_go() -> None:
    duel = played(ruleset=ENDLESS)
    for _ in range(5_000):
        duel = duel.after(Moved(Move(1, "L")))
    other = duel.after(Moved(Move(2, "R")))
    assert duel == replace(duel)
    assert duel != other
    assert other.last is not None
    assert other.last.earlier is duel.last
    assert len(repr(duel)) < 20_000
    assert len(repr(duel.last)) < 200
    del duel, other


@pytest.mark.parametrize(
    ("moves", "own", "count"),
    [("", (1, 2), None), ("5", (1, 2), 1), ("5", (2,), None), ("5 6", (1,), 2), ("5 6", (2,), 1)],
)
def test_a_takeback_goes_to_ones_own_last_move(
    moves: str, own: tuple[int, ...], count: int | None
) -> None:
    assert played(*moved(moves)).takeback(own) == count


def test_what_was_given_up_is_taken_back_alone() -> None:
    assert played(*moved("5"), Resigned(2)).takeback((1,)) == 0
    assert played(*moved("5"), CalledOff()).takeback((1,)) == 0
    # At the cap that would go on beyond it: a move goes back too.
    at_cap = played(*moved("5 6"), most_moves=2)
    assert at_cap.takeback((1,)) == 2
    with pytest.raises(DigitDuelError):
        at_cap.after(TakenBack(0))


# --- R11: the cap on moves. ---


def test_r11_two_programs_stop_after_1000_moves_and_people_go_on() -> None:
    assert Terms(ENDLESS, players=("a", "b")).cap == MOST_MOVES_OF_PROGRAMS == 1_000
    assert Terms(ENDLESS, players=("a", "b"), most_moves=7).cap == 7
    assert Terms(ENDLESS, players=("human", "b")).cap is None
    assert Terms(ENDLESS, players=("human", "b"), most_moves=7).cap == 7


def test_r11_the_move_that_reaches_the_cap_calls_the_round_off() -> None:
    duel = played(*moved("5 6"), most_moves=3)
    assert duel.outcome() is None
    outcome = duel.after(Moved(Move(7))).outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == (Termination.CALLED_OFF, None)


def test_r11_a_move_that_wins_at_the_cap_wins() -> None:
    duel = played(*moved("7"), ruleset=find_ruleset("pool"), most_moves=1)
    assert duel.winner == 1


# --- A match. ---


def test_rounds_points_and_who_starts() -> None:
    duel = played(
        *moved("5"), Resigned(2), RoundBegun(), *moved("6"), match=Match(3), names=("Ann", "Bob")
    )
    assert (duel.round, duel.match.score, duel.seat, duel.name) == (2, (1, 0), 1, "Ann")
    assert duel.randomness == "/2/1"
    duel = duel.after(Resigned(1))
    assert duel.standing.score == (1, 1)
    assert [record.result for record in duel.records] == ["1-0", "0-1"]


def test_a_round_has_a_number_on_record_where_there_are_several() -> None:
    assert [record.round for record in played(match=Match(1)).records] == [None]
    two = played(*moved("5"), Resigned(2), RoundBegun(), match=Match(2))
    assert [record.round for record in two.records] == [1, 2]


def test_a_proposal_stands_until_the_next_move() -> None:
    duel = played(*moved("5"), Proposed(2))
    assert duel.proposal == (2, OFF)
    assert duel.after(Moved(Move(6))).proposal is None
    assert duel.after(CalledOff()).proposal is None
    assert duel.after(Proposed(1, UNDO)).proposal == (1, UNDO), "another takes its place"


def test_what_is_declined_is_known_until_something_else_happens() -> None:
    asked = played(*moved("5"), Proposed(1, UNDO))
    declined = asked.after(Declined(2))
    assert (declined.proposal, declined.declined) == (None, (1, UNDO))
    assert declined.after(Moved(Move(6))).declined is None
    assert declined.after(Proposed(1, UNDO)).declined is None, "it may be asked again"
    assert asked.after(Declined(1)).declined is None, "withdrawn by whoever proposed it"


def test_another_match_on_the_same_terms_keeps_the_rounds_of_the_first() -> None:
    duel = played(*moved("5"), Resigned(1), match=Match(3, best_of=True))
    duel = duel.after(RoundBegun()).after(Resigned(1))
    assert duel.standing.champion == 2
    again = duel.after(MatchBegun())
    assert (again.match.score, again.match.starter, again.round) == ((0, 0), 2, 3)
    assert [match.champion for match in again.earlier] == [2]
    assert [record.round for record in again.records] == [1, 2, 3]


# --- Events that make no sense. ---

OVER = [*moved("5"), Resigned(1)]


@pytest.mark.parametrize(
    ("events", "event"),
    [
        ([], Begun(Terms(POOL))),
        (moved("5"), Moved(Move(5))),
        ([], Moved(Move(5, "L"))),
        (OVER, Moved(Move(6))),
        ([], TakenBack(0)),
        ([], TakenBack(1)),
        (moved("5"), TakenBack(-1)),
        (moved("5"), TakenBack(0)),
        (moved("5"), TakenBack(2)),
        ([], Resigned(0)),
        ([], Resigned(3)),
        (OVER, Resigned(2)),
        ([], Proposed(3)),
        ([Proposed(1)], Proposed(1)),
        ([Proposed(1)], Proposed(2)),
        (OVER, Proposed(1)),
        (OVER, CalledOff()),
        ([], RoundBegun()),
        (OVER, RoundBegun()),  # a match of one round
        ([], MatchBegun()),
        ([], Declined(1)),
        ([Proposed(1)], Declined(3)),
        ([], Proposed(1, "a break")),
        ([], Proposed(1, UNDO)),  # nothing to take back
        (moved("5"), Proposed(2, UNDO)),
        ([], Proposed(1, REMATCH)),
        ([*OVER, Proposed(1, REMATCH)], Proposed(2, REMATCH)),
        ([*OVER, TakenBack(1)], RoundBegun()),
    ],
)
def test_an_event_is_refused_where_it_makes_no_sense(events: list[Event], event: Event) -> None:
    duel = played(*events)
    with pytest.raises(DigitDuelError) as caught:
        duel.after(event)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": None},
        {"kind": ["moved"]},
        {"kind": "flown"},
        {"kind": "moved"},
        {"kind": "moved", "move": 5},
        {"kind": "moved", "move": "x"},
        {"kind": "moved", "move": "5", "seat": 1},
        {"kind": "taken-back", "count": True},
        {"kind": "taken-back", "count": "1"},
        {"kind": "resigned", "seat": None},
        {"kind": "resigned", "seat": 1.0},
        {"kind": "called-off", "why": "tea"},
        {"kind": "begun"},
    ],
)
def test_json_that_is_no_event_is_named(data: dict[str, Any]) -> None:
    with pytest.raises(InvalidRecordError):
        event_from(data)


flip = st.booleans()
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@law
@given(st.data())
def test_damaged_terms_are_named_and_nothing_else_is_raised(data: st.DataObject) -> None:
    event = event_json(Begun(data.draw(terms())))
    whole = event["terms"]
    whole = whole[data.draw(st.sampled_from(["ruleset", "match"]))] if data.draw(flip) else whole
    name = data.draw(st.sampled_from(sorted(whole)))
    if data.draw(flip):
        whole[name] = data.draw(json_values)
    else:
        del whole[name]
    with suppress(InvalidRecordError):
        event_from(event)


def test_every_kind_has_a_name_of_its_own() -> None:
    assert list(map(kind_of, EVENTS)) == [
        "begun",
        "moved",
        "taken-back",
        "resigned",
        "proposed",
        "declined",
        "called-off",
        "time-up",
        "round-begun",
        "match-begun",
    ]


def test_a_shipped_game_is_stored_by_its_key_and_what_differs() -> None:
    stored = event_json(Begun(Terms(POOL)))["terms"]["ruleset"]
    assert stored == {"key": "pool", "target": 101}
    own = POOL.replace(key="mine")
    assert event_json(Begun(Terms(own)))["terms"]["ruleset"] == table_from(own)


@pytest.mark.parametrize(
    ("given_names", "words"),
    [
        (("Ann", "Ann"), "tell them apart"),
        (("", "Bob"), "is no name"),
        (("a\n", "b"), "is no name"),
    ],
)
def test_names_tell_the_players_apart(given_names: tuple[str, str], words: str) -> None:
    with pytest.raises(DigitDuelError, match=words):
        Terms(POOL, names=given_names)
