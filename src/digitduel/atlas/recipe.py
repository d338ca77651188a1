"""A recipe: a rule that a child can follow, what it answers, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from digitduel.errors import IllegalMoveError
from digitduel.position import Move

# How an end is said, the simplest first.
ENDS = {
    "same": "at the same end",
    "other": "on the other end",
    "right": "on the right",
    "left": "on the left",
}
# What either seat does.
VERBS = {
    "first": {
        "copy": "copies the digit",
        "digit": "always plays {}",
        "sum": "always makes pairs that add up to {}",
        "answer": "answers {} with {}",
        "put": "puts {}",
    },
    "second": {
        "copy": "copying the digit",
        "digit": "always playing {}",
        "sum": "making pairs that add up to {}",
        "answer": "answering {} with {}",
        "put": "putting {}",
    },
}


class AnswerRule(NamedTuple):
    """Which digit is the answer to a digit, and where it goes."""

    kind: str  # "copy", "digit" (always this number) or "sum" (pairs add up to this number)
    number: int = 0
    end: str | None = None  # a key of ENDS; None where only one end is open

    def answer(self, last: Move) -> Move:
        """The answer to a move, whether it is allowed or not.

        >>> str(AnswerRule("sum", 7, "other").answer(Move(5, "R")))
        '2L'
        """
        digit = self.number
        if self.kind != "digit":
            digit = last.digit if self.kind == "copy" else digit - last.digit
        there, across = ("L", "R") if last.end == "L" else ("R", "L")
        ends = {"same": there, "other": across, "right": "R", "left": "L"}
        return Move(digit, ends[self.end] if self.end else None)


class AnswerException(NamedTuple):
    """The one digit that is answered in another way."""

    digit: int
    rule: AnswerRule  # of kind "digit"


@dataclass(frozen=True)
class Recipe:
    """A rule that wins every game from one seat.

    >>> recipe = Recipe(Move(5), AnswerRule("sum", 10))
    >>> recipe.text
    'the starter plays 5, then always makes pairs that add up to 10'
    >>> str(recipe.answer()), str(recipe.answer(Move(3)))
    ('5', '7')
    """

    first: Move | None  # None if the seat is the second player's
    rule: AnswerRule | None  # None if the first move has won
    exception: AnswerException | None = None

    @property
    def seat(self) -> str:
        """Who wins by it: "first" or "second"."""
        return "first" if self.first else "second"

    def answer(self, last: Move | None = None) -> Move:
        """The move to make: the first one, or the answer to the opponent's last.

        Moves are as `legal_moves` writes them: a first digit is put on the right.
        """
        if last is None and self.first is not None:
            return self.first
        if last is None or self.rule is None:
            raise IllegalMoveError(f"there is no move to make here: {self.text}.")
        if self.exception is not None and self.exception.digit == last.digit:
            return self.exception.rule.answer(last)
        return self.rule.answer(last)

    @property
    def text(self) -> str:
        """The recipe in a sentence without its full stop."""
        if self.first is None:
            return f"the second player wins by {self._habit()}"
        habit = f", then {self._habit()}" if self.rule else " and has won"
        return f"the starter plays {self.first.digit}{habit}"

    @property
    def sentence(self) -> str:
        """The recipe in a sentence of its own."""
        return f"{self.text[0].upper()}{self.text[1:]}."

    def to_json(self) -> dict[str, str]:
        """The recipe as programs are told it."""
        return {"seat": self.seat, "text": self.text}

    def _habit(self) -> str:
        """What is done after every move of the opponent's."""
        rule, verbs = self.rule or AnswerRule("copy"), VERBS[self.seat]
        habit = _placed(verbs[rule.kind].format(rule.number), rule.end)
        if self.exception is not None:
            digit, (_, answer, end) = self.exception
            verb = "put" if rule.kind == "copy" and digit == answer else "answer"
            habit += f", but {_placed(verbs[verb].format(_a(digit), _a(answer)), end)}"
        return f"{habit} (a first digit counts as put on the right)" if self._opens() else habit

    def _opens(self) -> bool:
        """Whether it matters to which end the first digit of all is thought to have gone."""
        if self.first is not None:
            return False
        ways = [[self.answer(Move(digit, end)) for end in "LR"] for digit in range(10)]
        # A copy makes the same number at either end.
        return any(a != b and a.digit != digit for digit, (a, b) in enumerate(ways))


def _a(digit: int) -> str:
    return f"an {digit}" if digit == 8 else f"a {digit}"


def _placed(action: str, end: str | None) -> str:
    return f"{action} {ENDS[end]}" if end else action
