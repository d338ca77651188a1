"""A clock at the terminal: what is shown, what ends a round, and what is kept of it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from digitduel.cli import saves
from digitduel.cli.screen import Screen
from digitduel.cli.session import Session
from digitduel.clock import Clock
from digitduel.events import Terms
from digitduel.match import Match
from digitduel.ruleset import find_ruleset
from tests.cli.test_terminal import terminal
from tests.terminal import digitduel, typed

if TYPE_CHECKING:
    from pathlib import Path

    from digitduel.journal import Journal

RULES = find_ruleset("conquest").replace(target=101, limit=4)


class Table(Screen):
    """Two people who think for as long as the script says, and a clock that knows it."""

    def __init__(self, *script: tuple[float, str]) -> None:
        self.out = io.StringIO()
        super().__init__(console=Console(file=self.out, width=100, highlight=False))
        self.script, self.seconds = list(script), 1_000.0

    def ask(self, prompt: str) -> str:
        thinking, answer = self.script.pop(0)
        self.seconds += thinking
        self.say(f"{prompt}{answer}")
        return answer

    def play(self, **agreed: object) -> Session:
        terms = Terms(RULES, names=("Ann", "Bob"), clock=Clock(60, 2), **agreed)  # type: ignore[arg-type]
        duel = saves.TerminalDuel.begin(terms)
        return self.go_on(duel, saves.create_save(duel))

    def go_on(self, duel: saves.TerminalDuel, journal: Journal) -> Session:
        session = Session(duel, self, journal, lambda: self.seconds)
        session.run()
        return session

    @property
    def clocks(self) -> list[str]:
        return [line for line in self.out.getvalue().splitlines() if line.startswith("Clock:")]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))
    return tmp_path


def test_the_time_left_is_shown_each_turn_and_ends_the_round() -> None:
    table = Table((500, "1"), (10, "1"), (45.25, "x"), (0, "1"), (100, "1"))
    session = table.play()
    _, _, turns = table.out.getvalue().partition("\n\nAnn's")
    assert turns == (
        """ turn.
Clock: Ann 1:00, Bob 1:00
Enter a digit (1-9): 1
Cumulative Number: 1
1 = 101 x 0 + 1
Not divisible by 101.

Bob's turn.
Clock: Ann 1:00, Bob 1:00
Enter a digit (1-9): 1
Cumulative Number: 1[1]
11 = 101 x 0 + 11
Not divisible by 101.

Ann's turn.
Clock: Ann 1:00, Bob 0:52
Enter a digit (1-9): x
'x' is not a move: type a digit (1-9), or help.
Enter a digit (1-9): 1
Cumulative Number: 11[1]
111 = 101 x 1 + 10
Not divisible by 101.

Bob's turn.
Clock: Ann 0:16.7, Bob 0:52
Enter a digit (1-9): 1
Bob's time is up. Ann wins!
"""
    )
    assert session.duel.winner == 1
    assert session.duel.time_left(0) == (16_750, 0)


def test_each_round_has_its_own_time_and_the_rest_is_kept_as_it_stood() -> None:
    table = Table((0, "1"), (50, "resign"), (3, "2"), (5, "quit"))
    left = table.play(match=Match(3)).duel
    assert table.clocks[-1] == "Clock: Ann 1:00, Bob 1:00"
    journal, duel = saves.resume_save(saves.find_save("conquest-1"))
    assert duel == left
    assert duel.times
    assert duel.times.left == (55_000, 60_000)  # what Ann had thought is gone
    again = Table((10, "undo"), (1, "y"), (4, "quit"))
    again.go_on(duel, journal)
    assert again.clocks == ["Clock: Ann 0:55, Bob 1:00", "Clock: Ann 0:44, Bob 1:00"]


def test_who_agrees_too_late_has_agreed_to_nothing() -> None:
    table = Table((0, "1"), (30, "off"), (30, "y"))
    duel = table.play().duel
    assert "Bob's time is up. Ann wins!" in table.out.getvalue()
    assert duel.is_time_up


def test_a_game_left_when_the_time_was_up_is_over_on_coming_back() -> None:
    table = Table((0, "1"), (59, "quit"))
    table.play()
    journal, duel = saves.resume_save(saves.find_save("conquest-1"))
    left = Table((1, "2"))
    left.go_on(duel, journal)
    assert "Bob 0:01.0" in left.clocks[0]
    assert left.out.getvalue().endswith("Bob's time is up. Ann wins!\n")


def test_the_prompt_is_interrupted_when_the_time_is_up(home: Path) -> None:
    shell = terminal("play", "pool", "--target", "101", "--clock", "0.02", home=home)
    shell.expect("Select a digit: ")
    shell.sendline("1")
    shell.expect("Player 2's turn")
    shell.send("2")  # and no Enter
    shell.expect("Player 2's time is up. Player 1 wins!")
    shell.expect("Look at the game again")
    shell.sendline("n")
    shell.expect("[$]|\\Z")
    shell.close()


def test_a_script_plays_with_a_clock_too(home: Path) -> None:
    args = ("play", "pool", "--target", "101", "--clock", "180", "--record", "game.txt")
    done = digitduel(*args, home=home, stdin=typed("1", "resign"))
    assert done.returncode == 0
    assert "Clock: Player 1 180:00, Player 2 180:00" in done.stdout
    assert '[Termination "resigned"]' in (home / "game.txt").read_text()


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("--clock", "5+3", "--p2", "careful"), "a clock (5+3) is for two people"),
        (("--clock", "5:3"), "'5:3' is no clock: write minutes"),
    ],
)
def test_what_makes_no_clock_is_told_in_a_line(home: Path, args: tuple[str, ...], why: str) -> None:
    done = digitduel("play", "pool", *args, home=home)
    assert done.returncode
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
