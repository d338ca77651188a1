"""The rules of each game, also with changed ones."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse

from digitduel.describe import cautions, changed_rules, goal, rules_in_words, rulings, tips
from digitduel.ruleset import ruleset_keys
from digitduel.text import quoted
from digitduel.web.pages.addresses import analysis_address, setup_address
from digitduel.web.pages.new_game import Given
from digitduel.web.pages.rendering import page

router = APIRouter(prefix="/rules")


@router.get("")
def overview() -> HTMLResponse:
    """All games."""
    return page("games.html")


@router.get("/{key}")
def rules(key: str, given: Annotated[Given, Query()]) -> HTMLResponse:
    """One game: its rules, what to know before playing, tips, and rulings."""
    if key not in ruleset_keys():
        raise HTTPException(404, f"there is no game called {quoted(key)}.")
    ruleset = given.model_copy(update={"game": key}).ruleset()
    return page(
        "rules.html",
        ruleset=ruleset,
        goal=goal(ruleset),
        changed=changed_rules(ruleset),
        sentences=rules_in_words(ruleset),
        cautions=cautions(ruleset),
        tips=tips(ruleset),
        rulings=rulings(ruleset),
        play=setup_address(ruleset),
        analysis=analysis_address(ruleset, []),
    )
