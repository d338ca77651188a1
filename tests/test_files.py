"""Files are written all or nothing, and what the dead left is cleared away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from digitduel.errors import StorageError
from digitduel.files import is_file_of, lock, write_file

if TYPE_CHECKING:
    from pathlib import Path


def test_the_draft_of_a_dead_process_goes_with_the_next_write(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    drafts = [tmp_path / f".a.txt.{pid}.part" for pid in (1, 77, 4_000_000)]
    for draft in drafts:
        draft.write_text("half a game")
    write_file(path, lambda file: file.write(b"a game"))
    assert list(tmp_path.iterdir()) == [path]


def test_the_draft_of_a_living_process_stays(tmp_path: Path) -> None:
    path, draft = tmp_path / "a.txt", tmp_path / ".a.txt.77.part"
    with draft.open("xb") as file:
        assert lock(file)
        write_file(path, lambda file: file.write(b"a game"))
        assert is_file_of(draft, file)
    write_file(path, lambda file: file.write(b"a game"))
    assert not draft.exists()


def test_only_drafts_of_the_same_file_are_cleared_away(tmp_path: Path) -> None:
    names = {".b.txt.77.part", ".a.txt.notes.part", "a.txt.77.part", ".aatxt.77.part"}
    for name in names:
        (tmp_path / name).touch()
    write_file(tmp_path / "a.txt", lambda file: file.write(b"a game"))
    assert {path.name for path in tmp_path.iterdir()} == names | {"a.txt"}


def test_a_draft_that_cannot_be_written_does_not_stay(tmp_path: Path) -> None:
    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(StorageError, match="No space left"):
        write_file(tmp_path / "a.txt", full)
    assert list(tmp_path.iterdir()) == []
