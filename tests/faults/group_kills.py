"""kill -9 of the web server while so many play that their changes share commits.

The same is asked for as in `web_kills`: what was acknowledged is there, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults import web_kills

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.campaign import Campaign

PLAYERS = 64


def run(campaign: Campaign, folder: Path) -> None:
    """Kill and restart until the budget is used up."""
    web_kills.run(campaign, folder, ("friend", "device") * (PLAYERS // 2), most_pause=1.0)
