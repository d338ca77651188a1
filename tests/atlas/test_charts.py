"""The ladder of a setting, as people read it: in figures, in words and as a picture."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from digitduel.atlas import COLUMNS
from digitduel.atlas.charts import ladder_chart
from digitduel.atlas.reading import BEST, PEOPLE, RUNGS, fairness, in_words, rungs

SVG = "{http://www.w3.org/2000/svg}"


def row(**changes: Any) -> dict[str, Any]:
    """A setting as deep as can be, and fair."""
    chances = dict.fromkeys((name for name in COLUMNS if name in RUNGS), 0.5)
    steps = {name: 0.61 + 0.05 * place for place, name in enumerate(RUNGS[-7:])}
    solved = {"value": "win", "plies": 7, "winning_first_moves": 1}
    lengths = {"casual_length": 5.04, "careful_length": 8.0}
    rest = {"depth": 8, "only_moves": 0.3, "forced": 0.2, "sums": 2, "recipe": None, "appeal": 0.43}
    return {**solved, **chances, **steps, **lengths, **rest, **changes}


def endless(*sights: int) -> dict[str, float]:
    """What is measured where games between two of some sights never end."""
    kinds = ("first", "second", "target")
    return {f"{kind}_{sight}": 0.0 for kind in kinds for sight in sights}


# --- In figures. ---


def test_the_ladder_has_the_columns_of_the_measures() -> None:
    assert set(RUNGS) <= set(COLUMNS)
    ladder = rungs(row(first_3=0.25, second_3=0.75, target_3=0.1))
    assert [rung.short for rung in ladder] == [*"0123456", "best"]
    assert ladder[3].cells == ("3", "71.0%", "25.0%", "75.0%", "10.0%")
    assert ladder[0].cells == ("0 random", "", "50.0%", "50.0%", "50.0%")
    assert ladder[-1].cells == (BEST, "91.0%", "", "", "")


def test_games_that_never_end_have_no_chances() -> None:
    ladder = rungs(row(**endless(2)))
    assert ladder[2].cells == ("2 careful", "66.0%", "-", "-", "-")
    assert ladder[3].first == 0.5


def test_what_is_not_certain_is_not_called_so() -> None:
    (_, step, first, second, _) = rungs(row(step_3=0.99999, first_3=1.0, second_3=0.0001))[3].cells
    assert (step, first, second) == ("99.9%", "100.0%", "0.1%")


# --- In words. ---


def test_a_setting_in_words() -> None:
    said = in_words(row())
    assert said["Best play"] == "the starter wins in 7 moves, with 1 first move"
    assert said["Length"] == "5.0 moves between casual players, 8.0 between careful ones"
    assert said["Depth"].startswith("8 players")
    assert said["Forced"].startswith("at 20.0% of the moves")
    assert said["Sums"] == "2 of 5, quite easy"
    assert said["Recipe"].startswith("none was found")
    assert said["Appeal"] == "43 of 100"


def test_a_setting_that_may_never_end_in_words() -> None:
    nothing = dict.fromkeys(("plies", "casual_length", "careful_length", "forced"))
    said = in_words(row(value="endless", winning_first_moves=0, depth=1, **nothing, **endless(2)))
    assert said["Best play"] == "neither can force an end"
    assert said["Length"] == "such games may never end"
    assert said["Depth"] == "1: nobody beats another in 6 games of 10"
    assert "Forced" not in said


def test_a_recipe_is_told() -> None:
    said = in_words(row(value="loss", winning_first_moves=0, recipe="the second player copies"))
    assert said["Best play"] == "the other wins in 7 moves"
    assert said["Recipe"] == "the second player copies"


@pytest.mark.parametrize("sight", PEOPLE)
def test_fair_is_only_said_where_all_people_find_it_so(sight: int) -> None:
    assert in_words(row())["Between equals"].startswith("fair to 1%,")
    near = row(**{f"first_{sight}": 0.5701, f"second_{sight}": 0.4299})
    assert in_words(near)["Between equals"].startswith("fair to 8%,")
    far = row(**{f"first_{sight}": 0.98, f"second_{sight}": 0.02})
    assert in_words(far)["Between equals"].startswith("the starter wins 50% to 98%,")
    never = in_words(row(**endless(sight)))["Between equals"]
    assert never.startswith("the starter wins 50%,")
    assert never.endswith(f"with {sight} it never ends")


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("sight", PEOPLE)
def test_a_round_is_fair_only_if_it_is_from_both_seats(seat: str, sight: int) -> None:
    for chance, said in ((0.5, "1"), (0.4999, "1"), (0.4299, "8"), (0.6, "10")):
        assert fairness(row(**{f"{seat}_{sight}": chance})) == f"fair to {said}%"
    assert fairness(row(**{f"{seat}_{sight}": 0.3999})) == "fair over two rounds"
    assert fairness(row(**endless(sight))) == "fair over two rounds"


def test_where_no_game_of_people_ends_nobody_is_said_to_win() -> None:
    said = in_words(row(**endless(*PEOPLE)))["Between equals"]
    assert said == "it never ends, both seeing 1, 2, 3 or 4 moves ahead"


# --- As a picture. ---


def drawn(measured: dict[str, Any], name: str = "this setting") -> ElementTree.Element:
    return ElementTree.fromstring(ladder_chart(measured, name))  # noqa: S314  # our own


def group(picture: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [each for part in picture.iter() if part.get("class") == kind for each in part]


def test_the_picture_says_the_figures_and_what_they_are_of() -> None:
    picture = drawn(row(step_3=0.123, first_4=0.345, target_5=0.678, step_top=0.987), "5 < 6")
    assert picture.findtext(f"{SVG}title") == "The ladder of 5 < 6"
    figures = [each.text for each in picture.iter(f"{SVG}text")]
    assert {"12%", "34%", "68%", "99%"} <= set(figures)
    assert {"0", "1", "6", "random", "casual", "careful", "best", "50%", "fair"} <= set(figures)
    steps, starter, target = (picture.findtext(f"{SVG}desc") or "").split(". ")[1:]
    assert "3 against 2 careful 12%" in steps
    assert "best play against 6 99%" in steps
    assert "4 34%" in starter
    assert "5 68%" in target


def test_the_picture_is_the_same_each_time() -> None:
    assert ladder_chart(row()) == ladder_chart(row())
    assert ladder_chart(row()) != ladder_chart(row(step_2=0.7))


def test_bars_grow_from_what_pays_nothing_up_and_down() -> None:
    bars = group(drawn(row(step_1=0.5, step_2=0.9, step_3=0.45)), "bars")
    assert len(bars) == 7
    tall = [float(bar.get("height", "")) for bar in bars]
    assert tall[0] == 0
    assert tall[1] == pytest.approx(8 * tall[2], abs=0.5)
    assert float(bars[1].get("y", "")) < float(bars[2].get("y", ""))


def test_where_games_never_end_nothing_is_drawn() -> None:
    whole, broken = drawn(row()), drawn(row(**endless(2, 3)))
    assert len(group(whole, "marks")) == 14
    assert len(group(broken, "marks")) == 10
    (first, _) = group(broken, "line")
    assert (first.get("d") or "").count("L") == 3  # from 0 to 1, and from 4 to 6
    assert "-" in [each.text for each in broken.iter(f"{SVG}text")]
    alone = drawn(row(**endless(1, 2, 3, 4, 5, 6)))
    assert group(alone, "line") == []


def test_a_page_gives_it_its_own_colours() -> None:
    """The policy of the pages allows no style inside."""
    assert "style" not in ladder_chart(row())
