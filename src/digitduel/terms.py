"""What two players agree on before the first move, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from digitduel.errors import DigitDuelError, InvalidRecordError
from digitduel.match import SEATS, Match
from digitduel.ruleset import RULES, find_ruleset, ruleset_from, ruleset_keys, table_from
from digitduel.text import quoted

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

HUMAN = "human"
LONGEST_NAME = 40
MOST_MOVES_OF_PROGRAMS = 1_000  # of a round, where nothing else was agreed (R11)


@dataclass(frozen=True)
class Terms:
    """What is agreed before the first move."""

    ruleset: Ruleset
    match: Match = field(default_factory=Match)
    players: tuple[str, str] = (HUMAN, HUMAN)  # or the name of a computer player
    names: tuple[str, str] = ("Player 1", "Player 2")
    seed: str = ""  # with the same one computer players choose the same
    most_moves: int | None = None  # of a round; `cap` says what holds where it is None

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

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON values; `from_json` reads it back."""
        ships = _is_shipped(self.ruleset)
        return {
            "game": self.ruleset.key if ships else None,
            "rules": self.ruleset.rules if ships else table_from(self.ruleset),
            "rounds": self.match.rounds,
            "best_of": self.match.best_of,
            "first": self.match.first,
            "alternate": self.match.alternate,
            "players": list(self.players),
            "names": list(self.names),
            "seed": self.seed,
            "most_moves": self.most_moves,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Terms:
        """The terms that `to_json` gave; InvalidRecordError names what is wrong with others."""
        given = checked(
            data,
            game=str | None,
            rules=dict,
            rounds=int,
            best_of=bool,
            first=int,
            alternate=bool,
            players=list,
            names=list,
            seed=str,
            most_moves=int | None,
        )
        game, rules = given["game"], given["rules"]
        if game is not None and not rules.keys() <= set(RULES):
            raise InvalidRecordError(f"rules = {quoted(rules)} are not rules alone.")
        return cls(
            ruleset=ruleset_from(rules) if game is None else find_ruleset(game).replace(**rules),
            match=Match(given["rounds"], given["best_of"], given["first"], given["alternate"]),
            players=_pair("players", given["players"]),
            names=_pair("names", given["names"]),
            seed=given["seed"],
            most_moves=given["most_moves"],
        )


def _is_shipped(ruleset: Ruleset) -> bool:
    """Whether the game's key and the rules say everything: then the texts are not stored."""
    if ruleset.key not in ruleset_keys():
        return False
    return _beside_rules(ruleset) == _beside_rules(find_ruleset(ruleset.key))


def _beside_rules(ruleset: Ruleset) -> dict[str, Any]:
    return {name: value for name, value in table_from(ruleset).items() if name not in RULES}


def checked(data: dict[str, Any], **kinds: Any) -> dict[str, Any]:
    """The same object of JSON, if it has exactly the fields of `kinds`, each of its type."""
    if odd := sorted(data.keys() ^ kinds.keys()):
        why = "is missing" if odd[0] in kinds else "does not belong there"
        raise InvalidRecordError(f"{quoted(odd[0])} {why}.")
    for name, kind in kinds.items():
        value = data[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise InvalidRecordError(f"{name} = {quoted(value)} is not what it should be.")
    return data


def _pair(name: str, values: list[Any]) -> tuple[str, str]:
    match values:
        case [str(one), str(two)]:
            return one, two
    raise InvalidRecordError(f"{name} = {quoted(values)} is not a list of two texts.")
