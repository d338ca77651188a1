"""`puzzle` through the real entry point."""

from __future__ import annotations

import io
import json
import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest

from digitduel.cli import main
from digitduel.cli.commands import puzzle as command
from digitduel.learn import daily, find_puzzle, puzzle_at, some_puzzles
from tests.terminal import digitduel, typed

if TYPE_CHECKING:
    from pathlib import Path

NAME = "closest:easy/1/7/1"
SOLUTION = ("6", "1")
KEYS = {"id", "game", "rules", "moves", "solution", "theme", "difficulty", "sight"}
DAY = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))
    monkeypatch.setattr(command, "today", lambda: DAY)
    return tmp_path


class Run:
    """The command, run in this process with lines that are typed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.out = self.err = ""

    def __call__(self, *args: str, lines: tuple[str, ...] = ()) -> int:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed(*lines)))
        code = main(["puzzle", *args])
        self.out, self.err = self.capsys.readouterr()
        return code


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(monkeypatch, capsys)


def test_json_is_a_list_of_puzzles_with_their_lines(run: Run) -> None:
    assert run("--setting", "pool:sharp", "--seed", "7", "--count", "12", "--json") == 0
    found = json.loads(run.out)
    assert [each.keys() for each in found] == [KEYS] * 12
    assert len({" ".join(each["moves"]) for each in found}) == 12
    for each in found:
        puzzle = puzzle_at("pool:sharp", each["moves"])
        assert each == {**puzzle.to_json(), "id": each["id"]}
        assert find_puzzle(each["id"]) == puzzle


def test_the_same_seed_gives_the_same_list(run: Run) -> None:
    printed = []
    for _ in range(2):
        assert run("--seed", "7", "--count", "5", "--json") == 0
        printed.append(run.out)
    assert printed[0] == printed[1]
    assert json.loads(run.out)[0]["id"] == NAME


def test_a_game_with_rule_flags_does_in_place_of_a_setting(run: Run) -> None:
    args = ("--game", "pool", "--target", "15", "--digits", "1-8", "--seed", "1")
    assert run(*args, "--difficulty", "1", "--count", "3", "--json") == 0
    found = json.loads(run.out)
    assert {(each["game"], each["rules"]["target"], each["difficulty"]) for each in found} == {
        ("pool", 15, 1)
    }
    assert run("--game", "closest", "--setting", "easy", "--seed", "7", "--json") == 0
    assert json.loads(run.out)[0]["id"] == NAME


def test_the_puzzle_of_the_day_is_that_of_the_library(run: Run) -> None:
    assert run("--daily", "--json") == 0
    assert json.loads(run.out) == [daily(DAY).to_json()]


def test_a_puzzle_is_solved_by_its_line(run: Run) -> None:
    for name in (NAME, find_puzzle(NAME).address):
        assert run(name, lines=SOLUTION) == 0
        assert "Solved!" in run.out
        assert "The defence plays 9." in run.out


def test_a_wrong_move_is_refuted_and_may_be_tried_again(run: Run, home: Path) -> None:
    assert run(NAME, lines=("7", *SOLUTION)) == 0
    assert "Not that one. 7 loses" in run.out
    assert "That is it." in run.out
    assert json.loads((home / "learning" / "puzzles.jsonl").read_text())["solved"] is False


def test_what_was_missed_comes_back_until_it_is_solved(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(NAME, lines=("skip",)) == 0
    assert "The solution is 6 9 1." in run.out
    address = find_puzzle(NAME).address
    assert run(lines=("quit",)) == 0
    assert address not in run.out
    monkeypatch.setattr(command, "today", lambda: date(2026, 3, 2))
    assert run("--setting", "closest:sharp", lines=("quit",)) == 0
    assert address not in run.out
    assert run("--setting", "closest:easy", lines=SOLUTION) == 0
    assert "You missed this one before." in run.out
    assert f"Puzzle {address}" in run.out
    assert run(lines=("quit",)) == 0
    assert address not in run.out


def test_a_streak_ends_with_the_first_mistake(run: Run) -> None:
    solved = ["8", "wrong", "quit"]
    assert run("--streak", "--seed", "7", lines=("q",)) == 0
    first = run.out.split()[1].strip(",")
    answer = str(find_puzzle(first).solution[0])
    others = [move for move in "123456789" if move != answer]
    assert len(find_puzzle(first).solution) == 1
    assert run("--streak", "--seed", "7", lines=(answer, "q")) == 0
    assert "1 puzzle in a row." in run.out
    assert run("--streak", "--seed", "7", lines=(answer, *others, *solved)) == 0
    assert "The streak ends: 1 puzzle solved." in run.out


def test_both_ends_are_asked_for(run: Run) -> None:
    puzzle = some_puzzles("pool:sharp", 1, seed=3)[0]
    digit, end = puzzle.solution[0]
    assert run(puzzle.name or "", lines=(str(digit), "x", str(digit), str(end), "q")) == 0
    assert "'X' is no side" in run.out
    assert "Not that one." not in run.out


def test_input_that_ends_and_leaving_are_clean(run: Run) -> None:
    assert run(NAME, lines=("help", "rules", "hint", "5x")) == 1
    assert "The input ended" in run.out
    assert "is not a move" in run.out
    assert "Theme: do not give it." in run.out
    assert run(NAME, lines=("q",)) == 0


def test_a_damaged_file_is_named_in_one_line_and_the_puzzle_comes(run: Run, home: Path) -> None:
    folder = home / "learning"
    folder.mkdir()
    (folder / "puzzles.jsonl").write_text("nonsense\n")
    assert run(NAME, lines=SOLUTION) == 0
    assert "puzzles.jsonl' is damaged at line 1" in run.out.splitlines()[0]
    assert (folder / "puzzles-damaged-1.jsonl").read_text() == "nonsense\n"


def test_themes_are_listed(run: Run) -> None:
    assert run("--theme", "list") == 0
    assert "two threats" in run.out


@pytest.mark.parametrize(
    ("args", "names"),
    [
        (("--theme", "tow threats"), ["'tow threats'", "'two threats'"]),
        (("--setting", "closest:eazy"), ["'eazy'", "known are easy"]),
        (("--setting", "easy"), ["'easy'", "closest:easy"]),
        (("--setting", "clossest:easy"), ["'clossest'", "'closest'"]),
        (("--setting", "forbidden:sharp", "--count", "99", "--json"), ["has only 67 puzzles"]),
        (("--setting", "pool:easy", "--difficulty", "5"), ["no puzzle of difficulty 5"]),
        (("--game", "ends", "--target", "1000000007"), ["too large to solve"]),
        (("--target", "12"), ["--game"]),
        (("--difficulty", "6"), ["6", "1<=x<=5"]),
        (("--count", "0"), ["0"]),
        (("--daily", "--seed", "3"), ["--daily and --seed"]),
        (("--daily", "--streak"), ["--daily and --streak"]),
        (("--streak", "--difficulty", "3"), ["--streak and --difficulty"]),
        ((NAME, "--theme", "copy"), ["NAME and --theme"]),
        (("/puzzle?game=pool&moves=5+5",), ["move 2: 5 is used up"]),
        (("/puzzle?game=closest&target=12&moves=1+2",), ["the game is over"]),
        (("/puzzle?game=closest&target=12&moves=6+5+2+7+1+3+9",), ["is no puzzle", "cannot force"]),
        (("nonsense",), ["'nonsense'", "closest:easy/1/7/3"]),
    ],
)
def test_bad_input_gets_one_clear_line(run: Run, args: tuple[str, ...], names: list[str]) -> None:
    assert run(*args) == 2
    line = run.err.splitlines()[-1]
    assert line.startswith("Error: ")
    assert all(name in line for name in names), line
    assert run.out == ""


def test_no_colour_in_a_pipe(tmp_path: Path) -> None:
    done = digitduel("puzzle", NAME, home=tmp_path, stdin=typed("7", *SOLUTION))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "42853[6]" in done.stdout
