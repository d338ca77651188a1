"""Matches: rounds, points, who starts, and when it is over."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import InvalidRulesetError, Match, Side
from digitduel.match import MOST_ROUNDS, seat_of, side_of
from digitduel.text import quoted
from tests.strategies import law

seats = st.sampled_from([1, 2])
winners = st.lists(st.sampled_from([1, 2, None]), max_size=12)


def played(match: Match, *won: int | None) -> Match:
    for winner in won:
        match = match.after(winner)
    return match


@law
@given(winners, seats, st.booleans())
def test_a_match_of_n_rounds_plays_them_all(
    won: list[int | None], first: int, alternate: bool
) -> None:
    match = Match(rounds=len(won) + 1, first=first, alternate=alternate)
    for number, winner in enumerate([*won, None], start=1):
        assert not match.over
        assert match.round == number
        assert match.score == (match.winners.count(1), match.winners.count(2))
        assert match.starter == (3 - first if alternate and number % 2 == 0 else first)
        match = match.after(winner)
    assert match.over
    assert match.winners == (*won, None)
    assert match.score == (won.count(1), won.count(2))


def champions(match: Match) -> set[int | None]:
    """Whoever may be champion once every round is played."""
    left = match.rounds - len(match.winners)
    endings = (match.winners + ending for ending in product((1, 2, None), repeat=left))
    return {Match(match.rounds, winners=ending).champion for ending in endings}


@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_best_of_n_stops_exactly_when_it_is_decided(rounds: int) -> None:
    going_on = [Match(rounds, best_of=True)]
    stops = set()
    while going_on:
        match = going_on.pop()
        assert match.over == (len(champions(match)) == 1)
        if match.over:
            stops.add(len(match.winners))
        else:
            going_on += [match.after(winner) for winner in (1, 2, None)]
    assert stops == set(range(rounds // 2 + 1, rounds + 1))


def test_a_plain_match_goes_on_when_it_is_decided() -> None:
    match = played(Match(rounds=5), 1, 1, 1)
    assert not match.over
    assert match.champion == 1
    assert played(match, 2, 2).over


def test_a_single_round_is_a_match() -> None:
    assert Match() == Match(rounds=1, best_of=False, first=1, alternate=True, winners=())
    assert not Match().over
    assert Match().after(2).over
    assert Match().after(2).champion == 2


def test_equal_points_tie_a_match() -> None:
    match = played(Match(rounds=4), 1, 2, 2, 1)
    assert match.over
    assert match.score == (2, 2)
    assert match.champion is None


def test_a_round_called_off_is_played_but_gives_no_point() -> None:
    match = played(Match(rounds=3), None, 1)
    assert match.round == 3
    assert match.score == (1, 0)
    assert match.starter == 1
    assert not match.over
    assert match.after(None).over
    assert match.after(None).champion == 1


def test_best_of_n_with_rounds_called_off_may_end_level() -> None:
    match = played(Match(rounds=3, best_of=True), 1, 2, None)
    assert match.over
    assert match.champion is None
    assert not played(Match(rounds=3, best_of=True), 1, None).over


def test_the_other_seat_may_start() -> None:
    match = Match(rounds=3, first=2)
    assert [match.starter, match.after(1).starter, played(match, 1, 1).starter] == [2, 1, 2]
    match = Match(rounds=3, first=2, alternate=False)
    assert [match.starter, match.after(1).starter, played(match, 1, 1).starter] == [2, 2, 2]


@given(seats, st.sampled_from(Side), seats)
def test_seats_and_sides_are_two_names_for_a_player(starter: int, side: Side, seat: int) -> None:
    assert side_of(seat_of(side, starter), starter) is side
    assert seat_of(side_of(seat, starter), starter) == seat
    assert seat_of(Side.FIRST, starter) == starter
    assert seat_of(side, starter) + seat_of(side.other, starter) == 3


# --- Matches that make no sense. ---


@pytest.mark.parametrize(
    "rounds", [0, -1, MOST_ROUNDS + 1, 10**5000, 2.5, "3", True, None], ids=quoted
)
def test_rounds_are_a_whole_number_from_1_on(rounds: Any) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        Match(rounds=rounds)
    assert str(caught.value).endswith("rounds make no match: give a whole number from 1 to 1000.")
    assert Match(rounds=MOST_ROUNDS).rounds == MOST_ROUNDS


@pytest.mark.parametrize("rounds", [2, 4, MOST_ROUNDS])
def test_best_of_an_even_number_is_refused_with_one_that_is_accepted(rounds: int) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        Match(rounds=rounds, best_of=True)
    assert str(caught.value) == (
        f"best of {rounds} could end even: give an odd number, such as {rounds - 1}."
    )
    assert Match(rounds=rounds - 1, best_of=True).rounds == rounds - 1


@pytest.mark.parametrize("first", [0, 3, "1", None])
def test_the_starter_is_one_of_two_seats(first: Any) -> None:
    with pytest.raises(InvalidRulesetError, match="is no seat: give 1 or 2"):
        Match(first=first)


@pytest.mark.parametrize("winner", [0, 3, "1", Side.FIRST])
def test_a_round_is_won_by_a_seat_or_by_nobody(winner: Any) -> None:
    with pytest.raises(InvalidRulesetError, match="cannot win a round: give 1, 2 or None"):
        Match(rounds=3).after(winner)


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (Match().after(1), "the match is over after 1 round."),
        (Match(rounds=5, best_of=True, winners=(2, 2, 2)), "the match is over after 3 rounds."),
    ],
)
def test_a_match_that_is_over_has_no_further_round(match: Match, message: str) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        match.after(1)
    assert str(caught.value) == message
