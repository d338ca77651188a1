"""Records: a game as text, both ways, and what is refused as no record."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digitduel import (
    Game,
    InvalidRecordError,
    Move,
    Record,
    Ruleset,
    Side,
    StorageError,
    Termination,
    find_ruleset,
)
from digitduel.record import LARGEST_FILE, dumps, loads, read_records, rules_to_write
from tests.strategies import law, records, rulesets, short_law

if TYPE_CHECKING:
    from pathlib import Path

POOL = find_ruleset("pool")
TWO_ENDS = find_ruleset("ends")

GOOD = """\
[Game "pool"]
[Target "12"]
[Round "2"]
[Player1 "Ann"]
[Player2 "Bob"]
[First "2"]
[Result "0-1"]
[Termination "target"]

5 7 6
"""
CUSTOM = Ruleset(
    key="mine",
    title='My "own" game',
    goal="Win.",
    digits=(0, 1, 2, 3, 7),
    target=1,
    uses=3,
    ends="left",
    forbidden=(9, 11),
    limit=12,
    full="closest",
    leading_zero=False,
    smallest_target=1,
)


def refusal(text: str) -> str:
    """The message that a text is refused with."""
    with pytest.raises(InvalidRecordError) as caught:
        loads(text)
    return str(caught.value)


# --- Both ways. ---


@law
@given(records())
def test_a_record_comes_back_from_its_text(record: Record) -> None:
    text = dumps([record])
    assert loads(text) == [record]
    assert dumps(loads(text)) == text


@short_law
@given(st.lists(records(), min_size=1, max_size=4))
def test_a_match_is_several_records_in_one_text(match: list[Record]) -> None:
    text = dumps(match)
    assert loads(text) == match
    assert dumps(loads(text)) == text


@law
@given(records())
def test_a_record_plays_again_to_the_same_end(record: Record) -> None:
    game = record.replay()
    assert Record.of(game, record.players, record.first, record.round) == record


@law
@given(st.text(max_size=10))
@example("\udcff")  # a name typed in another encoding than the terminal's
@example("\ud800")
@example('[Game "pool"]\n\n-\n')
@example("\\u0041")
@example("\u2028\u2029\x85\x0b\x0c\x1c\x7f\ufeff\x00")
def test_any_name_comes_back_and_can_be_written(name: str) -> None:
    record = Record(POOL, players=(name, f" {name} "))
    text = dumps([record])
    assert loads(text) == [record]
    assert loads(text.encode("utf-8").decode("utf-8")) == [record]


def test_names_are_written_as_people_write_them() -> None:
    text = dumps([Record(POOL, players=("Zoë", "Ли \U0001f600"))])
    assert '[Player1 "Zoë"]\n[Player2 "Ли \U0001f600"]\n' in text


def test_a_record_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Record(POOL).result = "1-0"  # type: ignore[misc]


def test_the_text_of_a_game() -> None:
    game = Game(POOL.replace(target=12), map(Move, (5, 7, 6)))
    assert 576 == 12 * 48
    record = Record.of(game, ("Ann", "Bob"), first=2, round=2)
    assert (record.result, record.termination) == ("0-1", Termination.TARGET)
    assert dumps([record]) == GOOD
    assert loads(GOOD) == [record]


def test_the_text_of_a_game_that_nobody_has_moved_in() -> None:
    text = (
        '[Game "ends"]\n[Player1 "Player 1"]\n[Player2 "Player 2"]\n[First "1"]\n[Result "*"]\n'
        "\n-\n"
    )
    assert dumps([Record.of(Game(TWO_ENDS))]) == text
    assert loads(text) == [Record(TWO_ENDS)]


def test_the_text_of_a_game_that_is_not_shipped_has_all_its_rules() -> None:
    record = Record.of(Game(CUSTOM, [Move(1)]), first=1)
    text = dumps([record])
    assert text == (
        '[Game "mine"]\n'
        '[Title "My \\"own\\" game"]\n'
        '[Goal "Win."]\n'
        '[Digits "0-3,7"]\n'
        '[Target "1"]\n'
        '[Uses "3"]\n'
        '[Ends "left"]\n'
        '[Forbidden "9,11"]\n'
        '[Limit "12"]\n'
        '[Full "closest"]\n'
        '[LeadingZero "false"]\n'
        '[SmallestTarget "1"]\n'
        '[Player1 "Player 1"]\n'
        '[Player2 "Player 2"]\n'
        '[First "1"]\n'
        '[Result "1-0"]\n'
        '[Termination "target"]\n'
        "\n"
        "1\n"
    )
    assert loads(text)[0].ruleset == CUSTOM


def test_only_what_differs_from_the_game_of_that_name_is_written() -> None:
    assert rules_to_write(POOL) == {}
    assert rules_to_write(POOL.replace(target=12, uses=None)) == {
        "target": "12",
        "uses": "unlimited",
    }
    plain = Ruleset("mine", "Mine", "Win.", (1, 3), 31)
    assert set(rules_to_write(plain)) == {"title", "goal", "digits", "target"}


@law
@given(rulesets())
def test_the_rules_of_any_game_come_back(rules: Ruleset) -> None:
    [read] = loads(dumps([Record(rules)]))
    assert read.ruleset == rules


def test_a_long_game_is_written_in_lines_of_24_moves() -> None:
    rules = POOL.replace(uses=None, target=10**9 + 7, digits="1-3")
    game = Game(rules, [Move(1 + number % 3) for number in range(60)])
    text = dumps([Record.of(game)])
    rows = text.split("\n\n")[1].splitlines()
    assert [len(row.split()) for row in rows] == [24, 24, 12]
    assert loads(text)[0].moves == tuple(game.move_stack)


def test_a_side_that_goes_without_saying_is_read_and_not_kept() -> None:
    text = GOOD.replace("5 7 6", "5R 7 6r")
    [record] = loads(text)
    assert record.moves == (Move(5), Move(7), Move(6))
    assert dumps([record]) == GOOD


def test_blank_lines_and_the_order_of_tags_are_free() -> None:
    [record] = loads(GOOD)
    lines = GOOD.splitlines()
    tags, moves = lines[:8], lines[9]
    assert loads("\n\n" + "\n\n".join(reversed(tags)) + f"\n \t\n{moves}\n\n") == [record]
    assert loads("\n".join([*tags, "5", "", "7", "6"])) == [record]


# --- Winner, result and seats. ---


@pytest.mark.parametrize(
    ("first", "resigning", "result"),
    [
        (1, Side.FIRST, "0-1"),
        (1, Side.SECOND, "1-0"),
        (2, Side.FIRST, "1-0"),
        (2, Side.SECOND, "0-1"),
    ],
)
def test_a_resignation_is_recorded_for_the_seat_that_won(
    first: int, resigning: Side, result: str
) -> None:
    game = Game(POOL, [Move(1)])
    game.resign(resigning)
    record = Record.of(game, first=first)
    assert (record.result, record.termination) == (result, Termination.RESIGNED)
    [read] = loads(dumps([record]))
    assert read.replay().outcome() == game.outcome()


def test_to_json_is_the_record_as_plain_values() -> None:
    game = Game(TWO_ENDS, map(Move.parse, ("5L", "1L", "4R")))
    record = Record.of(game, ("Ann", 'B"ob'), first=2)
    content = record.to_json()
    assert json.loads(json.dumps(content)) == content
    assert {
        "game": "ends",
        "rules": TWO_ENDS.rules,
        "players": ["Ann", 'B"ob'],
        "first": 2,
        "moves": ["5L", "1L", "4R"],
        "numbers": ["5", "15", "154"],
        "result": "0-1",
        "termination": "target",
    }.items() <= content.items()


def test_to_json_of_a_game_that_goes_on() -> None:
    content = Record(POOL).to_json()
    assert (content["moves"], content["numbers"]) == ([], [])
    assert (content["result"], content["termination"]) == ("*", None)


@law
@given(records())
def test_to_json_has_a_number_for_each_move(record: Record) -> None:
    content = json.loads(json.dumps(record.to_json()))
    assert len(content["numbers"]) == len(content["moves"])
    assert content["rules"] == record.ruleset.rules
    assert content["players"] == list(record.players)
    assert [Move.parse(move) for move in content["moves"]] == list(record.moves)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": (Move(0),)}, "move 1: 0 is not in this game"),
        ({"moves": (Move(1), Move(1))}, "move 2: 1 is used up"),
        ({"moves": (Move(7), Move(1))}, "move 2: 1 comes too late"),
        ({"moves": (Move(7),)}, "the tags say * (unfinished), but the moves say 1-0 (target)."),
        ({"result": "1-0"}, "the tags say 1-0 (unfinished), but the moves say * (unfinished)."),
    ],
)
def test_a_record_against_the_rules_does_not_replay(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        Record(POOL, **changes).replay()
    assert str(caught.value).startswith(message)


# --- The strict reader. ---

DAMAGE: list[tuple[str, str, str]] = [
    # what is replaced, by what, and the reason given
    ('"0-1"', '"1-0"', "the game at line 1: the tags say 1-0 (target), but the moves say 0-1 (tar"),
    ('"0-1"', '"*"', "the game at line 1: the tags say * (target), but the moves say 0-1 (target)"),
    ('"0-1"', '"2-0"', "the game at line 1: Result '2-0' is not known: give 1-0, 0-1 or *."),
    ('"target"', '"full"', "the game at line 1: the tags say 0-1 (full), but the moves say 0-1"),
    ('"target"', '"resigned"', "the game at line 1: the tags say 0-1 (resigned), but the moves"),
    ('"target"', '"called-off"', "the game at line 1: the tags say 0-1 (called-off), but the"),
    ('"target"', '"won"', "the game at line 1: Termination 'won' is not known: give target, forb"),
    ('[Termination "target"]\n', "", "the game at line 1: the tags say 0-1 (unfinished), but"),
    ("5 7 6", "5 5 6", "the game at line 1: move 2: 5 is used up: choose from"),
    ("5 7 6", "0 7 6", "the game at line 1: move 1: 0 is not in this game: choose from"),
    ("5 7 6", "5 7L 6", "the game at line 1: move 2: 7L is not possible: digits only go to the"),
    ("5 7 6", "5 7 6 1", "the game at line 1: move 4: 1 comes too late: the game is over."),
    ("5 7 6", "5 7 six", "the game at line 1: move 3: 'six' is not a move: write one digit"),
    ("5 7 6", "5 7 ٦", "the game at line 1: move 3: '٦' is not a move: write one digit"),
    ("5 7 6", "576", "the game at line 1: move 1: '576' is not a move: write one digit"),
    ("5 7 6", "5 7 6 0-1", "the game at line 1: move 4: '0-1' is not a move: write one digit"),
    ("5 7 6", "5 7", "the game at line 1: the tags say 0-1 (target), but the moves say * (unfi"),
    ("5 7 6", "-", "the game at line 1: the tags say 0-1 (target), but the moves say * (unfinis"),
    ("5 7 6", "- 5 7 6", "the game at line 1: move 1: '-' is not a move: write one digit"),
    ("5 7 6\n", "", 'the game at line 1: the moves are missing: write "-" where none was made.'),
    ('[First "2"]\n', '[First "2"]\n[First "2"]\n', "line 7: the tag First is there twice."),
    ("[Target ", "[Tarjet ", "line 2: the tag 'Tarjet' is unknown: did you mean 'Target'?"),
    ("[First ", "[first ", "line 6: the tag 'first' is unknown: did you mean 'First'?"),
    ("[Target ", "[Xyz ", "line 2: the tag 'Xyz' is unknown: known are Game, Round, Player1,"),
    ("[Target ", "[Wording ", "line 2: the tag 'Wording' is unknown: "),
    (
        "[Target ",
        "[Target  ",
        'line 2: \'[Target  "12"]\' is not a tag: write it as [Name "value"].',
    ),
    ('"12"]', "12]", "line 2: '[Target 12]' is not a tag: write it as [Name \"value\"]."),
    ('"12"]', '"12"', "line 2: '[Target \"12\"' is not a tag: write it as"),
    ('"12"]', '"12"] ', "line 2: '[Target \"12\"] ' is not a tag: write it as"),
    ('"Ann"', '"A"nn"', 'line 4: \'"A"nn"\' is not a quoted value.'),
    ('"Ann"', '"A\\x"', "line 4: '\"A\\\\x\"' is not a quoted value."),
    ('"Ann"', '"A\tb"', "line 4: '\"A\\tb\"' is not a quoted value."),
    ('[Game "pool"]\n', "", "the game at line 1: these tags are missing: Game."),
    (
        '[Player2 "Bob"]\n[First "2"]\n',
        "",
        "the game at line 1: these tags are missing: Player2 and",
    ),
    ('[Result "0-1"]\n', "", "the game at line 1: these tags are missing: Result."),
    ('"pool"', '"poool"', "the game at line 1: digits, goal and title must be given."),
    ('"pool"', '"Pool"', "the game at line 1: digits, goal and title must be given."),
    ('"12"', '"0"', "the game at line 1: target = 0 is too small"),
    ('"12"', '"twelve"', "the game at line 1: target = 'twelve' is not a whole number: write one"),
    ('"12"', '"13"', "the game at line 1: the tags say 0-1 (target), but the moves say * (unfini"),
    ('[Target "12"]', '[Digits "1-9,1"]', "the game at line 1: digits holds 1 twice"),
    ('[Target "12"]', '[Uses "none"]', "the game at line 1: uses = 'none' is not a whole number:"),
    ('[Target "12"]', '[LeadingZero "yes"]', "the game at line 1: leading_zero = 'yes' is neither"),
    ('[Target "12"]', '[Title ""]', "the game at line 1: title = '' is not a line of text."),
    ('[First "2"]', '[First "3"]', "the game at line 1: First '3' is not known: give 1 or 2."),
    (
        '[Round "2"]',
        '[Round "0"]',
        "the game at line 1: Round '0' is not known: give a number from",
    ),
    ('[Round "2"]', '[Round "1001"]', "the game at line 1: Round '1001' is not known: give a num"),
    ('[Round "2"]', '[Round "02"]', "the game at line 1: Round '02' is not known: give a number"),
    ('[Game "pool"]\n', '5 7\n[Game "pool"]\n', "line 1: '5 7' comes before the tags: begin with"),
    (
        '[Game "pool"]\n',
        '\ufeff[Game "pool"]\n',
        "line 1: '\\ufeff[Game \"pool\"]' comes before the",
    ),
    ('[Game "pool"]\n', ' [Game "pool"]\n', "line 1: ' [Game \"pool\"]' comes before the tags"),
]


@pytest.mark.parametrize(("old", "new", "message"), DAMAGE)
def test_each_damage_is_refused_with_its_line_or_move(old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    assert refusal(GOOD.replace(old, new)).startswith(message)


def test_the_record_that_was_damaged_is_a_good_one() -> None:
    assert len(loads(GOOD)) == 1


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_a_text_without_a_game_is_refused(text: str) -> None:
    assert refusal(text) == 'there is no game in it: a record begins with [Game "..."].'


def test_a_damage_in_a_later_game_is_told_by_its_line() -> None:
    assert len(loads(f"{GOOD}\n{GOOD}")) == 2
    damaged = GOOD.replace("5 7 6", "5 7 7")
    assert refusal(f"{GOOD}\n{damaged}").startswith("the game at line 12: move 3: 7 is used up")
    assert refusal(f'{GOOD}\n{GOOD}[Mood ""]\n').startswith("line 22: the tag 'Mood' is unknown")


def test_a_record_cut_short_anywhere_is_refused() -> None:
    for length in range(len(GOOD) - 1):
        assert refusal(GOOD[:length])
    assert loads(GOOD[:-1]) == loads(GOOD)


def test_a_resignation_needs_a_winner_and_calling_off_has_none() -> None:
    plain = GOOD.replace("5 7 6", "5 7")
    resigned = plain.replace('"target"', '"resigned"')
    assert loads(resigned)[0].termination is Termination.RESIGNED
    assert "the tags say * (resigned)" in refusal(resigned.replace("0-1", "*"))
    called_off = plain.replace('"target"', '"called-off"')
    assert "the tags say 0-1 (called-off)" in refusal(called_off)
    assert loads(called_off.replace("0-1", "*"))[0].termination is Termination.CALLED_OFF


def test_a_huge_text_is_refused_with_a_short_message() -> None:
    for text in ("x" * 10**6, "[" * 10**6, f'[Game "{"x" * 10**6}"]', f'[{"A" * 10**5} ""]'):
        assert len(refusal(text)) < 400
    assert len(refusal(GOOD.replace("Ann", "A" * 10**6).replace("5 7 6", "5 7 7"))) < 400
    assert len(refusal(GOOD.replace("5 7 6", "5" * 10**6))) < 400


def loads_or_refuses(text: str) -> None:
    """A text is a record, or refused in one manner and with words that can be shown."""
    try:
        message = ""
        read = loads(text)
    except InvalidRecordError as error:
        message = str(error)
    assert message.isprintable()
    assert message or loads(dumps(read)) == read


@law
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_random_text_is_refused_and_nothing_else(text: str) -> None:
    loads_or_refuses(text)


pieces = (
    st.text('[]"\\ \n\t-*0159LRx', max_size=6)
    | st.text(max_size=3)
    | st.sampled_from(
        ['[Game "pool"]\n', '[Limit "3"]\n', '[Ends "both"]\n', '"\\ud800"', "\\u0000", "9" * 300]
    )
)


@law
@given(st.lists(records(), min_size=1, max_size=2).map(dumps) | st.just(GOOD), st.data())
def test_damaged_records_are_read_or_refused(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, min(len(text), start + 30)))
        text = text[:start] + data.draw(pieces) + text[stop:]
    loads_or_refuses(text)


# --- Files. ---


def test_a_record_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(GOOD.encode())
    assert read_records(path) == loads(GOOD)
    path.write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert read_records(path) == loads(GOOD)


@short_law
@given(match=st.lists(records(), min_size=1, max_size=2))
def test_any_record_comes_back_from_a_file(
    tmp_path_factory: pytest.TempPathFactory, match: list[Record]
) -> None:
    path = tmp_path_factory.getbasetemp() / "match.txt"
    path.write_bytes(dumps(match).encode("utf-8"))
    assert read_records(path) == match


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "game.txt is not a game record: there is no game in it"),
        (b"Hello.\n", "game.txt is not a game record: line 1: 'Hello.' comes before the tags"),
        (GOOD[:70].encode(), "game.txt is not a game record: line 5: "),
        (GOOD.encode() + b"1", "game.txt is not a game record: the game at line 1: move 4"),
    ],
    ids=["empty", "other text", "cut short", "a move too many"],
)
def test_a_file_that_is_no_record_is_refused_by_name(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    with pytest.raises(InvalidRecordError) as caught:
        read_records(path)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x80\xff\x00", "it is not a text file in UTF-8."),
        (b"[Game \x00]", "it is not a text file in UTF-8."),
        (GOOD.encode("utf-16"), "it is not a text file in UTF-8."),
        (b" " * (LARGEST_FILE + 1), "it is larger than 10,000,000 bytes."),
        (None, "No such file or directory."),
    ],
    ids=["garbage", "NUL", "UTF-16", "huge", "missing"],
)
def test_a_file_that_cannot_be_read_is_refused_by_name(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "game.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StorageError) as caught:
        read_records(path)
    assert str(caught.value) == f"cannot read {str(path)!r}: {reason}"


def test_a_folder_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Is a directory"):
        read_records(tmp_path)


def test_a_game_of_too_many_moves_is_refused_before_it_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = dumps([Record(find_ruleset("pool"), moves=(Move(5), Move(2)))])
    assert len(loads(text, most_moves=2)) == 1
    monkeypatch.setattr("digitduel.position.Position.play", None)
    with pytest.raises(InvalidRecordError, match="it has 2 moves: at most 1 can be read here"):
        loads(text, most_moves=1)
