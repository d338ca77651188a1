"""The clock: what is agreed, what is left, and who could still win when it is up."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import DigitDuelError, Duel, Game, Match, Move, Position, Side, find_ruleset
from digitduel import chances as chances_module
from digitduel.chances import can_win
from digitduel.clock import Clock
from digitduel.describe import result, time_left
from digitduel.events import (
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
    TimeUp,
    event_from,
    event_json,
)
from digitduel.position import Outcome, Termination
from digitduel.record import Record, dumps, loads
from tests.strategies import law, rulesets, short_law

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

POOL = find_ruleset("pool").replace(target=101)
FIVE = Clock(300, 3)

clocks = st.builds(Clock, st.integers(1, 180 * 60), st.integers(0, 180))
small_rules = rulesets(limit=4, target=12) | rulesets(digits=(1, 2, 3), uses=1, target=13)
seats = st.sampled_from([1, 2])


def played(*events: Event, ruleset: Any = POOL, clock: Clock = FIVE, **agreed: Any) -> Duel:
    duel = Duel.begin(Terms(ruleset, clock=clock, **agreed))
    for event in events:
        duel = duel.after(event)
    return duel


def move(text: str, at: int) -> Moved:
    return Moved(Move.parse(text), at=at)


# --- What is agreed. ---


@law
@given(clocks)
def test_a_clock_is_read_back_from_its_text(clock: Clock) -> None:
    assert Clock.parse(str(clock)) == clock


@pytest.mark.parametrize(
    ("text", "seconds", "increment"),
    [
        ("5+3", 300, 3),
        ("5", 300, 0),
        (" 0.5 + 0 ", 30, 0),
        ("180+180", 10_800, 180),
        ("0.05", 3, 0),
    ],
)
def test_clocks_as_people_write_them(text: str, seconds: int, increment: int) -> None:
    assert Clock.parse(text) == Clock(seconds, increment)


@pytest.mark.parametrize(
    "text", ["", "0", "0+5", "0.001", "181", "5+181", "-5", "5+-3", "5+3.5", "five", "5+3+1", "٥"]
)
def test_what_is_no_clock_is_named_with_what_would_be(text: str) -> None:
    with pytest.raises(DigitDuelError, match="is no clock: write minutes") as refused:
        Clock.parse(text)
    assert repr(text)[1:-1] in str(refused.value)


def test_a_clock_is_for_two_people() -> None:
    with pytest.raises(DigitDuelError, match=r"a clock \(5\+3\) is for two people"):
        Terms(POOL, players=("human", "level:3"), clock=FIVE)


# --- Laws of the time left. ---


@st.composite
def happenings(draw: DrawFn, duel: Duel, at: int) -> Event:
    """Something that makes sense at a moment."""
    if (up := duel.time_up(at)) is not None:
        return up
    kinds: list[st.SearchStrategy[Event]] = []
    if duel.outcome() is None:
        kinds += [st.sampled_from([Moved(m, at=at) for m in duel.position.legal_moves])] * 5
        kinds += [st.builds(Resigned, seats, at=st.just(at)), st.just(CalledOff(at=at))]
    else:
        kinds.append(st.just(MatchBegun(at=at) if duel.standing.over else RoundBegun(at=at)))
    if duel.takeback((1, 2)) is not None:
        kinds.append(st.builds(TakenBack, st.integers(1, max(duel.ply, 1)), at=st.just(at)))
    if duel.proposal is not None:
        kinds.append(st.builds(Declined, seats, at=st.just(at)))
    elif duel.outcome() is None:
        kinds.append(st.builds(Proposed, seats, at=st.just(at)))
    return draw(st.one_of(kinds))


@st.composite
def stories(draw: DrawFn) -> list[tuple[Event, Duel]]:
    """Events of a match with a clock, each with the match after it."""
    clock = Clock(draw(st.sampled_from([1, 60, 300])), draw(st.integers(0, 5)))
    agreed = Terms(
        draw(rulesets()), Match(3), most_moves=draw(st.none() | st.integers(1, 9)), clock=clock
    )
    duel, at = Duel.begin(agreed), draw(st.integers(0, 10**9))
    story: list[tuple[Event, Duel]] = [(Begun(agreed), duel)]
    for _ in range(draw(st.integers(0, 15))):
        at += draw(st.integers(0, 2_000) | st.integers(0, 200_000))
        event = draw(happenings(duel, at))
        try:
            duel = duel.after(event)
        except DigitDuelError:  # a resignation is taken back as such, not by moves
            continue
        story.append((event, duel))
    return story


@law
@given(stories())
def test_time_runs_from_the_first_move_to_the_end_and_is_spent_by_whoever_is_to_move(
    story: list[tuple[Event, Duel]],
) -> None:
    for (_, before), (event, after) in pairwise(story):
        assert before.times
        assert after.times
        assert before.terms.clock
        assert (after.times.since is not None) == (after.ply > 0 and after.outcome() is None)
        assert min(after.times.left) >= 0
        assert (0 in after.times.left) <= (
            after.is_time_up or before.times.left == after.times.left
        )
        if isinstance(event, (RoundBegun, MatchBegun)):
            assert after.times.left == (1000 * before.terms.clock.seconds,) * 2
            continue
        assert event.at is not None
        spent = 0 if before.times.since is None else event.at - before.times.since
        ran = before.times.since is not None
        added = 1000 * before.terms.clock.increment * (ran and isinstance(event, Moved))
        if isinstance(event, (Proposed, Declined)):
            assert after.times == before.times
        elif not isinstance(event, TimeUp):
            assert sum(after.times.left) == sum(before.times.left) - spent + added
        other = 2 - before.seat  # the place of the other seat
        assert after.times.left[other] == before.times.left[other]


@law
@given(stories())
def test_a_match_with_a_clock_comes_back_from_json(story: list[tuple[Event, Duel]]) -> None:
    events = [json.loads(json.dumps(event_json(event))) for event, _ in story]
    begun, *rest = map(event_from, events)
    assert isinstance(begun, Begun)
    duel = Duel.begin(begun.terms)
    for event in rest:
        duel = duel.after(event)
    assert duel == story[-1][1]
    for record in duel.records:
        assert loads(dumps([record])) == [record]
        record.replay()


def test_the_first_move_is_free_and_later_ones_are_not() -> None:
    duel = played(move("1", 60_000), move("2", 70_000), move("3", 71_000))
    assert duel.time_left(71_000) == (302_000, 293_000)
    assert duel.time_left(72_500) == (302_000, 291_500)
    assert duel.time_up_at == 71_000 + 293_000


def test_taking_back_gives_no_time_back() -> None:
    duel = played(move("1", 0), move("2", 10_000), TakenBack(1, at=15_000))
    assert duel.time_left(15_000) == (295_000, 293_000)  # seat 1 was thinking meanwhile
    assert duel.time_left(16_000) == (295_000, 292_000)
    empty = duel.after(TakenBack(1, at=20_000))
    assert empty.time_left(10**9) == (295_000, 288_000)
    assert empty.time_up_at is None


def test_what_comes_after_the_time_is_up_is_refused() -> None:
    duel = played(move("1", 0))
    for late in (move("2", 300_000), Resigned(2, at=300_000), TakenBack(1, at=300_001)):
        with pytest.raises(DigitDuelError, match="comes too late: Player 2's time is up"):
            duel.after(late)
    with pytest.raises(DigitDuelError, match="comes too early: Player 2 has time left"):
        duel.after(TimeUp(2, other_wins=True, at=299_999))
    with pytest.raises(DigitDuelError, match="needs its moment"):
        duel.after(Moved(Move(2)))
    with pytest.raises(DigitDuelError, match="makes no sense"):
        duel.after(TimeUp(1, other_wins=True, at=300_000))
    up = duel.time_up(300_000)
    assert up == TimeUp(2, other_wins=True, at=300_000)
    over = duel.after(up)
    assert (over.winner, over.time_left(10**9)) == (1, (300_000, 0))
    assert over.takeback((1, 2)) is None
    with pytest.raises(DigitDuelError, match="nothing can be taken back"):
        over.after(TakenBack(1, at=300_001))


def test_an_earlier_moment_takes_nothing_and_gives_nothing() -> None:
    duel = played(move("1", 5_000), move("2", 4_000))
    assert duel.time_left(4_000) == (300_000, 303_000)
    assert duel.times
    assert duel.times.since == 5_000


def test_what_has_no_clock_is_written_as_it_was_before_there_were_clocks() -> None:
    assert event_json(Moved(Move(5))) == {"kind": "moved", "move": "5"}
    assert "clock" not in event_json(Begun(Terms(POOL)))["terms"]
    assert event_json(move("5", 7)) == {"kind": "moved", "move": "5", "at": 7}


# --- Who could still win. ---


def could(position: Position, side: Side, within: int | None = None) -> bool:
    """The same by trying everything."""
    if position.ending:
        return position.ending.winner is side
    if within == 0:
        return False
    left = None if within is None else within - 1
    return any(could(position.play(move), side, left) for move in position.legal_moves)


@short_law
@given(st.data())
def test_a_chance_is_what_some_line_leads_to(data: st.DataObject) -> None:
    position = Position(data.draw(small_rules))
    for _ in range(data.draw(st.integers(0, 3))):
        if position.legal_moves:
            position = position.play(data.draw(st.sampled_from(position.legal_moves)))
    within = data.draw(st.none() | st.integers(0, 4))
    for side in Side:
        assert can_win(position, side, within) == could(position, side, within)


@short_law
@given(st.data())
def test_in_an_endless_game_it_is_as_if_every_short_line_were_tried(data: st.DataObject) -> None:
    rules = data.draw(rulesets(target=data.draw(st.integers(2, 14)), digits=(1, 2), limit=None))
    position = Position(rules.replace(uses=None))
    within = data.draw(st.integers(0, 7))
    for side in Side:
        assert can_win(position, side, within) == could(position, side, within)
        assert can_win(position, side) >= could(position, side, 7)


def test_what_is_too_much_to_look_at_counts_as_a_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    hopeless = Position(POOL.replace(target=10**15), "1234")
    assert not can_win(hopeless, Side.FIRST)
    monkeypatch.setattr(chances_module, "MOST_POSITIONS", 20)
    assert can_win(hopeless, Side.FIRST)


def test_nobody_wins_when_the_other_could_not_have() -> None:
    # No multiple of this can be made any more, so whoever places the last digit loses.
    rules = POOL.replace(target=10**15, digits="1-3")
    odd = played(move("1", 0), move("2", 0), ruleset=rules)
    assert odd.time_up(303_000) == TimeUp(1, other_wins=True, at=303_000)
    even = played(move("1", 0), move("2", 0), ruleset=rules.replace(digits="1-4"))
    over = even.after(TimeUp(1, other_wins=False, at=303_000))
    assert even.time_up(303_000) == TimeUp(1, other_wins=False, at=303_000)
    assert over.outcome() == Outcome(Termination.TIME, None)
    assert result(over, ("Ann", "Bob"), 1) == (
        "Ann's time is up, but Bob could not have won any more: no winner, no point."
    )


def test_the_move_limit_counts() -> None:
    rules = find_ruleset("ends").replace(target=10**9 + 7, digits="1-9")
    duel = played(move("1R", 0), ruleset=rules, most_moves=3)
    # No number of three digits is a multiple.
    assert duel.time_up(10**6) == TimeUp(2, other_wins=False, at=10**6)


# --- In a record. ---


@pytest.mark.parametrize("other_wins", [True, False])
def test_a_record_tells_that_the_time_was_up(other_wins: bool) -> None:
    game = Game(POOL, ["1", "2"])
    game.time_up(other_wins=other_wins)
    record = Record.of(game, ("Ann", "Bob"), first=2)
    assert loads(dumps([record])) == [record]
    assert record.replay().outcome() == game.outcome()
    assert record.result == ("1-0" if other_wins else "*")
    with pytest.raises(DigitDuelError, match="but the moves say"):
        replace(record, result="0-1").replay()


def test_the_result_in_words() -> None:
    game = Game(POOL, ["1"])
    game.time_up(other_wins=True)
    assert result(game, ("Ann", "Bob"), 1) == "Bob's time is up. Ann wins!"
    with pytest.raises(DigitDuelError, match="comes too late"):
        game.push("2")


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [(10_800_000, "180:00"), (60_000, "1:00"), (59_999, "0:59"), (20_000, "0:20"), (99, "0:00.0")],
)
def test_time_left_in_words(milliseconds: int, shown: str) -> None:
    assert time_left(milliseconds) == shown
