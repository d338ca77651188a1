"""`solve`, `analyse` and `remainders` through the real entry point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from digitduel import Move, Record, find_ruleset
from digitduel.cli import main
from digitduel.fields import format_field
from digitduel.record import dumps
from tests.terminal import digitduel, typed

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "conformance.json").read_text()
)
FLAGS = {
    **{name: f"--{name}" for name in ("digits", "uses", "ends", "target", "limit", "full")},
    "forbidden": "--forbid",
}


def flags(rules: dict[str, Any]) -> list[str]:
    """A rule set's parameters as the command's flags."""
    given = []
    for name, flag in FLAGS.items():
        value = tuple(rules[name]) if isinstance(rules[name], list) else rules[name]
        given += [flag, format_field(name, value)]
    return [*given, "--leading-zero" if rules["leading_zero"] else "--no-leading-zero"]


def solve_json(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert main(["solve", *args, "--json"]) == 0
    known: dict[str, Any] = json.loads(capsys.readouterr().out)
    return known


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['game']}-{case['number']}")
def test_solve_json_gives_every_conformance_case(
    case: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    game = case["game"] if case["game"] != "custom" else "ends"
    args = (game, *flags(case["rules"]))
    start = solve_json(capsys, *args)
    assert (start["value"], start["plies"]) == (case["start"]["value"], case["start"]["plies"])
    assert start["rules"] == case["rules"]
    assert start["turn"] == "first"
    known = solve_json(capsys, *args, "--after", " ".join(case["moves"]))
    assert (known["number"], known["value"], known["plies"]) == (
        case["number"],
        case["value"],
        case["plies"],
    )
    replies = {
        row["number"]: {"value": row["value"], "plies": row["plies"]} for row in known["moves"]
    }
    assert replies == case["replies"]
    assert known["best"][0] == known["moves"][0]["move"]


@pytest.mark.parametrize("command", ["solve", "remainders"])
def test_a_line_that_ends_the_game_leaves_nothing_to_ask(command: str, tmp_path: Path) -> None:
    done = digitduel(command, "pool", "--after", "5 6", home=tmp_path)
    assert done.returncode == 2
    assert "--after '5 6': the game is over after these moves: leave out the last." in done.stderr


def test_analyse_grades_a_file_and_draws_the_swing(tmp_path: Path) -> None:
    lines = typed("5", "2", "1", "4", "7", "3", "6", "8")
    digitduel("play", "pool", "--names", "Ann,Bob", "--record", "g.txt", stdin=lines, home=tmp_path)
    shown = digitduel("analyse", "g.txt", "--svg", "swing.svg", home=tmp_path)
    said = shown.stdout.splitlines()
    assert "- 1. Ann: 5 makes 5: gave it away; 7 won in 1 move (loses in 2 moves now)" in said
    decisive = "Decisive: move 5, Ann's 7: it gave away the win; 3 won in 1 move."
    assert said[1] == decisive, "before the moves"
    assert "- 7. Ann: 6 makes 5214736: forced (loses in 2 moves)" in said
    assert "Ann's accuracy: 33%" in said, "a forced move does not count"
    assert "Swing for Ann: +---+----" in said
    picture = (tmp_path / "swing.svg").read_text()
    assert picture.startswith("<svg")
    assert "Swing for Ann: + wins with best play, - loses, = open" in picture
    again = digitduel("analyze", "g.txt", "--svg", "swing.svg", home=tmp_path)
    assert again.returncode == 1
    assert "not written over" in again.stderr
    assert (tmp_path / "swing.svg").read_text() == picture


def test_a_match_is_drawn_round_by_round(tmp_path: Path) -> None:
    args = ("play", "conquest", "--rounds", "2", "--record", "m.txt")
    digitduel(*args, stdin=typed("3", "5", "7"), home=tmp_path)
    digitduel("analyse", "m.txt", "--svg", "swing.svg", home=tmp_path)
    assert sorted(path.name for path in tmp_path.glob("swing*")) == ["swing-1.svg", "swing-2.svg"]


@pytest.mark.parametrize("command", ["analyse", "replay"])
def test_a_name_in_a_record_cannot_steer_the_terminal(command: str, tmp_path: Path) -> None:
    record = Record(find_ruleset("pool"), players=("An\x1b[31mn", "Bob"), moves=(Move(5),))
    (tmp_path / "g.txt").write_text(dumps([record]), "utf-8")
    done = digitduel(command, "g.txt", home=tmp_path)
    assert "\x1b" not in done.stdout
    assert "An\\x1b[31mn" in done.stdout


def test_games_without_a_round_get_a_picture_each(tmp_path: Path) -> None:
    game = '[Game "pool"]\n[Player1 "A"]\n[Player2 "B"]\n[First "1"]\n[Result "*"]\n\n5 2\n'
    (tmp_path / "two.txt").write_text(game + "\n" + game)
    done = digitduel("analyse", "two.txt", "--svg", "s.svg", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.glob("s-*")) == ["s-1.svg", "s-2.svg"]


def test_remainders_are_drawn_to_a_file(tmp_path: Path) -> None:
    args = ("remainders", "conquest", "--after", "5 2", "--svg", "graph.svg")
    done = digitduel(*args, home=tmp_path)
    assert "5   10 x 3 + 5 = 35 = 7 x 5 + 0  divisible!" in done.stdout
    assert (tmp_path / "graph.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_picture_needs_a_name(name: str, tmp_path: Path) -> None:
    digitduel("play", "pool", "--rounds", "2", stdin=typed("7", "7"), home=tmp_path)
    for command in (("analyse",), ("remainders", "pool")):
        refused = digitduel(*command, "--svg", name, home=tmp_path)
        assert refused.returncode == 2
        assert f"--svg {name!r} names no file" in refused.stderr
