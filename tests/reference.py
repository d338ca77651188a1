"""The rules once more, the slow way: digit strings, int() and divmod, and no remainder kept.

Written from the rulings alone, to be compared with the engine. It reads the parameters of a
rule set and nothing that the engine works out from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel import Ruleset

ENDS: tuple[str | None, ...] = (None, "L", "R")


class Result(NamedTuple):
    """Why a game is over, and who won: 'first' or 'second'."""

    reason: str
    winner: str


class PlainGame(NamedTuple):
    """A game as the list of numbers that its moves have made."""

    rules: Ruleset
    numbers: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        return self.numbers[-1] if self.numbers else ""

    @property
    def turn(self) -> str:
        return ("first", "second")[len(self.numbers) % 2]

    def after(self, digit: int, end: str | None) -> PlainGame | None:
        """The game after a move, or None if it is not allowed."""
        if self.result() is not None or digit not in self.rules.digits:
            return None
        if self.rules.uses is not None and self.number.count(str(digit)) >= self.rules.uses:
            return None
        if self.rules.ends == "both":
            side = end
        elif self.rules.ends == "left":
            side = None if end == "R" else "L"
        else:
            side = None if end == "L" else "R"
        if side is None:
            return None
        number = f"{digit}{self.number}" if side == "L" else f"{self.number}{digit}"
        if number[0] == "0" and not self.rules.leading_zero:
            return None
        return PlainGame(self.rules, (*self.numbers, number))

    def moves(self) -> list[str]:
        """The moves allowed, as R10 writes them."""
        return [name for name, _ in self._continuations()]

    def _continuations(self) -> Iterator[tuple[str, PlainGame]]:
        ends = ENDS[:1]
        if self.rules.ends == "both":
            ends = ENDS[1:] if self.number else ENDS[2:]
        for digit in range(10):
            for end in ends:
                after = self.after(digit, end)
                if after is not None:
                    yield f"{digit}{end or ''}", after

    def result(self) -> Result | None:
        """How the game ended, or None while it goes on."""
        if not self.numbers:
            return None
        mover, other = ("second", "first") if self.turn == "first" else ("first", "second")
        if self.spoiled():
            return Result("forbidden", other)
        if divides(self.rules.target, self.number):
            return Result("target", mover)
        if self._full():
            if self.rules.full == "last-loses":
                return Result("full", other)
            last, before = (self._gap(number) for number in (self.numbers[-1], self.numbers[-2]))
            return Result("closest", mover if last < before else other)
        if not self._has_safe_reply():
            return Result("stuck", mover)
        return None

    def spoiled(self) -> bool:
        """Whether a forbidden divisor divides the number."""
        return any(divides(divisor, self.number) for divisor in self.rules.forbidden)

    def _full(self) -> bool:
        rules, length = self.rules, len(self.number)
        used_up = rules.uses is not None and length == rules.uses * len(rules.digits)
        return used_up or length == rules.limit

    def _gap(self, number: str) -> int:
        value, target = int(number), self.rules.target
        below = value // target * target
        return min(value - below, below + target - value)

    def _has_safe_reply(self) -> bool:
        replies = []
        for digit in self.rules.digits:
            if self.rules.uses is not None and self.number.count(str(digit)) == self.rules.uses:
                continue
            if self.rules.ends in ("right", "both"):
                replies.append(f"{self.number}{digit}")
            if self.rules.ends in ("left", "both"):
                replies.append(f"{digit}{self.number}")
        if not self.rules.leading_zero:
            replies = [number for number in replies if number[0] != "0"]
        return any(not PlainGame(self.rules, (number,)).spoiled() for number in replies)

    def lines(self, depth: int) -> int:
        """How many lines of exactly this many moves there are."""
        if depth == 0:
            return 1
        return sum(after.lines(depth - 1) for _, after in self._continuations())


def divides(divisor: int, number: str) -> bool:
    return divmod(int(number), divisor)[1] == 0
