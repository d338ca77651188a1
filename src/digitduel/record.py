"""A game as readable text, both ways: tags, then the moves. A match is several in one file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from digitduel.errors import DigitDuelError, InvalidRecordError
from digitduel.fields import KINDS, format_field, parse_field
from digitduel.files import read_text
from digitduel.game import read_line
from digitduel.match import MOST_ROUNDS, seat_of, side_of
from digitduel.position import Termination
from digitduel.ruleset import FIELDS, Ruleset, find_ruleset, ruleset_from, ruleset_keys
from digitduel.text import did_you_mean, file_name, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from digitduel.game import Game, PlayedGame
    from digitduel.position import Move

LARGEST_FILE = 10_000_000
MOVES_A_LINE = 24

RESULTS = {1: "1-0", 2: "0-1", None: "*"}

# A record holds what decides the game, not its prompts and tips.
RULE_TAGS = {
    "".join(part.capitalize() for part in name.split("_")): name
    for name in FIELDS
    if name in KINDS and name != "key"
}
GAME_TAGS = ("Game", "Round", "Player1", "Player2", "First", "Result", "Termination")

TAG_LINE = re.compile(r'\[([A-Za-z0-9]+) (".*")\]')


@dataclass(frozen=True)
class Record:
    """One game: its rules, who played, who started, the moves, and how it ended.

    `result` is '1-0' or '0-1' for the seat that won and '*' for no winner; a game that
    is not over has no termination.
    """

    ruleset: Ruleset
    players: tuple[str, str] = ("Player 1", "Player 2")  # the names of seat 1 and seat 2
    first: int = 1  # the seat that started
    moves: tuple[Move, ...] = ()
    result: str = "*"
    termination: Termination | None = None
    round: int | None = None  # of a match, from 1 on

    @classmethod
    def of(
        cls,
        game: PlayedGame,
        players: tuple[str, str] = ("Player 1", "Player 2"),
        first: int = 1,
        round: int | None = None,  # noqa: A002  (the field's own name)
    ) -> Record:
        """The record of a game as it stands: `players` are the names of seat 1 and seat 2, `first`
        is the seat that started, and `round` counts from 1 in a match.
        """
        outcome = game.outcome()
        winner = seat_of(outcome.winner, first) if outcome and outcome.winner else None
        termination = outcome.termination if outcome else None
        moves = tuple(game.move_stack)
        return cls(game.ruleset, players, first, moves, RESULTS[winner], termination, round)

    def replay(self) -> Game:
        """The game, played again; InvalidRecordError where the record and the rules differ."""
        try:
            return self._ended(read_line(self.ruleset, self.moves))
        except DigitDuelError as error:
            raise InvalidRecordError(str(error)) from None

    def _ended(self, game: Game) -> Game:
        """A game with these moves, ended as the tags say if they can be right."""
        if game.outcome() is None and self.termination is Termination.CALLED_OFF:
            game.call_off()
        if game.outcome() is None and self.termination is Termination.RESIGNED:
            loser = {"1-0": 2, "0-1": 1}.get(self.result)
            if loser is not None:
                game.resign(side_of(loser, self.first))
        if game.outcome() is None and self.termination is Termination.TIME:
            game.time_up(other_wins=self.result != RESULTS[None])
        tags, moves = self._ending_words(), Record.of(game, first=self.first)._ending_words()
        if tags != moves:
            raise InvalidRecordError(f"the tags say {tags}, but the moves say {moves}.")
        return game

    def _ending_words(self) -> str:
        ended = self.termination.value if self.termination else "unfinished"
        return f"{self.result} ({ended})"

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON values, with the number after each move."""
        return {
            "game": self.ruleset.key,
            "rules": self.ruleset.rules,
            "players": list(self.players),
            "first": self.first,
            "moves": [str(move) for move in self.moves],
            "numbers": list(self.replay().numbers()),
            "result": self.result,
            "termination": self.termination.value if self.termination else None,
        }


def dumps(records: Iterable[Record]) -> str:
    """The text of one game or of a match."""
    return "\n".join(_dump(record) for record in records)


def _dump(record: Record) -> str:
    differing = rules_to_write(record.ruleset)
    tags: dict[str, object] = {"Game": record.ruleset.key}
    tags |= {tag: differing[name] for tag, name in RULE_TAGS.items() if name in differing}
    if record.round is not None:
        tags["Round"] = record.round
    tags["Player1"], tags["Player2"] = record.players
    tags |= {"First": record.first, "Result": record.result}
    if record.termination is not None:
        tags["Termination"] = record.termination.value
    lines = [f"[{tag} {_quoted_value(str(value))}]" for tag, value in tags.items()]
    moves = [str(move) for move in record.moves]
    rows = [moves[i : i + MOVES_A_LINE] for i in range(0, len(moves), MOVES_A_LINE)]
    return "\n".join([*lines, "", *(" ".join(row) for row in rows or [["-"]]), ""])


def _quoted_value(value: str) -> str:
    """A value in quotes, such that any text comes back and the file can be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def rules_to_write(ruleset: Ruleset) -> dict[str, str]:
    """The fields that do not follow from the key of the game, each as text.

    >>> rules_to_write(find_ruleset("pool").replace(target=12, uses=2))
    {'target': '12', 'uses': '2'}
    """
    if ruleset.key in ruleset_keys():
        shipped = find_ruleset(ruleset.key)
        known = {name: getattr(shipped, name) for name in RULE_TAGS.values()}
    else:
        defaults = {field.name: field.default for field in fields(Ruleset)}
        known = {name: defaults[name] for name in RULE_TAGS.values()}
    return {name: format_field(name, getattr(ruleset, name)) for name in ruleset.differences(known)}


def loads(text: str, most_moves: int | None = None) -> list[Record]:
    """Read games strictly: whatever is not exactly a record is refused, with its line.

    A game with more than `most_moves` is refused before it is played.
    """
    records: list[Record] = []
    for start, tags, moves in _sections(text):
        try:
            if most_moves is not None and len(moves) > most_moves:
                raise InvalidRecordError(
                    f"it has {len(moves):,} moves: at most {most_moves:,} can be read here."
                )
            records.append(_record_from(tags, moves))
        except DigitDuelError as error:
            raise InvalidRecordError(f"the game at line {start}: {error}") from None
    if not records:
        raise InvalidRecordError('there is no game in it: a record begins with [Game "..."].')
    return records


def read_records(path: Path) -> list[Record]:
    """The games in a record file."""
    text = read_text(path, LARGEST_FILE)
    try:
        return loads(text.replace("\r\n", "\n"))
    except InvalidRecordError as error:
        raise InvalidRecordError(f"{file_name(path)} is not a game record: {error}") from None


def _sections(text: str) -> Iterator[tuple[int, dict[str, str], list[str]]]:
    """Each game's first line number, tags and words of moves."""
    start, tags, moves = 1, dict[str, str](), list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip(" \t"):
            continue
        if not line.startswith("["):
            if not tags:
                raise InvalidRecordError(
                    f'line {number}: {quoted(line)} comes before the tags: begin with [Game "..."].'
                )
            moves.extend(line.split())
            continue
        if moves:
            yield start, tags, moves
            tags, moves = {}, []
        if not tags:
            start = number
        tag, value = _tag(number, line)
        if tag in tags:
            raise InvalidRecordError(f"line {number}: the tag {tag} is there twice.")
        tags[tag] = value
    if tags:
        yield start, tags, moves


def _tag(number: int, line: str) -> tuple[str, str]:
    match = TAG_LINE.fullmatch(line)
    if not match:
        raise InvalidRecordError(
            f'line {number}: {quoted(line)} is not a tag: write it as [Name "value"].'
        )
    known = (*GAME_TAGS, *RULE_TAGS)
    if match[1] not in known:
        raise InvalidRecordError(
            f"line {number}: the tag {quoted(match[1])} is unknown: {did_you_mean(match[1], known)}"
        )
    try:
        value = json.loads(match[2])
    except ValueError:
        raise InvalidRecordError(
            f"line {number}: {quoted(match[2])} is not a quoted value."
        ) from None
    return match[1], value


def _record_from(tags: dict[str, str], words: list[str]) -> Record:
    missing = [t for t in ("Game", "Player1", "Player2", "First", "Result") if t not in tags]
    if missing:
        raise InvalidRecordError(f"these tags are missing: {listed(missing)}.")
    if not words:
        raise InvalidRecordError('the moves are missing: write "-" where none was made.')
    game = read_line(_ruleset_from(tags), [] if words == ["-"] else words)
    record = Record(
        ruleset=game.ruleset,
        players=(tags["Player1"], tags["Player2"]),
        first=_choice(tags, "First", {"1": 1, "2": 2}),
        # The engine's own notation: a side that goes without saying is not kept.
        moves=tuple(game.move_stack),
        result=_choice(tags, "Result", {result: result for result in RESULTS.values()}),
        termination=_choice(tags, "Termination", {t.value: t for t in Termination}, None),
        round=_choice(tags, "Round", {str(n): n for n in range(1, MOST_ROUNDS + 1)}, None),
    )
    record._ended(game)
    return record


def _choice(tags: dict[str, str], tag: str, known: dict[str, Any], default: Any = ...) -> Any:
    if tag not in tags and default is not ...:
        return default
    if tags[tag] not in known:
        names = listed(known, "or") if len(known) < 10 else f"a number from 1 to {len(known)}"
        raise InvalidRecordError(f"{tag} {quoted(tags[tag])} is not known: give {names}.")
    return known[tags[tag]]


def _ruleset_from(tags: dict[str, str]) -> Ruleset:
    changes = {name: parse_field(name, tags[tag]) for tag, name in RULE_TAGS.items() if tag in tags}
    key = tags["Game"]
    shipped = key in ruleset_keys()
    table = {"key": key, **changes}
    return find_ruleset(key).replace(**changes) if shipped else ruleset_from(table)
