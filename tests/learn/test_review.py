"""What was missed comes back: the boxes, the file, and a file that is damaged."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import StorageError
from digitduel.files import lock
from digitduel.learn import review
from digitduel.learn.review import BOXES, FILE, FOLDER, Progress, keep, load
from tests.strategies import short_law

if TYPE_CHECKING:
    from pathlib import Path

DAY = date(2026, 3, 1)
ONE, TWO = "/puzzle?game=pool&moves=5", "/puzzle?game=pool&moves=6"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))
    return tmp_path / FOLDER / FILE


def test_a_missed_puzzle_comes_back_after_1_3_7_and_21_days_and_then_goes() -> None:
    progress, day = Progress(), DAY
    progress.answered(ONE, False, day)
    for days in (1, 3, 7, 21):
        assert progress.due(day + timedelta(days=days - 1)) == []
        day += timedelta(days=days)
        assert progress.due(day) == [ONE]
        progress.answered(ONE, True, day)
    assert progress.waiting == {}


def test_a_puzzle_that_is_missed_again_begins_anew() -> None:
    progress = Progress()
    progress.answered(ONE, False, DAY)
    progress.answered(ONE, True, DAY + timedelta(days=1))
    progress.answered(ONE, False, DAY + timedelta(days=2))
    assert progress.due(DAY + timedelta(days=3)) == [ONE]


def test_what_was_never_missed_is_not_kept_and_what_is_not_due_stays() -> None:
    progress = Progress()
    progress.answered(TWO, True, DAY)
    progress.answered(ONE, False, DAY)
    before = dict(progress.waiting)
    progress.answered(ONE, True, DAY)
    assert progress.waiting == before
    assert list(before) == [ONE]


@short_law
@given(st.lists(st.tuples(st.sampled_from([ONE, TWO]), st.booleans(), st.integers(0, 40))))
def test_every_puzzle_is_in_a_box_that_there_is(
    answers: list[tuple[str, bool, int]],
) -> None:
    progress, day = Progress(), DAY
    for address, solved, later in answers:
        day += timedelta(days=later)
        progress.answered(address, solved, day)
        assert all(entry.box in range(len(BOXES)) for entry in progress.waiting.values())
        assert set(progress.due(day + timedelta(days=BOXES[-1]))) == set(progress.waiting)


def test_what_is_kept_is_there_the_next_time(home: Path) -> None:
    assert load() == (Progress(), None)
    keep(ONE, False, DAY)
    keep(TWO, False, DAY)
    keep(ONE, True, DAY + timedelta(days=1))
    assert load().progress.due(DAY + timedelta(days=1)) == [TWO]
    with home.open("ab") as file:  # a kill in the middle of a line
        file.write(b'{"puzzle": "/puz')
    assert load().problem is None
    keep(TWO, True, DAY + timedelta(days=1))
    assert load().progress.due(DAY + timedelta(days=1)) == []


@pytest.mark.parametrize(
    "damage",
    [
        b"\x00\xff\n",
        b"[]\n",
        b'{"puzzle": 5, "solved": true, "on": "2026-03-01"}\n',
        b'{"puzzle": "x", "solved": "yes", "on": "2026-03-01"}\n',
        b'{"puzzle": "x", "solved": true, "on": "soon"}\n',
        b'{"puzzle": "x", "solved": true}\n',
    ],
)
def test_a_damaged_file_is_named_and_set_aside_and_never_written_over(
    home: Path, damage: bytes
) -> None:
    for number in (1, 2):
        keep(ONE, False, DAY)
        with home.open("ab") as file:
            file.write(damage)
        held = home.read_bytes()
        loaded = load()
        aside = home.with_name(f"puzzles-damaged-{number}.jsonl")
        assert loaded.progress == Progress()
        assert loaded.problem
        assert "damaged at line 2" in loaded.problem
        assert str(home) in loaded.problem
        assert f"kept as {aside.name}." in loaded.problem
        assert "\n" not in loaded.problem
        assert aside.read_bytes() == held
        assert not home.exists()


def test_two_terminals_do_not_write_at_once(home: Path) -> None:
    keep(ONE, False, DAY)
    with home.open("rb+") as file:
        assert lock(file)
        with pytest.raises(StorageError, match="another terminal"):
            keep(TWO, False, DAY)


def test_where_nothing_can_be_kept_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path / "file"))
    with pytest.raises(StorageError, match="cannot write"):
        review.load()
