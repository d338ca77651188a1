"""Manners of the command: exit codes, plain text, help, light start-up, clear refusals."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from digitduel import setting_names
from digitduel.cli import main
from tests.terminal import COMMAND, PATIENCE, digitduel, environment, typed

COMMANDS = (
    *("analyse", "analyze", "atlas", "card", "games", "play", "puzzle", "recommend"),
    *("remainders", "replay", "resume", "rules", "serve", "solve"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str, tmp_path: Path) -> None:
    done = digitduel(command, "--help", home=tmp_path)
    assert done.returncode == 0
    assert "Examples:" in done.stdout
    assert f"digitduel {command}" in done.stdout


def test_without_a_command_or_a_terminal_the_help_is_shown(tmp_path: Path) -> None:
    done = digitduel(home=tmp_path)
    assert done.returncode == 0
    assert "digitduel play pool" in done.stdout


def test_games_as_json_carry_all_rules(tmp_path: Path) -> None:
    games = json.loads(digitduel("games", "--json", home=tmp_path).stdout)
    assert {game["key"] for game in games} == {"pool", "ends", "forbidden", "closest", "conquest"}
    pool = next(game for game in games if game["key"] == "pool")
    assert pool["rules"]["digits"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert pool["rules"]["uses"] == 1


def test_games_start_without_numpy_and_rich() -> None:
    code = (
        "import sys; from digitduel.cli import main; main(['games']);"
        "sys.exit(bool({'numpy', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_hot_seat_play_needs_no_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; from digitduel.cli import main; code = main(['play', 'pool']);"
        "sys.exit(code or 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"7\n", env=environment(tmp_path), check=False
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("args", "names"),
    [
        (["play", "poool"], ["'poool'", "'pool'"]),
        (["play", "x" * 300], ["there is no game called", "300 characters"]),
        (
            ["atlas", "forbidden", "--forbid", ",".join(str(10**99 + n) for n in range(60))],
            ["would take about 10^"],
        ),
        (["play", "pool", "--target", "1"], ["target = 1", "from 2 on"]),
        (["play", "ends", "--target", "0"], ["target = 0", "from 1"]),
        (["play", "pool", "--target", "seven"], ["'seven'", "whole number"]),
        (["play", "pool", "--target", "9" * 5000], ["9999", "whole number"]),
        (["play", "pool", "--digits", "1-"], ["'1-'", "1-9"]),
        (["play", "pool", "--digits", "1,1"], ["digits", "1 twice"]),
        (["play", "pool", "--digits", "9-1"], ["'9-1'"]),
        (["play", "pool", "--digits", ""], ["digits"]),
        (["play", "pool", "--uses", "0"], ["uses = 0", "from 1"]),
        (["play", "pool", "--uses", "many"], ["'many'"]),
        (["play", "pool", "--limit", "0"], ["limit = 0", "from 1"]),
        (["play", "pool", "--ends", "top"], ["'top'", "right, left or both"]),
        (["play", "pool", "--full", "draw"], ["'draw'", "last-loses or closest"]),
        (["play", "pool", "--forbid", "1"], ["forbidden", "1"]),
        (["play", "pool", "--forbid", "x"], ["'x'"]),
        (["play", "pool", "--digits", "2,4", "--forbid", "2"], ["no safe first move"]),
        (["play", "pool", "--p2", "genius"], ["genius", "careful"]),
        (["play", "pool", "--names", "Ann"], ["'Ann'", "Ann,Bob"]),
        (["play", "pool", "--names", "Ann,Ann"], ["'Ann'"]),
        (["play", "pool", "--names", ","], ["''"]),
        (["play", "pool", "--rounds", "0"], ["0", "1<=x<=1000"]),
        (["play", "pool", "--best-of", "4"], ["best of 4", "odd"]),
        (["play", "pool", "--best-of", "3", "--rounds", "3"], ["--rounds", "--best-of"]),
        (["play", "pool", "--max-moves", "0"], ["0"]),
        (["play", "pool", "--seed", "x"], ["'x'"]),
        (["play", "missing.toml"], ["missing.toml", "No such file"]),
        (["play", "closest:eazy"], ["'eazy'", "known are easy"]),
        (["solve", "closest", "--setting", "eazy"], ["'eazy'", "known are easy"]),
        (["recommend", "closest:eazy"], ["'eazy'", "known are easy"]),
        (["play", "closest", "--setting", ""], ["''", "known are easy"]),
        (["play", "poool", "--setting", "easy"], ["'poool'", "'pool'"]),
        (
            ["play", "closest:easy", "--setting", "sharp"],
            ["'closest:easy'", "--setting 'sharp'", "leave one out"],
        ),
        (
            ["play", "missing.toml", "--setting", "easy"],
            ["--setting 'easy'", "forbidden or pool", "'missing.toml' has no settings"],
        ),
        (["plaay"], ["'plaay'", "'play'"]),
        (["play", "pool", "--tarket", "3"], ["--tarket", "--target"]),
        (["replay", "missing.txt"], ["missing.txt", "No such file"]),
        (["resume"], ["no unfinished game", "digitduel play"]),
        (["resume", "pool-7"], ["'pool-7'"]),
        (["replay"], ["no game has been finished"]),
    ],
)
def test_bad_input_gets_one_clear_line_and_an_exit_code(
    args: list[str],
    names: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))
    assert main(args) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    for name in names:
        assert name in shown.err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_reason_to_fall(closed: str, tmp_path: Path) -> None:
    command = shlex.join([*COMMAND, "play", "pool", "--p1", "random", "--p2", "random"])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} {closed}"],
        capture_output=True,
        env=environment(tmp_path),
        cwd=tmp_path,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("switch", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LANG": "C"}])
def test_pipes_and_switches_give_plain_text(switch: dict[str, str], tmp_path: Path) -> None:
    done = digitduel("play", "pool", stdin=typed("1", "4"), home=tmp_path, env=switch)
    assert "\x1b" not in done.stdout
    assert "1[4]" in done.stdout


def test_names_a_terminal_cannot_show_do_not_stop_the_game(tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LANG": "C"}
    done = digitduel(
        "play", "pool", "--names", "Łucja,Bob", stdin=typed("1", "4"), home=tmp_path, env=env
    )
    assert done.returncode == 0
    assert "Bob wins!" in done.stdout


def test_a_reader_that_leaves_early_causes_no_stack_trace(tmp_path: Path) -> None:
    script = f"{' '.join(COMMAND)} rules ends | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, env=environment(tmp_path), check=False
    )
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def test_seeded_games_repeat_and_others_differ(tmp_path: Path) -> None:
    def play(seed: int) -> str:
        args = ("play", "conquest", "--target", "97", "--p1", "random", "--p2", "random")
        return digitduel(*args, "--seed", str(seed), home=tmp_path).stdout

    assert play(1) == play(1)
    assert len({play(seed) for seed in range(5)}) > 1


def test_first_random_is_a_seeded_coin_toss(tmp_path: Path) -> None:
    starters = set()
    for seed in range(8):
        args = ("play", "pool", "--names", "Ann,Bob", "--first", "random", "--seed", str(seed))
        lines = digitduel(*args, stdin="7\n", home=tmp_path).stdout.splitlines()
        starter = lines[0].removeprefix("The coin says: ").removesuffix(" starts.")
        assert lines[-1] == f"{starter} wins!"
        starters.add(starter)
    assert starters == {"Ann", "Bob"}


def test_shell_completion_knows_commands_and_games(tmp_path: Path) -> None:
    env = {
        "_DIGITDUEL_COMPLETE": "bash_complete",
        "COMP_WORDS": "digitduel play co",
        "COMP_CWORD": "2",
    }
    done = digitduel(home=tmp_path, env=env)
    assert "conquest" in done.stdout
    assert "pool" not in done.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["play", "closest:"], {f"closest:{name}" for name in setting_names("closest")}),
        (["play", "closest", "--setting", "e"], {"easy"}),
        (["play", "--setting", "x"], set()),
    ],
)
def test_shell_completion_knows_settings(
    words: list[str], offered: set[str], tmp_path: Path
) -> None:
    env = {
        "_DIGITDUEL_COMPLETE": "bash_complete",
        "COMP_WORDS": shlex.join(["digitduel", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = digitduel(home=tmp_path, env=env)
    assert {line.partition(",")[2] for line in done.stdout.split()} == offered


@pytest.mark.parametrize("words", [["games"], ["recommend"], ["solve", "pool", "--json"]])
def test_a_full_disk_behind_the_output_is_said_in_a_line(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
