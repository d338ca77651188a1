"""The search for settings worth recommending: nearby rules, every target of two digits."""

from __future__ import annotations

from itertools import combinations, product
from math import ceil
from typing import TYPE_CHECKING, Any

from digitduel.atlas.measures import COLUMNS
from digitduel.atlas.sweep import Axis, Sweep
from digitduel.errors import DigitDuelError
from digitduel.fields import RULES
from digitduel.ruleset import find_ruleset, ruleset_keys
from digitduel.states.shape import count_states
from digitduel.teach.verdicts import FEWEST_PLIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.atlas.sweep import Row
    from digitduel.ruleset import Ruleset

    Changes = dict[str, Any]

TARGETS = range(10, 100)
# What may be changed besides the target; people can keep two changes in mind.
MENU: dict[str, tuple[Any, ...]] = {
    "digits": ("1-9", "0-9", "1-8", "1-7", "1-6", "1-5", "1,3,5,7,9"),
    "uses": (None, 1, 2),
    "ends": ("right", "both"),
    "limit": (None, 6, 7, 8, 9, 10, 12),
    "full": ("last-loses", "closest"),
    "leading_zero": (True, False),
}
MOST_CHANGES = 2
MOST_STATES = 110_000
# Each change besides the target must make a setting this much better to be worth its while.
SIMPLER = 0.85
FAIR = 0.4
REWARDS_SKILL = 0.6
MOST = 4


def candidates(ruleset: Ruleset) -> Iterator[Changes]:
    """What to change about a rule set besides its target: nothing, one rule, or two."""
    own = _rules(ruleset)
    others = [_rules(find_ruleset(key)) for key in ruleset_keys() if key != ruleset.key]
    seen: set[tuple[Any, ...]] = set()
    for count in range(MOST_CHANGES + 1):
        for fields in combinations(MENU, count):
            for values in product(*(MENU[field] for field in fields)):
                changes = dict(zip(fields, values, strict=True))
                changed = _changed(ruleset, changes)
                rules = None if changed is None else _rules(changed)
                if rules is None or rules in seen:
                    continue
                seen.add(rules)
                # What is nearer to another game is that game in disguise.
                if all(_distance(rules, own) <= _distance(rules, other) for other in others):
                    yield changes


def _changed(ruleset: Ruleset, changes: Changes) -> Ruleset | None:
    """The rules with these changes, if they make sense and are small enough to be measured."""
    try:
        changed = ruleset.replace(**changes, target=TARGETS[-1])
    except DigitDuelError:
        return None
    over_at_once = 0 in changed.safe_first_digits  # every target divides it
    too_large = count_states(changed) > MOST_STATES
    return None if over_at_once or too_large else changed


def _rules(ruleset: Ruleset) -> tuple[Any, ...]:
    """What tells rule sets apart, whatever the target: what can never matter is left out."""
    capacity, uses = ruleset.capacity, ruleset.uses
    rules = {**ruleset.rules, "target": None, "limit": capacity}
    if capacity is not None and uses is not None and uses >= capacity:
        rules["uses"] = None
    if capacity is None:
        rules["full"] = None
    if 0 not in ruleset.digits:
        rules["leading_zero"] = True
    return tuple(str(rules[name]) for name in RULES)


def _distance(rules: tuple[Any, ...], others: tuple[Any, ...]) -> int:
    """In how many rules two rule sets differ."""
    return sum(one != other for one, other in zip(rules, others, strict=True))


def sweep_of(ruleset: Ruleset, changes: Changes) -> Sweep:
    """The sweep that measures what some changes come to, for every target that can be reached."""
    changed = ruleset.replace(**changes)
    targets = tuple(target for target in TARGETS if not changed.replace(target=target).warnings)
    return Sweep(changed, (Axis("target", targets),))


def best(settings: list[tuple[Changes, Row]]) -> list[tuple[Changes, Row]]:
    """The settings to recommend: the best of each kind of change, best first.

    Among them are the best with the fewest changes, the best that rewards skill, and the best
    that does so and keeps the ending, which gives a game its character.
    """
    long_enough = [
        (changes, row) for changes, row in settings if (row["plies"] or 0) >= FEWEST_PLIES
    ]
    fair = [(changes, row) for changes, row in long_enough if _is_fair(row)]
    ranked = sorted(fair or long_enough, key=_rank)
    kinds: dict[tuple[str, ...], tuple[Changes, Row]] = {}
    for changes, row in ranked:
        kinds.setdefault(tuple(changes), (changes, row))
    simplest = sorted(ranked, key=lambda setting: len(setting[0]))
    rewarding = [(changes, row) for changes, row in ranked if _rewards_skill(row)]
    in_character = [(changes, row) for changes, row in rewarding if "full" not in changes]
    chosen: list[tuple[Changes, Row]] = []
    for choice in (*simplest[:1], *rewarding[:1], *in_character[:1], *kinds.values()):
        if choice not in chosen:
            chosen.append(choice)
    return sorted(chosen[:MOST], key=_rank)


def _is_fair(row: Row) -> bool:
    return bool(min(row["casual_first"], row["casual_second"]) >= FAIR)


def _rewards_skill(row: Row) -> bool:
    return bool(row["careful_skill"] > REWARDS_SKILL)


def _rank(setting: tuple[Changes, Row]) -> tuple[float, int]:
    changes, row = setting
    return -row["appeal"] * SIMPLER ** len(changes), row["target"]


def reason(row: Row) -> str:
    """Why a setting is worth playing.

    >>> chances = {"casual_first": 0.49, "casual_second": 0.51, "careful_first": 0.3}
    >>> reason({**chances, "casual_skill": 1, "careful_skill": 0.87})
    'fair to 1%, skill wins 87%'
    """
    off = max(abs(0.5 - row["casual_first"]), abs(0.5 - row["casual_second"]))
    # Rounded so that it never says more than is true.
    fair = f"fair to {max(1, ceil(round(100 * off, 6)))}%"
    if _rewards_skill(row):
        return f"{fair}, skill wins {int(100 * row['careful_skill'])}%"
    casual = f"{fair}, skill wins {int(100 * row['casual_skill'])}% against casual players"
    if row["careful_first"] in (0, 1):
        return f"{casual}; among careful ones the start decides"
    return f"{casual}, little against careful ones"


def shortcoming(chosen: list[tuple[Changes, Row]]) -> str | None:
    """What none of the settings offers, in a sentence."""
    lacking = []
    if not any(_is_fair(row) for _, row in chosen):
        lacking.append("is fair between casual players")
    if not any(_rewards_skill(row) for _, row in chosen):
        lacking.append("rewards skill against careful players")
    return f"No setting was found that {' or '.join(lacking)}." if lacking else None


def entry(ruleset: Ruleset, changes: Changes, row: Row) -> dict[str, Any]:
    """A setting as it is shipped."""
    rules = ruleset.replace(**changes).rules
    return {
        "changes": {"target": row["target"], **{name: rules[name] for name in changes}},
        "measures": {name: row[name] for name in COLUMNS},
        "reason": reason(row),
    }
