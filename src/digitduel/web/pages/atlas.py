"""The atlas: pictures, a table to sort, and the ladder of each row, which starts a game."""

from functools import cache, lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel

from digitduel.atlas import (
    atlas_keys,
    atlas_plot,
    atlas_rows,
    atlas_rules,
    cards_in_words,
    recommendations,
)
from digitduel.atlas.charts import ladder_chart
from digitduel.atlas.measures import ALIASES
from digitduel.atlas.plots import in_the_dark
from digitduel.atlas.reading import LADDER, RUNGS, Heading, figure, heading, in_words, rungs
from digitduel.describe import changed_rules
from digitduel.errors import InvalidRulesetError
from digitduel.fields import format_field
from digitduel.ruleset import Ruleset, find_ruleset, split_name
from digitduel.text import did_you_mean, percent, quoted
from digitduel.web.pages.addresses import analysis_address, setup_address
from digitduel.web.pages.new_game import Text
from digitduel.web.pages.rendering import fragment

router = APIRouter(prefix="/atlas")

UP, DOWN = "up", "down"
MOST_PAGES = 64


NAMES = (
    *("target", "value", "first_1", "first_2", "step_2", "step_3", "step_4", "target_3"),
    *("sums", "depth", "forced", "careful_length", "appeal"),
)
# What is shown otherwise here than elsewhere.
MEANINGS = {
    "value": "who wins, in how many moves, and whether a recipe does it",
    "appeal": "how well it suits people, from 0 to 100",
}
WHOLE = ("target", "sums", "depth")
WORDS = {"win": "starter", "loss": "other", "endless": "neither"}


class View(BaseModel):
    """What is looked at: a game, one of its targets perhaps, and the order of its table."""

    game: Text = ""
    target: Text = ""
    sort: Text = "appeal"
    order: Text = DOWN


@router.get("")
def atlas(view: Annotated[View, Query()]) -> HTMLResponse:
    """The settings of one game: recommended, drawn, and in a table; one of them in full."""
    name = _known(view.game or atlas_keys()[0])
    sort = ALIASES.get(view.sort, view.sort)
    target = _known_target(split_name(name)[0], view.target) if view.target else _swept_target(name)
    sortable = sort if sort in (*NAMES, *RUNGS) else "appeal"
    return HTMLResponse(_atlas(name, target, sortable, UP if view.order == UP else DOWN))


@lru_cache(MOST_PAGES)
def _atlas(name: str, target: int | None, sort: str, order: str) -> str:
    """The page of a game or its setting in one order; none of them ever changes."""
    key, setting = split_name(name)
    swept = _swept(key)
    columns = shown_columns(sort)
    rows = sorted_rows(list(_rows(key).values()), sort, order)
    return fragment(
        "atlas.html",
        games=[find_ruleset(key) for key in atlas_keys()],
        ruleset=swept,
        changed=changed_rules(swept),
        name=name,
        recommended=sorted(_recommended(key), key=lambda shown: shown[0].name != setting),
        chosen=None if target is None else _chosen(swept, _rows(key)[target]),
        columns=columns,
        ladder=LADDER,
        sort=sort,
        order=order,
        opposite={UP: DOWN, DOWN: UP}[order],
        rows=[(row["target"], [cell(row, name) for name in list(columns)[1:]]) for row in rows],
    )


@cache
def _rows(key: str) -> dict[int, dict[str, Any]]:
    """The rows of a game by their targets, as they are shipped."""
    return {row["target"]: row for row in atlas_rows(key)}


def _swept(key: str) -> Ruleset:
    return find_ruleset(key).replace(**atlas_rules(key))


def _swept_target(name: str) -> int | None:
    """The target of a setting that is a row of the table."""
    (key, setting), ruleset = split_name(name), find_ruleset(name)
    is_row = setting is not None and _swept(key).replace(target=ruleset.target) == ruleset
    return ruleset.target if is_row and ruleset.target in _rows(key) else None


@cache
def _recommended(key: str) -> list[tuple[Any, str, str, str]]:
    """The recommended settings, each with the address that starts it, its ladder and its card."""
    found = []
    for offer in recommendations(key):
        chart = ladder_chart(vars(offer.measures), offer.words)
        best = cards_in_words(offer.cards)[-1]
        found.append((offer, setup_address(offer.ruleset), chart, best))
    return found


def _chosen(swept: Ruleset, row: dict[str, Any]) -> dict[str, Any]:
    """What is shown of one setting."""
    ruleset = swept.replace(target=row["target"])
    words = in_words(row)
    del words["Recipe"]  # shown by itself
    return {
        "target": row["target"],
        "chart": ladder_chart(row, f"target {row['target']}"),
        "words": words,
        "recipe": row["recipe"],
        "analysis": analysis_address(ruleset, []),
        "rungs": [rung.cells for rung in rungs(row)],
        "rules": {name: format_field(name, getattr(ruleset, name)) for name in ruleset.changed},
    }


@router.get("/{key}.svg")
def picture(key: str, dark: bool = False) -> Response:
    """The picture of a game's sweep."""
    drawn = atlas_plot(_known(key)).read_text("utf-8")
    shown = in_the_dark(drawn) if dark else drawn
    return Response(shown, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


def _known(name: str) -> str:
    """The name of a game or of its setting, if there is a map of it."""
    key = split_name(name)[0]
    if key not in atlas_keys():
        raise HTTPException(
            404, f"there is no map of {quoted(key)}: {did_you_mean(key, atlas_keys())}"
        )
    try:
        find_ruleset(name)
    except InvalidRulesetError as error:
        raise HTTPException(404, str(error)) from None
    return name


def _known_target(key: str, text: str) -> int:
    known = {str(target): target for target in _rows(key)}
    if text not in known:
        raise HTTPException(
            404,
            f"the map of {key} has no target {quoted(text)}, only {min(_rows(key))} "
            f"to {max(_rows(key))}.",
        )
    return known[text]


# --- The table. ---


def shown_columns(sort: str) -> dict[str, Heading]:
    """The columns of the table, with the one that it is sorted by.

    >>> shown_columns("second_5")["second_5"].meaning
    "the other's chance, if both see 5 moves ahead"
    """
    columns = {name: heading(name) for name in (*NAMES, sort)}
    return columns | {
        name: columns[name]._replace(meaning=meaning) for name, meaning in MEANINGS.items()
    }


def sorted_rows(rows: list[dict[str, Any]], sort: str, order: str) -> list[dict[str, Any]]:
    """The rows in order; where a figure is missing, last."""
    known = [row for row in rows if figure(row, sort) is not None]
    known.sort(key=lambda row: _rank(row, sort), reverse=order == DOWN)
    return known + [row for row in rows if figure(row, sort) is None]


def _rank(row: dict[str, Any], sort: str) -> tuple[Any, ...]:
    return (row["value"], row["plies"] or 0) if sort == "value" else (row[sort],)


def cell(row: dict[str, Any], name: str) -> str:
    """A figure of a row as people read it.

    >>> row = {"value": "loss", "plies": 2, "recipe": "copy", "first_2": 0, "second_2": 0}
    >>> cell(row, "value"), cell(row, "first_2"), cell({"step_3": 0.5536}, "step_3")
    ('other, 2, by recipe', '-', '55.4%')
    """
    shown = figure(row, name)
    if name == "value":
        return _best_play(row)
    if name == "appeal":
        return f"{100 * shown:.0f}"
    if name == "careful_length":
        return "no end" if shown is None else f"{shown:.1f}"
    return str(shown) if name in WHOLE else percent(shown)


def _best_play(row: dict[str, Any]) -> str:
    plies = row["plies"]
    parts = [WORDS[row["value"]], str(plies) if plies else "", "by recipe" if row["recipe"] else ""]
    return ", ".join(filter(None, parts))
