"""Any command line for any command: done, failure or bad input, and never a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import click

from digitduel.cli import COMMANDS, INTERRUPTED, main
from digitduel.ruleset import ruleset_keys
from digitduel.solver.evaluators import INSTANT, evaluator_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from tests.faults.campaign import Campaign

MEMORY = Path("/dev/shm")  # noqa: S108  (a folder of our own in it)
# A command that takes longer, for it was asked for much, is interrupted.
SECONDS = 5
GAME = 'key = "mine"\ntitle = "Mine"\ngoal = "Win."\ndigits = "1-9"\ntarget = 97\n'
RECORD = '[Game "ends"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n[First "1"]\n[Result "*"]\n\n5R 1L\n'
FILES = {"mine.toml": GAME, "bad.toml": "digits = 5", "game.txt": RECORD, "empty": ""}
TYPED = "5\n1\n2L\nhelp\nundo\ny\nsave b.txt\nwhy\n7\n3\n"
ODD = [
    *map(chr, range(0x100)),
    *"\u0663\u202e\udcff\ufeff\U0001f3b2",
    "--",
    "-x",
    "--target",
    "10^9",
]
GAMES = (*ruleset_keys(), "mine.toml", "bad.toml", "game.txt", "chess", "/dev/zero", ".", "\0")
# What an argument or an option of this name may well be given.
LIKELY = {
    "game": GAMES,
    "setting": ("easy", "closest:easy", "pool:sharp", "forbidden:easy", "x"),
    "target": ("2", "7", "12", "97", "997", "0", "-5", "1e3", "9" * 30, "9" * 150),
    "digits": ("1-9", "0-9", "1,3,7", "0", "9-1", "1,1", "a", ""),
    "uses": ("1", "2", "unlimited", "0", "-1"),
    "ends": ("right", "left", "both", "middle"),
    "forbidden": ("2,3,5", "none", "1", "7,7"),
    "limit": ("2", "4", "6", "none", "0", "9" * 20),
    "full": ("last-loses", "closest", "draw"),
    "p1": ("human", "random", "casual", "careful", "level:3", "perfect", "alien"),
    "p2": ("human", "random", "casual", "careful", "level:8", "perfect", "level:9"),
    "names": ("Ann,Bob", "Ann,Ann", "Ann", ",", "A\x1b[31m,B", "Zo\u00eb,\u0141"),
    "first": ("1", "2", "random", "3"),
    "rounds": ("1", "2", "3", "0", "99999"),
    "best_of": ("1", "3", "2", "-1"),
    "start": ("alternate", "same"),
    "seed": ("1", "-1", "x", "9" * 40),
    "max_moves": ("1", "20", "0"),
    "after": ("5", "5 2 1", "5R 1L", "5,2", "x", " ", "1 1 1"),
    "targets": ("2..9", "7", "7,11", "9..2", "1..", "2..99999999999", "x"),
    "vary": ("limit=2..4", "digits=1-3|0,5", "ends=right|both", "limit", "=", "target=2..3"),
    "columns": ("value", "value,plies", "plies,plies", "appeal", "x", ""),
    "out": ("a.json", "a.csv", "a.parquet", "a.txt", "game.txt", ""),
    "plot": ("a.svg", "a.png", "a.jpg", "game.txt"),
    "name": ("closest:easy/1/7/3", "pool/1/1/1", "/puzzle?game=pool&moves=5+2", "/puzzle?x", "?"),
    "theme": ("two threats", "copy", "list", "none"),
    "difficulty": ("1", "3", "5", "0"),
    "count": ("1", "3", "0", "999999"),
    "svg": ("a.svg", "game.txt", ""),
    "record": ("r.txt", "game.txt", "", "\0"),
    "jobs": ("1", "2", "0"),
    "cluster": ("tcp://127.0.0.1:1", "x"),
    "file": ("game.txt", "mine.toml", "empty", "nowhere", ".", "/dev/null", "/dev/zero"),
    "save_id": ("pool-1", "mine-1", "nothing"),
    "host": ("127.0.0.1", "x", ""),
    "port": ("0", "8000", "-1", "70000"),
    "database": ("g.db", "game.txt", ".", "\0"),
}


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def run(campaign: Campaign, folder: Path) -> None:
    """Give one command line after another."""
    with at_work(folder) as place:
        while campaign.goes_on():
            if campaign.random.random() < 0.02:
                clean(place)
            args = command_line(campaign.random)
            ended = call(args, TYPED)
            campaign.count(f"{args[0] if args[0] in COMMANDS else 'others'}")
            campaign.count("interrupted", ended.code == INTERRUPTED)


# --- Running commands here, for speed. ---


@contextlib.contextmanager
def at_work(folder: Path) -> Iterator[Path]:
    """A folder to be in, with files of all kinds; nothing leaves it, and little is solved."""
    with contextlib.ExitStack() as after:
        if MEMORY.is_dir():  # no disk to wait for
            folder = Path(after.enter_context(TemporaryDirectory(dir=MEMORY)))
        after.enter_context(mock.patch("os.fsync"))
        after.enter_context(mock.patch.dict(os.environ, {"DIGITDUEL_HOME": str(folder / "home")}))
        after.enter_context(mock.patch.object(evaluator_for, "__defaults__", (INSTANT,)))
        after.enter_context(mock.patch("socket.create_connection", side_effect=OSError("no")))
        after.enter_context(mock.patch("digitduel.web.server.bind"))
        after.enter_context(mock.patch("digitduel.web.server.run"))
        after.enter_context(contextlib.chdir(folder))
        clean(folder)
        yield folder


def clean(folder: Path) -> None:
    """Leave only the files that belong there."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, text in FILES.items():
        (folder / name).write_text(text)


def call(args: Sequence[str], stdin: str = "") -> Ended:
    """Run the command; its code is one that is documented, and it has words for everything."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "replace") for _ in range(2))
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        streams: dict[str, Any] = {"stdin": io.StringIO(stdin), "stdout": out, "stderr": err}
        with mock.patch.multiple(sys, **streams):
            code = main(list(args))
    except BaseException as fault:
        fault.add_note(f"digitduel {list(args)}")
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    for stream in (out, err):
        stream.seek(0)
    ended = Ended(code, out.read(), err.read())
    assert code in (0, 1, 2, INTERRUPTED), (args, ended)
    assert "Traceback" not in ended.out + ended.err, (args, ended)
    assert code != 2 or ended.err.strip(), (args, ended)
    return ended


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


# --- Command lines. ---


def command_line(random: Random) -> list[str]:
    """A command with some of its options, most of them well given."""
    name = random.choice((*COMMANDS, *COMMANDS, "analyze", "", "--version", "--help", "fly"))
    if name == "serve" and random.random() < 0.9:
        name = "play"
    if name not in COMMANDS:
        return [name, *_some(random)]
    command: click.Command = import_module(f"digitduel.cli.commands.{name}").command
    args = [name]
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            args += _argument(random, parameter)
        elif random.random() < 2 / len(command.params):
            args += _option(random, parameter)
    args += ["--help"] if random.random() < 0.01 else []
    args += _some(random) if random.random() < 0.1 else []
    rest = args[1:]
    if random.random() < 0.1:
        random.shuffle(rest)
    return [name, *rest]


def _argument(random: Random, argument: click.Parameter) -> list[str]:
    likely = LIKELY[str(argument.name)]
    if random.random() < 0.05 or (not argument.required and random.random() < 0.3):
        return []
    return [_value(random, likely)]


def _option(random: Random, option: click.Parameter) -> list[str]:
    flag = random.choice((*option.opts, *option.secondary_opts))
    if getattr(option, "is_flag", False) or option.name == "leading_zero":
        return [flag]
    return [flag, _value(random, LIKELY.get(str(option.name), ("1", "x")))]


def _value(random: Random, likely: Sequence[str]) -> str:
    """One of the likely values, or something near it."""
    value = random.choice(likely)
    return _mutated(random, value) if random.random() < 0.1 else value


def _mutated(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    odd = "".join(random.choices(ODD, k=random.choice((1, 1, 2, 300))))
    # No name leads out of the folder.
    return (text[:at] + odd + text[at + random.randrange(3) :]).replace("/", "").replace("..", "")


def _some(random: Random) -> list[str]:
    return [_mutated(random, "") for _ in range(random.randrange(3))]
