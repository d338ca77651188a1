"""A match: several rounds between two seats, one point a round."""

from __future__ import annotations

from dataclasses import dataclass, replace

from digitduel.errors import InvalidRulesetError
from digitduel.position import Side
from digitduel.text import counted, quoted

MOST_ROUNDS = 1_000
SEATS = (1, 2)


@dataclass(frozen=True)
class Match:
    """Seats are 1 and 2 for the whole match; `winners` has a seat or None for each round played.

    >>> match = Match(rounds=3, best_of=True).after(2).after(2)
    >>> match.score, match.over, match.champion
    ((0, 2), True, 2)
    """

    rounds: int = 1  # at most
    best_of: bool = False  # whether it stops when it is decided
    first: int = 1  # the seat that starts round 1
    alternate: bool = True  # whether the other starts the next round
    winners: tuple[int | None, ...] = ()

    def __post_init__(self) -> None:
        whole = isinstance(self.rounds, int) and not isinstance(self.rounds, bool)
        if not whole or not 1 <= self.rounds <= MOST_ROUNDS:
            raise InvalidRulesetError(
                f"{quoted(self.rounds)} rounds make no match: "
                f"give a whole number from 1 to {MOST_ROUNDS}."
            )
        if self.best_of and self.rounds % 2 == 0:
            raise InvalidRulesetError(
                f"best of {self.rounds} could end even: give an odd number, such as "
                f"{self.rounds - 1}."
            )
        if self.first not in SEATS:
            raise InvalidRulesetError(f"first = {quoted(self.first)} is no seat: give 1 or 2.")

    @property
    def round(self) -> int:
        """The number of the round being played, from 1 on."""
        return len(self.winners) + 1

    @property
    def starter(self) -> int:
        """The seat that starts the round being played."""
        swapped = self.alternate and len(self.winners) % 2 == 1
        return other_seat(self.first) if swapped else self.first

    @property
    def score(self) -> tuple[int, int]:
        """Points of seat 1 and of seat 2."""
        return self.winners.count(1), self.winners.count(2)

    @property
    def over(self) -> bool:
        """All rounds are played or, in a best of N, the lead cannot be caught up."""
        left = self.rounds - len(self.winners)
        one, two = self.score
        return left <= 0 or (self.best_of and abs(one - two) > left)

    @property
    def champion(self) -> int | None:
        """The seat that is ahead; None when they are level."""
        one, two = self.score
        return None if one == two else (1 if one > two else 2)

    def after(self, winner: int | None) -> Match:
        """The match with one more round played; `winner` is a seat, None if it was called off."""
        if self.over:
            raise InvalidRulesetError(
                f"the match is over after {counted(self.round - 1, 'round')}."
            )
        if winner is not None and winner not in SEATS:
            raise InvalidRulesetError(
                f"{quoted(winner)} cannot win a round: give 1, 2 or None for no winner."
            )
        return replace(self, winners=(*self.winners, winner))


def other_seat(seat: int) -> int:
    """The seat across the table."""
    return 3 - seat


def seat_of(side: Side, starter: int) -> int:
    """The seat of a side in a round that this seat started."""
    return starter if side is Side.FIRST else other_seat(starter)


def side_of(seat: int, starter: int) -> Side:
    """The side that a seat has in a round that seat `starter` started."""
    return Side.FIRST if seat == starter else Side.SECOND
