"""What a game page says of rounds and matches."""

from __future__ import annotations

import pytest

from digitduel.events import MatchBegun, Resigned, RoundBegun, Terms
from digitduel.match import MOST_ROUNDS, Match
from digitduel.ruleset import find_ruleset
from digitduel.web.hosted import HostedDuel
from digitduel.web.models import Viewer
from digitduel.web.pages.view import GameView


def view_after(match: Match, *losers: int, seat: int | None = 1) -> GameView:
    """The page of a game in which these seats have resigned one after the other."""
    terms = Terms(find_ruleset("pool"), match)
    duel = HostedDuel.begin(terms, id="x", version=1, host="", invite="", friend="")
    for loser in losers:
        if duel.outcome():
            duel = duel.after(MatchBegun() if duel.standing.over else RoundBegun())
        duel = duel.after(Resigned(loser))
    return GameView(duel, Viewer.model_validate({"seats": [seat] if seat else [], "may": []}))


@pytest.mark.parametrize(
    ("match", "losers", "name", "result"),
    [
        (Match(rounds=MOST_ROUNDS), (2,), "", ""),
        (Match(rounds=MOST_ROUNDS), (2, 1), "Round 2", ""),
        (Match(rounds=3), (2, 2), "Round 2 of 3", ""),
        (Match(rounds=2), (1, 2), "Round 2 of 2", "The match is drawn, 1 to 1."),
        (Match(rounds=3, best_of=True), (2, 2), "Best of 3, round 2", "You win the match, 2 to 0."),
        (Match(rounds=1), (1,), "Round 1 of 1", "You lose the match, 1 to 0."),
    ],
)
def test_the_round_and_who_wins_the_match(
    match: Match, losers: tuple[int, ...], name: str, result: str
) -> None:
    view = view_after(match, *losers)
    assert (view.round_name, view.match_result) == (name, result)


def test_who_wins_the_match_for_who_watches() -> None:
    view = view_after(Match(rounds=1), 2, seat=None)
    assert view.match_result == "Player 1 wins the match, 1 to 0."


def test_rounds_of_earlier_matches_stay_reachable() -> None:
    view = view_after(Match(rounds=2), 1, 2, 1, 2)
    assert [(past.name, past.ending) for past in view.rounds] == [
        ("Round 1", "Player 2 won"),
        ("Match 1, round 2", "you won"),
        ("Match 1, round 1", "Player 2 won"),
    ]
    assert view.rounds[0].analysis == "/analysis?game=pool"
