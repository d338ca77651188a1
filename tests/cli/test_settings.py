"""A setting by its name, at every command that takes a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from digitduel import find_ruleset
from digitduel.cli import COMMANDS, digitduel, main
from digitduel.cli.options import GameName

if TYPE_CHECKING:
    from pathlib import Path

# What each command needs besides GAME to come to an end quickly.
NEEDED = {
    "atlas": ["--targets", "12..13", "--columns", "value,plies", "--jobs", "1"],
    "play": ["--p1", "random", "--p2", "random", "--seed", "1"],
}


def takes_game(name: str) -> bool:
    command = digitduel.get_command(click.Context(digitduel), name)
    assert command is not None
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    return any(isinstance(argument.type, GameName) for argument in arguments)


WITH_GAME = [name for name in COMMANDS if takes_game(name)]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints that ends well."""
    code = main(words)
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def test_there_are_commands_that_take_a_game() -> None:
    assert {"atlas", "play", "recommend", "remainders", "rules", "solve"} <= set(WITH_GAME)


@pytest.mark.parametrize("command", WITH_GAME)
def test_every_command_takes_the_full_name_of_a_setting(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    needed = NEEDED.get(command, [])
    named = said(capsys, command, "pool:easy", *needed)
    assert named
    assert named != said(capsys, command, "pool", *needed)
    assert main([command, "pool:eazy", *needed]) == 2
    assert "pool has no setting called 'eazy': known are easy" in capsys.readouterr().err


@pytest.mark.parametrize("command", [name for name in WITH_GAME if name != "recommend"])
def test_a_setting_may_be_given_as_a_flag_too(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    needed = NEEDED.get(command, [])
    flagged = said(capsys, command, "closest", "--setting", "easy", *needed)
    assert flagged == said(capsys, command, "closest:easy", *needed)


@pytest.mark.parametrize("words", [("closest:easy",), ("closest", "--setting", "easy")])
def test_play_plays_a_setting(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    easy = find_ruleset("closest:easy")
    played = said(capsys, "play", *words, *NEEDED["play"])
    assert f"Target Number: {easy.target}\n" in played
    assert "over on move 1" not in played


def test_rules_can_be_changed_on_top_of_a_setting(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rules", "closest", "--setting", "easy", "--target", "31", "--limit", "5")
    rules = said(capsys, *words)
    assert "divisible by 31" in rules
    assert "At 5 digits the number is full." in rules


def test_play_alone_is_the_rulebooks_game(capsys: pytest.CaptureFixture[str]) -> None:
    played = said(capsys, "play", "closest", *NEEDED["play"])
    assert "Target Number: 7\n" in played
    assert "For a real game: digitduel play closest --setting easy" in played


def test_a_file_by_the_name_of_a_setting_is_not_in_its_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "closest:easy").write_text("no game")
    assert said(capsys, "rules", "closest:easy")
