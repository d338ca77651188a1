"""The atlas: pictures, a table to sort, and the ladder of each row, which starts a game."""

from functools import cache, lru_cache
from typing import Annotated, Any, NamedTuple

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
from digitduel.atlas.reading import RUNGS, in_words, rungs
from digitduel.describe import changed_rules
from digitduel.fields import format_field
from digitduel.ruleset import Ruleset, find_ruleset, split_name
from digitduel.text import did_you_mean, percent, quoted
from digitduel.web.pages.addresses import setup_address
from digitduel.web.pages.new_game import Text
from digitduel.web.pages.rendering import fragment

router = APIRouter(prefix="/atlas")

UP, DOWN = "up", "down"
MOST_PAGES = 64


class Column(NamedTuple):
    """A column of the table: what it is called, and what that means."""

    name: str
    heading: str
    meaning: str


COLUMNS = (
    Column("target", "Target", "the number to be divisible by"),
    Column("value", "Best play", "who wins, in how many moves, and whether a recipe does it"),
    Column("first_1", "Casual", "the starter's chance between two casual players"),
    Column("first_2", "Careful", "the starter's chance between two careful players"),
    Column("step_2", "2 against 1", "how often seeing 2 moves ahead beats seeing 1"),
    Column("step_3", "3 against 2", "how often seeing 3 moves ahead beats seeing 2"),
    Column("step_4", "4 against 3", "how often seeing 4 moves ahead beats seeing 3"),
    Column("target_3", "Hits", "how often the target decides, if both see 3 moves ahead"),
    Column("sums", "Sums", "how hard they are, from 1 to 5"),
    Column("depth", "Depth", "players of whom each beats the one before in 6 games of 10"),
    Column("forced", "Forced", "moves of careful players with at most one that is safe"),
    Column("careful_length", "Length", "moves to expect between careful players"),
    Column("appeal", "Appeal", "how well it suits people, from 0 to 100"),
)
NAMES = tuple(column.name for column in COLUMNS)
# What the table can be sorted by besides: what a name such as second_3 means.
FAMILIES = {
    "first": "the starter's chance, if both see {} moves ahead",
    "second": "the other's chance, if both see {} moves ahead",
    "step": "how often seeing {} moves ahead beats seeing one fewer",
    "target": "how often the target decides, if both see {} moves ahead",
}
TOP = Column("step_top", "Best against 6", "how often best play beats seeing 6 moves ahead")
# Between two who see equally far; such games may never end.
EQUALS = ("first", "second", "target")
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
    key = _known(split_name(view.game)[0] or atlas_keys()[0])
    sort = ALIASES.get(view.sort, view.sort)
    target = _known_target(key, view.target) if view.target else None
    sortable = sort if sort in (*NAMES, *RUNGS) else "appeal"
    return HTMLResponse(_atlas(key, target, sortable, UP if view.order == UP else DOWN))


@lru_cache(MOST_PAGES)
def _atlas(key: str, target: int | None, sort: str, order: str) -> str:
    """The page of one game in one order; none of them ever changes."""
    swept = _swept(key)
    columns = shown_columns(sort)
    rows = sorted_rows(list(_rows(key).values()), sort, order)
    return fragment(
        "atlas.html",
        games=[find_ruleset(key) for key in atlas_keys()],
        ruleset=swept,
        changed=changed_rules(swept),
        recommended=_recommended(key),
        chosen=None if target is None else _chosen(swept, _rows(key)[target]),
        columns=columns,
        sort=sort,
        order=order,
        opposite={UP: DOWN, DOWN: UP}[order],
        rows=[(row["target"], [cell(row, column.name) for column in columns[1:]]) for row in rows],
    )


@cache
def _rows(key: str) -> dict[int, dict[str, Any]]:
    """The rows of a game by their targets, as they are shipped."""
    return {row["target"]: row for row in atlas_rows(key)}


def _swept(key: str) -> Ruleset:
    return find_ruleset(key).replace(**atlas_rules(key))


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
        "rungs": [rung.cells for rung in rungs(row)],
        "rules": {name: format_field(name, getattr(ruleset, name)) for name in ruleset.changed},
    }


@router.get("/{key}.svg")
def picture(key: str, dark: bool = False) -> Response:
    """The picture of a game's sweep."""
    drawn = atlas_plot(_known(key)).read_text("utf-8")
    shown = in_the_dark(drawn) if dark else drawn
    return Response(shown, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


def _known(key: str) -> str:
    if key not in atlas_keys():
        raise HTTPException(
            404, f"there is no map of {quoted(key)}: {did_you_mean(key, atlas_keys())}"
        )
    return key


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


def shown_columns(sort: str) -> tuple[Column, ...]:
    """The columns of the table, with the one that it is sorted by.

    >>> shown_columns("second_5")[-1].meaning
    "the other's chance, if both see 5 moves ahead"
    """
    if sort in NAMES:
        return COLUMNS
    if sort == TOP.name:
        return (*COLUMNS, TOP)
    kind, _, sight = sort.partition("_")
    return (*COLUMNS, Column(sort, f"{kind.title()} {sight}", FAMILIES[kind].format(sight)))


def sorted_rows(rows: list[dict[str, Any]], sort: str, order: str) -> list[dict[str, Any]]:
    """The rows in order; where a figure is missing, last."""
    known = [row for row in rows if figure(row, sort) is not None]
    known.sort(key=lambda row: _rank(row, sort), reverse=order == DOWN)
    return known + [row for row in rows if figure(row, sort) is None]


def _rank(row: dict[str, Any], sort: str) -> tuple[Any, ...]:
    return (row["value"], row["plies"] or 0) if sort == "value" else (row[sort],)


def figure(row: dict[str, Any], name: str) -> Any:
    """A figure of a row; None for the chances of games that never end."""
    kind, _, sight = name.partition("_")
    of_equals = kind in EQUALS and sight
    return None if of_equals and not row[f"first_{sight}"] + row[f"second_{sight}"] else row[name]


def cell(row: dict[str, Any], name: str) -> str:
    """The same as people read it.

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
