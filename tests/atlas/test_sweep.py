"""Sweeps: the same bytes however they are made, nothing lost by an interruption or a bad file."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from digitduel import DigitDuelError, StorageError, TooLargeError, find_ruleset
from digitduel.atlas import COLUMNS, measure
from digitduel.atlas.checkpoint import Checkpoint
from digitduel.atlas.measures import SOLVED, solved_columns
from digitduel.atlas.plots import DARK, in_the_dark
from digitduel.atlas.reading import LADDER
from digitduel.atlas.sweep import (
    parse_axis,
    parse_range,
    rounded,
    run,
    sweep_from,
)
from digitduel.atlas.workers import Here, workforce
from digitduel.cli import main
from tests.terminal import COMMAND, environment

if TYPE_CHECKING:
    from pathlib import Path

POOL = find_ruleset("pool")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def atlas(*words: str) -> int:
    return main(["atlas", *words])


# --- What comes out. ---


def test_json_holds_a_row_for_each_target_with_all_columns(home: Path) -> None:
    assert atlas("closest", "--targets", "32..33", "--out", "found.json", "--jobs", "1") == 0
    rows = json.loads((home / "found.json").read_text())
    assert [list(row) for row in rows] == [["target", *COLUMNS]] * 2
    expected = measure(find_ruleset("closest").replace(target=33))
    assert rows[1]["target"] == 33
    for name in COLUMNS:
        assert rows[1][name] == pytest.approx(getattr(expected, name), rel=1e-8), name


def test_rules_that_vary_have_columns_of_their_own(home: Path) -> None:
    varied = ["--vary", "limit=4..5", "--vary", "ends=right|both", "--vary", "digits=1-3|0,5"]
    code = atlas("conquest", "--targets", "11,13", *varied, "--columns", "value", "--out", "a.csv")
    assert code == 0
    with (home / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["target", "limit", "ends", "digits", "value"]
    assert len(rows) == 16
    assert list(rows[-1].values())[:4] == ["13", "5", "both", "0,5"]


@pytest.mark.parametrize("suffix", ["json", "csv", "parquet"])
def test_bytes_do_not_depend_on_the_number_of_jobs(suffix: str, home: Path) -> None:
    for jobs in "123":
        words = ["forbidden", "--targets", "7..23", "--jobs", jobs, "--out", f"{jobs}.{suffix}"]
        assert atlas(*words) == 0
    first, *others = ((home / f"{jobs}.{suffix}").read_bytes() for jobs in "123")
    assert others == [first, first]
    assert {path.name for path in home.iterdir()} == {f"{jobs}.{suffix}" for jobs in "123"}


def test_the_ending_of_a_name_may_be_in_capitals(home: Path) -> None:
    for names in (("a.json", "a.svg"), ("B.JSON", "B.SVG")):
        assert atlas("pool", "--targets", "10..12", "--out", names[0], "--plot", names[1]) == 0
    assert (home / "a.json").read_bytes() == (home / "B.JSON").read_bytes()
    assert (home / "a.svg").read_bytes() == (home / "B.SVG").read_bytes()


def test_a_parquet_file_holds_numbers_and_nulls(home: Path) -> None:
    import pyarrow.parquet

    assert atlas("forbidden", "--targets", "11..13", "--out", "a.parquet", "--jobs", "1") == 0
    rows = pyarrow.parquet.read_table(home / "a.parquet").to_pylist()
    assert [row["plies"] for row in rows] == [2, None, None]
    assert rows[2]["first_1"] == pytest.approx(0.2775200591, rel=1e-8)


@given(st.floats(1e-300, 1e300))
def test_rounding_keeps_ten_significant_digits(value: float) -> None:
    kept = rounded(value)
    assert kept == pytest.approx(value, rel=5e-10, abs=0)
    assert rounded(kept) == kept
    assert float(f"{kept:.10g}") == kept


def test_any_executor_will_do() -> None:
    sweep = sweep_from(POOL, "10..40", columns=",".join(SOLVED))
    with ThreadPoolExecutor(2) as threads:
        found = dict(run(sweep, threads, width=3))
    assert found == dict(run(sweep, Here(), width=1))
    assert sorted(found) == list(range(sweep.pieces))


def test_the_quick_columns_are_those_of_the_measures() -> None:
    for key in ("pool", "closest", "forbidden"):
        quick = sweep_from(find_ruleset(key), "7..16", columns=",".join(SOLVED))
        whole = sweep_from(find_ruleset(key), "7..16")
        rows = [row for _, rows in run(quick, Here(), width=1) for row in rows]
        others = [row for _, rows in run(whole, Here(), width=1) for row in rows]
        assert rows == [{name: row[name] for name in quick.names} for row in others]


# A wide range of a small game: searched, some targets at a time.
WIDE = ("--targets", "2..700", "--vary", "limit=3..4", "--columns", "value,winning_first_moves")


def test_a_wide_range_comes_to_what_its_targets_come_to(home: Path) -> None:
    wide = sweep_from(POOL, "2..700", ["limit=3..4"], "value,winning_first_moves")
    rows = [row for _, rows in sorted(run(wide, Here(), width=1)) for row in rows]
    assert wide.pieces < len(rows) / 40  # fewer than if each was solved
    single = (POOL.replace(**wide.rules(index)) for index in range(len(wide)))
    assert [row["value"] for row in rows] == [solved_columns(each)["value"] for each in single]
    for jobs in "12":
        assert atlas("pool", *WIDE, "--jobs", jobs, "--out", f"{jobs}.csv") == 0
    assert (home / "1.csv").read_bytes() == (home / "2.csv").read_bytes()


def test_a_search_has_targets_of_one_rule_set_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("digitduel.solver.size.MOST_AT_ONCE", 300)
    wide = sweep_from(POOL, "2..700", ["limit=3..4"], "value")
    limits = [{row["limit"] for row in wide.work(piece)} for piece in range(wide.pieces)]
    assert limits == [{3}] * 3 + [{4}] * 3
    assert sum(len(wide.work(piece)) for piece in range(wide.pieces)) == len(wide)


def test_a_part_in_other_pieces_is_refused(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = sweep_from(POOL, "2..700", ["limit=3..4"], "value,winning_first_moves")
    with Checkpoint(home / "a.csv.partial.jsonl", sweep) as checkpoint:
        checkpoint.add(0, sweep.work(0))
    with monkeypatch.context() as patch:
        patch.setattr("digitduel.solver.size.MOST_AT_ONCE", 300)
        assert atlas("pool", *WIDE, "--jobs", "1", "--out", "a.csv") == 1
    assert "another sweep" in capsys.readouterr().err
    assert atlas("pool", *WIDE, "--jobs", "1", "--out", "a.csv") == 0


def test_names_from_before_are_still_columns(home: Path) -> None:
    names = "casual_first,careful_second,value"
    assert atlas("pool", "--targets", "12", "--columns", names, "--out", "a.json") == 0
    (row,) = json.loads((home / "a.json").read_text())
    assert list(row) == ["target", "value", "first_1", "second_2"]


@pytest.mark.parametrize("suffix", ["svg", "png"])
@pytest.mark.parametrize("targets", ["7..20", "13"])
def test_a_picture_is_the_same_each_time(targets: str, suffix: str, home: Path) -> None:
    for name in "abcd":
        picture = f"{name}.{suffix}"
        assert atlas("forbidden", "--targets", targets, "--plot", picture, "--jobs", "1") == 0
    first, *others = ((home / f"{name}.{suffix}").read_bytes() for name in "abcd")
    assert others == [first] * 3
    assert len(first) > 5000


def test_a_picture_tells_sights_apart_without_colour(home: Path) -> None:
    assert atlas("pool", "--targets", "10..12", "--plot", "a.svg", "--jobs", "1") == 0
    drawn = (home / "a.svg").read_text("utf-8")
    for text in ("● 1 casual", "□ 2 careful", "△ 3", "× 4", "fair", "pays nothing", "starter"):
        assert f">{text}</text>" in drawn
    assert len(set(re.findall(r'<path id="(m\w+)" d="[^"]*C[^"]*"', drawn))) == 1  # only dots
    dark = in_the_dark(drawn)
    assert not re.search("|".join(colour.lower() for colour in DARK), dark)


def test_a_picture_of_one_target_is_its_ladder(home: Path) -> None:
    words = ["--limit", "6", "--plot", "a.svg", "--jobs", "1"]
    assert atlas("closest", "--target", "15", *words) == 0
    drawn = (home / "a.svg").read_text("utf-8")
    for text in ("77%", "85%", "73%", "71%", "81%", "random", "careful", "moves seen ahead"):
        assert f">{text}</text>" in drawn
    assert "closest: target 15, 6 digits at most" in drawn


# --- What is shown. ---


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The lines that a sweep prints."""
    assert atlas(*words, "--jobs", "1") == 0
    return capsys.readouterr().out.splitlines()


def test_without_a_file_a_table_is_shown(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "pool", "--targets", "12")
    heading, row = lines[:2]
    assert heading.split()[:4] == ["target", "value", "moves", "start"]
    assert row.split()[:8] == ["12", "win", "7", "0.250", "0.923", "0.553", "0.567", "0.356"]
    said = " ".join(lines)
    assert all(name in said for name in ("2 v 1:", "hits:", "sums:", "depth:", "appeal:"))
    assert "never end" not in said
    assert lines[-1].endswith("--out FILE keeps all columns.")
    assert list((home / "home" / "atlas").iterdir()) == []


def test_the_table_has_no_chances_of_games_that_never_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = shown(capsys, "forbidden", "--targets", "13")
    assert lines[1].split()[:8] == ["13", "endless", "-", "-", "1.000", "0.500", "0.500", "-"]
    assert "-: such games never end." in " ".join(lines)


def test_the_columns_asked_for_are_shown_and_only_they_are_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = "second_5,random_first,value"
    heading, row, *legend = shown(capsys, "pool", "--targets", "12", "--columns", names)
    assert heading.split() == ["target", "value", "first", "0", "second", "5"]
    assert row.split() == ["12", "win", "0.330", "0.500"]
    assert legend == []


def test_all_columns_that_were_asked_for_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "pool", "--targets", "12", "--columns", "sums")
    assert lines[2:] == ["", "sums: how hard they are, from 1 to 5."]


def test_one_setting_is_shown_as_a_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    heading, _, columns, *lines = shown(capsys, "closest", "--target", "15", "--limit", "6")
    assert heading == "Divisibility Duel (closest): target 15, 6 digits at most"
    assert re.split(" {2,}", columns) == [*LADDER]
    ladder = [line.rsplit(maxsplit=4) for line in lines[:7]]
    assert [line[0] for line in ladder[1:]] == ["1 casual", "2 careful", "3", "4", "5", "6"]
    assert [line[1] for line in ladder[1:]] == [
        "76.8%",
        "84.7%",
        "73.1%",
        "71.2%",
        "80.9%",
        "50.0%",
    ]
    assert lines[7] == "best play                 50.0%"
    said = [line.split("  ")[0] for line in lines[9:] if not line.startswith(" ")]
    assert said[:5] == ["Best play", "Between equals", "Length", "Depth", "Forced"]
    assert said[5:] == ["Sums", "Recipe", "Appeal"]


def test_the_ladder_of_a_game_that_never_ends_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "forbidden", "--target", "12")
    assert lines[5].split() == ["2", "careful", "50.0%", "-", "-", "-"]
    assert "-: such games never end." in lines


def test_recipes_are_told_below_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {
        "target": [*range(9, 23)],
        "limit": [6] * 14,
        "value": ["win"] * 14,
        "plies": [1, *[6] * 13],
        "recipe": ["plays 9 and has won", None, *["copies the digit"] * 12],
    }
    monkeypatch.setattr("digitduel.atlas.campaign.run_campaign", lambda *_: table)
    asked = ("--targets", "9..22", "--vary", "limit=6", "--columns", "value,plies,recipe")
    lines = shown(capsys, "conquest", *asked)
    assert lines[0].split() == ["target", "limit", "value", "moves"]
    assert lines[16:] == [
        *(f"{target}, limit 6: copies the digit" for target in range(11, 21)),
        "and 2 more.",
    ]


# --- Going on after an interruption. ---


def test_workers_do_not_outlive_a_sweep_that_is_killed(home: Path) -> None:
    words = ["atlas", "closest", "--targets", "300..3000", "--jobs", "2", "--out", "a.json"]
    process = subprocess.Popen([*COMMAND, *words], cwd=home, env=environment(home))
    patience = time.monotonic() + 60
    while len(workers := psutil.Process(process.pid).children()) < 2:
        assert time.monotonic() < patience
        time.sleep(0.02)
    process.kill()
    process.wait()
    while any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in workers):
        assert time.monotonic() < patience
        time.sleep(0.02)


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(home: Path) -> None:
    words = ["atlas", "closest", "--targets", "300..450", "--jobs", "2", "--out", "a.json"]
    partial = home / "a.json.partial.jsonl"
    process = subprocess.Popen(
        [*COMMAND, *words],
        cwd=home,
        env=environment(home),
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    patience = time.monotonic() + 60
    while not partial.exists() or partial.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < patience
        assert process.poll() is None
        time.sleep(0.02)
    # As a terminal does it: to the whole group.
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert "The same command goes on from there." in said
    kept = partial.read_bytes()
    assert not (home / "a.json").exists()
    assert main(words) == 0
    assert not partial.exists()
    assert atlas("closest", "--targets", "300..450", "--jobs", "2", "--out", "b.json") == 0
    assert (home / "a.json").read_bytes() == (home / "b.json").read_bytes()
    rows = [row for line in kept.splitlines()[1:] for row in json.loads(line)["rows"]]
    assert len(rows) >= 8
    assert all(row in json.loads((home / "a.json").read_text()) for row in rows)


def interrupted(home: Path, pieces: int = 2) -> Path:
    """A sweep of which some pieces are done."""
    path = home / "a.csv.partial.jsonl"
    sweep = sweep_from(POOL, "10..30")
    with Checkpoint(path, sweep) as checkpoint:
        for piece in range(pieces):
            checkpoint.add(piece, sweep.work(piece))
    return path


GO_ON = ("pool", "--targets", "10..30", "--out", "a.csv", "--jobs", "1")


def test_pieces_that_are_done_are_not_worked_out_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(home)
    worked: list[int] = []
    whole = sweep_from(POOL, "10..30")

    def work(sweep: Any, piece: int) -> Any:
        worked.append(piece)
        return original(sweep, piece)

    original = type(whole).work
    monkeypatch.setattr(type(whole), "work", work)
    assert atlas(*GO_ON) == 0
    assert worked == list(range(2, whole.pieces))


def test_a_line_cut_short_is_dropped(home: Path) -> None:
    path = interrupted(home)
    data = path.read_bytes()
    for size in (len(data) - 1, len(data) - 100, 30, 0):
        path.write_bytes(data[:size])
        (home / "a.csv").unlink(missing_ok=True)
        assert atlas(*GO_ON) == 0
        assert len((home / "a.csv").read_text().splitlines()) == 22


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda _: [b"hello\n"], "damaged"),
        (lambda _: [b"hello"], "does not begin"),
        (lambda _: [b"[]\n"], "damaged"),
        (lambda lines: [lines[0], b"\xff\xfe\n", *lines[1:]], "damaged"),
        (lambda lines: [lines[0], lines[1].replace(b'"target": 10', b'"target": 99')], "damaged"),
        (lambda lines: [lines[0], lines[1].replace(b'"piece": 0', b'"piece": 900')], "damaged"),
        (lambda lines: [lines[0], b'{"piece": 0, "rows": 7}\n'], "damaged"),
        (lambda lines: [lines[0], lines[1].replace(b'"plies": 9', b'"plies": 8')], "damaged"),
        (lambda lines: [lines[0], lines[1].replace(b'"plies": 9', b'"plies": NaN')], "damaged"),
        (lambda lines: [lines[0], b"[" * 100_000 + b"\n"], "damaged"),
        (lambda lines: [lines[0].replace(b'"pool"', b'"poil"'), *lines[1:]], "another sweep"),
    ],
)
def test_a_damaged_part_is_refused_and_left_as_it_is(
    damage: Any, words: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = interrupted(home)
    path.write_bytes(b"".join(damage(path.read_bytes().splitlines(keepends=True))))
    before = path.read_bytes()
    assert atlas(*GO_ON) == 1
    assert words in capsys.readouterr().err
    assert path.read_bytes() == before
    assert not (home / "a.csv").exists()


def test_another_sweeps_part_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = interrupted(home)
    before = path.read_bytes()
    for words in (["--targets", "10..31"], ["--targets", "10..30", "--limit", "5"]):
        assert atlas("pool", *words, "--out", "a.csv", "--jobs", "1") == 1
        assert "another sweep" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_two_sweeps_do_not_share_a_part(home: Path) -> None:
    path = interrupted(home)
    sweep = sweep_from(POOL, "10..30")
    with Checkpoint(path, sweep), pytest.raises(StorageError, match="another sweep"):
        Checkpoint(path, sweep)


# --- Files that are there already, or cannot be. ---


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.parquet", "a.svg"])
def test_a_file_of_something_else_is_not_written_over(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / name).write_text("target,value\n7,my own notes\n")
    option = "--plot" if name.endswith("svg") else "--out"
    assert atlas("pool", "--targets", "10..12", option, name, "--jobs", "1") == 1
    assert "not written over" in capsys.readouterr().err
    assert (home / name).read_text() == "target,value\n7,my own notes\n"
    assert {path.name for path in home.iterdir()} == {name}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"a": 1}'),
        ("a.json", "[]"),
        ("a.json", "[" * 100_000),
        ("a.json", "[1, 2, 3]"),
        ("a.csv", ""),
        ("a.csv", "\0"),
        ("a.parquet", "PAR1"),
    ],
)
def test_whatever_a_file_holds_it_stays(
    name: str, text: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / name).write_text(text)
    assert atlas("pool", "--targets", "10..12", "--out", name, "--jobs", "1") == 1
    assert "not written over" in capsys.readouterr().err
    assert (home / name).read_text() == text


def test_what_is_no_file_is_left_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "link.csv").symlink_to("nowhere")
    os.mkfifo(home / "pipe.csv")
    for name in ("link.csv", "pipe.csv"):
        assert atlas("pool", "--targets", "10", "--out", name, "--jobs", "1") == 1
        assert "no file has that name" in capsys.readouterr().err
    assert (home / "link.csv").is_symlink()


@pytest.mark.cluster
@pytest.mark.parametrize("address", ["elsewhere", "tcp://127.0.0.1:1"])
def test_a_sweep_that_never_began_leaves_nothing_behind(
    address: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert atlas("pool", "--targets", "10..12", "--cluster", address, "--out", "a.csv") == 2
    assert "no cluster answers" in capsys.readouterr().err
    assert [path for path in home.iterdir() if path.name != "home"] == []


def test_the_same_sweep_may_be_made_twice() -> None:
    for _ in range(2):
        words = ["--out", "a.csv", "--plot", "a.svg", "--jobs", "1"]
        assert atlas("pool", "--targets", "10..12", *words) == 0


def test_another_sweep_of_the_same_shape_loses_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert atlas("pool", "--targets", "10..12", "--out", "a.csv", "--jobs", "1") == 0
    before = (home / "a.csv").read_bytes()
    assert atlas("closest", "--targets", "10..12", "--out", "a.csv", "--jobs", "1") == 1
    assert "not written over" in capsys.readouterr().err
    assert (home / "a.csv").read_bytes() == before
    # What was worked out is kept: move the file away, and the same command is done at once.
    (home / "a.csv").unlink()
    assert atlas("closest", "--targets", "10..12", "--out", "a.csv", "--jobs", "1") == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--targets", "9..2"], 2, "write 2..9"),
        (["--targets", ""], 2, "write it as 2..1000"),
        (["--targets", "2..3..4"], 2, "write it as 2..1000"),
        (["--targets", "1..9"], 2, "from 2 on"),
        (["--targets", "2..1" + "0" * 100], 2, "too large"),
        (["--targets", "2", "--vary", "limit=9..5"], 2, "write 5..9"),
        (["--targets", "2", "--vary", "limit="], 2, "no values"),
        (["--targets", "2", "--vary", "limits=5"], 2, "did you mean 'limit'"),
        (["--targets", "2", "--vary", "target=2..5"], 2, "known are"),
        (["--targets", "2", "--vary", "limit=3", "--vary", "limit=4"], 2, "varies twice"),
        (["--targets", "2", "--vary", "limit=0..5"], 2, "limit = 0 is too small"),
        (["--targets", "2", "--columns", "valu"], 2, "did you mean 'value'"),
        (["--targets", "2", "--out", "a.xlsx"], 2, ".parquet"),
        (["--targets", "2", "--out", "no/such/folder/a.csv"], 1, "there is no folder"),
        (["--targets", "2", "--plot", "a.pdf"], 2, ".svg or .png"),
        (["--targets", "2", "--plot", "no/such/folder/a.svg"], 1, "there is no folder"),
        (["--targets", "2..3", "--plot", "a.svg", "--columns", "value"], 2, "without plies"),
        (["--targets", "2", "--plot", "a.svg", "--columns", "value"], 2, "and 25 more"),
        (["--targets", "2", "--plot", "a.svg", "--vary", "limit=5..6"], 2, "leave out"),
        (["--targets", "2", "--jobs", "0"], 2, "0 is not in the range"),
        (["--all-targets", "--targets", "2"], 2, "--all-targets and --targets do not go together"),
        (["--all-targets", "--target", "2"], 2, "--all-targets and --target do not go together"),
        (["--targets", "2", "--target", "3"], 2, "--targets and --target do not go together"),
        (["--targets", "2", "--vary", "limit=3..4", "--limit", "5"], 2, "do not go together"),
        (["--targets", "2", "--out", ""], 2, "names no file"),
        (["--targets", "2", "--out", "a" * 300 + ".csv"], 1, "File name too long"),
    ],
)
def test_what_is_refused_is_refused_in_words(
    words: list[str], code: int, message: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert atlas("pool", *words) == code
    assert message in capsys.readouterr().err
    assert [path for path in home.iterdir() if path.name != "home"] == []


def test_what_cannot_be_written_is_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.csv").mkdir()
    assert atlas("pool", "--targets", "10", "--out", "a.csv", "--jobs", "1") == 1
    assert "'a.csv'" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["conquest", "60..63,999999999"], ["ends", "2..5,10007,6"]])
def test_a_setting_too_large_is_refused_before_anything_is_worked_out(
    words: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, targets = words
    changes = ["--digits", "1-9", "--out", "a.csv", "--jobs", "1"]
    assert atlas(key, "--targets", targets, *changes) == 2
    assert "choose a smaller target" in capsys.readouterr().err
    assert [path for path in home.iterdir() if path.name != "home"] == []


def test_a_worker_that_dies_is_said_in_words() -> None:
    with workforce(2) as (executor, width), pytest.raises(DigitDuelError, match="a worker failed"):
        list(run(Deadly(), executor, width=width))  # type: ignore[arg-type]


class Deadly:
    """A sweep that kills whoever works on it."""

    pieces = 50

    def work(self, piece: int) -> None:
        os._exit(piece + 1)


def test_ranges_and_axes() -> None:
    assert parse_range("targets", "7") == range(7, 8)
    assert parse_range("targets", "2..4,3..5, 9") == (2, 3, 4, 5, 9)
    assert parse_axis("uses=unlimited|2").values == (None, 2)
    assert parse_axis("leading_zero=true|false").values == (True, False)
    with pytest.raises(TooLargeError):
        parse_range("targets", "2..9,1..99999999999")
