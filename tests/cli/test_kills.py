"""A kill at every step of a save: the match is gone on with, and kept once."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from digitduel.cli.saves import read_save, resume_save
from digitduel.record import read_records
from tests.cli.nursery import Nursery
from tests.terminal import typed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MATCH = ("play", "conquest", "--rounds", "2", "--record", "match.txt")
# Who adds 7 at once wins conquest as it comes; 3 5 does it on the second move.
LINES = ("3", "5", "7")


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    folder = tmp_path / "nursery"
    folder.mkdir()
    with Nursery(folder) as nursery:
        yield nursery


def new_home(tmp_path: Path, name: object) -> Path:
    home = tmp_path / f"home-{name}"
    home.mkdir()
    return home


def saves(home: Path) -> list[Path]:
    """The saves there are, but for a start that was killed."""
    return [path for path in (home / "games").glob("*") if path.stat().st_size]


def made_moves(home: Path) -> int:
    """How many moves the unfinished match has, over all its rounds."""
    return sum(len(record.moves) for path in saves(home) for record in read_save(path).records)


def is_over(home: Path) -> bool:
    return any((home / "finished").glob("*.txt")) and not saves(home)


def check_kept_once(home: Path) -> None:
    """The match is in its record file and among the finished ones, and nothing else is left."""
    (kept,) = (home / "finished").iterdir()
    records = read_records(home / "match.txt")
    assert [[str(move) for move in record.moves] for record in records] == [["3", "5"], ["7"]]
    assert kept.read_bytes() == (home / "match.txt").read_bytes()
    assert [path.name for path in home.iterdir() if path.name.startswith(".")] == []
    assert saves(home) == []


@pytest.mark.slow
def test_a_match_with_a_record_survives_a_kill_at_every_step(
    tmp_path: Path, nursery: Nursery
) -> None:
    for step in count(1):
        home = new_home(tmp_path, step)
        run = nursery.run(*MATCH, home=home, stdin=typed(*LINES), step=step)
        if not run.killed:
            break
        if not is_over(home):
            again = ("resume",) if saves(home) else MATCH
            left = typed(*LINES[made_moves(home) :])
            run = nursery.run(*again, home=home, stdin=left)
        assert run.code <= 0, (step, run)
        check_kept_once(home)
    assert step > 20


@pytest.mark.slow
def test_a_resumed_match_survives_a_kill_at_every_step_too(
    tmp_path: Path, nursery: Nursery
) -> None:
    for step in count(1):
        home = new_home(tmp_path, step)
        assert nursery.run(*MATCH, home=home, stdin=typed("3")).code == 1
        left = typed(*LINES[1:])
        killed = nursery.run("resume", home=home, stdin=left, step=step).killed
        if not killed:
            break
        # The second life is killed at the same step, the third is not.
        for again in (step, None):
            if not is_over(home):
                left = typed(*LINES[made_moves(home) :])
                run = nursery.run("resume", home=home, stdin=left, step=again)
                assert run.killed or run.code == 0, (step, run)
        check_kept_once(home)
    assert step > 20


def test_a_start_that_was_killed_is_in_nobodys_way(tmp_path: Path, nursery: Nursery) -> None:
    home = new_home(tmp_path, "a")
    (home / "games").mkdir()
    (home / "games" / "pool-1.jsonl").touch()
    assert "no unfinished game" in nursery.run("resume", "--list", home=home).out
    assert nursery.run("resume", home=home).err.splitlines() == [
        "Error: there is no unfinished game: start one with 'digitduel play pool'."
    ]
    shown = nursery.run("play", "pool", "--target", "97", home=home, stdin=typed("5", "quit")).out
    assert "'digitduel resume pool-1' goes on" in shown


def test_two_matches_with_the_same_moves_are_kept_twice(tmp_path: Path, nursery: Nursery) -> None:
    home = new_home(tmp_path, "a")
    for _ in range(2):
        assert nursery.run("play", "pool", home=home, stdin=typed("7")).code == 0
    names = sorted(path.name for path in (home / "finished").iterdir())
    assert names == ["pool-1.txt", "pool-1_2.txt"]


def test_a_record_that_somebody_else_put_there_is_not_written_over_by_a_resumed_match(
    tmp_path: Path, nursery: Nursery
) -> None:
    home = new_home(tmp_path, "a")
    nursery.run(*MATCH, home=home, stdin=typed("3"))
    (home / "match.txt").write_text("my shopping list")
    run = nursery.run("resume", home=home, stdin=typed("5"))
    assert run.code == 1
    assert "not written over" in run.err
    assert (home / "match.txt").read_text() == "my shopping list"
    (home / "match.txt").unlink()
    assert nursery.run("resume", home=home, stdin=typed("7")).code == 0
    check_kept_once(home)


def test_a_file_is_not_ours_only_because_it_holds_what_we_are_about_to_write(
    tmp_path: Path, nursery: Nursery
) -> None:
    one, two = new_home(tmp_path, 1), new_home(tmp_path, 2)
    assert nursery.run(*MATCH, home=one, stdin=typed(*LINES)).code == 0
    nursery.run(*MATCH, home=two, stdin=typed("3", "5"))
    (two / "match.txt").write_bytes((one / "match.txt").read_bytes())
    run = nursery.run("resume", home=two, stdin=typed("7"))
    assert run.code == 1
    assert "not written over" in run.err


def test_a_save_can_be_taken_up_by_one_terminal_at_a_time(tmp_path: Path, nursery: Nursery) -> None:
    home = new_home(tmp_path, "a")
    nursery.run("play", "pool", "--target", "97", home=home, stdin=typed("5"))
    journal, _ = resume_save(home / "games" / "pool-1.jsonl")
    assert "another terminal" in nursery.run("resume", "pool-1", home=home).err
    journal.close()
