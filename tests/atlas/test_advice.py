"""What is known of a setting comes to those who ask why."""

from __future__ import annotations

from digitduel import Position, find_ruleset
from digitduel.atlas import recommendations
from digitduel.atlas.advice import advice_for
from digitduel.teach import Advice, Principle, explain


def test_a_recommended_setting_has_its_largest_card() -> None:
    for setting in recommendations():
        assert advice_for(setting.ruleset).card == setting.cards[-1].remainders


def test_rules_without_a_name_have_no_card_but_may_have_a_recipe() -> None:
    rules = find_ruleset("conquest").replace(target=11)
    assert advice_for(rules) == Advice("the second player wins by copying the digit")
    reason = explain(Position(rules), "3", advice=advice_for(rules))
    assert reason.principles[-1] is Principle.RECIPE


def test_a_recipe_that_takes_long_to_find_is_left_out() -> None:
    assert advice_for(find_ruleset("conquest").replace(target=9973)) == Advice()
