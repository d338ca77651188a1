"""What can follow a move: every reply to it, and what each answer to that is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from digitduel.position import Move, Termination
from digitduel.solver import Value, state_key

if TYPE_CHECKING:
    from digitduel.position import Position
    from digitduel.solver import Evaluation, Evaluator
    from digitduel.solver.evaluation import StateKey

MOST_STATES = 300  # looked through to see that nothing can be reached

Options = dict[Move, tuple[Move, ...]]  # for some replies, answers to each


@dataclass(frozen=True)
class Replies:
    """A position in which no reply wins at once, seen by whoever will answer the replies."""

    position: Position
    values: dict[Move, dict[Move, Evaluation]]  # for each reply each answer; none where it is over

    @classmethod
    def to(cls, position: Position, evaluator: Evaluator) -> Replies:
        """The replies to the move that led to a position, as far as `evaluator` knows them."""
        after = {reply: position.play(reply) for reply in position.legal_moves}
        return cls(
            position,
            {
                reply: {} if replied.outcome() else evaluator.move_values(replied)
                for reply, replied in after.items()
            },
        )

    @cached_property
    def ended(self) -> tuple[Move, ...]:
        """The replies that end the game, and lose it."""
        return tuple(reply for reply, answers in self.values.items() if not answers)

    @cached_property
    def best(self) -> Options:
        """The best answers to each reply that lets the game go on."""
        found = {}
        for reply, answers in self.values.items():
            if answers:
                most = max(worth.merit for worth in answers.values())
                found[reply] = tuple(a for a, worth in answers.items() if worth.merit == most)
        return found

    @cached_property
    def giving(self) -> Options:
        """The replies that give a win at once, with the answers that take it."""
        return {reply: best for reply, best in self.best.items() if self._wins(reply, best[0])}

    @cached_property
    def holding(self) -> Options:
        """The replies that neither lose nor give a win at once, with the best answers."""
        return {reply: best for reply, best in self.best.items() if reply not in self.giving}

    @cached_property
    def only_fill(self) -> bool:
        """Whether all that can still happen is that the number fills up without a multiple.

        False also where there is too much to look through.
        """
        if self.position.ruleset.capacity is None:
            return False
        seen: set[StateKey] = set()
        waiting = [self.position]
        while waiting and len(seen) <= MOST_STATES:
            here = waiting.pop()
            for after in map(here.play, here.legal_moves):
                if ending := after.outcome():
                    if ending.termination not in (Termination.FULL, Termination.CLOSEST):
                        return False
                elif (key := state_key(after)) not in seen:
                    seen.add(key)
                    waiting.append(after)
        return not waiting

    def _wins(self, reply: Move, answer: Move) -> bool:
        worth = self.values[reply][answer]
        return worth.value is Value.WIN and worth.plies == 1
