"""Game files: the five that ship, files of one's own, and files that are no games."""

from __future__ import annotations

import ast
import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import digitduel.ruleset
from digitduel import (
    Game,
    InvalidRulesetError,
    Move,
    Ruleset,
    Side,
    Termination,
    find_ruleset,
    read_ruleset,
    ruleset_keys,
)
from digitduel.fields import RULES
from digitduel.ruleset import (
    FIELDS,
    GAMES_FOLDER,
    LONGEST_CHAIN,
    REQUIRED,
    ruleset_from,
    table_from,
)
from digitduel.wording import PLACEHOLDERS, WORDING_KEYS, Remark, Wording, fill
from tests.strategies import law, lines, rulesets, shipped_rulesets, short_law

if TYPE_CHECKING:
    from collections.abc import Iterator

# --- The five games, as the table of the rulings has them. ---

ONE_TO_NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9]
TABLE: dict[str, dict[str, Any]] = {
    "pool": {
        "title": "Divisor Duel",
        "digits": ONE_TO_NINE,
        "uses": 1,
        "ends": "right",
        "target": 7,
        "smallest_target": 2,
        "forbidden": [],
        "limit": None,
        "full": "last-loses",
        "leading_zero": True,
    },
    "ends": {
        "title": "Divisor Duel (two-ended)",
        "digits": [0, *ONE_TO_NINE],
        "uses": None,
        "ends": "both",
        "target": 7,
        "smallest_target": 1,
        "forbidden": [],
        "limit": None,
        "full": "last-loses",
        "leading_zero": True,
    },
    "forbidden": {
        "title": "Divisible Duel",
        "digits": ONE_TO_NINE,
        "uses": None,
        "ends": "right",
        "target": 7,
        "smallest_target": 2,
        "forbidden": [2, 3, 5],
        "limit": None,
        "full": "last-loses",
        "leading_zero": True,
    },
    "closest": {
        "title": "Divisibility Duel",
        "digits": ONE_TO_NINE,
        "uses": 1,
        "ends": "right",
        "target": 7,
        "smallest_target": 2,
        "forbidden": [],
        "limit": None,
        "full": "closest",
        "leading_zero": True,
    },
    "conquest": {
        "title": "Digit Conquest",
        "digits": ONE_TO_NINE,
        "uses": None,
        "ends": "right",
        "target": 7,
        "smallest_target": 2,
        "forbidden": [],
        "limit": 10,
        "full": "last-loses",
        "leading_zero": True,
    },
}

# A line that shows the number before the first move.
SHOWN_AT_THE_START = {
    "pool": "Current Number: ",
    "ends": "Current number is ''.",
    "forbidden": "Current Number: 0",
    "closest": "Starting Number: 0",
    "conquest": "Cumulative Number: ",
}


def test_there_are_five_games() -> None:
    assert sorted(ruleset_keys()) == sorted(TABLE)


@pytest.mark.parametrize("key", TABLE)
def test_a_shipped_game_is_as_the_table_says(key: str) -> None:
    rules = find_ruleset(key)
    described = {"title": rules.title, "smallest_target": rules.smallest_target, **rules.rules}
    assert described == TABLE[key]
    assert rules.key == key
    assert rules.goal
    assert rules.tips
    assert rules.rulings


@pytest.mark.parametrize("key", TABLE)
def test_a_shipped_game_shows_the_empty_number_in_its_own_manner(key: str) -> None:
    wording = find_ruleset(key).wording
    start = fill(f"{wording.opening}\n{wording.turn}", number=wording.shown_empty)
    assert SHOWN_AT_THE_START[key] in start.split("\n")


@pytest.mark.parametrize("key", TABLE)
def test_a_shipped_game_reads_as_any_file_does(key: str) -> None:
    read = read_ruleset(GAMES_FOLDER / f"{key}.toml")
    assert table_from(read) == table_from(find_ruleset(key))


# --- Files of one's own. ---

SIXTH = """\
key = "sixth"
title = "The Sixth Game"
goal = "Add digits on the left."
digits = "1-4,7"
uses = 2
ends = "left"
target = 13
limit = 3
turn = "{player}, please."
"""
ODD_NAMES = ["mine.toml", "mine", "a b.toml", "größe.toml", "new\nline.toml", "\x1b[31m.toml"]


def written(folder: Path, content: str | bytes, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path) -> str:
    """The message that a file is refused with: one that names it and can be shown."""
    with pytest.raises(InvalidRulesetError) as caught:
        read_ruleset(path)
    message = str(caught.value)
    assert path.name in message or ascii(path.name)[1:-1] in message
    assert message.isprintable()
    return message


def test_a_sixth_game_is_one_file_and_nothing_else(tmp_path: Path) -> None:
    rules = read_ruleset(written(tmp_path, SIXTH))
    assert (rules.key, rules.digits, rules.capacity) == ("sixth", (1, 2, 3, 4, 7), 3)
    assert rules.wording == Wording(turn="{player}, please.")
    game = Game(rules, map(Move, (1, 4)))
    assert game.position.number == "41"
    assert [str(move) for move in game.position.legal_moves] == ["1", "2", "3", "4", "7"]
    game.push(Move(4))
    assert game.position.number == "441"
    outcome = game.outcome()
    assert outcome == (Termination.FULL, Side.SECOND)


@pytest.fixture
def other_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that games are found in, for the length of a test."""
    monkeypatch.setattr(digitduel.ruleset, "GAMES_FOLDER", tmp_path)
    ruleset_keys.cache_clear()
    find_ruleset.cache_clear()
    yield tmp_path
    ruleset_keys.cache_clear()
    find_ruleset.cache_clear()


def test_a_game_is_found_by_its_file_alone(other_folder: Path) -> None:
    written(other_folder, SIXTH, "sixth.toml")
    assert ruleset_keys() == ("sixth",)
    assert find_ruleset("sixth").title == "The Sixth Game"
    with pytest.raises(InvalidRulesetError, match="there is no game called 'pool'"):
        find_ruleset("pool")


def test_five_keys_are_enough_for_a_game(tmp_path: Path) -> None:
    short = 'key = "x"\ntitle = "X"\ngoal = "Win."\ndigits = [1, 3]\ntarget = 31\n'
    rules = read_ruleset(written(tmp_path, short))
    assert rules == Ruleset("x", "X", "Win.", (1, 3), 31)
    assert rules.rules == {
        "digits": [1, 3],
        "uses": None,
        "ends": "right",
        "target": 31,
        "forbidden": [],
        "limit": None,
        "full": "last-loses",
        "leading_zero": True,
    }
    assert rules.smallest_target == 2
    assert (rules.wording, rules.tips, rules.rulings) == (Wording(), (), ())


def test_unlimited_and_none_may_be_written_out(tmp_path: Path) -> None:
    text = SIXTH.replace("uses = 2", 'uses = "unlimited"').replace("limit = 3", 'limit = "none"')
    rules = read_ruleset(written(tmp_path, text))
    assert (rules.uses, rules.limit, rules.capacity) == (None, None, None)


def test_line_ends_of_any_system_are_read(tmp_path: Path) -> None:
    rules = read_ruleset(written(tmp_path, SIXTH.replace("\n", "\r\n")))
    assert rules == read_ruleset(written(tmp_path, SIXTH, "unix.toml"))


# --- Files that extend others. ---


def test_a_game_that_extends_another_gives_only_what_is_its_own(tmp_path: Path) -> None:
    text = 'extends = "pool"\nkey = "short"\nlimit = 6\nturn = "{player}?"\n'
    rules, pool = read_ruleset(str(written(tmp_path, text))), find_ruleset("pool")
    assert rules == pool.replace(key="short", limit=6)
    assert (rules.title, rules.goal, rules.tips) == (pool.title, pool.goal, pool.tips)
    assert rules.wording.turn == "{player}?"
    assert rules.wording.moved == pool.wording.moved
    assert pool.rulings
    assert rules.rulings == ()  # they are about the rulebook of the other
    assert rules.changed == ()  # it is a game of its own, not one that was changed


def test_a_setting_can_be_extended_too(tmp_path: Path) -> None:
    rules = read_ruleset(written(tmp_path, 'extends = "closest:easy"\nkey = "mine"\nlimit = 5\n'))
    assert rules == find_ruleset("closest:easy").replace(key="mine", limit=5)
    assert rules.changed == ()
    unknown = written(tmp_path, 'extends = "closest:eazy"\nkey = "mine"\n')
    assert "closest has no setting called 'eazy': known are easy" in refusal(unknown)


def test_a_file_beside_it_can_be_extended_too(tmp_path: Path) -> None:
    written(tmp_path, SIXTH, "sixth.toml")
    (tmp_path / "more").mkdir()
    middle = written(tmp_path / "more", 'extends = "../sixth.toml"\nkey = "b"\nuses = 1\n')
    last = written(tmp_path, f'extends = "more/{middle.name}"\nkey = "c"\ntarget = 17\n', "c.toml")
    rules = read_ruleset(last)
    assert (rules.key, rules.target, rules.uses, rules.ends) == ("c", 17, 1, "left")
    assert rules.title == "The Sixth Game"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('extends = "poool"', "extends = 'poool' is neither a game nor a .toml file: did you mean"),
        ("extends = 5", "extends = 5 is neither a game nor a .toml file: known are closest,"),
        ('extends = "gone.toml"', "gone.toml: cannot read"),
        ('extends = "mine.toml"', "mine.toml: extends = 'mine.toml' goes round in a circle"),
        ('extends = "pool"\ntarget = 1', "target = 1 is too small for x"),
        ('extends = "pool"\ntipps = []', "unknown key 'tipps': did you mean 'tips'?"),
    ],
)
def test_a_game_that_cannot_be_extended_is_named(tmp_path: Path, line: str, reason: str) -> None:
    assert refusal(written(tmp_path, f'key = "x"\n{line}\n')).startswith(f"mine.toml: {reason}")


@pytest.mark.parametrize("line", ["", 'key = "pool"'])
def test_a_game_that_extends_another_has_a_key_of_its_own(tmp_path: Path, line: str) -> None:
    assert refusal(written(tmp_path, f'extends = "pool"\n{line}\n')) == (
        "mine.toml: extends = 'pool': give a key of its own, other than the key of that game."
    )


def test_games_that_extend_one_another_are_a_short_chain(tmp_path: Path) -> None:
    written(tmp_path, SIXTH, "g0.toml")
    for number in range(1, LONGEST_CHAIN + 2):
        text = f'key = "g{number}"\nextends = "g{number - 1}.toml"\n'
        path = written(tmp_path, text, f"g{number}.toml")
        if number <= LONGEST_CHAIN:
            assert read_ruleset(path).target == 13
    assert "makes a chain of over 8 games" in refusal(path)


def test_two_games_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    one = written(tmp_path, 'key = "a"\nextends = "b.toml"\n', "a.toml")
    written(tmp_path, 'key = "b"\nextends = "a.toml"\n', "b.toml")
    assert refusal(one).startswith("a.toml: b.toml: a.toml: extends = 'b.toml' goes round")


# --- Files that are no games. ---


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("tarjet = 13", "mine.toml: unknown key 'tarjet': did you mean 'target'?"),
        ('ask_digits = "?"', "mine.toml: unknown key 'ask_digits': did you mean 'ask_digit'?"),
        ("[uses]", "mine.toml is not valid TOML"),
        ("[rules]\nuses = 1", "mine.toml: unknown key 'rules': did you mean 'uses'?"),
        ("wording = {}", "mine.toml: unknown key 'wording'"),
        ('"\\u001b" = 1', "mine.toml: unknown key '\\x1b': known are key, title,"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_one(
    tmp_path: Path, line: str, hint: str
) -> None:
    assert refusal(written(tmp_path, f"{SIXTH}{line}\n")).startswith(hint)


@pytest.mark.parametrize("key", sorted(REQUIRED))
def test_a_missing_key_is_asked_for(tmp_path: Path, key: str) -> None:
    text = "".join(line for line in SIXTH.splitlines(True) if not line.startswith(f"{key} ="))
    assert refusal(written(tmp_path, text)) == f"mine.toml: {key} must be given."


def test_several_missing_keys_are_asked_for_together(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, "target = 7")) == (
        "mine.toml: digits, goal, key and title must be given."
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("target = 13", "target = 0", "target = 0 is too small"),
        ("target = 13", "target = 1", "target = 1 is too small for sixth"),
        ("target = 13", "target = 13.0", "target = 13.0 is not a whole number"),
        ("target = 13", 'target = "13"', "target = '13' is not a whole number"),
        ("target = 13", "target = true", "target = True is not a whole number"),
        ("target = 13", "target = nan", "target = nan is not a whole number"),
        ("target = 13", "target = 1979-05-27", "target = datetime.date(1979, 5, 27) is not"),
        ("target = 13", f"target = 0x{'f' * 5000}", "target = a number of over 100 digits is too"),
        ('"1-4,7"', "[]", "digits = [] names no digits"),
        ('"1-4,7"', "[1, 1]", "digits holds 1 twice"),
        ('"1-4,7"', f"[0x{'f' * 5000}]", "digits holds a value too long to show"),
        ('"left"', '"top"', "ends = 'top' is not known: give right, left or both."),
        ("limit = 3", "limit = 0", "limit = 0 is too small"),
        ("limit = 3", 'limit = "unlimited"', "limit = 'unlimited' is not understood"),
        ("uses = 2", 'uses = "none"', "uses = 'none' is not understood"),
        ('"sixth"', '"Sixth Game"', "key = 'Sixth Game' is no name for a game"),
        ('"{player}, please."', "7", "turn = 7 is not text: write it in quotes."),
        ('"{player}, please."', '["a"]', "turn = ['a'] is not text"),
    ],
)
def test_a_value_out_of_range_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert SIXTH.count(old) == 1
    path = written(tmp_path, SIXTH.replace(old, new))
    assert refusal(path).startswith(f"mine.toml: {reason}")


@pytest.mark.parametrize(
    ("placeholder", "hint"),
    [("{playr}", "did you mean 'player'?"), ("{xyz}", "known are digits, divisor,")],
)
def test_an_unknown_placeholder_is_refused(tmp_path: Path, placeholder: str, hint: str) -> None:
    for key in WORDING_KEYS:
        text = SIXTH.replace("turn =", f"{key} =").replace("{player}", placeholder)
        message = refusal(written(tmp_path, text))
        assert message.startswith(
            f"mine.toml: {key} has an unknown placeholder '{placeholder}': {hint}"
        )


def test_braces_around_no_word_are_just_text() -> None:
    assert fill(Wording(turn="{} { } {").turn) == "{} { } {"
    assert fill("{number}: {missing}", number="52") == "52: {missing}"
    assert fill("{number}", number="{target}", target=7) == "{target}"


NOT_TOML: list[tuple[str, bytes]] = [
    ("garbage", b"\x00\x01\x02\xff"),
    ("a program", b"\x7fELF" + bytes(1000)),
    ("not UTF-8", SIXTH.replace("Sixth", "S\xefxth").encode("latin-1")),
    ("UTF-16", SIXTH.encode("utf-16")),
    ("a NUL byte", SIXTH.encode() + b"\0"),
    ("no TOML", b"this is no game\n"),
    ("JSON", b'{"key": "sixth"}'),
    ("a key twice", (SIXTH + "target = 7\n").encode()),
    ("no end of a quote", SIXTH.encode()[:20]),
    ("deep arrays", b"digits = " + b"[" * 19_000),
    ("deep closed arrays", b"digits = " + b"[" * 9_000 + b"]" * 9_000),
    ("deep tables", b"a = " + b"{a = " * 3_000),
    ("a deep key", b"a." * 3_000 + b"a = 1"),
    ("5,000 digits", SIXTH.replace("13", "1" * 5000).encode()),
    ("too large", SIXTH.encode() + b"#" * 20_000),
    ("very much too large", b"#" * 10_000_000),
]


@pytest.mark.parametrize("content", [c for _, c in NOT_TOML], ids=[name for name, _ in NOT_TOML])
def test_a_file_that_is_no_toml_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    assert refusal(written(tmp_path, content)).startswith("mine.toml")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, b"")) == (
        "mine.toml: digits, goal, key, target and title must be given."
    )


def test_the_reason_a_file_cannot_be_read_is_told(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "missing.toml")
    assert "No such file" in refusal(tmp_path / "missing" / "mine.toml")
    assert "Is a directory" in refusal(tmp_path)
    assert "Not a directory" in refusal(written(tmp_path, SIXTH) / "mine.toml")
    assert "too long" in refusal(tmp_path / ("x" * 300))
    assert "null byte" in refusal(tmp_path / "nul\0byte.toml")
    assert "larger than 20,000 bytes" in refusal(written(tmp_path, b"#" * 20_001))
    assert "not a text file in UTF-8" in refusal(written(tmp_path, b"\xff"))


def test_a_file_without_permission_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", denied)
    assert "Permission denied" in refusal(tmp_path / "mine.toml")


@pytest.mark.parametrize("name", [*ODD_NAMES, os.fsdecode(b"\xff.toml")], ids=ascii)
def test_any_file_name_can_be_shown(tmp_path: Path, name: str) -> None:
    message = refusal(written(tmp_path, "tarjet = 1", name))
    message.encode("utf-8")
    assert read_ruleset(written(tmp_path, SIXTH, name)).key == "sixth"


@pytest.mark.parametrize("key", TABLE)
def test_a_truncated_file_is_refused_or_still_a_game(tmp_path: Path, key: str) -> None:
    data = (GAMES_FOLDER / f"{key}.toml").read_bytes()
    path = tmp_path / "cut.toml"
    read = 0
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        try:
            read_ruleset(path)
            read += 1
        except InvalidRulesetError as error:
            reason = str(error)
            assert reason.startswith("cut.toml")
    assert read < len(data) / 14


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "fuzz.toml"


def read_or_refused(path: Path, content: bytes) -> bool:
    """Whether a file is a game; if not, it is refused by name and in no other way."""
    path.write_bytes(content)
    try:
        read_ruleset(path)
    except InvalidRulesetError as error:
        if not str(error).startswith("fuzz.toml"):
            raise AssertionError(f"which file? {error}") from error
        return False
    return True


@law
@given(content=st.binary() | st.text().map(str.encode))
def test_random_files_are_refused_and_nothing_else(scratch: Path, content: bytes) -> None:
    assert not read_or_refused(scratch, content)


toml_values = st.sampled_from(
    [
        *(
            "0",
            "-1",
            "0x10",
            "9" * 4301,
            "1e400",
            "nan",
            "true",
            "12:00:00",
            "1979-05-27T07:32:00Z",
        ),
        *("''", '""', '"\\ud800"', '"\\u0000"', "'''\n'''", "[]", "{}", "[[1]]", "[1, 'a']"),
    ]
)


@law
@given(
    key=st.sampled_from([*FIELDS, *WORDING_KEYS, "extends", "origin"]) | lines,
    value=toml_values | st.text(max_size=10),
)
def test_any_value_of_any_key_is_read_or_refused(scratch: Path, key: str, value: str) -> None:
    kept = [line for line in SIXTH.splitlines() if not line.startswith(f"{key} =")]
    text = "\n".join([*kept, f"{key} = {value}"])
    read_or_refused(scratch, text.encode("utf-8"))


@law
@given(rules=shipped_rulesets(), data=st.data())
def test_damaged_files_are_read_or_refused(
    scratch: Path, rules: Ruleset, data: st.DataObject
) -> None:
    content = (GAMES_FOLDER / f"{rules.key}.toml").read_bytes()
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(len(content), start + 60)))
    patch = data.draw(st.binary(max_size=6) | st.text('[]{}"=\n', max_size=6).map(str.encode))
    read_or_refused(scratch, content[:start] + patch + content[stop:])


# --- A rule set as a table, both ways. ---

placeholders = st.sampled_from(sorted(PLACEHOLDERS)).map(lambda word: f"{{{word}}}")
spoken = st.lists(placeholders | st.text(st.characters(exclude_characters="{}")), max_size=3)
wordings = st.fixed_dictionaries({}, optional=dict.fromkeys(WORDING_KEYS, spoken.map("".join)))
plain_text = st.text(st.characters(exclude_characters="{}"), max_size=10)
conditions = st.sampled_from(["", "target >= 10", "capacity is odd and digits without 0"])
remarks = st.lists(
    plain_text | st.builds(Remark, plain_text, conditions, plain_text, plain_text), max_size=3
)


@short_law
@given(rulesets(), wordings, remarks, remarks)
@example(find_ruleset("forbidden"), {"turn": ""}, [], [])
def test_a_rule_set_comes_back_from_its_table(
    rules: Ruleset, wording: dict[str, str], tips: list[str | Remark], rulings: list[str | Remark]
) -> None:
    rules = rules.replace(wording=Wording(**wording), tips=tips, rulings=rulings)
    table = table_from(rules)
    again = ruleset_from(json.loads(json.dumps(table)))
    assert again == rules
    assert again.wording == rules.wording
    assert (again.tips, again.rulings) == (rules.tips, rules.rulings)
    assert [tip.text for tip in again.tips] == [
        tip if isinstance(tip, str) else tip.text for tip in tips
    ]
    assert again.changed == rules.changed
    assert table_from(again) == table
    assert set(table) == {*FIELDS, *WORDING_KEYS, "origin"} - {"wording"}
    assert set(RULES) <= set(table)


# --- No code asks which game it is. ---

SOURCES = sorted(Path(digitduel.__file__).parent.rglob("*.py"))
# These three are also names of fields and values; the other keys mean nothing but a game.
OTHER_MEANINGS = {"ends", "forbidden", "closest"}


def questions(source: str) -> list[int]:
    """The lines that name a game, outside of texts and of examples for readers."""
    tree = ast.parse(source)
    shown = {
        id(inside)
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "examples"
        for inside in ast.walk(node)
    }
    asking = (node for node in ast.walk(tree) if id(node) not in shown and names_a_game(node))
    return [getattr(node, "lineno", 0) for node in asking]


def names_a_game(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in set(TABLE) - OTHER_MEANINGS
    if isinstance(node, ast.Call):
        function, words = last_name(node.func), words_in(*node.args)
        return function == "find_ruleset" and bool(words)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return bool(words_in(*sides)) and any(last_name(side) in GAME_NAMES for side in sides)
    if isinstance(node, ast.Match):
        return last_name(node.subject) in GAME_NAMES and bool(words_in(*node.cases))
    return False


GAME_NAMES = ("key", "game")


def last_name(node: ast.AST) -> object:
    return getattr(node, "attr", None) or getattr(node, "id", None)


def words_in(*nodes: ast.AST) -> set[str]:
    inside = [each for node in nodes for each in ast.walk(node)]
    return set(TABLE) & {each.value for each in inside if isinstance(each, ast.Constant)}


@pytest.mark.parametrize(
    "question",
    [
        'a = "pool"',
        'if rules.key == "ends": pass',
        'if "closest" == game: pass',
        'if key in ("ends", "forbidden"): pass',
        'find_ruleset("forbidden")',
        'match rules.key:\n    case "closest": pass',
    ],
)
def test_a_question_which_game_it_is_would_be_noticed(question: str) -> None:
    assert questions(question)


@pytest.mark.parametrize(
    "source",
    [
        '"""Such as find_ruleset("pool")."""',
        'rules.full == "closest"',
        'a = {"ends": 1}',
        'Field(examples=["pool"])',
    ],
)
def test_other_meanings_of_the_words_are_no_question(source: str) -> None:
    assert not questions(source)


def test_no_code_asks_which_game_it_is() -> None:
    assert len(SOURCES) > 10
    asked = {path.name: questions(path.read_text("utf-8")) for path in SOURCES}
    assert {name: found for name, found in asked.items() if found} == {}
