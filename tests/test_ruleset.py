"""Rule sets: what is refused and why, what is only warned of, and a field as text."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from math import lcm
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import (
    InvalidRulesetError,
    Position,
    Ruleset,
    Termination,
    find_ruleset,
    ruleset_keys,
    setting_names,
)
from digitduel.fields import KINDS, RULES, format_digits, format_field, parse_digits, parse_field
from digitduel.ruleset import (
    FIELDS,
    easiest,
    newcomers_game,
    ruleset_from,
    shipped_settings,
    table_from,
)
from digitduel.text import quoted
from digitduel.wording import Wording
from tests.strategies import digit_sets, law, positions, rulesets

POOL = find_ruleset("pool")
TWO_ENDS = find_ruleset("ends")
CLOSEST = find_ruleset("closest")
SPEECHLESS = ("wording", "tips", "rulings")


def refusal(rules: Ruleset, /, **changes: object) -> str:
    """The message that these changes are refused with."""
    with pytest.raises(InvalidRulesetError) as caught:
        rules.replace(**changes)
    return str(caught.value)


# --- Parameters that make no sense. ---

WHOLE = "give a whole number from 1 to 10^100."
UP_TO_9 = "give some of 0 to 9."
NONSENSE: list[tuple[dict[str, Any], str]] = [
    ({"target": 1}, "target = 1 is too small for pool: give a whole number from 2 on."),
    ({"target": 0}, f"target = 0 is too small: {WHOLE}"),
    ({"target": -7}, f"target = -7 is too small: {WHOLE}"),
    ({"target": 10**100 + 1}, f"target = a number of over 100 digits is too large: {WHOLE}"),
    ({"target": 10**9999}, f"target = a number of over 100 digits is too large: {WHOLE}"),
    ({"target": -(10**9999)}, f"target = a number of over 100 digits is too small: {WHOLE}"),
    ({"digits": []}, "digits = [] names no digits: give some of 0 to 9, such as '1-9'."),
    ({"digits": ""}, "digits = '' is not understood: write them as 1-9 or 1,3,7."),
    ({"digits": "9-1"}, "digits = '9-1' is not understood: write them as 1-9 or 1,3,7."),
    ({"digits": [1, 2, 1]}, "digits holds 1 twice: name each one once."),
    ({"digits": "1-3,2"}, "digits holds 2 twice: name each one once."),
    ({"digits": [1, 10]}, f"digits holds 10, which is not a digit: {UP_TO_9}"),
    ({"digits": [-1]}, f"digits holds -1, which is not a digit: {UP_TO_9}"),
    ({"uses": 0}, f"uses = 0 is too small: {WHOLE}"),
    ({"uses": -1}, f"uses = -1 is too small: {WHOLE}"),
    ({"limit": 0}, f"limit = 0 is too small: {WHOLE}"),
    ({"limit": -1}, f"limit = -1 is too small: {WHOLE}"),
    ({"limit": 10**101}, f"limit = a number of over 100 digits is too large: {WHOLE}"),
    ({"forbidden": [1]}, "forbidden holds 1, which divides every number: give divisors from 2 on."),
    (
        {"forbidden": [0]},
        "forbidden = 0 is too small: give a whole number from 2 to 10^100.",
    ),
    ({"forbidden": [3, 3]}, "forbidden holds 3 twice: name each one once."),
    ({"forbidden": list(range(2, 103))}, "forbidden holds 101 divisors: give at most 100."),
    ({"ends": "top"}, "ends = 'top' is not known: give right, left or both."),
    ({"full": "draw"}, "full = 'draw' is not known: give last-loses or closest."),
    (
        {"digits": [2, 3], "forbidden": [2, 3]},
        "whoever starts has no safe first move with digits 2,3 and forbidden 2 and 3: "
        "allow another digit or forbid less.",
    ),
    (
        {"digits": [0], "leading_zero": False},
        "whoever starts has no safe first move with digits 0, no leading zero and forbidden none: "
        "allow another digit or forbid less.",
    ),
    (
        {"digits": [0], "forbidden": [7]},
        "whoever starts has no safe first move with digits 0 and forbidden 7: "
        "allow another digit or forbid less.",
    ),
    (
        {"full": "closest", "limit": 1},
        "full = 'closest' compares the last two numbers, but here the number is full after one "
        "move: allow more digits, uses or length, or take full = 'last-loses'.",
    ),
    ({"smallest_target": 0}, f"smallest_target = 0 is too small: {WHOLE}"),
    ({"smallest_target": 8}, "target = 7 is too small for pool: give a whole number from 8 on."),
    ({"title": " "}, "title = ' ' is not a line of text."),
    ({"title": "two\nlines"}, "title = 'two\\nlines' is not a line of text."),
    ({"goal": ""}, "goal = '' is not a line of text."),
]


@pytest.mark.parametrize(("changes", "message"), NONSENSE, ids=[next(iter(c)) for c, _ in NONSENSE])
def test_parameters_that_make_no_sense_are_refused(changes: dict[str, Any], message: str) -> None:
    assert refusal(POOL, **changes) == message


@pytest.mark.parametrize("key", ["", "Pool", "9lives", "two words", "a" * 41, "ö", "../pool", None])
def test_a_key_is_a_short_plain_word(key: object) -> None:
    assert refusal(POOL, key=key) == (
        f"key = {quoted(key)} is no name for a game: give up to 40 small letters, "
        "digits, - and _, beginning with a letter."
    )
    assert POOL.replace(key="a" * 40).key == "a" * 40


# --- Values of the wrong kind. ---

NO_INTEGERS = [True, False, 7.0, "7", None, [7], float("nan"), float("inf"), 7j]


@pytest.mark.parametrize("value", NO_INTEGERS, ids=repr)
@pytest.mark.parametrize("name", ["target", "smallest_target"])
def test_whole_numbers_are_whole_numbers(name: str, value: object) -> None:
    message = refusal(POOL, **{name: value})
    assert message == f"{name} = {quoted(value)} is not a whole number: give one from 1 on."


@pytest.mark.parametrize("value", [True, False, 1.0, [1], float("nan")], ids=repr)
@pytest.mark.parametrize("name", ["uses", "limit"])
def test_bounds_are_whole_numbers(name: str, value: object) -> None:
    message = refusal(POOL, **{name: value})
    assert message == f"{name} = {quoted(value)} is not a whole number: give one from 1 on."


@pytest.mark.parametrize(("name", "word"), [("uses", "unlimited"), ("limit", "none")])
def test_a_bound_may_be_left_out_in_one_word(name: str, word: str) -> None:
    bounded = POOL.replace(**{name: 3})
    assert bounded.rules[name] == 3
    assert bounded.replace(**{name: word}).rules[name] is None
    assert bounded.replace(**{name: None}).rules[name] is None
    for other in ("None", "3", "", "endless"):
        assert refusal(POOL, **{name: other}) == (
            f"{name} = {other!r} is not understood: give a whole number from 1 on, or {word!r}."
        )


@pytest.mark.parametrize("value", [None, 5, True, {1, 2}, {"1": 2}, 1.5], ids=repr)
def test_digits_are_a_list_or_text(value: object) -> None:
    assert refusal(POOL, digits=value) == (
        f"digits = {quoted(value)} names no digits: give some of 0 to 9, such as '1-9'."
    )


@pytest.mark.parametrize("value", [True, "1", 1.0, None, [1]], ids=repr)
def test_each_digit_is_a_whole_number(value: object) -> None:
    message = refusal(POOL, digits=[2, value])
    assert message == f"digits holds {quoted(value)}, which is not a digit: {UP_TO_9}"


@pytest.mark.parametrize("value", [None, 2, "2,3,5", {2, 3}], ids=repr)
def test_forbidden_is_a_list(value: object) -> None:
    assert refusal(POOL, forbidden=value) == (
        f"forbidden = {quoted(value)} is not a list: give divisors from 2 on, such as [2, 3, 5]."
    )


@pytest.mark.parametrize("value", [False, 2.0, "2", None], ids=repr)
def test_each_forbidden_divisor_is_a_whole_number(value: object) -> None:
    assert refusal(POOL, forbidden=[3, value]) == (
        f"forbidden = {quoted(value)} is not a whole number: give one from 2 on."
    )


@pytest.mark.parametrize("value", [0, 1, "true", None], ids=repr)
def test_leading_zero_is_true_or_false(value: object) -> None:
    assert (
        refusal(POOL, leading_zero=value)
        == f"leading_zero = {quoted(value)} is neither true nor false."
    )


@pytest.mark.parametrize("name", ["ends", "full", "title", "goal", "tips", "rulings", "wording"])
@pytest.mark.parametrize("value", [None, 5, True, [None]], ids=repr)
def test_texts_are_texts(name: str, value: object) -> None:
    assert refusal(POOL, **{name: value}).startswith(f"{name} = {quoted(value)} is not")


def test_a_text_is_not_a_list_of_sentences() -> None:
    assert refusal(POOL, tips="Think.") == "tips = 'Think.' is not a list of sentences."


nonsense = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
# Too long for Python to write, and too deep for it to show.
MONSTERS: list[object] = [10**5000, [10**5000], -(10**5000), "9" * 10**6]


@law
@given(st.sampled_from(FIELDS), nonsense | st.sampled_from(MONSTERS))
def test_any_value_is_taken_or_refused_with_a_short_message(name: str, value: object) -> None:
    try:
        kept = getattr(POOL.replace(**{name: value}), name)
    except InvalidRulesetError as error:
        message = str(error)
        # A smallest target is refused where the target is smaller: the message names that.
        assert name.removeprefix("smallest_") in message
        assert len(message) < 300
        assert message.isprintable()
    else:
        # A value that is taken means the same when given once more.
        assert getattr(POOL.replace(**{name: kept}), name) == kept


@pytest.mark.parametrize("name", sorted(set(FIELDS) - {"tips", "rulings"}))
def test_a_value_that_python_cannot_write_is_refused_like_any_other(name: str) -> None:
    for monster in MONSTERS[:3]:
        assert len(refusal(POOL, **{name: monster})) < 200


def test_lists_too_deep_to_show_are_refused_like_any_other() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert "a value too long to show" in refusal(POOL, digits=[deep])


# --- What was given, quoted in a message. ---


def test_a_long_value_is_quoted_by_its_beginning() -> None:
    assert quoted("9" * 40) == repr("9" * 40)
    assert quoted("9" * 41) == "'999999999999999999'... (41 characters)"
    assert quoted("9" * 10**6) == "'999999999999999999'... (1,000,000 characters)"
    assert quoted("9" * 41, longest=50) == repr("9" * 41)
    assert quoted(list(range(100))) == "[0, 1, 2, 3, 4, 5,..."


@given(st.text() | st.integers() | st.lists(st.text()))
def test_a_quoted_value_is_one_short_printable_line(value: object) -> None:
    shown = quoted(value)
    assert shown.isprintable()
    assert len(shown) < 250


# --- Fields together. ---


def test_ends_allows_target_1_and_the_others_begin_at_2() -> None:
    assert TWO_ENDS.replace(target=1).target == 1
    for key in set(ruleset_keys()) - {TWO_ENDS.key}:
        rules = find_ruleset(key)
        assert rules.replace(target=2).target == 2
        assert refusal(rules, target=1) == (
            f"target = 1 is too small for {key}: give a whole number from 2 on."
        )
        assert rules.replace(target=1, smallest_target=1).target == 1


def test_the_largest_target_there_is() -> None:
    assert POOL.replace(target=10**100).modulus == 10**100
    assert POOL.replace(uses=10**100).capacity == 9 * 10**100
    assert POOL.replace(uses=None, limit=10**100).capacity == 10**100


@pytest.mark.parametrize(
    ("given_name", "meant"),
    [("tarjet", "target"), ("use", "uses"), ("digit", "digits"), ("leadingzero", "leading_zero")],
)
def test_an_unknown_field_is_refused_with_the_nearest_one(given_name: str, meant: str) -> None:
    assert refusal(POOL, **{given_name: 3}) == (
        f"there is no rule called '{given_name}': did you mean '{meant}'?"
    )


def test_an_unknown_field_unlike_any_other_is_refused_with_all_of_them() -> None:
    message = refusal(POOL, xyz=3)
    assert message.startswith("there is no rule called 'xyz': known are key, title, goal, digits,")
    assert all(name in message for name in FIELDS)


def test_derived_values_are_no_fields() -> None:
    for name in ("modulus", "capacity", "rules", "warnings"):
        assert refusal(POOL, **{name: 3}).startswith(f"there is no rule called '{name}'")


@pytest.mark.parametrize(("given_key", "meant"), [("poll", "pool"), ("conqest", "conquest")])
def test_an_unknown_game_is_refused_with_the_nearest_one(given_key: str, meant: str) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        find_ruleset(given_key)
    assert str(caught.value) == f"there is no game called '{given_key}': did you mean '{meant}'?"


def test_an_unknown_game_unlike_any_other_is_refused_with_all_of_them() -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        find_ruleset("chess")
    assert str(caught.value) == (
        "there is no game called 'chess': known are closest, conquest, ends, forbidden and pool."
    )


# --- Warnings: playable, but pointless. ---


# --- Settings by name. ---

NAMES = ("easy", "classic", "sharp")
every_game = pytest.mark.parametrize("key", ruleset_keys())


@every_game
def test_a_setting_is_its_game_with_some_rules_changed(key: str) -> None:
    for setting in shipped_settings()[key]["settings"]:
        named = find_ruleset(f"{key}:{setting['name']}")
        assert named == find_ruleset(key).replace(**setting["changes"])
        assert named.key == key
        assert set(named.changed) == set(setting["changes"])


@every_game
def test_settings_come_from_easy_to_sharp(key: str) -> None:
    names = setting_names(key)
    assert names
    assert names == tuple(name for name in NAMES if name in names)
    assert easiest(key) == f"{key}:{names[0]}"


@every_game
def test_no_setting_is_over_on_move_1_or_pointless(key: str) -> None:
    for name in setting_names(key):
        ruleset = find_ruleset(f"{key}:{name}")
        assert not Position(ruleset).winning_moves
        assert not ruleset.warnings


def test_a_game_that_nothing_was_searched_for_begins_as_it_is() -> None:
    assert setting_names("mirror") == ()
    assert easiest("mirror") == "mirror"


def test_newcomers_begin_with_an_easy_setting() -> None:
    assert "easy" in setting_names(newcomers_game())


@pytest.mark.parametrize("name", ["eazy", "", "Easy", "easy ", "easy:easy", "x" * 100])
def test_an_unknown_setting_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        find_ruleset(f"closest:{name}")
    message = str(caught.value)
    assert message.startswith(f"closest has no setting called {quoted(name)}: known are easy")
    assert all(known in message for known in setting_names("closest"))


def test_a_setting_of_an_unknown_game_is_refused_by_the_game() -> None:
    with pytest.raises(InvalidRulesetError, match="no game called 'poool': did you mean 'pool'"):
        find_ruleset("poool:easy")


# --- Warnings. ---


def test_the_shipped_games_give_no_warning() -> None:
    assert [find_ruleset(key).warnings for key in ruleset_keys()] == [()] * 5


NOBODY = "nobody can ever win by the target:"


def test_a_forbidden_divisor_of_the_target_is_warned_of() -> None:
    rules = POOL.replace(target=14, forbidden=[2, 3, 7])
    assert rules.warnings == (
        f"{NOBODY} each multiple of 14 is also a multiple of 2 and 7, which is forbidden.",
    )
    assert POOL.replace(target=7, forbidden=[14]).warnings == ()


def test_a_target_whose_multiples_end_in_other_digits_is_warned_of() -> None:
    warning = (f"{NOBODY} no multiple of 20 ends in 1, 2 or 3.",)
    assert POOL.replace(target=20, digits="1-3").warnings == warning
    assert POOL.replace(target=20, digits="0-3").warnings == ()
    assert POOL.replace(target=14, digits="1-3").warnings == ()
    for target, digits in ((14, "1,3,5"), (25, "1-4"), (10, "2,5")):
        assert len(POOL.replace(target=target, digits=digits).warnings) == 1


def test_a_target_that_no_number_reaches_is_warned_of() -> None:
    warning = (f"{NOBODY} a number of at most 2 digits stays below 101.",)
    assert POOL.replace(limit=2, target=101).warnings == warning
    assert POOL.replace(limit=2, target=99).warnings == ()
    with_zero = POOL.replace(limit=2, digits="0-9", leading_zero=False)
    assert len(with_zero.replace(target=100).warnings) == 1
    assert with_zero.replace(target=90).warnings == ()
    assert POOL.replace(uses=None, limit=None, target=10**100 - 1).warnings == ()
    assert POOL.replace(uses=10**100, target=10**100 - 1).warnings == ()


def test_a_number_of_100_digits_does_not_reach_the_largest_target() -> None:
    unlimited = POOL.replace(uses=None, target=10**100)
    unlimited = unlimited.replace(digits="0-9", leading_zero=False)
    assert len(unlimited.replace(limit=100).warnings) == 1
    assert unlimited.replace(limit=101).warnings == ()


def test_words_are_no_rules() -> None:
    told = POOL.replace(wording=Wording(shown_empty="nothing"), tips=(), rulings=())
    assert told == POOL
    assert hash(told) == hash(POOL)
    for words in ("wording", "tips", "rulings", "origin"):
        assert f"{words}=" not in repr(POOL)


def test_a_0_that_may_come_first_wins_against_any_target() -> None:
    rules = POOL.replace(digits="0-9", limit=2, target=101)
    assert rules.warnings == ()
    assert len(rules.replace(leading_zero=False).warnings) == 1
    assert len(rules.replace(forbidden=[7]).warnings) == 1


@law
@given(
    positions(
        rulesets()
        | rulesets(limit=2, target=97)
        | rulesets(digits=[1, 2, 5], target=10)
        | rulesets(target=6, forbidden=[4, 6])
    )
)
def test_where_nobody_can_win_by_the_target_nobody_does(position: Position) -> None:
    ending = position.outcome()
    if ending is not None and ending.termination is Termination.TARGET:
        assert position.ruleset.warnings == ()


# --- What follows from the fields. ---


@law
@given(rulesets())
def test_modulus_is_the_least_that_every_divisor_divides(rules: Ruleset) -> None:
    assert rules.modulus == lcm(rules.target, *rules.forbidden)
    assert all(rules.modulus % each == 0 for each in (rules.target, *rules.forbidden))


@pytest.mark.parametrize(
    ("uses", "limit", "capacity"),
    [(None, None, None), (1, None, 9), (2, None, 18), (None, 10, 10), (1, 4, 4), (1, 12, 9)],
)
def test_capacity_is_the_first_bound_to_be_met(
    uses: int | None, limit: int | None, capacity: int | None
) -> None:
    assert POOL.replace(uses=uses, limit=limit).capacity == capacity


def test_safe_first_digits() -> None:
    rules = POOL.replace(digits="0-9", forbidden=[2, 3, 5])
    assert rules.safe_first_digits == (1, 7)
    assert POOL.replace(digits="0-2").safe_first_digits == (0, 1, 2)
    assert POOL.replace(digits="0-2", leading_zero=False).safe_first_digits == (1, 2)


def test_rules_are_the_eight_parameters_as_plain_values() -> None:
    assert find_ruleset("forbidden").rules == {
        "digits": [1, 2, 3, 4, 5, 6, 7, 8, 9],
        "uses": None,
        "ends": "right",
        "target": 7,
        "forbidden": [2, 3, 5],
        "limit": None,
        "full": "last-loses",
        "leading_zero": True,
    }


@law
@given(rulesets())
def test_rules_come_back_through_replace(rules: Ruleset) -> None:
    blank = Ruleset(key=rules.key, title="x", goal="y", digits=(1,), target=2, smallest_target=1)
    again = blank.replace(**rules.rules)
    assert again.rules == rules.rules
    assert tuple(again.rules) == tuple(RULES)
    assert rules.replace() == rules


def test_replace_keeps_what_it_is_not_told_and_leaves_the_original() -> None:
    changed = POOL.replace(target=12, digits=[3, 1, 2])
    assert (changed.target, changed.digits) == (12, (1, 2, 3))
    assert (POOL.target, POOL.digits) == (7, (1, 2, 3, 4, 5, 6, 7, 8, 9))
    for name in set(FIELDS) - {"target", "digits"}:
        assert getattr(changed, name) == getattr(POOL, name)


def test_what_was_changed_stays_known_however_the_rules_travel() -> None:
    changed = POOL.replace(target=12).replace(uses=2)
    assert changed.changed == ("target", "uses")
    assert changed.replace(uses=1).changed == ("target",)
    assert changed.replace(uses=1, target=7).changed == POOL.changed == ()
    copies = (
        dataclasses.replace(changed, limit=8),
        pickle.loads(pickle.dumps(changed)).replace(limit=8),  # noqa: S301  (our own)
        copy.deepcopy(changed).replace(limit=8),
        ruleset_from(json.loads(json.dumps(table_from(changed)))).replace(limit=8),
    )
    for copied in copies:
        assert copied.changed == ("target", "uses", "limit")
    assert "origin" not in repr(changed)
    assert changed == dataclasses.replace(changed, origin=())


@pytest.mark.parametrize("origin", [7, [], "pool", {"target": 0}, {"digits": 5}], ids=repr)
def test_an_origin_that_is_no_table_of_rules_is_refused(origin: object) -> None:
    with pytest.raises(InvalidRulesetError):
        ruleset_from({**table_from(POOL), "origin": origin})


def test_every_field_has_a_kind_or_is_a_text() -> None:
    assert set(FIELDS) == {*KINDS, *SPEECHLESS}


def test_a_rule_set_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        POOL.target = 12  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        POOL.modulus = 12


@law
@given(rulesets())
def test_equal_rules_are_one_key(rules: Ruleset) -> None:
    spoken = rules.replace(wording=Wording(turn="{player}!"), tips=["Think."], rulings=["None."])
    assert spoken == rules
    assert hash(spoken) == hash(rules)
    assert rules.replace(title=f"{rules.title}!") != rules


# --- A field as text, both ways. ---


@law
@given(rulesets(), st.sampled_from(sorted(set(FIELDS) - set(SPEECHLESS))))
def test_a_field_comes_back_from_its_text(rules: Ruleset, name: str) -> None:
    value = getattr(rules, name)
    text = format_field(name, value)
    assert parse_field(name, text) == value
    assert getattr(rules.replace(**{name: parse_field(name, text)}), name) == value


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("digits", (0, 1, 2, 5, 6, 9), "0-2,5,6,9"),
        ("forbidden", (), "none"),
        ("forbidden", (2, 35), "2,35"),
        ("uses", None, "unlimited"),
        ("uses", 3, "3"),
        ("limit", None, "none"),
        ("target", 10**100, "1" + "0" * 100),
        ("leading_zero", True, "true"),
        ("leading_zero", False, "false"),
        ("ends", "both", "both"),
    ],
)
def test_the_text_of_a_field(name: str, value: object, text: str) -> None:
    assert format_field(name, value) == text
    assert parse_field(name, text) == value


@pytest.mark.parametrize("name", ["target", "uses", "limit", "smallest_target", "forbidden"])
@pytest.mark.parametrize("text", ["", "seven", "1.5", "1e3", "٣", "²", "0x7", "1_000", "9" * 201])
def test_text_that_is_no_whole_number_is_refused(name: str, text: str) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        parse_field(name, text)
    assert str(caught.value).startswith(f"{name} = {quoted(text)} is not a whole number: write")


@law
@given(st.integers(-(10**60), 10**60))
def test_a_number_may_be_written_in_groups(number: int) -> None:
    assert parse_field("target", f"{number:,}") == number


@pytest.mark.parametrize("text", ["1,00", "1,0000", "1000,000", ",100", "1,000,", "1, 000", "--1"])
def test_groups_are_of_three_digits(text: str) -> None:
    with pytest.raises(InvalidRulesetError, match="is not a whole number"):
        parse_field("target", text)


@law
@given(st.lists(st.integers(2, 10**30), max_size=9, unique=True), st.sampled_from([",", " ", ", "]))
def test_divisors_are_a_list_however_they_are_separated(divisors: list[int], between: str) -> None:
    text = between.join(map(str, divisors)) or "None"
    assert parse_field("forbidden", text) == tuple(divisors)


@law
@given(st.sampled_from(sorted(KINDS)), st.text())
def test_any_text_is_a_value_or_refused(name: str, text: str) -> None:
    try:
        message = ""
        POOL.replace(**{name: parse_field(name, text)})
    except InvalidRulesetError as error:
        message = str(error)
    assert not message or name in message


@given(digit_sets)
def test_digits_come_back_from_their_short_form(digits: list[int]) -> None:
    assert parse_digits(format_digits(tuple(digits))) == tuple(digits)
    for between in (",", " ", ", ", ""):
        assert parse_digits(between.join(map(str, digits))) == tuple(digits)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("1-9", tuple(range(1, 10))),
        ("7", (7,)),
        (" 1 , 3-4 ", (1, 3, 4)),
        ("5-5", (5,)),
        ("0,9", (0, 9)),
        ("135", (1, 3, 5)),
        ("1 3 5", (1, 3, 5)),
        ("0 3-5, 79", (0, 3, 4, 5, 7, 9)),
    ],
)
def test_digits_read_from_text(text: str, digits: tuple[int, ...]) -> None:
    assert parse_digits(text) == digits


@pytest.mark.parametrize(
    "text", ["", ",", "1,", "1,,2", "12-4", "a", "1-", "-1", "3-1", "1--3", "²", "٣", "1;2"]
)
def test_digits_not_understood(text: str) -> None:
    with pytest.raises(InvalidRulesetError) as caught:
        parse_digits(text)
    assert str(caught.value) == (
        f"digits = {quoted(text)} is not understood: write them as 1-9 or 1,3,7."
    )


def test_a_player_can_stick_where_something_is_barred() -> None:
    assert not POOL.can_stick
    assert POOL.replace(forbidden=[11]).can_stick
    assert TWO_ENDS.replace(leading_zero=False, uses=1).can_stick
    assert not TWO_ENDS.replace(leading_zero=False).can_stick  # another digit never runs out
    assert not TWO_ENDS.replace(digits="1-9", leading_zero=False, uses=1).can_stick


def test_nobody_sticks_where_some_digit_is_always_safe() -> None:
    forbidden = find_ruleset("forbidden")
    assert not forbidden.can_stick  # 3 and 9 keep a safe number safe
    assert not forbidden.replace(ends="both").can_stick
    assert forbidden.replace(digits="1,2,4-8").can_stick
    assert forbidden.replace(ends="left").can_stick  # not looked into
    assert forbidden.replace(forbidden=[2, 3, 5, 1009]).can_stick
