"""A request in, an event out, or the reason why not: without HTTP and without a store."""

from __future__ import annotations

import pytest

from digitduel import IllegalMoveError, Move, find_ruleset
from digitduel.events import (
    HUMAN,
    REMATCH,
    UNDO,
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
)
from digitduel.match import MOST_ROUNDS, Match
from digitduel.web.commands import COMMANDS, allowed, decline, move, off, rematch, resign, undo
from digitduel.web.errors import RefusedError
from digitduel.web.hosted import HostedDuel
from digitduel.web.models import Action, MoveRequest

POOL = find_ruleset("pool").replace(target=101)
BOTH, ANN, BOB = (1, 2), (1,), (2,)


def duel(opponent: str, *events: Event, rounds: int = 3) -> HostedDuel:
    """A match of Ann's against a friend, at one device, or against the computer."""
    computer = opponent if opponent not in ("friend", "device") else HUMAN
    terms = Terms(POOL, Match(rounds), (HUMAN, computer), ("Ann", "Bob"))
    invite, friend = ("i", "b") if opponent == "friend" else (None, None)
    match = HostedDuel.begin(terms, id="a", version=1, host="h", invite=invite, friend=friend)
    for event in events:
        match = match.after(event)
    return match


def moved(digits: str) -> list[Event]:
    return [Moved(Move(int(digit))) for digit in digits]


OVER = [*moved("12"), Resigned(1)]
SECOND_ROUND = [*OVER, RoundBegun()]


# --- Which round and which ply a request is for. ---


@pytest.mark.parametrize("request_round", [None, 2])
@pytest.mark.parametrize("ply", [None, 0])
def test_a_request_may_say_which_round_and_ply_it_means(
    request_round: int | None, ply: int | None
) -> None:
    match = duel("device", *SECOND_ROUND)
    assert resign(match, BOTH, Action(round=request_round, ply=ply)) == Resigned(2)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Action(round=1), "^round 2 has begun meanwhile: look again"),
        (Action(round=3), "^round 2 is being played: look again"),
        (Action(ply=1), "^a move has been taken back meanwhile: look again"),
        (Action(round=2, ply=2), "^a move has been taken back meanwhile"),
    ],
)
@pytest.mark.parametrize("command", ["resign", "off", "undo"])
def test_a_request_for_another_round_or_ply_is_refused(
    command: str, request_: Action, words: str
) -> None:
    match = duel("device", *SECOND_ROUND)
    with pytest.raises(RefusedError, match=words) as refused:
        COMMANDS[command](match, BOTH, request_)
    assert refused.value.duel is match


# --- Moves. ---


def test_a_move_is_made_by_the_seat_whose_turn_it_is() -> None:
    match = duel("friend", *moved("1"))
    assert move(match, BOB, MoveRequest(move="2", ply=1)) == Moved(Move(2))
    assert move(match, BOTH, MoveRequest(move="2", ply=1)) == Moved(Move(2))
    with pytest.raises(RefusedError, match=r"^2 is out of turn: Bob is to move\.") as refused:
        move(match, ANN, MoveRequest(move="2", ply=1))
    assert refused.value.duel is match


def test_a_move_that_the_rules_refuse_is_illegal_with_the_reason() -> None:
    match = duel("friend", *moved("1"))
    with pytest.raises(IllegalMoveError, match="1 is used up"):
        move(match, BOB, MoveRequest(move="1", ply=1))


def test_a_move_is_kept_as_the_rules_write_it() -> None:
    request_ = MoveRequest(move="5R", ply=0)
    assert move(duel("device"), BOTH, request_) == Moved(Move(5))


@pytest.mark.parametrize(
    ("command", "request_", "words"),
    [
        ("move", MoveRequest(move="3", ply=2), "3 comes too late: the game is over"),
        ("resign", Action(), "resigning comes too late: the game is over"),
        ("off", Action(), "calling it off comes too late: the game is over"),
    ],
)
def test_what_comes_after_the_end_is_too_late(
    command: str, request_: Action | MoveRequest, words: str
) -> None:
    match = duel("device", *OVER)
    with pytest.raises(RefusedError, match=f"^{words}") as refused:
        COMMANDS[command](match, BOTH, request_)
    assert refused.value.duel is match


# --- Resigning and calling off. ---


def test_whoever_is_to_move_resigns_at_one_device_and_oneself_elsewhere() -> None:
    assert resign(duel("device", *moved("1")), BOTH, Action()) == Resigned(2)
    assert resign(duel("device"), BOTH, Action()) == Resigned(1)
    assert resign(duel("friend", *moved("1")), ANN, Action()) == Resigned(1)
    assert resign(duel("friend"), BOB, Action()) == Resigned(2)


def test_one_who_decides_alone_calls_off_at_once() -> None:
    assert off(duel("device"), BOTH, Action()) == CalledOff()
    assert off(duel("casual"), ANN, Action()) == CalledOff()


def test_between_friends_one_proposes_and_the_other_agrees() -> None:
    match = duel("friend")
    assert off(match, ANN, Action()) == Proposed(1)
    assert off(match, BOB, Action()) == Proposed(2)
    assert off(match, BOTH, Action()) == Proposed(1)
    proposed = match.after(Proposed(1))
    assert off(proposed, ANN, Action()) is None
    assert off(proposed, BOB, Action()) == CalledOff()


# --- Taking back. ---


def test_a_move_is_taken_back_with_the_reply_to_it() -> None:
    assert undo(duel("device", *moved("12")), BOTH, Action()) == TakenBack(1)
    assert undo(duel("casual", *moved("12")), ANN, Action()) == TakenBack(2)
    assert undo(duel("device", *OVER), BOTH, Action()) == TakenBack(0)


def test_between_friends_a_takeback_is_asked_for_and_granted() -> None:
    match = duel("friend", *moved("12"))
    assert undo(match, ANN, Action()) == Proposed(1, UNDO)
    asked = match.after(Proposed(1, UNDO))
    assert undo(asked, ANN, Action()) is None, "asking once is enough"
    assert undo(asked, BOB, Action()) == TakenBack(2), "whoever is asked gives Ann's move back"
    with pytest.raises(RefusedError, match=r"^Ann asks to take a move back meanwhile"):
        undo(asked, BOB, Action(asks=True))  # who wanted a move of his own back grants nothing
    assert decline(asked, BOB, Action()) == Declined(2)
    assert decline(asked, ANN, Action()) == Declined(1)
    assert decline(match, BOB, Action()) is None, "nothing is proposed"


def test_nothing_is_taken_back_before_a_move_of_ones_own() -> None:
    for match, seats in ((duel("device"), BOTH), (duel("friend", *moved("1")), BOB)):
        with pytest.raises(RefusedError, match=r"^there is no move of yours to") as refused:
            undo(match, seats, Action())
        assert refused.value.duel is match


# --- The next round. ---


@pytest.mark.parametrize("request_", [Action(), Action(round=1), Action(round=1, ply=2)])
def test_a_rematch_follows_a_game_that_is_over(request_: Action) -> None:
    assert rematch(duel("device", *OVER), BOTH, request_) == RoundBegun()


@pytest.mark.parametrize("request_", [Action(), Action(round=1), Action(round=1, ply=2)])
def test_whoever_asks_second_finds_the_rematch_started(request_: Action) -> None:
    assert rematch(duel("device", *SECOND_ROUND), BOTH, request_) is None


@pytest.mark.parametrize(
    ("events", "request_", "words"),
    [
        ([], Action(), "^a rematch comes too early: the game is not over"),
        ([], Action(round=1), "^a rematch comes too early"),
        (SECOND_ROUND, Action(round=2), "^a rematch comes too early"),
        (SECOND_ROUND, Action(round=3), "^round 2 is being played"),
        ([*SECOND_ROUND, *moved("1")], Action(), "^a rematch comes too early"),
        ([*SECOND_ROUND, *moved("1")], Action(round=1), "^round 2 has begun meanwhile"),
        (OVER, Action(round=2), "^round 1 is being played"),
        (OVER, Action(ply=1), "^Bob has moved meanwhile: look again"),
        ([*SECOND_ROUND, Resigned(1)], Action(round=1), "^round 2 has begun meanwhile"),
    ],
)
def test_a_rematch_at_another_time_is_refused(
    events: list[Event], request_: Action, words: str
) -> None:
    match = duel("device", *events)
    with pytest.raises(RefusedError, match=words) as refused:
        rematch(match, BOTH, request_)
    assert refused.value.duel is match


def test_a_round_given_up_before_a_move_is_followed_by_a_rematch_all_the_same() -> None:
    assert rematch(duel("device", *SECOND_ROUND, Resigned(1)), BOTH, Action()) == RoundBegun()


def test_between_friends_a_rematch_is_offered_and_accepted() -> None:
    match = duel("friend", *OVER)
    assert rematch(match, ANN, Action()) == Proposed(1, REMATCH)
    offered = match.after(Proposed(1, REMATCH))
    assert rematch(offered, ANN, Action()) is None
    assert rematch(offered, BOB, Action()) == RoundBegun()


def test_after_the_last_round_of_a_match_a_rematch_is_another_match() -> None:
    match = duel("device", *SECOND_ROUND, Resigned(2), rounds=2)
    assert rematch(match, BOTH, Action()) == MatchBegun()


def test_round_follows_round_only_so_often() -> None:
    most = [*OVER, *[RoundBegun(), Resigned(1)] * (MOST_ROUNDS - 1)]
    match = duel("device", *most, rounds=MOST_ROUNDS)
    with pytest.raises(RefusedError, match=r"^1,000 rounds are enough: start a new") as refused:
        rematch(match, BOTH, Action())
    assert refused.value.duel is match


# --- What may be done now. ---


def test_every_command_has_the_name_of_its_function() -> None:
    assert list(COMMANDS) == ["move", "resign", "off", "undo", "rematch", "decline"]
    assert {command.__name__: command for command in COMMANDS.values()} == COMMANDS


@pytest.mark.parametrize(
    ("opponent", "events", "seats", "names"),
    [
        ("device", moved("1"), (), ""),
        ("device", [], BOTH, "move resign off"),
        ("device", moved("1"), BOTH, "move resign off undo"),
        ("device", OVER, BOTH, "undo rematch"),
        ("casual", moved("1"), ANN, "resign off undo"),
        ("casual", moved("12"), ANN, "move resign off undo"),
        ("friend", moved("1"), ANN, "resign off undo"),
        ("friend", moved("1"), BOB, "move resign off"),
        ("friend", [*moved("1"), Proposed(2)], BOB, "move resign decline"),
        ("friend", [*moved("1"), Proposed(2)], ANN, "resign off undo decline"),
        ("friend", [*moved("1"), Proposed(1, UNDO)], ANN, "resign off decline"),
        ("friend", [*moved("1"), Proposed(1, UNDO)], BOB, "move resign off undo decline"),
        ("friend", OVER, ANN, "undo rematch"),
        ("friend", [*OVER, Proposed(1, REMATCH)], ANN, "undo decline"),
        ("friend", [*OVER, Proposed(1, REMATCH)], BOB, "undo rematch decline"),
    ],
)
def test_the_commands_allowed_are_those_that_would_be_done(
    opponent: str, events: list[Event], seats: tuple[int, ...], names: str
) -> None:
    assert allowed(duel(opponent, *events), seats) == names.split()
