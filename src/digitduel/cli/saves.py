"""Games on disk: a journal while one is played, an event a line, and the record of its moves."""

from __future__ import annotations

import contextlib
import stat
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, Self

from digitduel.duel import Duel
from digitduel.errors import DigitDuelError, InvalidRecordError, StorageError, UnreadableError
from digitduel.events import HUMAN, Begun, Event, event_from, event_json, read_value
from digitduel.files import already_there, data_folder, data_home, is_there, write_file, writing
from digitduel.journal import Journal, json_object, whole_lines
from digitduel.players import make_player
from digitduel.record import dumps
from digitduel.text import file_name, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

FORMAT = "digitduel save 2"
# Folders of the data home: saves of games that are not finished, and records of those that are.
GAMES, FINISHED = "games", "finished"


@dataclass(frozen=True)
class Written(Event):
    """A record file is about to be written; the `digest` tells it from somebody else's."""

    file: str
    digest: str


@dataclass(frozen=True)
class Recorded(Event):
    """How older saves tell that the file of `--record` was written."""

    digest: str


@dataclass(frozen=True)
class Filed(Event):
    """The finished match is about to be kept as a record: the how manyth of its name."""

    number: int


@dataclass(frozen=True)
class Left(Event):
    """The players leave the table: the clock stands until they come back."""


@dataclass(frozen=True, kw_only=True)
class TerminalDuel(Duel):
    """A match at the terminal, which may keep a record file up to date and show hints."""

    record: str | None = None
    hints: bool = False
    # Each file and digest that was to be written: any of it may be what is there after a kill.
    written: frozenset[tuple[str, str]] = frozenset()
    filed: int | None = None

    def after(self, event: Event) -> Self:
        """The match after one more event."""
        match event:
            case Written(file, digest):
                return replace(self, written=self.written | {(file, digest)})
            case Recorded(digest):
                return replace(self, written=self.written | {(str(self.record), digest)})
            case Filed(number):
                return replace(self, filed=number)
            case Left(at=int(at)) if self.times is not None:
                return replace(self, times=self.times.at(at, self.seat))
        return super().after(event)

    def digests(self, path: Path) -> set[str]:
        """What a file may hold that this match has written."""
        return {digest for file, digest in self.written if file == str(path)}


# What a save tells beside what can happen to any match.
NOTES = (Written, Recorded, Filed, Left)


def create_save(duel: TerminalDuel) -> Journal:
    """A new journal under the first free name: pool-1, pool-2, ..."""
    folder = data_folder(GAMES)
    paths = (folder / f"{duel.ruleset.key}-{number}.jsonl" for number in count(1))
    with writing(folder):
        journal = next(filter(None, map(_take, paths)))
    header = {"format": FORMAT, "record": duel.record, "hints": duel.hints}
    try:
        journal.append(header, event_json(Begun(duel.terms)))
    except StorageError:
        journal.remove()
        raise
    return journal


def _take(path: Path) -> Journal | None:
    """A journal under a name that is free, or that a start which was killed left empty."""
    with contextlib.suppress(FileNotFoundError):
        kept = path.lstat()
        if kept.st_size or not stat.S_ISREG(kept.st_mode):
            return None
    with contextlib.suppress(StorageError):
        journal = Journal(path, "a+", _busy(path))
        if not journal.data:
            return journal
        journal.close()  # another terminal was quicker
    return None


def resume_save(path: Path) -> tuple[Journal, TerminalDuel]:
    """Take up a journal and the match in it; StorageError if another terminal has it."""
    with writing(path):
        journal = Journal(path, "r+", _busy(path))
    try:
        return journal, _duel_from(path, journal.data)
    except BaseException:
        journal.close()
        raise


def read_save(path: Path) -> TerminalDuel:
    """The match in a save file, whoever plays it."""
    try:
        return _duel_from(path, path.read_bytes())
    except OSError as error:
        raise UnreadableError(f"cannot read {file_name(path)}: {error.strerror}.") from None


def finish_save(journal: Journal, duel: TerminalDuel) -> None:
    """Keep the finished match as a record in place of the journal.

    The journal knows its place beforehand: after a kill the match is put there again, not twice.
    """
    folder, stem, number = data_folder(FINISHED), journal.path.stem, duel.filed
    if number is None:
        with writing(folder):
            number = next(n for n in count(1) if not _place(folder, stem, n).exists())
        journal.append(event_json(Filed(number)))
    data = dumps(duel.records).encode()
    write_file(_place(folder, stem, number), lambda file: file.write(data))
    journal.remove()


def _place(folder: Path, stem: str, number: int) -> Path:
    """Where the finished match of this name and number is kept."""
    return folder / f"{stem}{'' if number == 1 else f'_{number}'}.txt"


# --- Record files, never written over somebody else's. ---


def check_record(path: Path, digests: Collection[str] = ()) -> None:
    """StorageError if writing would destroy something or cannot work.

    A file that is there may be replaced if it still holds what we wrote: `digests` say what that
    may be.
    """
    if is_there(path):
        with writing(path):
            # What we never wrote is not looked into.
            if not digests or _digest(path.read_bytes()) not in digests:
                raise already_there(path)


def write_record(path: Path, duel: TerminalDuel, note: Callable[[Written], object]) -> None:
    """Put the record of a match on disk, all or nothing, as the game goes on.

    The `note` is taken before: whoever comes back after a kill knows the file as ours.
    """
    check_record(path, duel.digests(path))
    data = dumps(duel.records).encode()
    note(Written(str(path), _digest(data)))
    write_file(path, lambda file: file.write(data), over=True)


def _digest(data: bytes) -> str:
    import hashlib  # whoever plays a new game need not wait for it

    return hashlib.sha256(data).hexdigest()


# --- Finding and reading saves. ---


def _busy(path: Path) -> str:
    return f"the game {path.stem} is being played in another terminal."


def unfinished() -> list[Path]:
    """The save files there are, the newest last."""
    return _by_age(data_home() / GAMES, "*.jsonl")


def find_save(save_id: str) -> Path:
    """The save file of this id."""
    known = {path.stem: path for path in unfinished()}
    if save_id not in known:
        have = ", ".join(known) or "none"
        raise DigitDuelError(f"there is no unfinished game {quoted(save_id)}: there is {have}.")
    return known[save_id]


def newest_finished() -> Path:
    """The record of the match that was finished last."""
    files = _by_age(data_home() / FINISHED, "*.txt")
    if not files:
        raise DigitDuelError("no game has been finished yet: name a record file to replay.")
    return files[-1]


def _by_age(folder: Path, pattern: str) -> list[Path]:
    """The files that hold something: an empty one is of a start that was killed."""
    ages: dict[Path, int] = {}
    try:
        for path in folder.glob(pattern):
            with contextlib.suppress(FileNotFoundError):  # another terminal has finished it
                kept = path.stat()
                ages |= {path: kept.st_mtime_ns} if kept.st_size else {}
    except OSError as error:
        raise StorageError(f"cannot use {str(folder)!r}: {error.strerror}.") from None
    return sorted(ages, key=lambda path: ages[path])


def _duel_from(path: Path, data: bytes) -> TerminalDuel:
    lines = whole_lines(data).splitlines()
    try:
        duel = _begun([json_object(line) for line in lines[:2]])
    except DigitDuelError as error:
        raise InvalidRecordError(f"{path.name} is not a saved game: {error}") from None
    for number, line in enumerate(lines[2:], start=3):
        try:
            duel = duel.after(event_from(json_object(line), *NOTES))
        except DigitDuelError as error:
            raise InvalidRecordError(f"{path.name} is damaged at line {number}: {error}") from None
    return duel


def _begun(lines: list[dict[str, Any]]) -> TerminalDuel:
    """The match before its first move, from the first two lines."""
    header, terms = (*lines, {}, {})[:2]
    if header.get("format") != FORMAT:
        kept = quoted(header.get("format"))
        raise InvalidRecordError(f"its format is {kept}, and this version reads {FORMAT!r}.")
    begun = event_from(terms)
    if not isinstance(begun, Begun):
        raise InvalidRecordError("its second line does not tell what was agreed.")
    for player in set(begun.terms.players) - {HUMAN}:
        make_player(player, Random())  # noqa: S311  (refuses a name that nobody has)
    record = read_value(str | None, header.get("record"), "record")
    hints = read_value(bool, header.get("hints"), "hints")
    return TerminalDuel.begin(begun.terms, record=record, hints=hints)
