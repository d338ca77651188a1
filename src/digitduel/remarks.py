"""What a game says besides its rules: tips and rulings, each only where it is true."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from digitduel.errors import InvalidRulesetError
from digitduel.fields import RULES
from digitduel.kinds import DIGITS, DIVISORS, WHOLE, Kind
from digitduel.text import quoted
from digitduel.wording import check_line, fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LONGEST_QUOTE = 100


# What a condition may be about, and a remark's {placeholders}: the rules, and what they come to.
SUBJECTS = {name: rule.kind for name, rule in RULES.items()} | {"capacity": RULES["limit"].kind}


@dataclass(frozen=True)
class Remark:
    """A tip, or a ruling on a rulebook; true always, unless `when` says under which rules."""

    text: str
    when: str = ""  # such as "ends = right and target >= 10"
    clause: str = ""  # what the rulebook says that is ruled on
    why: str = ""

    def __post_init__(self) -> None:
        for name, line in vars(self).items():
            check_line(name, line, SUBJECTS if name == "text" else ())
        tuple(_parts(self.when))


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "with": operator.contains,
    "without": lambda some, one: one not in some,
    "is": lambda size, parity: size % 2 == parity,
}


def holds(when: str, ruleset: object) -> bool:
    """Whether a condition is true of a rule set.

    >>> from digitduel import find_ruleset
    >>> holds("uses = 1 and target >= 10 and digits without 0", find_ruleset("pool"))
    False
    """
    return all(
        _TESTS[test](_size(getattr(ruleset, name)), _size(value))
        for name, test, value in _parts(when)
    )


def _size(value: object) -> object:
    """A value that can be compared: what has no bound is larger than any."""
    return inf if value is None else value


def _parts(when: str) -> Iterator[tuple[str, str, object]]:
    """The parts of a condition: what is tested, how, and against which value."""
    for part in when.split(" and ") if when else ():
        try:
            name, test, word = part.split()
            yield name, test, _value(name, SUBJECTS[name], test, word)
        except (KeyError, ValueError):
            raise InvalidRulesetError(
                f"when = {quoted(when, LONGEST_QUOTE)}: {quoted(part)} is no condition: write it "
                "as target >= 10, ends = right, digits without 0 or capacity is odd."
            ) from None


def _value(name: str, kind: Kind, test: str, word: str) -> object:
    """What a rule is compared with."""
    if test in ("=", "!="):
        return kind.check(name, kind.parse(name, word))
    fits = kind in (DIGITS, DIVISORS) if test in ("with", "without") else kind.is_whole
    if test not in _TESTS or not fits:
        raise KeyError(test)
    return {"even": 0, "odd": 1}[word] if test == "is" else WHOLE.parse(name, word)


def _checked(name: str, value: object) -> tuple[Remark, ...]:
    """Remarks as they are kept; in a file each is a table, or a text that is always true."""
    kinds = str, dict, Remark
    if not isinstance(value, list | tuple) or not all(isinstance(one, kinds) for one in value):
        raise InvalidRulesetError(f"{name} = {quoted(value)} is not a list of sentences.")
    tables = [{"text": remark} if isinstance(remark, str) else remark for remark in value]
    try:
        return tuple(Remark(**table) if isinstance(table, dict) else table for table in tables)
    except TypeError:
        raise InvalidRulesetError(
            f"{name} = {quoted(value)}: each has a text, and may have when, clause and why."
        ) from None
    except InvalidRulesetError as error:
        raise InvalidRulesetError(f"{name}: {error}") from None


REMARKS = Kind(_checked)


def remarks_that_hold(remarks: Iterable[Remark], ruleset: object) -> list[Remark]:
    """Those of some remarks that are true of a rule set, with its figures filled in."""
    words = {name: SUBJECTS[name].format(getattr(ruleset, name)) for name in SUBJECTS}
    return [
        replace(remark, text=fill(remark.text, **words))
        for remark in remarks
        if holds(remark.when, ruleset)
    ]
