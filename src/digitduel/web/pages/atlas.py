"""The atlas: pictures, a table to sort, and rows that start a game."""

from functools import cache
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel

from digitduel.atlas import atlas_keys, atlas_plot, atlas_rows, atlas_rules, recommendations
from digitduel.atlas.plots import in_the_dark
from digitduel.describe import changed_rules
from digitduel.fields import format_field
from digitduel.ruleset import find_ruleset, split_name
from digitduel.text import did_you_mean, quoted
from digitduel.web.pages.addresses import setup_address
from digitduel.web.pages.new_game import Text
from digitduel.web.pages.rendering import fragment

router = APIRouter(prefix="/atlas")

UP, DOWN = "up", "down"


class Column(NamedTuple):
    """A column of the table: what it is called, and what that means."""

    name: str
    heading: str
    meaning: str


COLUMNS = (
    Column("target", "Target", "the number to be divisible by"),
    Column("value", "Best play", "who wins, and in how many moves"),
    Column("winning_first_moves", "Winning starts", "first moves that win"),
    Column("casual_first", "Casual", "the starter's chance between two casual players"),
    Column("careful_first", "Careful", "the starter's chance between two careful players"),
    Column("casual_length", "Length", "moves to expect between casual players"),
    Column("casual_skill", "Skill, casual", "a perfect player's chance against a casual one"),
    Column("careful_skill", "Skill, careful", "a perfect player's chance against a careful one"),
    Column("appeal", "Appeal", "fair, rewards skill, of good length: from 0 to 100"),
)
NAMES = tuple(column.name for column in COLUMNS)
CHANCES = ("casual_first", "careful_first", "casual_skill", "careful_skill")
WORDS = {"win": "starter", "loss": "other", "endless": "neither"}


class View(BaseModel):
    """What is looked at: a game, and the order of its table."""

    game: Text = ""
    sort: Text = "appeal"
    order: Text = DOWN


@router.get("")
def atlas(view: Annotated[View, Query()]) -> HTMLResponse:
    """The settings of one game: recommended, drawn, and in a table."""
    key = _known(split_name(view.game)[0] or atlas_keys()[0])
    sort = view.sort if view.sort in NAMES else "appeal"
    return HTMLResponse(_atlas(key, sort, UP if view.order == UP else DOWN))


@cache
def _atlas(key: str, sort: str, order: str) -> str:
    """The page of one game in one order: there are not many, and none changes."""
    swept = find_ruleset(key).replace(**atlas_rules(key))
    return fragment(
        "atlas.html",
        games=[find_ruleset(key) for key in atlas_keys()],
        ruleset=swept,
        changed=changed_rules(swept),
        rules={name: format_field(name, getattr(swept, name)) for name in atlas_rules(key)},
        recommended=[(setting, setup_address(setting.ruleset)) for setting in recommendations(key)],
        columns=COLUMNS,
        sort=sort,
        order=order,
        opposite={UP: DOWN, DOWN: UP}[order],
        rows=[(row["target"], cells(row)) for row in sorted_rows(atlas_rows(key), sort, order)],
    )


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


def sorted_rows(rows: list[dict[str, Any]], sort: str, order: str) -> list[dict[str, Any]]:
    """The rows in order; where a figure is missing, last."""
    known = [row for row in rows if row[sort] is not None]
    known.sort(key=lambda row: _rank(row, sort), reverse=order == DOWN)
    return known + [row for row in rows if row[sort] is None]


def _rank(row: dict[str, Any], sort: str) -> tuple[Any, ...]:
    return (row["value"], row["plies"] or 0) if sort == "value" else (row[sort],)


def cells(row: dict[str, Any]) -> list[str]:
    """A row as people read it, without its target.

    >>> row = dict.fromkeys((*NAMES, "casual_second", "careful_second"), 0.5)
    >>> cells(row | {"value": "win", "plies": 7, "winning_first_moves": 1, "casual_length": 6.04})
    ['starter, 7', '1', '50.0%', '50.0%', '6.0', '50.0%', '50.0%', '50']
    """
    plies, length = row["plies"], row["casual_length"]
    ends = {
        kind: row[f"{kind}_first"] + row[f"{kind}_second"] > 0 for kind in ("casual", "careful")
    }
    shown = {
        **{name: f"{row[name]:.1%}" if ends[name.split("_")[0]] else "-" for name in CHANCES},
        "value": WORDS[row["value"]] + (f", {plies}" if plies else ""),
        "winning_first_moves": str(row["winning_first_moves"]),
        "casual_length": "no end" if length is None else f"{length:.1f}",
        "appeal": f"{100 * row['appeal']:.0f}",
    }
    return [shown[name] for name in NAMES[1:]]
