"""Positions as addresses, both ways: the game, the rules that differ, the moves, the ply."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from digitduel.errors import DigitDuelError, InvalidRulesetError
from digitduel.fields import format_field
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_keys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.position import Move


def rules_query(ruleset: Ruleset) -> dict[str, str]:
    """The rules that were changed about a game that ships, as text.

    >>> rules_query(find_ruleset("pool").replace(target=12))
    {'target': '12'}
    """
    return {name: format_field(name, getattr(ruleset, name)) for name in ruleset.changed}


def analysis_address(
    ruleset: Ruleset,
    moves: Iterable[Move],
    ply: int | None = None,
    why: Move | None = None,
    page: str = "/analysis",
) -> str:
    """The whole position as an address.

    >>> from digitduel import Move
    >>> analysis_address(find_ruleset("pool").replace(target=12), [Move(5), Move(2)], ply=1)
    '/analysis?game=pool&target=12&moves=5+2&ply=1'
    """
    query = {"game": ruleset.key, **rules_query(ruleset), "moves": " ".join(map(str, moves))}
    query |= {"ply": "" if ply is None else str(ply), "why": str(why or "")}
    return f"{page}?{urlencode({name: text for name, text in query.items() if text})}"


def rules_address(ruleset: Ruleset) -> str:
    """The page that explains these rules.

    >>> rules_address(find_ruleset("pool"))
    '/rules/pool'
    """
    query = urlencode(rules_query(ruleset))
    return f"/rules/{ruleset.key}" + (f"?{query}" if query else "")


def setup_address(ruleset: Ruleset) -> str:
    """The start page with these rules chosen."""
    return f"/?{urlencode({'game': ruleset.key, **rules_query(ruleset)})}#setup"


def shipped(ruleset: Ruleset) -> Ruleset:
    """The same rules under the name of a shipped game: only those have an address.

    A record may hold a game of somebody's own; all its rules are in the parameters.
    """
    if ruleset.key in ruleset_keys():
        return ruleset
    for key in ruleset_keys():
        try:
            return find_ruleset(key).replace(**ruleset.rules)
        except DigitDuelError:
            continue
    raise InvalidRulesetError(f"the rules of {ruleset.key} cannot be shown here.")
