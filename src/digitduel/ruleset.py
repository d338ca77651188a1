"""A rule set: the frozen, validated parameters of one game, read from a TOML file."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import gcd, lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from digitduel.errors import InvalidRulesetError, StorageError
from digitduel.fields import KINDS, RULES, format_digits
from digitduel.files import read_text
from digitduel.text import did_you_mean, file_name, listed, quoted
from digitduel.wording import REMARKS, WORDING_KEYS, Remark, Wording

if TYPE_CHECKING:
    from collections.abc import Mapping

GAMES_FOLDER = Path(__file__).parent / "games"
SETTINGS_FILE = GAMES_FOLDER / "settings.json"
LARGEST_FILE = 20_000
LONGEST_CHAIN = 8  # of games that extend one another
MOST_TRIED = 2000  # remainders, to see whether a safe move can be missing
EASY = "easy"  # the name of a setting that a class can play


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
    tips: tuple[Remark, ...] = field(default=(), compare=False, repr=False)
    # Where the rulebook is unclear, and how it is read here.
    rulings: tuple[Remark, ...] = field(default=(), compare=False, repr=False)
    # The rules before any were changed; `replace` keeps it, and so do copies and save files.
    origin: tuple[tuple[str, Any], ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, kind.check(name, getattr(self, name)))
        if not isinstance(self.wording, Wording):
            raise InvalidRulesetError(f"wording = {quoted(self.wording)} is not a Wording.")
        if not self.origin:
            object.__setattr__(self, "origin", tuple(self.values.items()))
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
            if (digit or self.leading_zero) and not self._is_spoiled(digit)
        )

    @cached_property
    def can_stick(self) -> bool:
        """Whether a player may be left without a safe move; yes where it would take long to tell.

        >>> forbidden = find_ruleset("forbidden")
        >>> forbidden.can_stick, forbidden.replace(digits="1,7").can_stick
        (False, True)
        """
        if self.uses is not None:
            return bool(self.forbidden) or (0 in self.digits and not self.leading_zero)
        period = lcm(*self.forbidden)
        if self.ends == "left" or period > MOST_TRIED:
            return bool(self.forbidden)
        # Any digit can go to the right of any number, and only what that leaves matters.
        return not all(
            self._is_spoiled(rest) or any(not self._is_spoiled(10 * rest + d) for d in self.digits)
            for rest in range(period)
        )

    def _is_spoiled(self, number: int) -> bool:
        return any(number % divisor == 0 for divisor in self.forbidden)

    @property
    def values(self) -> dict[str, Any]:
        """What each rule is."""
        return {name: getattr(self, name) for name in RULES}

    @property
    def rules(self) -> dict[str, Any]:
        """The parameters as plain JSON values."""
        return {name: _plain(value) for name, value in self.values.items()}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes these rules pointless though playable."""
        pointless = []
        spoilers = [divisor for divisor in self.forbidden if self.target % divisor == 0]
        if spoilers:
            pointless.append(
                f"nobody can ever win by the target: each multiple of {self.target} is also "
                f"a multiple of {listed(spoilers)}, which is forbidden."
            )
        # Every multiple of the target ends in a multiple of what the target shares with 10.
        if all(digit % gcd(self.target, 10) for digit in self.digits):
            pointless.append(
                f"nobody can ever win by the target: no multiple of {self.target} ends in "
                f"{listed(self.digits, 'or')}."
            )
        # A number of `capacity` digits is below 10**capacity; past 100 digits no target is out.
        small = self.capacity is not None and self.capacity <= 100
        zero_wins = 0 in self.safe_first_digits
        if small and not zero_wins and self.target >= 10 ** cast("int", self.capacity):
            pointless.append(
                f"nobody can ever win by the target: a number of at most {self.capacity} "
                f"digits stays below {self.target}."
            )
        return tuple(pointless)

    def replace(self, **changes: object) -> Ruleset:
        """These rules with some fields changed; the result is checked as a whole."""
        for name in changes:
            if name not in FIELDS:
                raise InvalidRulesetError(
                    f"there is no rule called {quoted(name)}: {did_you_mean(name, FIELDS)}"
                )
        return dataclasses.replace(self, **cast("dict[str, Any]", changes))

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the rules that are not as in the game that these were made from.

        >>> find_ruleset("pool").replace(uses=2, target=12).changed
        ('target', 'uses')
        """
        return self.differences(dict(self.origin))

    def differences(self, others: Mapping[str, object]) -> tuple[str, ...]:
        """The names of the fields in which these rules differ from `others`.

        >>> pool, closest = find_ruleset("pool"), find_ruleset("closest")
        >>> pool.replace(target=12).differences(closest.values)
        ('target', 'full')
        """
        return tuple(name for name, value in others.items() if getattr(self, name) != value)


_KINDS = {**KINDS, "tips": REMARKS, "rulings": REMARKS}
FIELDS = tuple(field.name for field in dataclasses.fields(Ruleset) if field.name != "origin")
REQUIRED = frozenset(("key", "title", "goal", "digits", "target"))


@cache
def ruleset_keys() -> tuple[str, ...]:
    """The keys of the games that ship with the package: one file each."""
    return tuple(sorted(path.stem for path in GAMES_FOLDER.glob("*.toml")))


def as_ruleset(ruleset: Ruleset | str) -> Ruleset:
    """A rule set as it is, or the shipped one of this name."""
    return ruleset if isinstance(ruleset, Ruleset) else find_ruleset(str(ruleset))


@cache
def find_ruleset(name: str) -> Ruleset:
    """The shipped game of this `name`, or one of its settings: `closest` or `closest:easy`.

    >>> find_ruleset("closest:easy") == find_ruleset("closest")
    False
    """
    key, setting = split_name(str(name))
    if key not in ruleset_keys():
        hint = did_you_mean(key, ruleset_keys())
        given = quoted(key if isinstance(name, str) else name)
        raise InvalidRulesetError(f"there is no game called {given}: {hint}")
    if setting is not None:
        return find_ruleset(key).replace(**_changes(key, setting))
    return read_ruleset(GAMES_FOLDER / f"{key}.toml")


def split_name(name: str) -> tuple[str, str | None]:
    """The key in the name of a game, and the setting, if it names one.

    >>> split_name("closest:easy"), split_name("closest")
    (('closest', 'easy'), ('closest', None))
    """
    key, colon, setting = name.partition(":")
    return key, setting if colon else None


@cache
def shipped_settings() -> dict[str, Any]:
    """What the file of settings holds: for each game its settings and how they were found."""
    import json  # only where a setting is asked for

    games: dict[str, Any] = json.loads(SETTINGS_FILE.read_text("utf-8"))
    return games


def setting_names(key: str) -> tuple[str, ...]:
    """The names of a game's settings, the easiest first; none if nothing has been searched.

    >>> setting_names("closest")[0]
    'easy'
    """
    return tuple(_changes_by_name(key))


def easiest(key: str) -> str:
    """The full name of the setting to begin a game with: the easiest, or the rulebook's.

    >>> easiest("closest")
    'closest:easy'
    """
    return ":".join((key, *setting_names(key)[:1]))


@cache
def newcomers_game() -> str:
    """The key of the game to begin with: the first that has an easy setting."""
    easy = (key for key in ruleset_keys() if EASY in setting_names(key))
    return next(easy, ruleset_keys()[0])


def _changes_by_name(key: str) -> dict[str, dict[str, Any]]:
    settings = shipped_settings().get(key, {}).get("settings", [])
    return {setting["name"]: setting["changes"] for setting in settings}


def _changes(key: str, setting: str) -> dict[str, Any]:
    """What a setting changes about its game."""
    known = _changes_by_name(key)
    if setting not in known:
        raise InvalidRulesetError(
            f"{key} has no setting called {quoted(setting)}: known are {listed(known)}."
        )
    return known[setting]


def read_ruleset(path: Path | str) -> Ruleset:
    """The game in a TOML file of the same form as the shipped ones.

    It may say `extends = "pool"` or `extends = "pool:easy"`, or name another file: what it does
    not give is as there.
    """
    path = Path(path)
    table = _read_table(path)
    try:
        return ruleset_from(table)
    except InvalidRulesetError as error:
        raise InvalidRulesetError(f"{file_name(path)}: {error}") from None


def _read_table(path: Path, chain: tuple[Path, ...] = ()) -> dict[str, Any]:
    """What a game file says, and for the rest the game that it extends; `chain` led here."""
    import tomllib

    try:
        table = tomllib.loads(read_text(path, LARGEST_FILE))
        return _extended(table, path, chain) if "extends" in table else table
    except (InvalidRulesetError, StorageError) as error:
        raise InvalidRulesetError(f"{file_name(path)}: {error}") from None
    # ValueError covers TOMLDecodeError and a number too long for Python to read.
    except (ValueError, RecursionError) as error:
        raise InvalidRulesetError(f"{file_name(path)} is not valid TOML: {error}") from None


def _extended(table: dict[str, Any], path: Path, chain: tuple[Path, ...]) -> dict[str, Any]:
    """A table with what it lacks taken from the game that it names."""
    name = table.pop("extends")
    given = f"extends = {quoted(name)}"
    key, setting = split_name(str(name))
    if key in ruleset_keys():
        base_path = GAMES_FOLDER / f"{key}.toml"
    elif isinstance(name, str) and name.endswith(".toml"):
        base_path = path.parent / name
    else:
        hint = did_you_mean(str(name), ruleset_keys())
        raise InvalidRulesetError(f"{given} is neither a game nor a .toml file: {hint}")
    if path.resolve() in chain:
        raise InvalidRulesetError(f"{given} goes round in a circle: extend another game.")
    if len(chain) >= LONGEST_CHAIN:
        raise InvalidRulesetError(
            f"{given} makes a chain of over {LONGEST_CHAIN} games: join some."
        )
    base = _read_table(base_path, (*chain, path.resolve()))
    base.pop("rulings", None)  # they are about that game's rulebook
    if table.get("key", base.get("key")) == base.get("key"):
        raise InvalidRulesetError(
            f"{given}: give a key of its own, other than the key of that game."
        )
    return base | (_changes(key, setting) if setting is not None else {}) | table


def ruleset_from(table: dict[str, Any]) -> Ruleset:
    """A rule set from a flat table, as a TOML file holds it."""
    known = [name for name in FIELDS if name != "wording"]
    for key in table:
        if key not in (*known, *WORDING_KEYS, "origin"):
            hint = did_you_mean(key, [*known, *WORDING_KEYS])
            raise InvalidRulesetError(f"unknown key {quoted(key)}: {hint}")
    missing = sorted(REQUIRED - table.keys())
    if missing:
        raise InvalidRulesetError(f"{listed(missing)} must be given.")
    wording = Wording(**{key: table[key] for key in WORDING_KEYS if key in table})
    values = {key: table[key] for key in known if key in table}
    origin = table.get("origin", {})
    if not isinstance(origin, dict) or not origin.keys() <= RULES.keys():
        raise InvalidRulesetError(f"origin = {quoted(origin)} is not a table of rules.")
    checked = ((name, RULES[name].kind.check(name, value)) for name, value in origin.items())
    return Ruleset(**values, wording=wording, origin=tuple(checked))


def table_from(ruleset: Ruleset) -> dict[str, Any]:
    """The flat table that `ruleset_from` reads back, texts included, as plain JSON values."""
    values = dataclasses.asdict(ruleset)
    words = values.pop("wording")
    values["origin"] = {name: _plain(value) for name, value in ruleset.origin}
    return {name: _plain(value) for name, value in (values | words).items()}


def _plain(value: object) -> object:
    """A value as JSON holds it: lists for tuples."""
    return list(value) if isinstance(value, tuple) else value
