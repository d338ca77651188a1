"""The search for settings worth recommending: nearby rules, every target of two digits."""

from __future__ import annotations

from itertools import combinations, product
from statistics import mean
from typing import TYPE_CHECKING, Any

from digitduel.atlas.measures import COLUMNS
from digitduel.atlas.reading import fairness
from digitduel.atlas.sweep import Axis, Sweep
from digitduel.errors import DigitDuelError
from digitduel.ruleset import find_ruleset, ruleset_keys
from digitduel.states.shape import Shape, count_states
from digitduel.teach.verdicts import FEWEST_PLIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.atlas.sweep import Row
    from digitduel.ruleset import Ruleset

    Changes = dict[str, Any]
    Setting = tuple[Changes, Row]

TARGETS = range(10, 101)
# What may be changed besides the target.
MENU: dict[str, tuple[Any, ...]] = {
    "digits": ("1-9", "0-9", "1-8", "1-7", "1-6", "1-5", "1,3,5,7,9"),
    "uses": (None, 1, 2),
    "ends": ("right", "both"),
    "limit": (None, 5, 6, 7, 8, 9, 10, 12),
    "full": ("last-loses", "closest"),
    "leading_zero": (True, False),
}
# People can keep two changes in mind; three only where two find nothing.
FEW_CHANGES, MOST_CHANGES = 2, 3
WHATEVER = ""  # in the place of a rule that can never matter
MOST_STATES = 110_000
# What a setting must have to be recommended: each step pays, all of them well, the target decides
# often enough, and there is something to choose.
PAYS, PAYS_WELL, DECIDES, FORCED = 0.55, 0.65, 0.15, 1 / 3
SEEN = (2, 3, 4)  # the sights that this is about
# What this rests on.
QUALIFYING = ("plies", "forced", *(f"{name}_{k}" for name in ("step", "target") for k in SEEN))
# Each change besides the target must make a setting this much better to be worth its while, and
# what gives a game its character counts as two; smaller targets are more familiar.
SIMPLER, FAMILIAR = 0.85, 0.998
CHARACTER = ("ends", "full", "forbidden")
NAMES = ("easy", "classic", "sharp")
# How hard the sums of each may be; the next only where there is none.
HARDEST = {"easy": (2,), "classic": (3, 4), "sharp": (4,)}
# How people say a chance.
ODDS = {(3, 5): 0.6, (2, 3): 2 / 3, (3, 4): 0.75, (4, 5): 0.8, (9, 10): 0.9}
OFTEN = {0.9: "nearly every game", 0.6: "most games", 0.4: "every second game"}
SELDOM = {
    0.28: "every third game",
    0.22: "every fourth game",
    0.18: "every fifth game",
    0: "every sixth game",
}
# Steps that differ by less are told as one.
ALIKE = 0.15


def candidates(ruleset: Ruleset, most: int = FEW_CHANGES) -> Iterator[Changes]:
    """What to change about a rule set besides its target: nothing, one rule, up to `most`."""
    own, menu = _rules(ruleset), {**MENU, "forbidden": _fewer(ruleset.forbidden)}
    others = [_rules(find_ruleset(key)) for key in ruleset_keys() if key != ruleset.key]
    seen: set[tuple[Any, ...]] = set()
    for count in range(most + 1):
        for fields in combinations(menu, count):
            for values in product(*(menu[field] for field in fields)):
                changes = dict(zip(fields, values, strict=True))
                rules = _rules_with(ruleset, changes)
                if rules is None or rules in seen:
                    continue
                seen.add(rules)
                # What is nearer to another game is that game in disguise.
                if all(_distance(rules, own) <= _distance(rules, other) for other in others):
                    yield changes


def _fewer(divisors: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Some of the forbidden divisors: without any it would be another game.

    >>> _fewer((2, 3))
    ((2,), (3,))
    """
    return tuple(some for size in range(1, len(divisors)) for some in combinations(divisors, size))


def _rules_with(ruleset: Ruleset, changes: Changes) -> tuple[Any, ...] | None:
    """The rules with these changes, if they make sense and are small enough to be measured."""
    try:
        changed = ruleset.replace(**changes, target=TARGETS[-1])
    except DigitDuelError:
        return None
    over_at_once = 0 in changed.safe_first_digits  # every target divides it
    too_large = count_states(changed) > MOST_STATES
    return None if over_at_once or too_large else _rules(changed)


def _rules(ruleset: Ruleset) -> tuple[Any, ...]:
    """What tells rule sets apart, whatever the target: what can never matter is left out."""
    shape = Shape.of(ruleset)
    rules = ruleset.rules | {"target": None, "limit": shape.capacity, "uses": shape.uses}
    rules["full"] = WHATEVER if shape.capacity is None else ruleset.full
    rules["leading_zero"] = shape.leading_zero
    return tuple(map(str, rules.values()))


def _distance(rules: tuple[Any, ...], others: tuple[Any, ...]) -> int:
    """In how many rules two rule sets differ."""
    pairs = zip(rules, others, strict=True)
    return sum(one != other and WHATEVER not in (one, other) for one, other in pairs)


def sweep_of(ruleset: Ruleset, changes: Changes) -> Sweep:
    """The sweep that measures what some changes come to, for every target that can be reached."""
    changed = ruleset.replace(**changes)
    targets = tuple(target for target in TARGETS if not changed.replace(target=target).warnings)
    return Sweep(changed, (Axis("target", targets),), QUALIFYING)


def choose(settings: list[Setting]) -> dict[str, Setting]:
    """The settings to recommend, by name: those with the most appeal, simple rather than not.

    Easy has sums that a class can do, classic is the best with another target, and in sharp
    looking ahead goes on paying.
    """
    good = [setting for setting in settings if qualifies(setting[1]) and setting[1]["appeal"]]
    chosen: dict[str, Setting] = {}
    for name in NAMES:
        new = [setting for setting in good if _is_new(setting, chosen)]
        for hardest in HARDEST[name]:
            able = [setting for setting in new if setting[1]["sums"] <= hardest]
            if able:
                chosen[name] = min(able, key=_sharpness if name == NAMES[-1] else _rank)
                break
    return chosen


def qualifies(row: Row) -> bool:
    """Whether a setting is good enough to be recommended, if there is no recipe for it."""
    steps, targets = ([row[f"{name}_{sight}"] for sight in SEEN] for name in ("step", "target"))
    deep = min(steps) > PAYS and mean(steps) > PAYS_WELL
    free = row["forced"] is not None and row["forced"] < FORCED
    lasts = (row["plies"] or 0) >= FEWEST_PLIES
    return bool(deep and mean(targets) > DECIDES and free and lasts)


def _is_new(setting: Setting, chosen: dict[str, Setting]) -> bool:
    return all(setting[1]["target"] != row["target"] for _, row in chosen.values())


def _rank(setting: Setting) -> tuple[float, int]:
    """The best first: by appeal, and by how little has to be learned for it."""
    changes, row = setting
    learned = len(changes) + len(set(changes) & set(CHARACTER))
    return -row["appeal"] * SIMPLER**learned * FAMILIAR ** row["target"], row["target"]


def _sharpness(setting: Setting) -> tuple[float, int]:
    """The sharpest first: also by what the weakest step from 2 to 6 pays."""
    rank, target = _rank(setting)
    return rank * min(setting[1][f"step_{sight}"] for sight in range(2, 7)), target


def reason(row: Row) -> str:
    """Why a setting is worth playing.

    >>> chances = {f"{seat}_{sight}": 0.2 for seat in ("first", "second") for sight in (1, 2, 3, 4)}
    >>> steps = {"step_2": 0.9, "step_3": 0.7, "step_4": 0.65}
    >>> decides = {"target_2": 0.4, "target_3": 0.4, "target_4": 0.2}
    >>> reason({**chances, **steps, **decides, "target": 12})[:55]
    'fair over two rounds, each step of looking ahead wins 6'
    """
    steps, targets = ([row[f"{name}_{sight}"] for sight in SEEN] for name in ("step", "target"))
    often = next(words for least, words in (OFTEN | SELDOM).items() if mean(targets) >= least)
    return (
        f"{fairness(row)}, each step of looking ahead wins {_paid(steps)}, "
        f"the target decides {often}, sums with {row['target']}"
    )


def _paid(steps: list[float]) -> str:
    """What steps pay: in a word where they are alike.

    >>> _paid([0.82, 0.72, 0.75]), _paid([0.95, 0.57, 0.57])
    ('about 3 of 4', '57 to 95%')
    """
    if max(steps) - min(steps) > ALIKE:
        return f"{min(steps):.0%} to {max(steps):.0%}".replace("%", "", 1)
    won, of = min(ODDS, key=lambda odds: abs(ODDS[odds] - mean(steps)))
    return f"about {won} of {of}"


def shortcoming(chosen: dict[str, Setting]) -> str | None:
    """What none of the settings offers, in a sentence."""
    if not chosen:
        return "No setting was found in which each step of looking ahead pays."
    if NAMES[0] not in chosen:
        return (
            "No setting with sums for a class was found in which each step of looking ahead pays."
        )
    return None


def entry(ruleset: Ruleset, name: str, changes: Changes, row: Row) -> dict[str, Any]:
    """A setting as it is shipped."""
    rules = ruleset.replace(**changes).rules
    return {
        "name": name,
        "changes": {"target": row["target"], **{field: rules[field] for field in changes}},
        "reason": reason(row),
        "measures": {column: row[column] for column in COLUMNS},
    }
