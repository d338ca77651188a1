"""What makes a move good or bad, as people say it: each principle is verified before it is said."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from digitduel.describe import LONGEST_SPOKEN
from digitduel.teach.patterns import either_end
from digitduel.text import listed, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from digitduel.position import Move, Position

MOST_NAMED = 4  # moves that are named one by one where a number would do


class Principle(Enum):
    """What a reason rests on."""

    ENDS_IT = "ends it"  # the move ends the game
    GIVES_A_WIN = "gives a win"  # the reply wins at once
    NOTHING_FINISHES = "nothing finishes"  # no reply makes a multiple
    EVERY_REPLY_LOSES = "every reply loses"  # at once
    EVERY_REPLY_GIVES = "every reply gives a win"  # there is an answer that wins at once
    TWO_THREATS = "two threats"  # there are at least two such answers to every reply
    FEW_HOLD_OUT = "few hold out"  # the other replies lose, or give a win at once
    RULE = "one rule"  # answers every reply
    REMAINDERS = "remainders"  # to leave: each right answer is known by them
    HOLD_OUT = "hold out"  # nobody comes to a multiple: what counts is who fills the number
    EVERY_MOVE_LOSES = "every move loses"
    TRAP = "trap"  # the most replies that throw the win away
    RECIPE = "recipe"  # what wins every game of this setting from one seat
    CARD = "card"  # the move leaves a remainder of the setting's pocket card


class Advice(NamedTuple):
    """What helps in every game of a setting; whoever asks for a reason may know it."""

    recipe: str | None = None  # a sentence without its full stop
    card: tuple[int, ...] = ()  # remainders that are good to leave


class Said(NamedTuple):
    """A clause and the principles it states; none where it only names answers."""

    text: str
    principles: tuple[Principle, ...] = ()

    def as_sentence(self) -> Said:
        """The same with a capital and a full stop."""
        return self._replace(text=f"{sentence(self.text)}.")


def nothing_finishes(position: Position) -> Iterator[Said]:
    """That no move makes a multiple of the target, with what they leave where they are few."""
    target, moves = position.ruleset.target, position.legal_moves
    left = [position.residue_after(move) % target for move in moves]
    if not all(left) or position.winning_moves:
        return
    number = position.number if len(position.number) <= LONGEST_SPOKEN else "the number"
    if len(moves) == 1:
        words = f"{moves[0]} does not finish {number}: it leaves {left[0]}"
    elif len(moves) <= MOST_NAMED:
        named = ", ".join(map(str, moves))
        words = f"none of the digits left ({named}) finishes {number}: they leave {listed(left)}"
    else:
        words = f"none of the {len(moves)} replies makes a multiple of {target}"
    yield Said(words, (Principle.NOTHING_FINISHES,))


def subject(moves: Iterable[Move], verb: str) -> str:
    """Moves and what they do; the verb is given for one.

    >>> from digitduel import Move
    >>> subject([Move(3)], "wins"), subject([Move(3), Move(5)], "wins")
    ('3 wins', '3 and 5 win')
    """
    named = either_end(moves)
    return f"{listed(named)} {verb if len(named) == 1 else verb.removesuffix('s')}"
