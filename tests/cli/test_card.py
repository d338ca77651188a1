"""`card` through the real entry point."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from digitduel import find_ruleset
from digitduel.atlas import Card, card_picture, cards_in_words
from digitduel.cli import main
from tests.terminal import digitduel

if TYPE_CHECKING:
    from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"
CONQUEST = ("conquest", "--target", "22", "--limit", "6", "--full", "closest")


def test_the_best_card_of_each_size_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["card", "pool", "--target", "12"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Leave 3: wins 54.6%" in said
    assert (
        "Leave 3, 6 or 9: wins 68.8% against a careful player "
        "(as starter 66.7%, as second 70.8%; without the card 50%)." in said
    )
    assert "or 9: wins" in said.rsplit("Leave", 1)[1], "a fourth remainder wins no more"


def test_it_fits_60_columns(tmp_path: Path) -> None:
    done = digitduel("card", *CONQUEST, home=tmp_path, env={"COLUMNS": "60"})
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 60


def test_json_has_the_best_of_each_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["card", *CONQUEST, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["game"] == "conquest"
    assert (found["rules"]["target"], found["rules"]["limit"]) == (22, 6)
    assert [len(card["remainders"]) for card in found["cards"]] == [1, 2, 3, 4]
    assert found["cards"][1] == {
        "remainders": [5, 16],
        "first": 1.0,
        "second": 0.9633333333,
        "average": 0.9816666667,
        "proved": True,
    }


def test_a_recipe_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["card", "conquest", "--target", "11"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("The second player wins by copying the digit.")


def test_a_card_is_drawn_and_nothing_written_over(tmp_path: Path) -> None:
    done = digitduel("card", *CONQUEST, "--svg", "card.svg", home=tmp_path)
    assert done.returncode == 0
    assert "Drawn to card.svg." in done.stdout
    written = (tmp_path / "card.svg").read_text("utf-8")
    again = digitduel("card", "pool", "--target", "12", "--svg", "card.svg", home=tmp_path)
    assert again.returncode == 1
    assert "is there already and is not written over" in again.stderr
    assert (tmp_path / "card.svg").read_text("utf-8") == written


def test_where_no_card_helps_none_is_drawn(tmp_path: Path) -> None:
    done = digitduel("card", "conquest", "--target", "13", "--svg", "card.svg", home=tmp_path)
    assert done.returncode == 2
    assert "No card of up to 4 remainders helps" in done.stdout
    assert "nothing is drawn to 'card.svg'" in done.stderr
    assert not (tmp_path / "card.svg").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("ends", "--target", "1000000007"), "would take 2,000,000,014,000 moves in memory"),
        (("poool",), "did you mean 'pool'?"),
        (("pool", "--target", "twelve"), "target"),
        (("pool", "--svg", ""), "names no file"),
        (("pool", "--svg", "no/such/card.svg"), "there is no folder"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    args: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    done = digitduel("card", *args, home=tmp_path)
    assert done.returncode in (1, 2)
    assert message in done.stderr


def test_a_picture_is_well_formed_and_says_all_of_it() -> None:
    ruleset = find_ruleset("pool").replace(target=12)
    picture = ElementTree.fromstring(  # noqa: S314  (our own)
        card_picture(ruleset, Card((3, 6, 9), 2 / 3, 17 / 24, 0.6875))
    )
    lines = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert lines[0] == ruleset.title
    assert lines[1] == "Target 12"
    assert lines[2].split() == ["3", "6", "9"]
    assert lines[-1] == "Wins 68.8% against a careful player"
    assert (picture.get("width"), picture.get("height")) == ("85.6mm", "54.0mm")


def test_what_was_not_proved_is_called_the_best_found() -> None:
    found = Card((24,), 0.31, 0.71, 0.512)
    assert "; the best found)" in cards_in_words([found])[0]
    assert "was found" in cards_in_words([Card((24,), 0.0, 1.0, 0.5)])[0]
    assert cards_in_words([]) == ["There is no card: this target leaves no remainder."]


def test_games_that_never_end_are_said_to_count_half() -> None:
    card = Card((11, 22), 1.0, 0.0, 0.75, proved=True)
    assert "a game that never ends counts half" in cards_in_words([card])[0]
