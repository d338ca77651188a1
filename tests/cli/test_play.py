"""Playing at the prompt: garbage, commands, options, the warning beforehand."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digitduel.cli.session import ENDS, HELP
from tests.terminal import digitduel, typed

if TYPE_CHECKING:
    from pathlib import Path

WORDS = {"help", "rules", "undo", "resign", "off", "save", "quit", "hint", "why", *ENDS}


def is_garbage(line: str) -> bool:
    """Neither a move, nor a side, nor a command."""
    words = line.split()
    return not re.fullmatch(r"\s*[0-9][LRlr]?\s*", line) and not (
        words and words[0].lower() in WORDS
    )


@pytest.mark.slow
def test_ten_thousand_garbage_lines_leave_the_game_playable(tmp_path: Path) -> None:
    rng = random.Random(20261115)
    alphabet = [*map(chr, range(1, 0x250)), "²", "٣", "\x1b[2J", "5", "L", "-", ".", "\u202e", "🎲"]
    lines: list[str] = []
    while len(lines) < 10_000:
        line = "".join(rng.choices(alphabet, k=rng.randrange(12)))
        line = line.replace("\n", "").replace("\r", "")
        if is_garbage(line):
            lines.append(line)
    done = digitduel(
        "play", "ends", "--digits", "1-9", stdin=typed("5R", *lines, "1L", "4R"), home=tmp_path
    )
    assert done.returncode == 0
    assert done.stdout.endswith("154 is divisible by 7. Player 1 wins!\n")
    assert done.stdout.count("is not a move") == 10_000
    assert "\x1b" not in done.stdout


def test_bytes_that_are_no_text_are_no_move(tmp_path: Path) -> None:
    garbage = bytes(range(128, 256)) + b"\n\xff\xfe\n\x00\n"
    done = digitduel("play", "pool", stdin=garbage + b"7\n", home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.count("is not a move") == 3


def test_a_line_of_a_million_digits_is_no_move(tmp_path: Path) -> None:
    done = digitduel("play", "pool", stdin=typed("9" * 1_000_000, "7"), home=tmp_path)
    assert done.returncode == 0
    assert "(1,000,000 characters)" in done.stdout
    assert len(done.stdout) < 2_000


@pytest.mark.slow
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=st.lists(st.text(max_size=20).filter(lambda line: line.isprintable()), max_size=30))
def test_whatever_is_typed_there_is_no_stack_trace(lines: list[str], tmp_path: Path) -> None:
    lines = [line for line in lines if not line.lower().startswith("save")]
    done = digitduel("play", "ends", stdin=typed(*lines), home=tmp_path)
    assert done.returncode in (0, 1)


def test_play_never_asks_anything_before_the_first_move(tmp_path: Path) -> None:
    done = digitduel("play", "pool", stdin=typed("7"), home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith("Player 1 wins!\n")


@pytest.mark.parametrize(
    ("game", "digits"),
    [("pool", "7"), ("ends", "0 or 7"), ("forbidden", "7"), ("closest", "7"), ("conquest", "7")],
)
def test_a_game_that_is_over_on_move_1_says_so_first(
    game: str, digits: str, tmp_path: Path
) -> None:
    first, *_ = digitduel("play", game, home=tmp_path).stdout.splitlines()
    assert first.startswith("Note: ")
    assert f"plays {digits} and wins" in first


def test_a_real_game_has_no_such_note(tmp_path: Path) -> None:
    assert "Note:" not in digitduel("play", "pool", "--target", "12", home=tmp_path).stdout


def test_a_first_move_that_leaves_the_other_stuck_is_named_too(tmp_path: Path) -> None:
    args = ("play", "pool", "--digits", "1,2,8", "--forbid", "2", "--target", "19")
    done = digitduel(*args, stdin=typed("1"), home=tmp_path)
    assert "plays 1 and wins" in done.stdout
    assert "Player 2 has no safe move left and loses." in done.stdout


def test_end_of_input_in_mid_game_is_exit_1_and_the_game_is_kept(tmp_path: Path) -> None:
    done = digitduel("play", "pool", "--target", "12", stdin=typed("5"), home=tmp_path)
    assert done.returncode == 1
    assert "digitduel resume pool-1" in done.stdout


def test_help_lists_every_command() -> None:
    for command in ("help", "rules", "undo", "resign", "off", "save FILE", "quit"):
        assert f"\n  {command}" in HELP
    assert all(len(line) <= 78 for line in HELP.splitlines())


@pytest.mark.parametrize("opponent", ["random", "casual", "careful"])
def test_undo_against_the_computer_takes_both_moves_back(opponent: str, tmp_path: Path) -> None:
    args = ("play", "conquest", "--target", "997", "--p1", opponent, "--seed", "1")
    done = digitduel(*args, stdin=typed("undo", "5", "undo", "quit"), home=tmp_path)
    assert "There is no move of yours to take back yet." in done.stdout
    after_undo = done.stdout.partition("Taken back.")[2]
    assert re.search(r"Cumulative Number: \d\n", after_undo)


@pytest.mark.parametrize(
    ("answers", "number"), [(["y"], ""), (["n"], "5"), (["perhaps", "no"], "5")]
)
def test_r13_a_takeback_between_people_needs_the_other(
    answers: list[str], number: str, tmp_path: Path
) -> None:
    stdin = typed("5", "undo", *answers, "save a.txt", "quit")
    done = digitduel(
        "play", "pool", "--target", "12", "--names", "Ann,Bob", stdin=stdin, home=tmp_path
    )
    assert done.stdout.count("Bob, do you agree to take 5 back? (y/n) ") == len(answers)
    assert ("Taken back." in done.stdout) == (not number)
    assert ("The game goes on." in done.stdout) == bool(number)
    assert (tmp_path / "a.txt").read_text().endswith(f"\n\n{number or '-'}\n")


def test_r13_a_script_that_ends_at_the_question_speaks_for_both(tmp_path: Path) -> None:
    done = digitduel("play", "pool", "--target", "12", stdin=typed("5", "undo"), home=tmp_path)
    assert "Taken back." in done.stdout


def test_undo_at_the_question_for_the_side_takes_back_the_digit_alone(tmp_path: Path) -> None:
    stdin = typed("5R", "3", "undo", "2L", "save a.txt", "quit")
    done = digitduel("play", "ends", "--target", "97", stdin=stdin, home=tmp_path)
    assert "3 is taken back.\n" in done.stdout
    assert "agree" not in done.stdout
    assert (tmp_path / "a.txt").read_text().endswith("\n\n5R 2L\n")


def test_a_digit_without_its_side_is_forgotten_when_the_round_ends(tmp_path: Path) -> None:
    args = ("play", "ends", "--target", "97", "--rounds", "2")
    done = digitduel(*args, stdin=typed("5", "resign", "quit"), home=tmp_path)
    assert "Add to (L)eft or (R)ight? " not in done.stdout.partition("resigns")[2]


def test_off_against_the_computer_is_agreed_at_once(tmp_path: Path) -> None:
    done = digitduel(
        "play", "pool", "--target", "12", "--p2", "careful", stdin="off\n", home=tmp_path
    )
    assert done.returncode == 0
    assert "called off" in done.stdout


def test_a_script_that_ends_on_off_speaks_for_both(tmp_path: Path) -> None:
    done = digitduel("play", "pool", "--target", "12", stdin="5\noff\n", home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith("The game is called off: no winner, no point.\n")


def test_why_a_digit_without_a_side_means_both_ends(tmp_path: Path) -> None:
    rules = ("--digits", "1-9", "--target", "17")
    stdin = typed("why 5", "5R", "why 3", "quit")
    said = digitduel("play", "ends", *rules, stdin=stdin, home=tmp_path).stdout
    assert "3L loses: it leaves 35" in said
    assert "3R loses: it leaves 53" in said
    assert said.count("it leaves 5 =") == 1  # of the empty number both ends are one


def test_numbers_of_over_forty_digits_are_shortened(tmp_path: Path) -> None:
    moves = typed(*["1"] * 45, "resign")
    args = ("play", "ends", "--ends", "right", "--digits", "1-9", "--target", "1000003")
    done = digitduel(*args, stdin=moves, home=tmp_path)
    assert done.returncode == 0
    assert "111111111111111...11111111111111[1] (41 digits)" in done.stdout
    assert "111111111111111...111111111111111 (41 digits) leaves " in done.stdout
    assert "1" * 40 + " = 1000003 x " in done.stdout
    assert "1" * 41 not in done.stdout


@pytest.mark.slow
def test_two_programs_stop_after_a_thousand_moves(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    args = ("play", "forbidden", "--target", "13", "--p1", "careful", "--p2", "careful")
    done = digitduel(*args, "--seed", "5", "--record", str(record), home=tmp_path)
    assert done.returncode == 0
    assert '[Result "*"]\n[Termination "called-off"]' in record.read_text()
    assert len(record.read_text().partition("\n\n")[2].split()) == 1_000
