"""A rule set: the frozen, validated parameters of one game, read from a TOML file."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import gcd, lcm
from pathlib import Path
from typing import Any, Literal, cast

from digitduel.errors import InvalidRulesetError, StorageError
from digitduel.fields import CHECKS, format_digits
from digitduel.files import read_text
from digitduel.text import did_you_mean, file_name, listed, quoted
from digitduel.wording import WORDING_KEYS, Wording

GAMES_FOLDER = Path(__file__).parent / "games"
LARGEST_FILE = 20_000
# The fields that decide who wins: what `replace` takes and what JSON calls "rules".
RULES = ("digits", "uses", "ends", "target", "forbidden", "limit", "full", "leading_zero")


@dataclass(frozen=True)
class Ruleset:
    """One game as data. Any mix of the parameters that makes sense is a legal game.

    >>> find_ruleset("pool").replace(target=12).target
    12
    """

    key: str
    title: str
    goal: str
    digits: tuple[int, ...]
    target: int
    uses: int | None = None
    ends: Literal["right", "left", "both"] = "right"
    forbidden: tuple[int, ...] = ()
    limit: int | None = None
    full: Literal["last-loses", "closest"] = "last-loses"
    leading_zero: bool = True
    smallest_target: int = 2  # that `replace` and flags accept
    wording: Wording = field(default=Wording(), compare=False, repr=False)
    # Advice for whoever plays it.
    tips: tuple[str, ...] = field(default=(), compare=False, repr=False)
    # What the rulebook leaves open, and how it is settled.
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in FIELDS:
            object.__setattr__(self, name, CHECKS[name](name, getattr(self, name)))
        self._check_together()

    def _check_together(self) -> None:
        if self.target < self.smallest_target:
            raise InvalidRulesetError(
                f"target = {self.target} is too small for {self.key}: "
                f"give a whole number from {self.smallest_target} on."
            )
        if self.full == "closest" and self.capacity == 1:
            raise InvalidRulesetError(
                "full = 'closest' compares the last two numbers, but here the number is full "
                "after one move: allow more digits, uses or length, or take full = 'last-loses'."
            )
        if not self.safe_first_digits:
            raise InvalidRulesetError(
                f"whoever starts has no safe first move with digits {format_digits(self.digits)}"
                f"{', no leading zero' if not self.leading_zero else ''}"
                f" and forbidden {listed(self.forbidden)}: allow another digit or forbid less."
            )

    @cached_property
    def modulus(self) -> int:
        """The number modulo this decides every test: lcm of the target and the forbidden."""
        return lcm(self.target, *self.forbidden)

    @cached_property
    def capacity(self) -> int | None:
        """How many digits fill the number; None when it can grow without end."""
        pool = None if self.uses is None else self.uses * len(self.digits)
        return min((size for size in (pool, self.limit) if size is not None), default=None)

    @cached_property
    def safe_first_digits(self) -> tuple[int, ...]:
        """The digits that may come first without making a forbidden multiple."""
        return tuple(
            digit
            for digit in self.digits
            if (digit or self.leading_zero) and all(digit % each for each in self.forbidden)
        )

    @property
    def rules(self) -> dict[str, Any]:
        """The parameters as plain JSON values."""
        values = {name: getattr(self, name) for name in RULES}
        return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes these rules pointless though playable."""
        found = []
        spoilers = [each for each in self.forbidden if self.target % each == 0]
        if spoilers:
            found.append(
                f"nobody can ever win by the target: each multiple of {self.target} is also "
                f"a multiple of {listed(spoilers)}, which is forbidden."
            )
        # Every multiple of the target ends in a multiple of what the target shares with 10.
        if all(digit % gcd(self.target, 10) for digit in self.digits):
            found.append(
                f"nobody can ever win by the target: no multiple of {self.target} ends in "
                f"{listed(self.digits, 'or')}."
            )
        if self._target_out_of_reach():
            found.append(
                f"nobody can ever win by the target: a number of at most {self.capacity} "
                f"digits stays below {self.target}."
            )
        return tuple(found)

    def _target_out_of_reach(self) -> bool:
        zero_wins = 0 in self.safe_first_digits
        # A number of `capacity` digits is below 10**capacity; past 100 digits no target is out.
        small = self.capacity is not None and self.capacity <= 100
        return small and not zero_wins and self.target >= 10 ** cast("int", self.capacity)

    def replace(self, **changes: object) -> Ruleset:
        """These rules with some fields changed; the result is checked as a whole."""
        for name in changes:
            if name not in FIELDS:
                raise InvalidRulesetError(
                    f"there is no rule called {quoted(name)}: {did_you_mean(name, FIELDS)}"
                )
        changed = dataclasses.replace(self, **cast("dict[str, Any]", changes))
        object.__setattr__(changed, "_origin", self.origin)
        return changed

    def differences(self, other: Ruleset) -> tuple[str, ...]:
        """The names of the rules in which these differ from the `other` ones.

        >>> find_ruleset("pool").replace(target=12).differences(find_ruleset("closest"))
        ('target', 'full')
        """
        return tuple(name for name in RULES if getattr(self, name) != getattr(other, name))

    @property
    def origin(self) -> Ruleset:
        """The rules that these were made from by changing some."""
        found: Ruleset = self.__dict__.get("_origin", self)
        return found


FIELDS = tuple(each.name for each in dataclasses.fields(Ruleset))
REQUIRED = frozenset(("key", "title", "goal", "digits", "target"))


@cache
def ruleset_keys() -> tuple[str, ...]:
    """The keys of the games that ship with the package: one file each."""
    return tuple(sorted(path.stem for path in GAMES_FOLDER.glob("*.toml")))


@cache
def find_ruleset(key: str) -> Ruleset:
    """The shipped game of this name."""
    if key not in ruleset_keys():
        raise InvalidRulesetError(
            f"there is no game called {quoted(key)}: {did_you_mean(key, ruleset_keys())}"
        )
    return read_ruleset(GAMES_FOLDER / f"{key}.toml")


def read_ruleset(path: Path) -> Ruleset:
    """The game in a TOML file of the same form as the shipped ones."""
    import tomllib

    try:
        return ruleset_from(tomllib.loads(read_text(path, LARGEST_FILE)))
    except (InvalidRulesetError, StorageError) as error:
        raise InvalidRulesetError(f"{file_name(path)}: {error}") from None
    # ValueError covers TOMLDecodeError and a number too long for Python to read.
    except (ValueError, RecursionError) as error:
        raise InvalidRulesetError(f"{file_name(path)} is not valid TOML: {error}") from None


def ruleset_from(table: dict[str, Any]) -> Ruleset:
    """A rule set from a flat table, as a TOML file holds it."""
    known = [name for name in FIELDS if name != "wording"]
    for key in table:
        if key not in known and key not in WORDING_KEYS:
            hint = did_you_mean(key, [*known, *WORDING_KEYS])
            raise InvalidRulesetError(f"unknown key {quoted(key)}: {hint}")
    missing = sorted(REQUIRED - table.keys())
    if missing:
        raise InvalidRulesetError(f"{listed(missing)} must be given.")
    wording = Wording(**{key: table[key] for key in WORDING_KEYS if key in table})
    return Ruleset(**{key: table[key] for key in known if key in table}, wording=wording)


def table_from(ruleset: Ruleset) -> dict[str, Any]:
    """The flat table that `ruleset_from` reads back, texts included, as plain JSON values."""
    table = {name: getattr(ruleset, name) for name in FIELDS if name != "wording"}
    table |= dataclasses.asdict(ruleset.wording)
    return {key: list(v) if isinstance(v, tuple) else v for key, v in table.items()}
