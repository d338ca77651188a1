"""The pages: HTML from the same service that feeds the API. Every page works by plain forms.

rendering.py  templates, and the page for an error
home.py       the games and their settings     new_game.py   what was chosen, checked
game.py       playing and watching             view.py       what one viewer sees of a game
joining.py    an invitation taken up           addresses.py  positions as addresses
rules.py      the rules of each game           atlas.py      its settings, measured
analysis.py   positions and games looked at
"""

from fastapi import APIRouter

from digitduel.web.pages import analysis, atlas, game, home, joining, rules
from digitduel.web.pages.rendering import error_page

__all__ = ["error_page", "router"]

router = APIRouter(include_in_schema=False)
for _part in (home, joining, game, analysis, rules, atlas):
    router.include_router(_part.router)
router.include_router(game.streams)
