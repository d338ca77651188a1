"""Whether a side could still win: what decides a round when the other's time is up."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from digitduel.position import Position, Side

# More are not looked at, which takes a tenth of a second; then it counts as a chance.
MOST_POSITIONS = 10_000


def can_win(position: Position, side: Side, within: int | None = None) -> bool:
    """Whether some line of legal moves, `within` so many, ends with this side winning.

    Both may help: it is enough that it is possible.

    >>> from digitduel.position import Position, Side
    >>> from digitduel.ruleset import find_ruleset
    >>> last_but_one = Position(find_ruleset("pool").replace(target=10**9), "12345678")
    >>> can_win(last_but_one, Side.SECOND), can_win(last_but_one, Side.FIRST)
    (True, False)
    """
    if position.ending is not None:
        return position.ending.winner is side
    longest = None if within is None else len(position.number) + within
    seen, waiting = {_place(position)}, deque([position])
    while waiting:
        before = waiting.popleft()
        if len(before.number) == longest:
            break  # those that wait are as long
        for after in map(before.play, before.legal_moves):
            if after.ending is not None:
                if after.ending.winner is side:
                    return True
            elif (place := _place(after)) not in seen:
                seen.add(place)
                waiting.append(after)
        if len(seen) > MOST_POSITIONS:
            return True
    return False


def _place(position: Position) -> Hashable:
    """What tells a position from those that go on differently."""
    rules, (residue, worth, used), length = position.ruleset, position.state, len(position.number)
    return (
        residue,
        used,
        length if rules.capacity is not None else length % 2,
        None if rules.ends == "right" else worth,  # only a digit on the left depends on it
    )
