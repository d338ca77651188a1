"""The addresses of pages about a position: how `digitduel.addresses` writes it, and the ply."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from digitduel.addresses import position_address, rules_query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.position import Move
    from digitduel.ruleset import Ruleset


def analysis_address(
    ruleset: Ruleset,
    moves: Iterable[Move],
    ply: int | None = None,
    why: Move | None = None,
    page: str = "/analysis",
) -> str:
    """The whole position as an address.

    >>> from digitduel import Move, find_ruleset
    >>> analysis_address(find_ruleset("pool").replace(target=12), [Move(5), Move(2)], ply=1)
    '/analysis?game=pool&target=12&moves=5+2&ply=1'
    """
    shown = "" if ply is None else str(ply)
    return position_address(page, ruleset, moves, ply=shown, why=str(why or ""))


def rules_address(ruleset: Ruleset) -> str:
    """The page that explains these rules.

    >>> from digitduel import find_ruleset
    >>> rules_address(find_ruleset("pool"))
    '/rules/pool'
    """
    query = urlencode(rules_query(ruleset))
    return f"/rules/{ruleset.key}" + (f"?{query}" if query else "")


def setup_address(ruleset: Ruleset) -> str:
    """The start page with these rules chosen."""
    return f"/?{urlencode({'game': ruleset.key, **rules_query(ruleset)})}#setup"
