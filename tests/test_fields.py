"""One descriptor per rule: all that people and programs need to change it follows from there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from digitduel import Game, Record, describe, find_ruleset
from digitduel.atlas.sweep import Axis, parse_axis
from digitduel.cli import main
from digitduel.cli.commands.play import command as play
from digitduel.cli.options import rule_flags
from digitduel.fields import RULES, format_field, parse_field
from digitduel.record import RULE_TAGS, dumps, loads
from digitduel.web.pages.new_game import Given, NewGameForm
from digitduel.web.pages.rendering import fragment

if TYPE_CHECKING:
    from pathlib import Path

# Beside each rule a value that no shipped game has.
OTHER_VALUES: dict[str, Any] = {
    "target": 97,
    "digits": (0, 2, 3, 4, 7),
    "uses": 3,
    "ends": "left",
    "forbidden": (4, 9),
    "limit": 7,
    "full": "closest",
    "leading_zero": False,
}
POOL = find_ruleset("pool")
pytestmark = pytest.mark.usefixtures("own_home")
every_rule = pytest.mark.parametrize("name", RULES)


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGITDUEL_HOME", str(tmp_path))


def changed(name: str) -> Any:
    return POOL.replace(**{name: OTHER_VALUES[name]})


@every_rule
def test_every_rule_has_a_flag_that_help_shows_and_that_changes_it(name: str) -> None:
    rule = RULES[name]
    shown = " ".join(CliRunner().invoke(play, ["--help"]).output.split())
    assert rule.help in shown
    assert all(flag in shown for flag in rule.flag.split("/"))
    flags = rule_flags(changed(name), [name])
    assert flags == rule.typed(OTHER_VALUES[name])
    told = CliRunner().invoke(play, [*("pool", "--p1", "random", "--p2", "random"), *flags.split()])
    if name != "target":  # the target is told by the game's own words
        assert f"Agreed rules: {rule.in_short(OTHER_VALUES[name])}" in told.output


@every_rule
def test_every_rule_has_a_record_tag_that_comes_back(name: str) -> None:
    rules = changed(name)
    text = dumps([Record.of(Game(rules))])
    [tag] = [tag for tag, field in RULE_TAGS.items() if field == name]
    assert f'[{tag} "{format_field(name, OTHER_VALUES[name])}"]' in text
    [record] = loads(text)
    assert record.ruleset == rules
    assert record.ruleset.changed == (name,)


@every_rule
def test_every_rule_has_a_form_field(name: str) -> None:
    text = format_field(name, OTHER_VALUES[name])
    given = Given(game="pool", **{name: text})
    assert given.ruleset() == changed(name)
    form = NewGameForm.read(given)
    assert form.texts[name] == text
    assert form.is_own is (name != "target")
    if name != "target":
        shown = fragment("_rule_fields.html", form=form, open_rules=True)
        field = shown.split(f'name="{name}"')[1].split("</p>")[0]
        chosen = f'value="{text}" selected' if RULES[name].kind.choices else f'value="{text}"'
        assert chosen in field


def test_flags_are_read_as_people_write_them(capsys: pytest.CaptureFixture[str]) -> None:
    for target, digits, forbidden in (("1,013", "135", "2 7"), ("1013", "1 3 5", "2, 7")):
        rules = ["--target", target, "--digits", digits, "--forbid", forbidden]
        assert main(["play", "pool", *rules, "--p1", "random", "--p2", "random"]) == 0
        shown = capsys.readouterr().out
        assert "digits 1,3,5" in shown
        assert "2 and 7 forbidden" in shown
        assert "1013" in shown


@every_rule
def test_the_form_calls_a_rule_what_errors_call_it(name: str) -> None:
    form = NewGameForm.read(Given(game="pool", **{name: "?"}))
    assert form.problem is not None
    called = form.problem.partition(" ")[0].replace("_", " ")
    assert RULES[name].label.lower().startswith(f"{called}: ")


@every_rule
def test_every_rule_says_what_may_be_written(name: str) -> None:
    rule = RULES[name]
    assert rule.help
    assert rule.kind.metavar or rule.kind.choices
    for text in rule.kind.choices:
        assert rule.kind.check(name, parse_field(name, text)) is not None


@pytest.mark.parametrize("name", [name for name in RULES if name != "target"])
def test_every_rule_besides_the_target_can_be_swept_over(name: str) -> None:
    text = format_field(name, OTHER_VALUES[name])
    assert parse_axis(f"{name}={text}") == Axis(name, (OTHER_VALUES[name],))
    spelling = RULES[name].flag.split("/")[0].removeprefix("--")
    assert parse_axis(f"{spelling}={text}").field == name
    if RULES[name].kind.is_whole:
        assert parse_axis(f"{name}=2..4") == Axis(name, range(2, 5))


@every_rule
def test_every_rule_has_a_short_form(name: str) -> None:
    shown = describe.setting(changed(name), [name])
    assert shown
    assert shown != describe.setting(POOL, [name])


@every_rule
def test_every_rule_is_in_the_json(name: str) -> None:
    value = changed(name).rules[name]
    assert POOL.replace(**{name: value}) == changed(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('extends = "pool"\nkey = "mine"', ["mine is fine: Divisor Duel.", "over on move 1"]),
        ('extends = "pool"\nkey = "mine"\ntarget = 12', ["not over on move 1", "unless target >="]),
        ('extends = "pool"\nkey = "mine"\ntarget = 20\ndigits = "1-3"', ["nobody can ever win"]),
    ],
)
def test_a_game_file_can_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, expected: list[str]
) -> None:
    (tmp_path / "mine.toml").write_text(text)
    assert main(["rules", str(tmp_path / "mine.toml"), "--check"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert all(words in shown for words in expected)


def test_a_game_file_that_is_none_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text('extends = "pool"\nkey = "mine"\ntarjet = 12')
    assert main(["rules", str(tmp_path / "mine.toml"), "--check"]) == 2
    assert "mine.toml: unknown key 'tarjet': did you mean 'target'?" in capsys.readouterr().err
    assert main(["rules", "pool", "--check", "--as-written"]) == 2


@pytest.mark.parametrize("space", ["", " ", "\t", "\x1c", "\x1f", "\u2003"])
def test_a_whole_number_may_stand_between_spaces_of_any_kind(space: str) -> None:
    assert parse_field("target", f"{space}12{space}") == 12
    assert parse_field("limit", f"{space}7") == 7
    text = dumps([Record(POOL.replace(target=12))])
    assert loads(text.replace('"12"', json.dumps(f"12{space}")))[0].ruleset.target == 12
