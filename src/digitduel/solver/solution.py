"""Solving a rule set exactly, and asking the solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from digitduel.errors import DigitDuelError, TooLargeError
from digitduel.position import Position
from digitduel.ruleset import as_ruleset
from digitduel.solver.evaluation import ENDLESS, LOSSES, WINS, Evaluation, Evaluator, state_key
from digitduel.solver.size import (
    LAYOUTS,
    MEMORY,
    estimate,
    refuse_if_too_large,
    size_in_words,
    table_estimate,
)
from digitduel.text import as_html, did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from digitduel.ruleset import Ruleset
    from digitduel.solver.size import Estimate


class Layout(Protocol):
    """One way to arrange the scores."""

    bound: int

    def __init__(self, ruleset: Ruleset, bound: int) -> None: ...
    @property
    def bytes(self) -> int: ...
    def solve(self, report: Callable[[float], object]) -> None: ...
    def reader(self) -> Callable[[Position], int]: ...


class Solution(Evaluator):
    """What every position of a rule set is worth, exactly; `solve` makes one.

    `layout` holds the scores, and `size` says what they take.

    >>> from digitduel import Move, Position, find_ruleset
    >>> start = Position(find_ruleset("pool").replace(target=12))
    >>> solution = solve(start.ruleset)
    >>> solution.probe(start)
    Evaluation(value=<Value.WIN: 'win'>, plies=7)
    >>> [str(move) for move in solution.best_moves(start)]
    ['6']
    """

    exact = True

    def __init__(self, ruleset: Ruleset, layout: Layout, size: Estimate) -> None:
        super().__init__(ruleset)
        self.layout, self.states = size.layout, size.states
        self.bytes = layout.bytes
        self._read, self._bound = layout.reader(), layout.bound
        self._grows = ruleset.capacity is not None

    def probe(self, position: Position) -> Evaluation:
        """What a position is worth; InvalidPositionError if finished or of other rules."""
        if position.ruleset is not self._same or position.ending is not None:
            self._check(position)
        score = self._read(position)
        # Where numbers fill up a score tells the length at the end, otherwise the plies to it.
        length = len(position.number) if self._grows else 0
        if score > 0:
            return WINS[self._bound - score - length]
        return LOSSES[self._bound + score - length] if score else ENDLESS

    def __repr__(self) -> str:
        start, rules = self.probe(Position(self.ruleset)), self.ruleset
        value = start.value.value + (f" in {start.plies}" if start.plies else "")
        size = f"{self.layout}, {self.states:,} states"
        return f"<Solution of {rules.key} {rules.target}: {value}; {size}>"

    def _repr_html_(self) -> str:
        values = self.move_values(Position(self.ruleset))
        rows = {str(move): f"{v.value.value}, {v.plies or 'no end'}" for move, v in values.items()}
        return as_html(repr(self), rows)

    def walk(self) -> Iterator[tuple[Position, Evaluation]]:
        """Every state that a game can reach while it goes on, once, and what it is worth.

        Shorter numbers come first. Positions that share `state_key` are one state: the first
        that is met stands for it. From there `position.legal_moves` and `.play` lead on.
        """
        start = Position(self.ruleset)
        seen, layer = {state_key(start)}, [start]
        while layer:
            after = []
            for position in layer:
                yield position, self.probe(position)
                for move in position.legal_moves:
                    child = position.play(move)
                    key = state_key(child)
                    if child.ending is None and key not in seen:
                        seen.add(key)
                        after.append(child)
            layer = after


def solve(
    ruleset: Ruleset | str,
    *,
    memory: int = MEMORY,
    progress: Callable[[float], object] | None = None,
    layout: str | None = None,
) -> Solution:
    """Solve a rule set, or a shipped one by its key; `evaluator_for` keeps solutions.

    TooLargeError if it would take more than `memory` bytes. `progress` is called now and then
    with a fraction from 0 to 1. `layout` names one ("table", "tree", "sparse") to be used instead
    of the quickest; the values are the same.
    """
    ruleset = as_ruleset(ruleset)
    if layout is not None and layout not in LAYOUTS:
        hint = did_you_mean(layout, LAYOUTS)
        raise DigitDuelError(f"there is no layout {quoted(layout)}: {hint}")
    size = LAYOUTS[layout](ruleset) if layout else estimate(ruleset, memory=memory)
    refuse_if_too_large(ruleset, size, memory)
    try:
        return _solved(ruleset, size, memory, progress or (lambda _: None))
    except MemoryError:
        raise TooLargeError(
            f"the memory of this machine, or what a process may have of it, is not enough: "
            f"{size_in_words(ruleset, size)}."
        ) from None


def _solved(
    ruleset: Ruleset, size: Estimate, memory: int, report: Callable[[float], object]
) -> Solution:
    # Imported here, because whoever solves nothing need not wait for numpy.
    from digitduel.solver.sparse import SparseLayout
    from digitduel.solver.table import TableLayout
    from digitduel.solver.tree import TreeLayout
    from digitduel.states.vectors import keep_memory

    keep_memory()
    if ruleset.capacity is None:
        return Solution(ruleset, _solve_endless(ruleset, memory, report), size)

    layouts: dict[str, type[Layout]]
    layouts = {"table": TableLayout, "tree": TreeLayout, "sparse": SparseLayout}
    scores = layouts[size.layout](ruleset, ruleset.capacity + 1)
    scores.solve(report)
    return Solution(ruleset, scores, size)


def _solve_endless(
    ruleset: Ruleset, memory: int, report: Callable[[float], object], width: int = 1
) -> Layout:
    """Solve with scores of one byte, and of more until the longest way to an end fits."""
    from digitduel.solver.table import TableLayout

    refuse_if_too_large(ruleset, table_estimate(ruleset, width), memory)
    table = TableLayout(ruleset, 2 ** (8 * width - 1) - 1)
    table.solve(report)
    if not table.overflows():
        return table
    del table  # before a larger one is made
    return _solve_endless(ruleset, memory, report, 2 * width)
