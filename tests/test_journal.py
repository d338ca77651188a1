"""Journals: lines are on disk or not there at all, and one process has the file."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel.errors import InvalidRecordError, StorageError
from digitduel.files import lock
from digitduel.journal import Journal, json_object, whole_lines
from tests.strategies import law

if TYPE_CHECKING:
    from pathlib import Path

LINE = {"name": "Zo\u00eb"}


def test_what_is_appended_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    journal = Journal(path, "a+", "busy")
    journal.append(LINE, {"n": 1})
    journal.append({"n": 2})
    journal.close()
    journal = Journal(path, "r+", "busy")
    lines = [json_object(line) for line in whole_lines(journal.data).splitlines()]
    assert lines == [LINE, {"n": 1}, {"n": 2}]
    journal.remove()
    assert not path.exists()


@pytest.mark.parametrize("mode", ["r+", "a+"])
def test_an_incomplete_last_line_is_dropped_when_there_is_another(
    mode: Literal["r+", "a+"], tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n": 1}\n{"n": 2, "long')
    before = path.read_bytes()
    journal = Journal(path, mode, "busy")
    assert path.read_bytes() == before  # looking changes nothing
    journal.append({})
    journal.close()
    assert path.read_bytes() == b'{"n": 1}\n{}\n'


def test_one_process_has_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    journal = Journal(path, "a+", "busy")
    with pytest.raises(StorageError, match="somebody has it"):
        Journal(path, "a+", "somebody has it")
    journal.close()
    Journal(path, "a+", "busy").close()


@pytest.mark.parametrize("after", [0, 3, 100])
def test_a_disk_that_is_full_leaves_the_file_as_it_was(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    journal = Journal(path, "a+", "busy")
    journal.append(LINE)
    before = path.read_bytes()

    class Full:
        """The file, on a disk with little room left."""

        def __init__(self, file: Any) -> None:
            self.file, self.room = file, after

        def write(self, data: bytes) -> int:
            if not self.room:
                raise OSError(errno.ENOSPC, "No space left on device")
            count: int = self.file.write(data[: self.room])
            self.room -= count
            return count

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

    whole = journal._file
    monkeypatch.setattr(journal, "_file", Full(whole))
    if after == 100:

        def fail(_: int) -> None:
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError, match="cannot write"):
        journal.append({"n": 1})
    monkeypatch.undo()
    assert path.read_bytes() == before
    journal.append({"n": 2})
    assert path.read_bytes() == before + b'{"n": 2}\n'
    journal.close()


@law
@given(st.binary())
def test_a_line_is_an_object_or_refused(line: bytes) -> None:
    with suppress(InvalidRecordError):
        assert isinstance(json_object(line), dict)


def test_a_file_that_was_taken_away_is_not_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    first = Journal(path, "a+", "busy")
    first.append(LINE)

    def lock_late(file: IO[Any]) -> bool:
        first.remove()  # whoever had it is done between our opening and our locking
        return lock(file)

    monkeypatch.setattr("digitduel.journal.lock", lock_late)
    with pytest.raises(StorageError, match="somebody has it"):
        Journal(path, "r+", "somebody has it")


def test_a_file_is_held_until_it_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path / "a.jsonl", "a+", "busy")
    held, unlink = list[bool](), type(tmp_path).unlink

    def noted(path: Path, *, missing_ok: bool) -> None:
        with path.open("rb") as file:
            held.append(not lock(file))
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(type(tmp_path), "unlink", noted)
    journal.remove()
    assert held == [True]
