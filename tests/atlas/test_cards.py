"""Pocket cards: published figures, and all of it once more the slow way, with fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from digitduel import DigitDuelError, Ruleset, TooLargeError, find_ruleset
from digitduel.atlas import Card, best_cards, card_strength
from tests.atlas.test_measures import WINS, Slow, TooManyError, least_solution, rulesets

if TYPE_CHECKING:
    from collections.abc import Collection

CAREFUL = 2
PUBLISHED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "ladder.json").read_text()
)["cards"]
POOL = find_ruleset("pool").replace(target=12)
SMALL = Ruleset("small", "Small", "Any.", digits=(1, 2, 3), target=7, smallest_target=1)


def rules_of(case: dict[str, Any]) -> Ruleset:
    return find_ruleset(case["game"]).replace(**case["rules"])


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: f"{case['game']}-{case['remainders']}")
def test_a_card_is_worth_what_was_worked_out_elsewhere(case: dict[str, Any]) -> None:
    found = card_strength(rules_of(case), case["remainders"])
    assert found.remainders == tuple(case["remainders"])
    for name in ("first", "second", "average"):
        assert getattr(found, name) == pytest.approx(case[name], abs=1e-9), name


@pytest.mark.parametrize(
    ("game", "changes", "card", "average"),
    [
        ("pool", {"target": 12}, (3, 6, 9), 0.688),
        ("closest", {"target": 11}, (1, 2, 10), 0.709),
        ("conquest", {"target": 22, "limit": 6, "full": "closest"}, (5, 16), 0.982),
    ],
)
def test_the_best_cards_are_those_that_are_published(
    game: str, changes: dict[str, Any], card: tuple[int, ...], average: float
) -> None:
    found = best_cards(find_ruleset(game).replace(**changes))[len(card) - 1]
    assert (found.remainders, found.proved) == (card, True)
    assert found.average == pytest.approx(average, abs=0.0005)


# --- The slow way. ---


def slow_chances(slow: Slow, card: Collection[int]) -> tuple[Fraction, Fraction, Fraction]:
    """What a card is worth, by definition: as first, as second, and over both seats."""
    target = slow.rules.target

    def choices(who: int, state: Any) -> list[Any]:
        careful = slow.choices(CAREFUL, state)
        if who == 0:
            return [
                r for r in careful if not isinstance(r, str) and r[3] % target in card
            ] or careful
        return careful

    def chances(mine: tuple[str, ...], theirs: tuple[str, ...]) -> list[Fraction]:
        def equation(node: Any) -> tuple[list[Any], Fraction]:
            who, state = node
            replies = choices(who, state)
            good = sum(reply in (mine, theirs)[who] for reply in replies)
            share = Fraction(1, len(replies))
            ahead = [(1 - who, reply) for reply in replies if not isinstance(reply, str)]
            return [(node, share) for node in ahead], good * share

        found, _ = least_solution([(0, slow.start), (1, slow.start)], equation)
        return [found[who, slow.start] for who in (0, 1)]

    won, lost = chances(WINS, ("lost",)), chances(("lost",), WINS)
    return won[0], won[1], (2 + won[0] + won[1] - lost[0] - lost[1]) / 4


def check(found: Card, slow: Slow) -> None:
    expected = slow_chances(slow, found.remainders)
    for chance, exact in zip((found.first, found.second, found.average), expected, strict=True):
        assert chance == pytest.approx(float(exact), rel=1e-13, abs=1e-15)


def check_if_small(ruleset: Ruleset, card: Collection[int]) -> None:
    assume(card)
    try:
        slow = Slow(ruleset)
        check(card_strength(ruleset, card), slow)
    except TooManyError:
        assume(False)


def some_of(data: st.DataObject, ruleset: Ruleset) -> set[int]:
    assume(ruleset.target > 1)
    return data.draw(st.sets(st.integers(1, ruleset.target - 1), min_size=1, max_size=6))


@given(ruleset=rulesets(bounded=True), data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_card_where_games_end(ruleset: Ruleset, data: st.DataObject) -> None:
    check_if_small(ruleset, some_of(data, ruleset))


@given(ruleset=rulesets(bounded=False), data=st.data())
@settings(max_examples=50, deadline=None)
def test_a_card_where_games_may_not_end(ruleset: Ruleset, data: st.DataObject) -> None:
    check_if_small(ruleset, some_of(data, ruleset))


@pytest.mark.parametrize(
    "ruleset",
    [
        find_ruleset("pool").replace(target=9, digits="1-5"),
        find_ruleset("closest").replace(target=8, digits="1-6"),
        find_ruleset("conquest").replace(target=7, limit=5, full="closest"),
        find_ruleset("forbidden").replace(target=11, limit=5, full="closest"),
        find_ruleset("ends").replace(target=7, digits="1-6"),
        find_ruleset("ends").replace(target=6, digits="1-9"),
        find_ruleset("ends").replace(target=11, digits="1,3,8"),
        SMALL,
        SMALL.replace(target=8, ends="both"),
        SMALL.replace(target=5, digits="0-3", ends="both", limit=5),
        SMALL.replace(target=3),  # fewer remainders than would fit
    ],
    ids=str,
)
def test_the_best_of_all_cards_is_found(ruleset: Ruleset) -> None:
    slow, found = Slow(ruleset), best_cards(ruleset)
    assert len(found) == min(4, ruleset.target - 1)
    for size, card in enumerate(found, start=1):
        every = combinations(range(1, ruleset.target), size)
        averages = {each: slow_chances(slow, each)[2] for each in every}
        best = max(averages.values())
        assert card.remainders == min(each for each, worth in averages.items() if worth == best)
        assert card.proved
        check(card, slow)


@pytest.mark.parametrize("target", [2**63 + 29, 10**30])
def test_a_target_that_no_machine_word_holds(target: int) -> None:
    ruleset = SMALL.replace(target=target, uses=2, full="closest", ends="both")
    slow = Slow(ruleset)
    check(card_strength(ruleset, {12, 21, 112, 31}), slow)
    for card in best_cards(ruleset, most=2):
        check(card, slow)


# --- The search. ---


def test_a_budget_that_does_not_do_leaves_the_best_found() -> None:
    ruleset = find_ruleset("closest").replace(target=27)
    every, found = best_cards(ruleset, most=3), best_cards(ruleset, most=3, budget=100_000)
    assert [card.proved for card in every] == [True, True, True]
    assert [card.proved for card in found] == [False, False, False]
    assert [card.remainders for card in found] == [card.remainders for card in every]
    assert found == best_cards(ruleset, most=3, budget=100_000), "each time the same"


def test_a_card_is_never_better_than_the_best_of_its_size() -> None:
    best = best_cards(POOL, most=2)
    for size, card in enumerate(best, start=1):
        for other in combinations(range(1, 12), size):
            assert card_strength(POOL, other).average <= card.average + 1e-12


def test_without_a_choice_a_card_changes_nothing() -> None:
    for ruleset in (find_ruleset("ends").replace(target=11), find_ruleset("forbidden")):
        assert {card.average for card in best_cards(ruleset)} == {0.5}


def test_an_order_or_a_repetition_changes_nothing() -> None:
    assert card_strength(POOL, [9, 3, 6, 3]) == card_strength(POOL, (3, 6, 9))


def test_there_is_no_card_for_target_1() -> None:
    assert best_cards(SMALL.replace(target=1)) == []


@pytest.mark.parametrize("remainder", [0, 12, -3, 2.5, "3", None])
def test_what_is_no_remainder_is_refused(remainder: Any) -> None:
    with pytest.raises(DigitDuelError, match=r"cannot be on a card for target 12: .* from 1 to 11"):
        card_strength(POOL, [remainder])


@pytest.mark.parametrize("key", ["conquest", "ends", "forbidden"])
def test_a_game_too_large_is_refused_with_its_size(key: str) -> None:
    ruleset = find_ruleset(key).replace(target=10**9 + 7)
    for work in (lambda: best_cards(ruleset), lambda: card_strength(ruleset, [1])):
        with pytest.raises(TooLargeError, match=r"a card for .* would take .* moves in memory"):
            work()


def test_a_search_too_large_is_refused_with_its_size() -> None:
    with pytest.raises(TooLargeError, match=r"would take [0-9,]+ figures"):
        best_cards(find_ruleset("ends").replace(digits="1-9", target=97))
