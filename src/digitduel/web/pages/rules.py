"""The rules of each game, also with changed ones."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse

from digitduel.describe import cautions, changed_rules, goal, rules_in_words, rulings, tips
from digitduel.errors import InvalidRulesetError
from digitduel.ruleset import find_ruleset
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
    try:
        find_ruleset(key)
    except InvalidRulesetError as error:
        raise HTTPException(404, str(error)) from None
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
