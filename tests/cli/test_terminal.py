"""In a real pseudo-terminal: the menu, colour, Ctrl-C, a terminal that goes away, 60 columns."""

from __future__ import annotations

import json
import re
import signal
from string import ascii_lowercase
from typing import TYPE_CHECKING

import pexpect
import pytest

from digitduel import Position, find_ruleset, ruleset_keys, setting_names
from digitduel.ruleset import easiest, newcomers_game
from tests.terminal import COMMAND, digitduel, environment, typed

if TYPE_CHECKING:
    from pathlib import Path


def terminal(*args: str, home: Path, **env: str) -> pexpect.spawn[str]:
    """The command in a pseudo-terminal of 60 columns."""
    return pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *args],
        env=environment(home, TERM="xterm-256color", **env),
        dimensions=(40, 60),
        encoding="utf-8",
        timeout=60,
        cwd=str(home),
    )


def shown(shell: pexpect.spawn[str]) -> str:
    """What came before the last thing that was expected."""
    assert shell.before is not None
    return shell.before


def interrupt(shell: pexpect.spawn[str], expected: str | type[pexpect.EOF]) -> None:
    """Press Ctrl-C as people do: once more where nothing happens.

    Python's line editor does not notice one that comes in the moment before it waits for a key.
    """
    for _ in range(20):
        shell.sendcontrol("c")
        if shell.expect([expected, pexpect.TIMEOUT], timeout=3) == 0:
            return
    raise AssertionError(f"Ctrl-C did not lead to {expected!r}: {shown(shell)}")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_the_menu_leads_to_a_game_and_offers_another_target(tmp_path: Path) -> None:
    shell = terminal(home=tmp_path)
    shell.expect(r"Your choice \[1\]: ")
    shell.sendline("nonsense")
    shell.expect("is not one of")
    shell.sendline("pool")
    shell.expect("a  easy: target ")
    shell.expect("the rulebook's; over on move 1")
    shell.expect(r", or a target \[a\]: ")
    shell.sendline("0")
    shell.expect("too small")
    shell.sendline("7")
    shell.expect("over on move 1")
    shell.expect(r"instead\? y or n \[y\]: ")
    shell.sendline("n")
    shell.expect(r"other rules\? y or n \[n\]: ")
    shell.sendline("n")
    shell.expect(r"Your opponent \[1\]: ")
    shell.sendline("1")
    shell.expect(r"toss \[1\]: ")
    shell.sendline("2")
    shell.expect(r"rounds \[1\]: ")
    shell.sendline("1")
    shell.expect("Player 2 starts.")
    shell.expect("Select a digit: ")
    shell.sendline("resign")
    shell.expect("Player 2 resigns. Player 1 wins!")
    shell.expect(r"again\? \(y/n\) ")
    shell.sendline("n")
    shell.expect(r"Your choice \[1\]: ")
    shell.sendline("q")
    shell.expect(pexpect.EOF)
    shell.close()
    assert shell.exitstatus == 0


@pytest.mark.parametrize("game", ["", *ruleset_keys()])
def test_enter_at_every_question_leads_to_a_real_game(game: str, tmp_path: Path) -> None:
    shell = terminal(home=tmp_path)
    for answer in (game, "", "", "", ""):
        shell.expect(r"\[[^\]]+\]: ")
        shell.sendline(answer)
    shell.expect("Player 1 starts.")
    shell.expect("(Select|Enter|Choose|select) a digit")
    shell.sendline("quit")
    shell.expect("Your choice")
    shell.sendline("q")
    shell.expect(pexpect.EOF)
    (save,) = (tmp_path / "games").iterdir()
    rules = json.loads(save.read_text("utf-8").splitlines()[1])["terms"]["ruleset"]
    played = find_ruleset(rules.pop("key")).replace(**rules)
    assert played == find_ruleset(easiest(game or newcomers_game()))
    assert not Position(played).winning_moves


def test_the_menu_knows_settings_by_their_names(tmp_path: Path) -> None:
    for answer in ("easy", "EASY", "a"):
        shell = terminal(home=tmp_path)
        shell.expect(r"Your choice \[1\]: ")
        shell.sendline("pool")
        shell.expect(r", or a target \[a\]: ")
        shell.sendline(answer)
        shell.expect(r"Your opponent \[1\]: ")
        shell.close(force=True)


def test_the_rulebooks_setting_can_be_chosen_as_it_is(tmp_path: Path) -> None:
    shell = terminal(home=tmp_path)
    rulebooks = ascii_lowercase[len(setting_names("pool"))]
    for answer in ["pool", rulebooks, "1", "1", "1"]:
        shell.expect(r"\[[^\]]+\]: ")
        shell.sendline(answer)
    shell.expect("Note: With these settings the game is over on move 1")
    shell.expect("Select a digit: ")
    shell.sendline("7")
    shell.expect("Player 1 wins!")
    shell.close(force=True)


def test_the_menu_leads_to_the_computer_and_to_a_look_back(tmp_path: Path) -> None:
    shell = terminal(home=tmp_path)
    for answer in ["pool", "12", "n", "2", "9", "8", "2", "1"]:
        shell.expect(r"\[[^\]]+\]: ")
        shell.sendline(answer)
    shell.expect("Computer starts.")
    shell.expect("Select a digit: 6")
    shell.expect("Select a digit: ")
    shell.sendline("resign")
    shell.expect(r"again\? \(y/n\) ")
    shell.sendline("y")
    shell.expect("Computer: 6 makes 6: best")
    shell.expect("Swing for ")
    shell.expect(r"Your choice \[1\]: ")
    shell.sendline("q")
    shell.expect(pexpect.EOF)


def test_the_menu_asks_for_every_rule_that_can_be_agreed(tmp_path: Path) -> None:
    shell = terminal(home=tmp_path)
    answers = ["conquest", "13", "y", "0-9", "2", "right", "none", "8", "last-loses", "n"]
    answers += ["1", "1", "2"]
    for answer in answers:
        shell.expect(r"\[[^\]]+\]: ")
        shell.sendline(answer)
    shell.expect("Agreed rules: digits 0-9, each digit twice, 8 digits at")
    interrupt(shell, "digitduel resume conquest-1")
    shell.expect(pexpect.EOF)
    shell.close()
    assert shell.exitstatus == 130


def test_a_switch_that_goes_against_the_other_rules_is_asked_for_again(tmp_path: Path) -> None:
    shell = terminal(home=tmp_path)
    for answer in ["conquest", "13", "y", "0", "2", "right", "none", "8", "last-loses", "n"]:
        shell.expect(r"\[[^\]]+\]: ")
        shell.sendline(answer)
    shell.expect("no safe first move")
    shell.expect(r"\[y\]: ")
    shell.close(force=True)


def test_rules_changed_so_that_the_game_is_over_at_once_are_spoken_of(tmp_path: Path) -> None:
    shell = terminal(home=tmp_path)
    for answer in ["conquest", "13", "y", "0-9", "2", "right", "none", "8", "last-loses", "y"]:
        shell.expect(r"\[[^\]]+\]: ")
        shell.sendline(answer)
    shell.expect("over on move 1")
    shell.expect(r"instead\? y or n \[y\]: ")
    shell.close(force=True)


def test_a_game_in_colour_at_60_columns(tmp_path: Path) -> None:
    shell = terminal("play", "pool", "--target", "12", home=tmp_path)
    for digit in "5213":
        shell.expect("Select a digit: ")
        shell.sendline(digit)
    shell.expect("Select a digit: ")
    assert "\x1b[" in shown(shell)
    shell.sendline("rules")
    shell.expect("Select a digit: ")
    assert max(len(line) for line in plain(shown(shell)).splitlines()) <= 60
    shell.sendline("quit")
    shell.expect(pexpect.EOF)
    shell.close()
    assert shell.exitstatus == 0


def test_no_color_gives_plain_text_on_a_terminal(tmp_path: Path) -> None:
    switches: list[tuple[list[str], dict[str, str]]] = [
        (["--no-color"], {}),
        ([], {"NO_COLOR": "1"}),
    ]
    for args, env in switches:
        shell = terminal("play", "pool", *args, home=tmp_path, **env)
        shell.expect("Select a digit: ")
        shell.sendline("1")
        shell.expect("Select a digit: ")
        shell.sendline("4")
        shell.expect(r"again\? \(y/n\) ")
        assert "\x1b[1m" not in shown(shell)
        assert "1[4]" in shown(shell)
        shell.sendline("n")
        shell.expect(pexpect.EOF)


def test_ctrl_c_is_exit_130_and_the_game_is_kept(tmp_path: Path) -> None:
    shell = terminal("play", "pool", "--target", "12", home=tmp_path)
    shell.expect("Select a digit: ")
    shell.sendline("5")
    shell.expect("Select a digit: ")
    interrupt(shell, "digitduel resume pool-1")
    shell.expect(pexpect.EOF)
    shell.close()
    assert shell.exitstatus == 130
    assert "1 move" in digitduel("resume", "--list", home=tmp_path).stdout


def test_whoever_leaves_after_the_end_is_not_told_to_resume(tmp_path: Path) -> None:
    shell = terminal("play", "pool", home=tmp_path)
    shell.expect("Select a digit: ")
    shell.sendline("7")
    shell.expect(r"again\? \(y/n\) ")
    interrupt(shell, pexpect.EOF)
    assert "resume" not in shown(shell)


def test_a_replay_without_colour_waits_for_the_reader_too(tmp_path: Path) -> None:
    digitduel("play", "pool", stdin=typed("5", "6"), home=tmp_path)
    shell = terminal("replay", home=tmp_path, NO_COLOR="1")
    for _ in range(3):
        shell.expect("Enter: next, b: back, q: leave > ")
        shell.sendline("")
    shell.expect(pexpect.EOF)


def test_end_of_input_on_a_terminal_is_exit_1(tmp_path: Path) -> None:
    shell = terminal("play", "pool", "--target", "12", home=tmp_path)
    shell.expect("Select a digit: ")
    shell.sendeof()
    shell.expect("digitduel resume pool-1")
    shell.expect(pexpect.EOF)
    shell.close()
    assert shell.exitstatus == 1


def test_a_terminal_that_goes_away_loses_nothing(tmp_path: Path) -> None:
    shell = terminal("play", "pool", "--target", "12", home=tmp_path)
    for digit in "52":
        shell.expect("Select a digit: ")
        shell.sendline(digit)
    shell.expect("Select a digit: ")
    shell.kill(signal.SIGHUP)
    shell.close(force=True)
    assert "2 moves" in digitduel("resume", "--list", home=tmp_path).stdout


def test_replay_steps_forth_and_back(tmp_path: Path) -> None:
    digitduel("play", "ends", stdin="5R\n1L\n4R\n", home=tmp_path)
    shell = terminal("replay", home=tmp_path)
    shell.expect("q: leave > ")
    for answer, line in (("", "1. Player 1"), ("", "2. Player 2"), ("b", "1. Player 1")):
        shell.sendline(answer)
        shell.expect(line)
        shell.expect("q: leave > ")
    shell.sendline("")
    shell.expect("2. Player 2")
    shell.expect("q: leave > ")
    shell.sendline("")
    shell.expect("Player 1 wins!")
    shell.expect("q: leave > ")
    shell.sendline("q")
    shell.expect(pexpect.EOF)


def test_the_atlas_fits_60_columns(tmp_path: Path) -> None:
    for words in (["--targets", "12..13", "--vary", "limit=8..9"], ["--target", "12"]):
        shell = terminal("atlas", "pool", *words, "--jobs", "1", home=tmp_path)
        shell.expect(pexpect.EOF)
        lines = [line.rsplit("\r", 1)[-1] for line in plain(shown(shell)).split("\r\n")]
        assert max(map(len, lines)) <= 60
        assert any(line.split()[-1:] in (["appeal"], ["target"]) for line in lines)


def test_the_atlas_fits_80_columns_with_all_it_shows(tmp_path: Path) -> None:
    shell = terminal("atlas", "forbidden", "--targets", "11..13", "--jobs", "1", home=tmp_path)
    shell.setwinsize(40, 80)
    shell.expect(pexpect.EOF)
    lines = [line.rsplit("\r", 1)[-1] for line in plain(shown(shell)).split("\r\n")]
    assert max(map(len, lines)) <= 80
    heading = next(line for line in lines if line.startswith("target"))
    assert heading.split()[-4:] == ["hits", "depth", "sums", "appeal"]
