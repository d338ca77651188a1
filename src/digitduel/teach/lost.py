"""Where every move loses: that it is so, the rule that beats them all, or the best trap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from digitduel.players import perfect_moves, ways_out
from digitduel.solver import Value
from digitduel.teach.patterns import DECIDED, find_pattern
from digitduel.teach.principles import MOST_NAMED, Principle, Said, subject
from digitduel.teach.replies import Replies
from digitduel.text import listed

if TYPE_CHECKING:
    from digitduel.position import Move, Position
    from digitduel.solver import Evaluation, Evaluator
    from digitduel.teach.patterns import Pattern


@dataclass(frozen=True)
class LostPosition:
    """A position in which some move loses, and perhaps all do."""

    position: Position
    evaluator: Evaluator

    @cached_property
    def pattern(self) -> Pattern | None:
        """The rule that beats every move, if there is one: it is worth more than one reply."""
        if not self._all_lose:
            return None
        options = Replies.to(self.position, self.evaluator).best
        decided = all(
            self.position.play(reply).play(best[0]).outcome() for reply, best in options.items()
        )
        return find_pattern(options, DECIDED) if decided else find_pattern(options)

    def said(self, after: Position, worth: Evaluation) -> list[Said]:
        """What there is to say of the move that led to `after`; nothing if another is better."""
        if not self._all_lose:
            return []
        if len(self._values) == 1:
            return [Said("There is no other move.", (Principle.EVERY_MOVE_LOSES,))]
        if self.pattern:
            text = f"Every digit loses here: the other can {self.pattern.words}."
            return [Said(text, (Principle.EVERY_MOVE_LOSES, Principle.RULE))]
        compared = self._compared(after, worth) if self.evaluator.exact else Said("")
        text = "; ".join(filter(None, ("Every move loses here", compared.text)))
        return [Said(f"{text}.", (Principle.EVERY_MOVE_LOSES, *compared.principles))]

    @cached_property
    def _values(self) -> dict[Move, Evaluation]:
        return self.evaluator.move_values(self.position)

    @cached_property
    def _all_lose(self) -> bool:
        return all(worth.value is Value.LOSS for worth in self._values.values())

    def _compared(self, after: Position, worth: Evaluation) -> Said:
        """How a move compares with the others: by time first, then by the replies that win."""
        best = perfect_moves(self.position, self.evaluator)
        longest = self._values[best[0]].plies
        if worth.plies != longest:
            return Said(f"{subject(best, 'holds')} out longer")
        out, fewest = (
            ways_out(position, self.evaluator) for position in (after, self.position.play(best[0]))
        )
        if len(out) > len(fewest):
            return Said(f"{subject(best, 'sets')} a better trap")
        longer = any(other.plies != longest for other in self._values.values())
        holds = ["holds out longest"] if longer else []
        if len(out) == len(after.legal_moves):
            return Said(f"this one {holds[0]}" if holds else "")
        does = " and ".join([*holds, "sets the best trap"])
        return Said(f"this one {does}: {_trap(out, len(after.legal_moves))}", (Principle.TRAP,))


def _trap(out: list[Move], replies: int) -> str:
    """How few of so many `replies` win."""
    if len(out) > MOST_NAMED:
        return f"{replies - len(out)} of the {replies} replies throw the win away"
    return f"of the {replies} replies only {listed(out)} {'wins' if len(out) == 1 else 'win'}"
