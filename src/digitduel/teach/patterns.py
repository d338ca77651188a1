"""Finding one rule that answers every reply: copy the digit, always the same one, a fixed sum."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from digitduel.position import Move

FEWEST_REPLIES = 2


def find_pattern(options: Mapping[Move, Sequence[Move]], decides: bool) -> str | None:
    """A rule in words that gives a best answer to every reply, if there is one.

    Unless the answer decides the game, the rule is only said of the next digit: what answers that
    one need not answer those to come.

    >>> from digitduel import Move
    >>> find_pattern({Move(d): [Move(d), Move(9)] for d in (1, 2, 3)}, decides=True)
    'Copy the digit'
    >>> find_pattern({Move(d): [Move(7 - d)] for d in (1, 2, 3)}, decides=False)
    'Answer the next digit so that the two add up to 7'
    """
    if len(options) < FEWEST_REPLIES:
        return None
    digit, every = ("the digit", "every digit") if decides else ("the next digit",) * 2
    if all(reply in best for reply, best in options.items()):
        one_ended = all(reply.end is None for reply in options)
        return f"Copy {digit}" if one_ended else f"Copy {digit} at the same end"
    common = set.intersection(*(set(best) for best in options.values()))
    if common:
        return f"Answer {every} with {min(common, key=str)}"
    sums = set.intersection(*(_sums(reply, best) for reply, best in options.items()))
    if sums:
        return f"Answer {every} so that the two add up to {min(sums)}"
    return None


def _sums(reply: Move, best: Sequence[Move]) -> set[int]:
    """What reply and answer can add up to, if the answer goes to the same end."""
    return {reply.digit + answer.digit for answer in best if answer.end == reply.end}


def grouped(options: Mapping[Move, Sequence[Move]]) -> dict[Move, list[Move]]:
    """The replies by the answer to them, with as few different answers as greed finds."""
    open_replies = dict(options)
    groups: dict[Move, list[Move]] = {}
    while open_replies:
        served = Counter(answer for best in open_replies.values() for answer in best)
        answer = max(served, key=lambda move: (served[move], str(move)))
        groups[answer] = [reply for reply, best in open_replies.items() if answer in best]
        open_replies = {r: best for r, best in open_replies.items() if answer not in best}
    return groups
