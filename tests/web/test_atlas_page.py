"""The page of the atlas: what it shows of a game, and of one of its settings."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from digitduel import find_ruleset, ruleset_keys
from digitduel.atlas import atlas_rows, atlas_rules, recommendations
from digitduel.atlas.charts import ladder_chart
from digitduel.atlas.measures import ALIASES
from digitduel.atlas.reading import RUNGS
from digitduel.fields import format_field
from digitduel.text import sentence
from digitduel.web.pages.addresses import analysis_address
from digitduel.web.pages.atlas import MOST_PAGES, NAMES, _atlas, cell

if TYPE_CHECKING:
    import httpx2 as httpx

    from digitduel.atlas import Recommendation


def asked(client: httpx.Client, query: str = "") -> str:
    """The page at an address."""
    answer = client.get(f"/atlas?{query}")
    assert answer.status_code == 200, query
    return answer.text


def targets(page: str) -> list[int]:
    return [int(text) for text in re.findall(r'aria-label="Target (\d+)"', page)]


@pytest.mark.parametrize("key", ruleset_keys())
def test_every_row_leads_to_its_ladder_in_the_same_order(client: httpx.Client, key: str) -> None:
    page = asked(client, f"game={key}&sort=step_3&order=up")
    assert sorted(targets(page)) == [row["target"] for row in atlas_rows(key)]
    address = f"/atlas?game={key}&amp;target=12&amp;sort=step_3&amp;order=up#setting"
    assert f'href="{address}"' in page
    chosen = asked(client, f"game={key}&target=12&sort=step_3&order=up")
    assert targets(chosen) == targets(page)
    (row,) = (row for row in atlas_rows(key) if row["target"] == 12)
    assert ladder_chart(row, "target 12") in chosen
    assert 'aria-label="Target 12" aria-current="true"' in chosen


@pytest.mark.parametrize("name", [*NAMES, *RUNGS])
def test_the_table_can_be_sorted_by_every_figure(client: httpx.Client, name: str) -> None:
    rows = {row["target"]: row for row in atlas_rows("pool")}
    page = asked(client, f"game=pool&sort={name}&order=up")
    assert page.count("aria-sort=") == 1
    if name != "value":
        figures = [rows[target][name] for target in targets(page)]
        assert figures == sorted(figures)
    assert f"<td>{cell(rows[12], name)}</td>" in page or name == "target"


def test_games_that_never_end_come_last(client: httpx.Client) -> None:
    rows = {row["target"]: row for row in atlas_rows("forbidden")}
    for order in ("up", "down"):
        page = asked(client, f"game=forbidden&sort=first_2&order={order}")
        shown = [cell(rows[target], "first_2") for target in targets(page)]
        assert shown.index("-") == len(rows) - shown.count("-") > 0


def test_names_from_before_still_sort(client: httpx.Client) -> None:
    for old, new in ALIASES.items():
        pages = [targets(asked(client, f"game=closest&sort={name}")) for name in (old, new)]
        assert pages[0] == pages[1]
    assert targets(asked(client, "sort=nonsense")) == targets(asked(client, "sort=appeal"))


@pytest.mark.parametrize("key", ruleset_keys())
def test_recommended_settings_come_with_their_ladders(client: httpx.Client, key: str) -> None:
    page = asked(client, f"game={key}")
    assert page.count('class="ladder"') == len(recommendations(key))
    for offer in recommendations(key):
        assert f"<span>{sentence(offer.reason)}</span>" in page


def test_a_setting_with_a_recipe_says_it(client: httpx.Client) -> None:
    rows = {bool(row["recipe"]): row for row in atlas_rows("conquest")}
    said = asked(client, f"game=conquest&target={rows[True]['target']}")
    assert f"</strong> {sentence(rows[True]['recipe'])}." in said
    assert "There is a recipe." not in asked(
        client, f"game=conquest&target={rows[False]['target']}"
    )


def test_a_setting_is_played_with_the_rules_it_was_measured_with(client: httpx.Client) -> None:
    page = asked(client, "game=ends&target=27")
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    measured = find_ruleset("ends").replace(**atlas_rules("ends"), target=27)
    changed = {name: format_field(name, getattr(measured, name)) for name in measured.changed}
    assert fields == {"game": "ends", **changed}


@pytest.mark.parametrize("offer", recommendations(), ids=lambda offer: offer.full_name)
def test_the_name_of_a_setting_leads_to_its_ladder(
    client: httpx.Client, offer: Recommendation
) -> None:
    page = asked(client, f"game={offer.full_name}")
    key, target = offer.ruleset.key, offer.ruleset.target
    swept = find_ruleset(key).replace(**atlas_rules(key), target=target)
    assert ('id="setting"' in page) == (swept == offer.ruleset)
    assert (f'aria-label="Target {target}" aria-current="true"' in page) == (swept == offer.ruleset)
    first = page.partition('<ul class="cards">')[2].partition("</li>")[0]
    assert sentence(offer.heading) in first
    assert f'href="/atlas?game={offer.full_name}&amp;' in page, "it can be sorted from there"


def test_a_setting_that_is_not_there_is_refused_in_words(client: httpx.Client) -> None:
    answer = client.get("/atlas?game=closest:nonsense")
    assert answer.status_code == 404
    assert "known are easy, classic and sharp" in answer.text
    assert client.get("/atlas?game=nonsense:easy").status_code == 404
    assert client.get("/atlas?game=:easy").status_code == 404
    assert client.get("/atlas/closest:nonsense.svg").status_code == 404


def test_a_setting_leads_to_its_analysis(client: httpx.Client) -> None:
    page = asked(client, "game=ends&target=27")
    (address,) = re.findall(r'<a href="([^"]+)">Analyse it</a>', page)
    measured = find_ruleset("ends").replace(**atlas_rules("ends"), target=27)
    assert unescape(address) == analysis_address(measured, [])


@pytest.mark.parametrize("text", ["0", "201", "x", "012", "\u0661\u0662", "9" * 200])
def test_a_target_that_is_not_there_is_refused_in_words(client: httpx.Client, text: str) -> None:
    answer = client.get("/atlas", params={"game": "pool", "target": text})
    assert answer.status_code == 404
    assert "only 2 to 200." in answer.text


def test_no_more_pages_are_kept_than_there_is_room_for(client: httpx.Client) -> None:
    for target in range(2, 2 + MOST_PAGES + 10):
        asked(client, f"game=pool&target={target}")
    assert _atlas.cache_info().currsize == MOST_PAGES
