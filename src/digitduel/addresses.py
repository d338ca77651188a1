"""Positions as addresses, both ways: the game, the rules that differ from it, and the moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from digitduel.errors import DigitDuelError, InvalidRulesetError
from digitduel.fields import RULES, format_field, parse_field
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_keys
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.moves import Move

GAME, MOVES = "game", "moves"
LONGEST_ADDRESS = 10_000


def rules_query(ruleset: Ruleset) -> dict[str, str]:
    """The rules that were changed about a game that ships, as text.

    >>> rules_query(find_ruleset("pool").replace(target=12))
    {'target': '12'}
    """
    return {name: format_field(name, getattr(ruleset, name)) for name in ruleset.changed}


def position_address(page: str, ruleset: Ruleset, moves: Iterable[Move], **more: str) -> str:
    """The whole position as an address of some page; what is empty of the rest is left out.

    >>> from digitduel import Move
    >>> position_address("/puzzle", find_ruleset("pool").replace(target=12), [Move(5), Move(2)])
    '/puzzle?game=pool&target=12&moves=5+2'
    """
    query = {GAME: ruleset.key, **rules_query(ruleset), MOVES: " ".join(map(str, moves)), **more}
    return f"{page}?{urlencode({name: text for name, text in query.items() if text})}"


def read_address(address: str) -> tuple[Ruleset, str]:
    """The rules and the moves that an address of any page and host names.

    >>> ruleset, moves = read_address("/puzzle?game=pool&target=12&moves=5+2")
    >>> ruleset.target, moves
    (12, '5 2')
    """
    if len(address) > LONGEST_ADDRESS:
        raise InvalidRulesetError(f"{quoted(address)} is too long for an address.")
    query = dict(parse_qsl(re.split("[?#]", address)[1] if "?" in address else address))
    key, moves = query.pop(GAME, None), query.pop(MOVES, "")
    if key is None:
        raise InvalidRulesetError(
            f"{quoted(address)} names no game: an address is written as "
            "/puzzle?game=pool&target=12&moves=5+2."
        )
    for name in query:
        if name not in RULES:
            raise InvalidRulesetError(
                f"{quoted(name)} in an address is no rule: {did_you_mean(name, RULES)}"
            )
    changes = {name: parse_field(name, text) for name, text in query.items()}
    return find_ruleset(key).replace(**changes), moves


def shipped(ruleset: Ruleset) -> Ruleset:
    """The same rules under the name of a shipped game: only those have an address.

    A record or a file may hold a game of somebody's own; all its rules are in the parameters.
    """
    for key in ruleset_keys():
        if ruleset.key == key and dict(ruleset.origin) == find_ruleset(key).values:
            return ruleset
    for key in ruleset_keys():
        try:
            return find_ruleset(key).replace(**ruleset.rules)
        except DigitDuelError:
            continue
    raise InvalidRulesetError(f"the rules of {ruleset.key} cannot be shown here.")
