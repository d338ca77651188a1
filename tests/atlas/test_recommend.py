"""What ships with the package: made by the atlas, good enough to recommend, and still true."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from digitduel import InvalidRulesetError, Position, find_ruleset, read_ruleset, ruleset_keys
from digitduel.atlas import (
    COLUMNS,
    Recommendation,
    atlas_plot,
    atlas_rows,
    atlas_rules,
    choices,
    measure,
    offers,
    recommendations,
    shortcoming,
)
from digitduel.atlas.calibration import LEAST, MOST
from digitduel.atlas.contests import level_chances
from digitduel.atlas.measures import SOLVED
from digitduel.atlas.recipes import find_recipe
from digitduel.atlas.search import NAMES, candidates, choose, qualifies, reason
from digitduel.cli import main
from digitduel.cli.options import play_command
from tests.terminal import digitduel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from digitduel import Ruleset

ALL = recommendations()
OWN = """
key = "own"
title = "My Own"
goal = "Make a multiple of the target."
digits = "1-9"
target = 6
limit = 5
"""


@pytest.mark.parametrize("key", ruleset_keys())
def test_each_game_has_settings_worth_playing(key: str) -> None:
    names = [setting.name for setting in recommendations(key)]
    assert 1 <= len(names) <= 3
    assert names == [name for name in NAMES if name in names]
    assert ("easy" in names) == (shortcoming(key) is None)


@pytest.mark.parametrize("setting", ALL, ids=lambda each: each.full_name)
def test_what_is_recommended_is_a_game_for_people(setting: Recommendation) -> None:
    row = vars(setting.measures)
    steps, targets = ([row[f"{name}_{k}"] for k in (2, 3, 4)] for name in ("step", "target"))
    assert min(steps) > 0.55
    assert sum(steps) / 3 > 0.65
    assert sum(targets) / 3 > 0.15
    assert row["forced"] < 1 / 3
    assert find_recipe(setting.ruleset) is None
    assert row["sums"] <= (2 if setting.name == "easy" else 4)
    assert not setting.ruleset.warnings


@pytest.mark.parametrize("setting", ALL, ids=lambda each: each.full_name)
def test_levels_climb_evenly_where_it_is_recommended_to_play(setting: Recommendation) -> None:
    assert all(LEAST <= step <= MOST for step in level_chances(setting.ruleset).steps)


@pytest.mark.parametrize("setting", ALL, ids=lambda each: each.full_name)
def test_a_setting_is_found_by_its_full_name(setting: Recommendation) -> None:
    assert setting.full_name == f"{setting.ruleset.key}:{setting.name}"
    assert find_ruleset(setting.full_name) == setting.ruleset
    assert recommendations(setting.full_name) == [setting]
    assert setting.heading == f"{setting.name}: {setting.words}"


@pytest.mark.parametrize("key", ruleset_keys())
def test_the_rulebooks_setting_is_the_last_choice_and_says_what_it_is(key: str) -> None:
    *others, last = choices(find_ruleset(key))
    assert others == recommendations(key)
    assert last.ruleset == find_ruleset(key)
    assert last.reason == "the rulebook's; over on move 1"
    assert last.full_name == key
    assert last.heading == "target 7"


def assert_still_true(ruleset: Ruleset, shipped: Mapping[str, Any]) -> None:
    """What is decided exactly is equal; what is rounded agrees to the last digit but one."""
    measures = vars(measure(ruleset))
    for name in SOLVED:
        assert measures[name] == shipped[name], (name, shipped)
    for name in COLUMNS[len(SOLVED) :]:
        assert measures[name] == pytest.approx(shipped[name], rel=1e-8, abs=1e-9), (name, shipped)


@pytest.mark.parametrize("setting", ALL, ids=lambda each: each.full_name)
def test_what_is_recommended_is_still_true(setting: Recommendation) -> None:
    assert_still_true(setting.ruleset, vars(setting.measures))
    assert setting.reason == reason({"target": setting.ruleset.target, **vars(setting.measures)})


@pytest.mark.parametrize("key", ruleset_keys())
def test_a_sample_of_the_shipped_sweeps_is_still_true(key: str) -> None:
    rows = atlas_rows(key)
    ruleset = find_ruleset(key).replace(**atlas_rules(key))
    assert [row["target"] for row in rows] == list(range(ruleset.smallest_target, 201))
    for row in Random(key).sample(rows, 12):
        assert_still_true(ruleset.replace(target=row["target"]), row)


def test_every_shipped_game_has_a_picture() -> None:
    for key in ruleset_keys():
        assert atlas_plot(key).read_text("utf-8").startswith("<?xml")


def test_an_unknown_game_is_refused() -> None:
    for look_up in (recommendations, shortcoming, atlas_rows, atlas_plot):
        with pytest.raises(InvalidRulesetError, match="did you mean 'pool'"):
            look_up("poool")


def test_recommendations_need_no_numpy() -> None:
    code = (
        "import sys; from digitduel.cli import main; main(['recommend']);"
        "sys.exit(bool({'numpy', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


def test_the_command_names_each_setting_with_its_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["recommend"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for setting in ALL:
        assert setting.heading in said
        assert f"digitduel play {setting.ruleset.key} --setting {setting.name}" in said
        assert setting.reason in said


def test_the_commands_json_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recommend", "ends", "--json"]) == 0
    for entry in json.loads(capsys.readouterr().out):
        assert entry["game"] == "ends"
        assert set(entry["measures"]) == set(COLUMNS)
        ruleset = find_ruleset("ends").replace(**entry["changes"])
        assert ruleset == find_ruleset(f"ends:{entry['setting']}")
        assert main(["rules", *entry["command"].split()[2:]]) == 0
        assert str(ruleset.target) in capsys.readouterr().out
    assert main(["recommend", "poool"]) == 2


def test_a_game_of_ones_own_is_told_how_to_measure_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN, encoding="utf-8")
    assert main(["recommend", str(own)]) == 2
    assert f"digitduel atlas {own} --targets 2..100" in capsys.readouterr().err


def test_a_game_that_is_over_at_once_comes_with_a_better_setting(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN, encoding="utf-8")
    (offer,) = offers(read_ruleset(own))
    assert offers(offer.ruleset) == []
    assert offer.name is None
    assert play_command(offer) == f"digitduel play own --target {offer.ruleset.target}"
    assert offer.reason == "not over at once"
    assert not Position(offer.ruleset).winning_moves
    said = digitduel("play", str(own), "--p1", "random", "--p2", "random", home=tmp_path).stdout
    assert f"For a real game: the same with --target {offer.ruleset.target}" in said
    best = recommendations("conquest")[0]
    said = digitduel("play", "conquest", "--p1", "random", "--p2", "random", home=tmp_path).stdout
    assert f"digitduel play conquest --setting {best.name}" in said
    assert f"({best.reason})" in said


def test_the_documents_name_what_is_recommended() -> None:
    text = (Path(__file__).parents[2] / "docs" / "atlas.md").read_text("utf-8")
    named = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `digitduel")]
    assert named == [play_command(each) for each in ALL]


# --- The search. ---


def test_candidates_are_neither_other_games_nor_the_same_twice() -> None:
    pool = list(candidates(find_ruleset("pool")))
    assert {} in pool
    assert {"full": "closest"} not in pool  # that is another game
    assert {"limit": 7, "full": "closest"} not in pool  # so is that
    assert {"limit": 7} in list(candidates(find_ruleset("closest")))
    assert {"limit": 12} not in pool  # the pool is empty before that
    assert {"digits": "1-9"} not in pool
    assert {} not in list(candidates(find_ruleset("ends")))  # 0 wins at once


def row(**columns: Any) -> dict[str, Any]:
    sights = range(1, 7)
    usual = {
        **{f"{name}_{k}": 0.7 for name in ("step", "target") for k in sights},
        **{f"{seat}_{k}": 0.5 for seat in ("first", "second") for k in sights},
        "target": 20,
        "plies": 9,
        "forced": 0.1,
        "sums": 2,
        "appeal": 0.5,
    }
    return {**usual, **columns}


def test_what_lacks_one_thing_is_not_recommended() -> None:
    lacking: list[dict[str, Any]] = [
        *({"step_3": 0.5}, {"step_2": 0.56, "step_3": 0.56}, {"forced": 0.4}, {"forced": None}),
        *({"plies": 3}, {"plies": None}, {f"target_{k}": 0.1 for k in (2, 3, 4)}),
    ]
    assert qualifies(row())
    assert not any(qualifies(row(**columns)) for columns in lacking)
    assert choose([({}, row(**columns)) for columns in lacking] + [({}, row(appeal=0))]) == {}


def test_easy_has_easy_sums_and_sharp_goes_on_paying() -> None:
    hard, easy = row(sums=3, appeal=0.9, target=21), row(sums=2, appeal=0.3)
    deep, shallow = row(sums=4, target=27), row(sums=4, target=23, step_6=0.5)
    chosen = choose([({}, each) for each in (hard, easy, deep, shallow)])
    assert {name: setting[1] for name, setting in chosen.items()} == {
        "easy": easy,
        "classic": hard,
        "sharp": deep,
    }


def test_changes_must_be_worth_their_while_and_character_counts_twice() -> None:
    plain, limited, other = row(appeal=0.5), row(appeal=0.55), row(appeal=0.6)
    assert choose([({}, plain), ({"limit": 8}, limited)])["easy"][0] == {}
    assert choose([({"ends": "both"}, other), ({"limit": 8}, limited)])["easy"][0] == {"limit": 8}


def test_reasons_never_say_more_than_is_true() -> None:
    assert reason(row(**{f"first_{k}": 0.5 + 0.01 * k for k in range(1, 5)})) == (
        "fair to 4%, each step of looking ahead wins about 2 of 3, "
        "the target decides most games, sums with 20"
    )
    said = reason(row(first_4=0.2, target_2=0.2, target_3=0.3, target_4=0.2, step_2=0.9))
    assert said == (
        "fair over two rounds, each step of looking ahead wins 70 to 90%, "
        "the target decides every fourth game, sums with 20"
    )


def test_settings_for_two_levels_are_told_the_most_even_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["recommend", "pool", "--even", "6,3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["level"], told["other"]) == (3, 6)
    chances = [each["both"] for each in told["settings"]]
    assert chances == sorted(chances, key=lambda chance: abs(chance - 0.5))
    named = {f"{each['game']}:{each['setting']}" for each in told["settings"]}
    assert named == {each.full_name for each in recommendations("pool")}
    assert main(["recommend", "pool", "--even", "3,6"]) == 0
    assert "How often level 3 beats level 6" in capsys.readouterr().out
    for wrong in ("3", "0,9", "3,3", "a,b", ""):
        assert main(["recommend", "--even", wrong]) == 2
        assert "write it as 3,6" in capsys.readouterr().err
