"""Adding a game is adding one file: a sixth one, through every command."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import digitduel as package
from tests.terminal import digitduel, environment, typed

SIXTH = """
key = "mirror"
title = "Mirror Match"
goal = "Grow the number to the left."
digits = "1-4"
ends = "left"
target = 23
limit = 6
uses = "unlimited"
ask_digit = "{player}, put one of {range} in front: "
won_target = "{winner} looked into the mirror: {number}!"
"""


def test_a_sixth_game_is_one_file_for_every_command(tmp_path: Path) -> None:
    (tmp_path / "mirror.toml").write_text(SIXTH)
    rules = digitduel("rules", "mirror.toml", home=tmp_path).stdout
    assert "Mirror Match" in rules
    assert "A digit goes to the left end." in rules
    assert "Changed here" not in rules
    changed = digitduel("rules", "mirror.toml", "--limit", "4", home=tmp_path).stdout
    assert "Changed here: 4 digits at most." in changed
    args = ("play", "mirror.toml", "--record", "game.txt", "--limit", "5")
    played = digitduel(*args, stdin=typed("3"), home=tmp_path)
    assert "Agreed rules: 5 digits at most" in played.stdout
    assert "Player 1, put one of 1-4 in front: " in played.stdout
    # The rules and the words come along, though the file has gone.
    (tmp_path / "mirror.toml").unlink()
    resumed = digitduel("resume", stdin=typed("2"), home=tmp_path)
    assert "Agreed rules: 5 digits at most" in resumed.stdout
    assert resumed.stdout.endswith("Player 2 looked into the mirror: 23!\n")
    data = json.loads(digitduel("replay", "game.txt", "--json", home=tmp_path).stdout)
    assert data["game"] == "mirror"
    assert data["rules"]["ends"] == "left"
    assert data["numbers"] == ["3", "23"]


def test_a_file_in_the_games_folder_is_a_shipped_game(tmp_path: Path) -> None:
    copy = tmp_path / "src" / "digitduel"
    shutil.copytree(Path(package.__file__).parent, copy)
    (copy / "games" / "mirror.toml").write_text(SIXTH)
    env = environment(tmp_path) | {"PYTHONPATH": str(copy.parent)}
    for args, expected in (
        (["games"], "mirror     Mirror Match"),
        (["play", "mirror", "--target", "3"], "Player 1 looked into the mirror: 3!"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "digitduel", *args],
            input="3\n",
            capture_output=True,
            text=True,
            env=env,
            check=True,
        )
        assert expected in done.stdout
