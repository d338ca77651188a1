"""Puzzles that were missed come back: after 1, 3, 7 and 21 days, as long as they are solved.

Leitner's boxes. A miss puts a puzzle into the first box, solving it when it is due into the next;
from the last box it goes for good. What happened is a journal in the data folder, a line each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from digitduel.errors import DigitDuelError, InvalidRecordError
from digitduel.events import read_value
from digitduel.files import data_folder, shown_path, writing
from digitduel.journal import Journal, json_object, whole_lines

if TYPE_CHECKING:
    from pathlib import Path

BOXES = (1, 3, 7, 21)  # days until a puzzle in each box comes back
FOLDER, FILE = "learning", "puzzles.jsonl"
BUSY = "what was missed is being written by another terminal just now."


class Waiting(NamedTuple):
    """Where a missed puzzle stands: its box, counted from 0, and the day it comes back."""

    box: int
    due: date


@dataclass
class Progress:
    """The puzzles that were missed, by their permanent names.

    >>> progress = Progress()
    >>> progress.answered("/puzzle?game=pool&moves=5", False, date(2026, 3, 1))
    >>> progress.due(date(2026, 3, 1)), progress.due(date(2026, 3, 2))
    ([], ['/puzzle?game=pool&moves=5'])
    """

    waiting: dict[str, Waiting] = field(default_factory=dict)

    def due(self, day: date) -> list[str]:
        """What comes back by a `day`, what waited longest first."""
        waiting = [address for address, entry in self.waiting.items() if entry.due <= day]
        return sorted(waiting, key=lambda address: self.waiting[address].due)

    def answered(self, address: str, solved: bool, day: date) -> None:
        """Note on a `day` that the puzzle of an `address` was `solved`, or missed.

        What was never missed is not kept, and what is not due yet stays where it is.
        """
        entry = self.waiting.get(address)
        if not solved:
            self._put(address, 0, day)
        elif entry is not None and entry.due <= day:
            self._put(address, entry.box + 1, day)

    def _put(self, address: str, box: int, day: date) -> None:
        if box < len(BOXES):
            self.waiting[address] = Waiting(box, day + timedelta(days=BOXES[box]))
        else:
            del self.waiting[address]


class Loaded(NamedTuple):
    """What was kept; and a sentence if the file was damaged and has been set aside."""

    progress: Progress
    problem: str | None = None


def load() -> Loaded:
    """What this user has missed so far.

    A damaged file is set aside under another name, never written over. StorageError if nothing
    can be read or kept.
    """
    path = data_folder(FOLDER) / FILE
    with writing(path):
        if not path.exists():
            return Loaded(Progress())
        data = path.read_bytes()
    try:
        return Loaded(_read(data))
    except InvalidRecordError as error:
        aside = _set_aside(path)
        return Loaded(
            Progress(), f"{shown_path(path)} is damaged at {error} It is kept as {aside.name}."
        )


def keep(address: str, solved: bool, day: date) -> None:
    """Put an answer of a `day` on disk: whether the puzzle of an `address` was `solved`."""
    path = data_folder(FOLDER) / FILE
    with writing(path):
        journal = Journal(path, "a+", BUSY)
    try:
        journal.append({"puzzle": address, "solved": solved, "on": day.isoformat()})
    finally:
        journal.close()


def _read(data: bytes) -> Progress:
    progress = Progress()
    for number, line in enumerate(whole_lines(data).splitlines(), start=1):
        try:
            answer = json_object(line)
            address = read_value(str, answer.get("puzzle"), "puzzle")
            solved = read_value(bool, answer.get("solved"), "solved")
            progress.answered(address, solved, _day(answer.get("on")))
        except DigitDuelError as error:
            raise InvalidRecordError(f"line {number}: {error}") from None
    return progress


def _day(value: object) -> date:
    text = read_value(str, value, "on")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRecordError(f"on: {text!r} is no day.") from None


def _set_aside(path: Path) -> Path:
    """Give a file a name that is free."""
    with writing(path):
        names = (path.with_name(f"{path.stem}-damaged-{number}.jsonl") for number in count(1))
        aside = next(name for name in names if not name.exists())
        return path.rename(aside)
