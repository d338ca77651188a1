"""Finding one rule that answers every reply.

Copy the digit, always the same one, a fixed sum, or a few remainders that are good to leave.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from digitduel.position import Move

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


FEWEST_REPLIES = 2
DECIDED = "the digit"  # what a rule is said of whose answers end the game
MOST_REMAINDERS = 4  # that anybody keeps in mind


class Pattern(NamedTuple):
    """A rule that gives a best answer to every reply."""

    words: str
    answers: dict[Move, Move]


def find_pattern(
    options: Mapping[Move, Sequence[Move]], digit: str = "the next digit"
) -> Pattern | None:
    """The simplest rule that gives one of the best answers to every reply, if there is one.

    Unless the answer decides the game, the rule is only said of "the next digit": what answers
    that one need not answer those to come. `digit` is what to say otherwise.

    >>> from digitduel import Move
    >>> find_pattern({Move(d): [Move(d), Move(9)] for d in (1, 2, 3)}, DECIDED).words
    'copy the digit'
    >>> find_pattern({Move(d): [Move(7 - d)] for d in (1, 2, 3)}).words
    'answer the next digit so that the two add up to 7'
    """
    if len(options) < FEWEST_REPLIES:
        return None
    every = "every digit" if digit == DECIDED else digit
    if all(reply in best for reply, best in options.items()):
        one_ended = all(reply.end is None for reply in options)
        words = f"copy {digit}" if one_ended else f"copy {digit} at the same end"
        return Pattern(words, {reply: reply for reply in options})
    common = set.intersection(*(set(best) for best in options.values()))
    if common:
        same = min(common, key=str)
        return Pattern(f"answer {every} with {same}", dict.fromkeys(options, same))
    sums = set.intersection(*(_sums(reply, best) for reply, best in options.items()))
    if sums:
        total = min(sums)
        answers = {reply: Move(total - reply.digit, reply.end) for reply in options}
        return Pattern(f"answer {every} so that the two add up to {total}", answers)
    return None


def _sums(reply: Move, best: Sequence[Move]) -> set[int]:
    """What reply and answer can add up to, if the answer goes to the same end."""
    return {reply.digit + answer.digit for answer in best if answer.end == reply.end}


def grouped(options: Mapping[Move, Sequence[Move]]) -> dict[Move, list[Move]]:
    """The replies by the answer to them, in order, with as few answers as greed finds."""
    open_replies = dict(options)
    groups: dict[Move, list[Move]] = {}
    while open_replies:
        served = Counter(answer for best in open_replies.values() for answer in best)
        answer = max(served, key=lambda move: (served[move], str(move)))
        groups[answer] = [reply for reply, best in open_replies.items() if answer in best]
        open_replies = {r: best for r, best in open_replies.items() if answer not in best}
    places = {reply: place for place, reply in enumerate(options)}
    return dict(sorted(groups.items(), key=lambda group: places[group[1][0]]))


def find_remainders(
    good: Collection[set[int]], bad: Collection[set[int]]
) -> tuple[int, ...] | None:
    """A few remainders such that leaving one of them is always possible and never wrong.

    For each reply `good` holds the remainders that right answers leave, `bad` those of wrong ones.

    >>> find_remainders([{3, 5}, {5, 6}, {5, 6}], [{1}, {5}, set()])
    (3, 6)
    """
    wrong = set[int]().union(*bad)
    unserved, found = [left - wrong for left in good], list[int]()
    while unserved:
        served = Counter(left for each in unserved for left in each)
        if not all(unserved) or len(found) == MOST_REMAINDERS:
            return None
        found.append(max(served, key=lambda left: (served[left], -left)))
        unserved = [each for each in unserved if found[-1] not in each]
    return tuple(sorted(found))


def either_end(moves: Iterable[Move]) -> list[Move]:
    """Moves as people list them: a digit that can go to either end needs no side.

    >>> from digitduel import Move
    >>> [str(move) for move in either_end([Move(3, "L"), Move(3, "R"), Move(5, "R")])]
    ['3', '5R']
    """
    given = list(moves)
    both = {move.digit for move in given if move.end == "L"} & {
        m.digit for m in given if m.end == "R"
    }
    joined = (Move(move.digit) if move.digit in both else move for move in given)
    return list(dict.fromkeys(joined))
