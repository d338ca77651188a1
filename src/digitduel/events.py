"""What two players agree on, and what can happen then: frozen values, and the same as JSON.

Save files and databases know an event by its kind, which is its class's name: `taken-back`.
"""

from __future__ import annotations

import re
from dataclasses import Field, dataclass, field, fields, is_dataclass
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from digitduel.clock import Clock  # noqa: TC001  (read_value asks for the types of fields)
from digitduel.errors import DigitDuelError, InvalidRecordError
from digitduel.match import SEATS, Match
from digitduel.position import Move
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_from, ruleset_keys, table_from
from digitduel.text import quoted

HUMAN = "human"
LONGEST_NAME = 40
MOST_MOVES_OF_PROGRAMS = 1_000  # of a round, where nothing else was agreed (R11)

# What one player proposes and the other agrees to or declines.
OFF, UNDO, REMATCH = PROPOSALS = ("off", "undo", "rematch")


# Of a field that older files do not have, nor newer ones where it has its default.
ADDED = {"added": True}


def added(default: Any) -> Any:
    """Such a field."""
    return field(default=default, metadata=ADDED)


@dataclass(frozen=True)
class Terms:
    """What is agreed before the first move."""

    ruleset: Ruleset
    match: Match = field(default_factory=Match)
    players: tuple[str, str] = (HUMAN, HUMAN)  # or the name of a computer player
    names: tuple[str, str] = ("Player 1", "Player 2")
    seed: str = ""  # with the same one computer players choose the same
    most_moves: int | None = None  # of a round; `cap` says what holds where it is None
    clock: Clock | None = field(default=None, metadata=ADDED)

    def __post_init__(self) -> None:
        for name in self.names:
            if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
                raise DigitDuelError(
                    f"{quoted(name)} is no name: give up to {LONGEST_NAME} visible characters."
                )
        if self.names[0] == self.names[1]:
            raise DigitDuelError(
                f"both players are called {quoted(self.names[0])}: tell them apart."
            )
        if self.most_moves is not None and self.most_moves < 1:
            raise DigitDuelError(f"{self.most_moves} moves make no game: allow at least 1.")
        if self.clock is not None and self.people != SEATS:
            raise DigitDuelError(
                f"a clock ({self.clock}) is for two people: leave it out, or the computer."
            )

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat in SEATS if self.players[seat - 1] == HUMAN)

    @property
    def cap(self) -> int | None:
        """The move that reaches it calls a round off; None where people may go on for ever."""
        if self.most_moves is None and not self.people:
            return MOST_MOVES_OF_PROGRAMS
        return self.most_moves


# --- What can happen. ---


@dataclass(frozen=True)
class Event:
    """One thing that happens to a match; where that has a clock, at a moment in milliseconds."""

    at: int | None = field(default=None, kw_only=True, metadata=ADDED)


@dataclass(frozen=True)
class Begun(Event):
    """The first event of every match."""

    terms: Terms


@dataclass(frozen=True)
class Moved(Event):
    """The seat to move adds a digit."""

    move: Move


@dataclass(frozen=True)
class TakenBack(Event):
    """The last moves are taken back, or with a `count` of 0 a resignation or agreement (R13)."""

    count: int


@dataclass(frozen=True)
class Resigned(Event):
    """A seat gives the round to the other."""

    seat: int


@dataclass(frozen=True)
class Proposed(Event):
    """A seat proposes to call the round off, to take its move back, or to play the next round."""

    seat: int
    what: str = added(OFF)


@dataclass(frozen=True)
class Declined(Event):
    """A seat does not agree to what the other proposes, or withdraws its own proposal."""

    seat: int


@dataclass(frozen=True)
class CalledOff(Event):
    """The round ends without a winner, as both agree."""


@dataclass(frozen=True)
class TimeUp(Event):
    """The seat to move has no time left. Whether the other wins was worked out when it happened."""

    seat: int
    other_wins: bool


@dataclass(frozen=True)
class RoundBegun(Event):
    """The next round of the match begins."""


@dataclass(frozen=True)
class MatchBegun(Event):
    """The match is over, and another begins on the same terms, the other seat first."""


EVENTS = (
    *(Begun, Moved, TakenBack, Resigned, Proposed, Declined, CalledOff),
    *(TimeUp, RoundBegun, MatchBegun),
)


# --- As JSON, both ways. ---


def kind_of(event: Event | type[Event]) -> str:
    """What files and databases call an event.

    >>> kind_of(TakenBack(1))
    'taken-back'
    """
    name = (event if isinstance(event, type) else type(event)).__name__
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def event_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON values; `event_from` reads it back.

    >>> event_json(Moved(Move.parse("5R")))
    {'kind': 'moved', 'move': '5R'}
    """
    return {"kind": kind_of(event), **_plain(event)}


def event_from(data: dict[str, Any], *more: type[Event]) -> Event:
    """The event that `event_json` gave, `more` are known too; else InvalidRecordError says why."""
    kinds = {kind_of(event): event for event in (*EVENTS, *more)}
    kind, values = data.get("kind"), {name: data[name] for name in data if name != "kind"}
    if not isinstance(kind, str) or kind not in kinds:
        raise InvalidRecordError(f"{quoted(data)} is not an event of a game.")
    event: Event = read_value(kinds[kind], values, kind)
    return event


def _plain(value: Any) -> Any:
    if isinstance(value, Ruleset):
        return _plain_rules(value)
    if isinstance(value, Move):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        parts = {part: getattr(value, part.name) for part in fields(value)}
        return {part.name: _plain(kept) for part, kept in parts.items() if not _usual(part, kept)}
    return value


def _usual(part: Field[Any], value: Any) -> bool:
    """Whether a field goes without saying."""
    return "added" in part.metadata and value == part.default


def _plain_rules(ruleset: Ruleset) -> dict[str, Any]:
    """What differs from the shipped game of the same key; everything where there is none."""
    usual = _shipped(ruleset.key) | {"key": None}
    return {
        name: value
        for name, value in table_from(ruleset).items()
        if name not in usual or usual[name] != value
    }


def _shipped(key: object) -> dict[str, Any]:
    return table_from(find_ruleset(str(key))) if key in ruleset_keys() else {}


def read_value(kind: Any, value: Any, name: str) -> Any:
    """The value of a type from plain JSON; InvalidRecordError says what is wrong, `name` where."""
    try:
        if kind is Move:
            return Move.parse(read_value(str, value, name))
        if kind is Ruleset:
            table = read_value(dict, value, name)
            return ruleset_from(_shipped(table.get("key")) | table)
        if get_origin(kind) is tuple:
            return _read_tuple(get_args(kind), read_value(list, value, name), name)
        if isinstance(kind, UnionType) and value is not None:
            return read_value(get_args(kind)[0], value, name)  # the other is None
        if is_dataclass(kind):
            return _read_fields(kind, read_value(dict, value, name))
    except DigitDuelError as error:
        raise InvalidRecordError(f"{name}: {error}") from None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise InvalidRecordError(f"{quoted(value)} is not what it should be.")
    return value


def _read_fields(kind: Any, data: dict[str, Any]) -> Any:
    hints = get_type_hints(kind)
    later = {part.name for part in fields(kind) if part.metadata.get("added")}
    for name in sorted((data.keys() ^ hints.keys()) - (later - data.keys())):
        why = "is missing" if name in hints else "does not belong there"
        raise InvalidRecordError(f"{quoted(name)} {why}.")
    return kind(**{name: read_value(hints[name], data[name], name) for name in data})


def _read_tuple(kinds: tuple[Any, ...], values: list[Any], name: str) -> tuple[Any, ...]:
    if kinds[-1] is ...:
        kinds = kinds[:1] * len(values)
    if len(values) != len(kinds):
        raise InvalidRecordError(f"{quoted(values)} does not hold {len(kinds)}.")
    return tuple(read_value(kind, item, name) for kind, item in zip(kinds, values, strict=True))
