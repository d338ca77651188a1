"""Nothing is lost: kill -9, full disks, damaged files, two terminals, records."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from digitduel.cli import main
from digitduel.cli.saves import TerminalDuel, create_save, finish_save, read_save
from digitduel.errors import StorageError
from digitduel.events import Begun, Moved, Terms, event_json
from digitduel.match import Match
from digitduel.position import Move
from digitduel.ruleset import find_ruleset
from tests.terminal import COMMAND, digitduel, environment, typed

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = b"Select a digit: "
ARGS = ("play", "pool", "--target", "987654323")


class Talk:
    """A running command that is spoken to line by line."""

    def __init__(self, *args: str, home: Path) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(home, PYTHONUNBUFFERED="1"),
        )
        self.shown = b""

    def until_asked(self) -> None:
        """Read until the next question."""
        assert self.process.stdout is not None
        while not self.shown.endswith(QUESTION):
            byte = os.read(self.process.stdout.fileno(), 1)
            assert byte, self.shown.decode()
            self.shown += byte

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        self.shown = b""

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


def saved_moves(home: Path) -> list[str]:
    (path,) = (home / "games").iterdir()
    return [str(move) for move in read_save(path).moves]


@pytest.mark.slow
def test_kill_9_loses_no_move_that_was_shown(tmp_path: Path) -> None:
    digits = "123456789"
    for count in range(len(digits)):
        talk = Talk(*(ARGS if count == 0 else ("resume",)), home=tmp_path)
        talk.until_asked()
        if count:
            assert f"Played so far: {' '.join(digits[:count])}\n".encode() in talk.shown
        talk.type(digits[count])
        if count < len(digits) - 1:
            talk.until_asked()
        else:
            talk.process.wait()
        talk.kill()
        if count < len(digits) - 1:
            assert saved_moves(tmp_path) == list(digits[: count + 1])
    (record,) = (tmp_path / "finished").iterdir()
    assert record.read_text().endswith("1 2 3 4 5 6 7 8 9\n")


def test_kill_9_of_two_programs_loses_no_move_that_was_shown(tmp_path: Path) -> None:
    args = ("play", "forbidden", "--target", "13", "--p1", "careful", "--p2", "careful")
    talk = Talk(*args, "--seed", "3", home=tmp_path)
    assert talk.process.stdout is not None
    shown = b""
    while shown.count(b"New Number: ") < 50:
        shown += os.read(talk.process.stdout.fileno(), 100)
    talk.process.send_signal(signal.SIGKILL)
    shown += talk.process.stdout.read()
    talk.kill()
    numbers = re.findall(rb"New Number: ([\d\[\]]+)\n", shown)
    last = numbers[-1].decode().replace("[", "").replace("]", "")
    (path,) = (tmp_path / "games").iterdir()
    assert read_save(path).position.number.startswith(last)


def test_a_resumed_game_goes_on_as_it_would_have(tmp_path: Path) -> None:
    args = ("play", "conquest", "--target", "997", "--p2", "random", "--seed", "11")
    whole = digitduel(*args, stdin=typed("1", "2", "3", "4", "5"), home=tmp_path / "a").stdout
    digitduel(*args, stdin=typed("1", "2"), home=tmp_path / "b")
    rest = digitduel("resume", stdin=typed("3", "4", "5"), home=tmp_path / "b").stdout
    assert whole.splitlines()[-6:] == rest.splitlines()[-6:]


@pytest.fixture(autouse=True)
def _homes(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()


def test_a_match_is_resumed_with_its_score_and_its_order(tmp_path: Path) -> None:
    args = ("play", "conquest", "--rounds", "3", "--names", "Ann,Bob")
    digitduel(*args, stdin=typed("3", "5", "3"), home=tmp_path)
    listed = digitduel("resume", "--list", home=tmp_path).stdout
    assert listed == "conquest-1     Ann and Bob, target 7, round 2 of 3, 1 move\n"
    done = digitduel("resume", stdin=typed("5", "resign"), home=tmp_path)
    assert "Round 2 of 3: Bob starts." in done.stdout
    assert "Score: Ann 1, Bob 1." in done.stdout
    assert done.stdout.endswith("Bob wins the match.\n")
    assert "There is no unfinished game." in digitduel("resume", "--list", home=tmp_path).stdout


def test_two_games_in_two_terminals_do_not_disturb_each_other(tmp_path: Path) -> None:
    one, two = Talk(*ARGS, home=tmp_path), Talk(*ARGS, home=tmp_path)
    for talk, digit in ((one, "1"), (two, "2"), (one, "3"), (two, "4")):
        talk.until_asked()
        talk.type(digit)
    one.until_asked()
    two.until_asked()
    for words in (("resume", "pool-1"), ("resume",)):
        busy = digitduel(*words, home=tmp_path)
        assert busy.returncode == 1
        assert "another terminal" in busy.stderr
    one.kill()
    two.kill()
    for path in (tmp_path / "games").iterdir():
        moves = [str(move) for move in read_save(path).moves]
        assert moves in (["1", "3"], ["2", "4"])


def test_a_half_written_last_line_is_the_only_thing_dropped(tmp_path: Path) -> None:
    digitduel(*ARGS, stdin=typed("1", "2"), home=tmp_path)
    (path,) = (tmp_path / "games").iterdir()
    with path.open("a") as file:
        file.write('{"mo')
    done = digitduel("resume", stdin=typed("3"), home=tmp_path)
    assert "Played so far: 1 2\n" in done.stdout
    assert saved_moves(tmp_path) == ["1", "2", "3"]


@pytest.mark.parametrize(
    "damage",
    [
        "\n",
        "no save at all\n",
        '{"format": "digitduel save 99"}\n',
        '{"format": "digitduel save 1"}\n',
        '{"format": "digitduel save 2"}\n',
        '{"format": "digitduel save 2", "record": null, "hints": false}\n',
        '{"format": "digitduel save 2", "record": null, "hints": false}\n{"kind": "called-off"}\n',
        "[1, 2]\n",
        "\0\0\0",
        "[" * 100_000 + "\n",
    ],
    ids=lambda damage: damage[-60:],
)
def test_a_foreign_save_file_is_named_and_left_alone(
    damage: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))
    path = tmp_path / "games" / "pool-1.jsonl"
    path.parent.mkdir()
    path.write_text(damage)
    for command in (["resume"], ["resume", "pool-1"]):
        assert main(command) in (1, 2)
        assert 1 <= len(capsys.readouterr().err.splitlines()) <= 2
    assert main(["resume", "--list"]) == 0
    assert "cannot be read" in capsys.readouterr().out
    assert path.read_text() == damage
    # A new game takes another name, and is gone on with although the other cannot be.
    assert "resume pool-2" in digitduel(*ARGS, stdin=typed("1"), home=tmp_path).stdout
    path.touch()  # the newest of all, and damaged
    assert "resume pool-2" in digitduel("resume", stdin=typed("2"), home=tmp_path).stdout
    assert path.read_text() == damage


@pytest.mark.parametrize(
    "line",
    [
        '{"kind": "moved", "move": "1"}',
        '{"kind": "moved", "move": "x"}',
        '{"kind": "moved", "move": 5}',
        '{"kind": "moved"}',
        '{"kind": "moved", "move": "3", "count": 1}',
        '{"kind": "taken-back", "count": 9}',
        '{"kind": "taken-back", "count": "x"}',
        '{"kind": "taken-back", "count": true}',
        '{"kind": "resigned", "seat": 3}',
        '{"kind": "round-begun"}',
        '{"kind": "begun"}',
        '{"kind": "recorded", "digest": null}',
        '{"kind": "written", "digest": "0"}',
        '{"kind": "filed", "number": "1"}',
        '{"kind": "joined"}',
        '{"kind": ["moved"]}',
        '{"fly": 1}',
        "{}",
        "garbage",
    ],
)
def test_a_damaged_line_is_named_and_the_file_left_alone(
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = saved(tmp_path, monkeypatch, "1", "2")
    with path.open("a") as file:
        file.write(line + "\n")
    before = path.read_bytes()
    assert main(["resume", "pool-1"]) == 2
    assert "pool-1.jsonl is damaged at line 5" in capsys.readouterr().err
    assert path.read_bytes() == before


def saved(home: Path, monkeypatch: pytest.MonkeyPatch, *moves: str) -> Path:
    """The file of a game of pool that was left after some moves."""
    monkeypatch.setenv("DIGITDUEL_HOME", str(home))
    journal = create_save(TerminalDuel.begin(Terms(find_ruleset("pool").replace(target=12))))
    journal.append(*(event_json(Moved(Move.parse(move))) for move in moves))
    journal.close()
    return journal.path


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "digitduel save 1"),
        ("hints", 1),
        ("record", 5),
        ("players", ["human", "alien"]),
        ("players", 5),
        ("names", ["Ann"]),
        ("names", [1, 2]),
        ("names", ["Ann", "Ann"]),
        ("match", {"rounds": "x"}),
        ("match", Match().__dict__ | {"rounds": 0}),
        ("match", Match().__dict__ | {"first": 7}),
        ("match", None),
        ("ruleset", {"key": "chess"}),
        ("ruleset", {"key": ["pool"]}),
        ("ruleset", {"key": "pool", "fly": 1}),
        ("ruleset", {"key": "pool", "target": "x"}),
        ("ruleset", None),
        ("seed", None),
        ("most_moves", "x"),
        ("most_moves", 0),
    ],
)
def test_a_damaged_header_is_named(
    field: str,
    value: object,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = saved(tmp_path, monkeypatch, "1")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    next(part for part in (lines[0], lines[1]["terms"]) if field in part)[field] = value
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["resume", "pool-1"]) == 2
    assert "pool-1.jsonl is not a saved game" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    env = {"DIGITDUEL_HOME": "/dev/null/nowhere"}
    done = digitduel("play", "pool", stdin=typed("7"), home=tmp_path, env=env)
    assert done.returncode == 0
    assert "This game is not being saved" in done.stdout
    assert done.stdout.endswith("Player 1 wins!\n")


def test_a_disk_that_fills_up_in_mid_game_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    # Room for the header and a few moves.
    header = len(json.dumps(event_json(Begun(Terms(find_ruleset("ends")))))) + 300

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (header, header))

    done = subprocess.run(
        [*COMMAND, "play", "ends", "--digits", "1-9", "--target", "1000003"],
        input=typed(*["1R"] * 200).encode(),
        capture_output=True,
        env=environment(tmp_path, COVERAGE_PROCESS_CONFIG=""),  # its file is too large
        preexec_fn=small_disk,
        check=False,
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"cannot write" in done.stderr
    shown = done.stdout.decode().count("is not divisible by")
    assert shown > 0
    assert len(saved_moves(tmp_path)) >= shown


def test_a_game_that_cannot_be_saved_from_the_start_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        create_save(TerminalDuel.begin(Terms(find_ruleset("pool"))))
    assert list((tmp_path / "games").iterdir()) == []


NOT_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("folder", ["finished", "."])
def test_files_are_utf8_whatever_the_locale(folder: str, tmp_path: Path) -> None:
    args = ("play", "pool", "--names", "Zo\u00eb,\u0141ukasz", "--record", "a.txt")
    digitduel(*args, stdin=typed("quit"), home=tmp_path)
    done = digitduel("resume", stdin=typed("7"), home=tmp_path, env=NOT_UTF8)
    assert done.returncode == 0
    (record,) = (tmp_path / folder).glob("*.txt")
    assert '[Player1 "Zo\u00eb"]\n[Player2 "\u0141ukasz"]' in record.read_text("utf-8")
    assert not list((tmp_path / "games").iterdir())
    assert digitduel("replay", str(record), home=tmp_path, env=NOT_UTF8).returncode == 0


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_a_name_is_read_as_utf8_whatever_the_locale(locale: str, tmp_path: Path) -> None:
    env = NOT_UTF8 | {"LC_ALL": locale}
    args = ("play", "pool", "--names", "Zo\u00eb,Bob", "--record", "a.txt")
    assert digitduel(*args, stdin=typed("7"), home=tmp_path, env=env).returncode == 0
    assert '[Player1 "Zo\u00eb"]' in (tmp_path / "a.txt").read_text("utf-8")


def test_the_record_is_on_disk_before_the_journal_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))
    duel = TerminalDuel.begin(Terms(find_ruleset("pool"))).after(Moved(Move(7)))
    journal = create_save(duel)
    steps: list[str] = []

    def note(module: object, name: str, step: str) -> None:
        original = getattr(module, name)

        def noted(*given: object, **named: object) -> object:
            steps.append(step)
            return original(*given, **named)

        monkeypatch.setattr(module, name, noted)

    note(os, "fsync", "synced")
    note(type(journal), "close", "closed")
    note(type(tmp_path), "unlink", "gone")
    finish_save(journal, duel)
    # The new folder, twice; where it will be; the file; its folder.
    assert steps == [*["synced"] * 5, "gone", "gone", "closed"]
    assert (tmp_path / "finished" / "pool-1.txt").read_text().endswith("\n7\n")


def test_agreed_rules_of_ones_own_game_are_still_told_after_a_break(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('key = "mine"\ntitle = "Mine"\ngoal = "Win."\ndigits = "1-9"\ntarget = 97\n')
    stdin = typed("5", "quit")
    begun = digitduel("play", str(file), "--limit", "8", stdin=stdin, home=tmp_path).stdout
    resumed = digitduel("resume", stdin=typed("quit"), home=tmp_path).stdout
    agreed = "Agreed rules: 8 digits at most\n"
    assert agreed in begun
    assert agreed in resumed


def test_records_are_written_and_read_back(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    digitduel("play", "ends", "--record", str(record), stdin=typed("5R", "1L", "4R"), home=tmp_path)
    assert record.read_text() == (
        '[Game "ends"]\n[Player1 "Player 1"]\n[Player2 "Player 2"]\n[First "1"]\n'
        '[Result "1-0"]\n[Termination "target"]\n\n5R 1L 4R\n'
    )
    data = json.loads(digitduel("replay", str(record), "--json", home=tmp_path).stdout)
    assert data == {
        "game": "ends",
        "rules": find_ruleset("ends").rules,
        "players": ["Player 1", "Player 2"],
        "first": 1,
        "moves": ["5R", "1L", "4R"],
        "numbers": ["5", "15", "154"],
        "result": "1-0",
        "termination": "target",
    }
    shown = digitduel("replay", str(record), home=tmp_path).stdout
    assert "3. Player 1 plays 4R: 15[4]\n   154 = 7 x 22 + 0\n" in shown
    assert shown == digitduel("replay", home=tmp_path).stdout


def test_a_match_is_several_records_in_one_file(tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    args = ("play", "conquest", "--rounds", "2", "--record", str(record))
    digitduel(*args, stdin=typed("3", "5", "7"), home=tmp_path)
    games = json.loads(digitduel("replay", str(record), "--json", home=tmp_path).stdout)
    assert [game["first"] for game in games] == [1, 2]
    assert [game["result"] for game in games] == ["0-1", "0-1"]


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    for text in ("my shopping list", '[Game "pool"]\n'):
        other = tmp_path / "other.txt"
        other.write_text(text)
        refused = digitduel("play", "pool", "--record", str(other), stdin="7\n", home=tmp_path)
        assert refused.returncode == 1
        assert "not written over" in refused.stderr
        done = digitduel("play", "pool", stdin=typed("save other.txt", "7"), home=tmp_path)
        assert done.returncode == 0
        assert "not written over" in done.stdout
        assert other.read_text() == text


@pytest.mark.parametrize(
    "name", ["\0", "/dev/full", "/dev/zero", "pipe", "~nobody-here/x", "no/such"]
)
def test_a_name_that_cannot_be_saved_to_leaves_the_game_as_it_was(
    name: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    stdin = typed("5", f"save {name}", "6", "quit")
    done = digitduel("play", "pool", "--target", "97", stdin=stdin, home=tmp_path)
    assert done.returncode == 0
    assert "Saved" not in done.stdout
    assert "5[6]" in done.stdout


def test_a_home_is_understood_in_a_name(tmp_path: Path) -> None:
    stdin = typed("5", "save ~/game.txt", "quit")
    env = {"HOME": str(tmp_path / "games")}
    digitduel("play", "pool", "--target", "97", stdin=stdin, home=tmp_path, env=env)
    assert (tmp_path / "games" / "game.txt").is_file()


def test_save_writes_a_game_in_progress_again_and_again(tmp_path: Path) -> None:
    lines = typed("5", "save a.txt", "1", "save a.txt", "save", "save no/such/folder.txt", "quit")
    done = digitduel("play", "pool", "--target", "12", stdin=lines, home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.count("Saved to a.txt.") == 2
    assert "no folder" in done.stdout
    data = json.loads(digitduel("replay", "a.txt", "--json", home=tmp_path).stdout)
    assert (data["moves"], data["result"], data["termination"]) == (["5", "1"], "*", None)


def test_save_writes_the_same_file_again_after_a_break(tmp_path: Path) -> None:
    digitduel(*ARGS, stdin=typed("5", "save a.txt", "1", "quit"), home=tmp_path)
    done = digitduel("resume", stdin=typed("save a.txt", "quit"), home=tmp_path)
    assert "Saved to a.txt." in done.stdout
    assert (tmp_path / "a.txt").read_text().endswith("5 1\n")


def test_a_record_file_is_known_as_ours_from_an_older_save(tmp_path: Path) -> None:
    digitduel(*ARGS, "--record", "a.txt", stdin=typed("5", "1"), home=tmp_path)
    (path,) = (tmp_path / "games").iterdir()
    *lines, written = map(json.loads, path.read_text().splitlines())
    lines.append({"kind": "recorded", "digest": written["digest"]})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert digitduel("resume", stdin=typed("2", "resign"), home=tmp_path).returncode == 0
    assert (tmp_path / "a.txt").read_text().endswith("5 1 2\n")


def test_record_follows_a_game_that_is_resumed(tmp_path: Path) -> None:
    digitduel(*ARGS, "--record", "a.txt", stdin=typed("5", "1"), home=tmp_path)
    assert (tmp_path / "a.txt").read_text().endswith("5 1\n")
    digitduel("resume", stdin=typed("2", "resign"), home=tmp_path)
    text = (tmp_path / "a.txt").read_text()
    assert text.endswith("5 1 2\n")
    assert '[Termination "resigned"]' in text


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"hello", b'[Game "pool"]\n\n1 2 3'])
def test_a_damaged_record_is_named_and_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    done = digitduel("replay", str(path), home=tmp_path)
    assert done.returncode in (1, 2)
    assert "game.txt" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert path.read_bytes() == content
