"""Whatever is typed at the prompt: no traceback, and the journal always holds the game as it is."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest import mock

from rich.console import Console

from digitduel.cli import saves
from digitduel.cli.menu import run_menu
from digitduel.cli.screen import Screen
from digitduel.cli.session import Session
from digitduel.events import HUMAN, Terms
from digitduel.match import Match
from digitduel.ruleset import find_ruleset
from digitduel.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from rich.text import Text

    from digitduel.journal import Journal
    from tests.faults.campaign import Campaign

GAMES = (
    find_ruleset("pool").replace(target=12),
    find_ruleset("pool").replace(target=9973, uses=2),
    find_ruleset("ends").replace(target=17, limit=6),
    find_ruleset("ends").replace(target=99991, limit=50),
    find_ruleset("forbidden").replace(target=13),
    find_ruleset("closest").replace(target=997),
    find_ruleset("conquest").replace(target=9973, limit=50),
)
PLAYERS = ((HUMAN, HUMAN), (HUMAN, HUMAN), (HUMAN, "random"), ("casual", HUMAN))
COMMANDS = ("help", "rules", "undo", "undo", "save", "save a.txt", "save b.txt")
RARE = ("resign", "off", "quit", "hint", "why", "why 5", "why 1R")  # they end it, or cost much
ANSWERS = ("y", "n", "yes", "no", "l", "r", "left", "right", "L", "R")
ODD = [*map(chr, range(0x180)), *"\u0663\u00b2\u202e\u2028\ud800\udcff\ufeff\U0001f3b2\u0130\uff15"]
MEMORY = Path("/dev/shm")  # noqa: S108  (a folder of our own in it)
POOL = 20_000
# How often, in lines: the input ends, Ctrl-C is pressed, the journal is compared.
ENDS, STOPS, LOOKS = 400, 1_000, 300


class Script:
    """Lines without end; as stdin, with now and then an end of the input."""

    def __init__(self, random: Random) -> None:
        self.random, self.count, self._pool = random, 0, list[str]()

    def isatty(self) -> bool:
        return False

    def line(self) -> str:
        """One more line; the costly ones are rare."""
        self.count += 1
        if self.count % POOL == 1:
            self._pool = [_line(self.random) for _ in range(POOL)]
        if self.random.random() < 1 / ENDS:
            raise EOFError
        if self.random.random() < 1 / STOPS:
            raise KeyboardInterrupt
        return self.random.choice(self._pool)

    def readline(self) -> str:
        """The same, as a pipe gives it."""
        try:
            return self.line().replace("\n", "") + "\n"
        except EOFError:
            return ""


class QuickScreen(Screen):
    """A screen that nobody sees, and where only a part of what is said is drawn."""

    script: Script
    session: Session | None = None
    drawn = True
    at_terminal = False

    interactive = property(lambda self: self.at_terminal)

    def say(self, text: str | Text = "", style: str = "") -> None:
        if self.drawn:
            super().say(text, style)
        elif isinstance(text, str):
            visible(text)

    def ask(self, prompt: str) -> str:
        if self.session is not None and self.script.random.random() < 1 / LOOKS:
            _check_journal(self.session)
        return super().ask(prompt) if self.drawn else self.script.line()


def run(campaign: Campaign, folder: Path) -> None:
    """Type into one game after another, and into menus."""
    script = Script(campaign.random)
    with contextlib.ExitStack() as after:
        if MEMORY.is_dir():  # no disk to wait for
            folder = Path(after.enter_context(TemporaryDirectory(dir=MEMORY)))
        # Nothing is killed here: the disk need not be waited for.
        after.enter_context(mock.patch("os.fsync"))
        after.enter_context(mock.patch.dict(os.environ, {"DIGITDUEL_HOME": str(folder / "home")}))
        after.enter_context(mock.patch.object(sys, "stdin", script))
        after.enter_context(contextlib.chdir(folder))
        while campaign.goes_on():
            typed = script.count
            with _screen(script) as screen:
                if campaign.random.random() < 0.03:
                    _menu(screen)
                    campaign.count("menus")
                else:
                    _game(screen, campaign)
                    campaign.count("games")
            campaign.count("lines", script.count - typed)
            if campaign.random.random() < 0.02:
                shutil.rmtree(folder / "home")
            for path in filter(Path.is_file, folder.iterdir()):
                path.unlink()


@contextlib.contextmanager
def _screen(script: Script) -> Iterator[QuickScreen]:
    plain = script.random.random() < 0.5
    with Path(os.devnull).open("w", encoding="utf-8", errors="replace") as nowhere:
        screen = QuickScreen(
            console=Console(
                file=nowhere,
                color_system=None if plain else "standard",
                highlight=False,
                markup=False,
                emoji=False,
            )
        )
        screen.script, screen.drawn = script, script.random.random() < 0.05
        screen.at_terminal = script.random.random() < 0.3
        yield screen


def _menu(screen: QuickScreen) -> None:
    with contextlib.suppress(KeyboardInterrupt):
        run_menu(screen)


def _game(screen: QuickScreen, campaign: Campaign) -> None:
    """A match, left and resumed until it is finished or one has had enough of it."""
    random = campaign.random
    duel = saves.TerminalDuel.begin(
        Terms(
            random.choice(GAMES),
            Match(random.choice((1, 1, 3))),
            random.choice(PLAYERS),
            seed=str(random.random()),
            most_moves=60,
        ),
        # No other match has the same file, for a menu may take up any that was left.
        record=random.choice((None, str(Path(f"{random.random()}.txt").absolute()))),
        hints=random.random() < 0.01,
    )
    journal: Journal = saves.create_save(duel)
    while True:
        screen.session = session = Session(duel, screen, journal)
        with contextlib.suppress(KeyboardInterrupt):
            session.run()
        if not journal.path.exists():
            campaign.count("finished")
            return
        assert saves.read_save(journal.path) == session.duel
        if random.random() < 0.3:
            return
        journal, duel = saves.resume_save(journal.path)
        campaign.count("resumed")


def _check_journal(session: Session) -> None:
    if session.journal is not None:
        assert saves.read_save(session.journal.path) == session.duel


# --- What is typed. ---


def _line(random: Random) -> str:
    """A move, a command, something near them, or anything."""
    chance = random.random()
    if chance < 0.4:
        return random.choice("0123456789") + random.choice(("", "", "L", "R", "l", "r"))
    if chance < 0.5:
        return random.choice(ANSWERS)
    if chance < 0.6:
        return random.choice(COMMANDS)
    if chance < 0.606:
        return random.choice(RARE)
    if chance < 0.85:
        return _safe(_mutated(random, random.choice((*COMMANDS, *ANSWERS, *RARE, "5", "5R"))))
    if chance < 0.99:
        return _safe("".join(random.choices(ODD, k=random.randrange(20))))
    return _safe(
        random.choice(("5", "L ", "help", "save ", "\0", "\u0665")) * random.randrange(9_999)
    )


def _mutated(random: Random, line: str) -> str:
    """A line with some characters added, taken away or turned."""
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(line) + 1)
        line = random.choice(
            (
                line[:at] + random.choice(ODD) + line[at:],
                line[:at] + line[at + 1 :],
                line.swapcase(),
                f" {line} ",
                line[::-1],
                f"{line} {line}",
            )
        )
    return line


def _safe(line: str) -> str:
    """A line that saves to no other folder."""
    return line.replace("/", "").replace("~", "").replace("..", "")
