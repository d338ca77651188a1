"""What can be said of a rule set too large to solve: a search that knows when to stop."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from digitduel.solver.evaluation import (
    LOSSES,
    UNKNOWN,
    WINS,
    Evaluation,
    Evaluator,
    StateKey,
    state_key,
)
from digitduel.states.endings import divides, grown, spoiled, stuck, wins_full
from digitduel.states.shape import COUNTLESS, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset

DEPTH = 60
# Moves that one search may try: about a fifth of a second.
MOVES = 120_000
RESIDUE = itemgetter(1)  # of what `Nodes.moves` gives


class SearchResult(NamedTuple):
    """What a search found. A score is n for a win in n plies, -n for a loss, 0 for neither."""

    depth: int
    score: int
    replies: dict[StateKey, int]


class Lookahead(Evaluator):
    """Sees forced results some plies ahead, and says `unknown` where it sees none.

    What it does see is exact: no win is quicker and no loss is slower. `note` says to people why
    there is no solution.

    >>> from digitduel import Position, find_ruleset
    >>> start = Position(find_ruleset("forbidden").replace(target=10**9 + 7))
    >>> Lookahead(start.ruleset, depth=3).probe(start)
    Evaluation(value=<Value.UNKNOWN: 'unknown'>, plies=None)
    """

    def __init__(
        self, ruleset: Ruleset, depth: int = DEPTH, moves: int = MOVES, note: str | None = None
    ) -> None:
        super().__init__(ruleset)
        self.depth, self.moves, self.note = depth, moves, note
        self._nodes = Nodes(ruleset)
        self._result = lru_cache(maxsize=64)(self._search)

    def probe(self, position: Position) -> Evaluation:
        """What is seen of a position; InvalidPositionError if finished or of other rules."""
        self._check(position)
        return _evaluation(self._result(self._nodes.of(position)).score)

    def sight(self, position: Position) -> int | None:
        """How many plies ahead a position was searched before the moves ran out."""
        self._check(position)
        return self._result(self._nodes.of(position)).depth

    def move_values(self, position: Position) -> dict[Move, Evaluation]:
        """What is seen of each legal move, for the player who makes it; plies count the move."""
        self._check(position)
        replies = self._result(self._nodes.of(position)).replies
        values = {}
        for move in position.legal_moves:
            child = position.play(move)
            seen = replies.get(self._nodes.of(child), 0)
            values[move] = self._after(child) if child.ending else _evaluation(seen).before()
        return values

    def _begin(self) -> _Search:
        """What a search begins with: so many moves to try, and nothing seen."""
        return _Search(self._nodes, self.moves)

    def _search(self, root: StateKey) -> SearchResult:
        """Look one ply deeper each time, as long as there are moves left to try."""
        search, result = self._begin(), SearchResult(0, 0, {})
        children = [reply for reply in self._nodes.replies(root) if isinstance(reply, StateKey)]
        for depth in range(1, self.depth + 1):
            try:
                score = search.score(root, depth)
                replies = {child: search.score(child, depth - 1) for child in children}
            except _OutOfMovesError:
                break
            result = SearchResult(depth, score, replies)
            # With every reply decided, looking deeper finds nothing new.
            if score and all(replies.values()):
                break
        return result


class FullLookahead(Lookahead):
    """Looks ahead to the end, where numbers fill up and states are few: exact without numpy.

    >>> from digitduel import Position, find_ruleset
    >>> start = Position(find_ruleset("pool").replace(target=12))
    >>> FullLookahead(start.ruleset).probe(start)
    Evaluation(value=<Value.WIN: 'win'>, plies=7)
    """

    exact = True

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset, depth=ruleset.capacity or 0)
        self._seen = _Search(self._nodes, moves=COUNTLESS)

    def sight(self, position: Position) -> None:
        """None: it sees to the end."""
        self._check(position)

    def _begin(self) -> _Search:
        """Each search goes on with what all before have seen."""
        return self._seen


class _OutOfMovesError(Exception):
    """A search has tried as many moves as it may."""


class _Search:
    """Finds results within a depth, and remembers what it has seen."""

    def __init__(self, nodes: Nodes, moves: int) -> None:
        self._nodes, self._moves = nodes, moves
        self._decided: dict[StateKey, int] = {}
        self._open: dict[StateKey, int] = {}  # up to which depth a node has no forced result
        self._children: dict[StateKey, list[StateKey]] = {}

    def score(self, node: StateKey, depth: int) -> int:
        """The exact score of a node if its game can be forced to end within the depth, or 0."""
        known = self._decided.get(node)
        if known is not None:
            return known if abs(known) <= depth else 0
        if self._open.get(node, 0) >= depth:
            return 0
        score = self._look(node, depth)
        if score:
            self._decided[node] = score
        else:
            self._open[node] = depth
        return score

    def _look(self, node: StateKey, depth: int) -> int:
        children = self._children.get(node)
        if children is None:
            children, effort = [], self._nodes.effort
            for reply in self._nodes.replies(node):
                self._moves -= effort
                if reply is True:
                    return 1
                if reply is not False:
                    children.append(reply)
            self._children[node] = children
        if self._moves < 0:
            raise _OutOfMovesError
        if not children:
            return -1
        if depth == 1:
            return 0
        self._moves -= len(children)
        scores = [self.score(child, depth - 1) for child in children]
        lost = [score for score in scores if score < 0]
        if lost:
            return 1 - max(lost)
        return -1 - max(scores) if all(scores) else 0


class Nodes:
    """Moves between bare remainders: a search makes too many of them for positions."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, shape = ruleset, Shape.of(ruleset)
        self.uses, self.capacity = shape.uses, shape.capacity
        self.target, self.modulus = ruleset.target, ruleset.modulus
        self.forbidden = ruleset.forbidden
        self.can_stick = ruleset.can_stick
        # Uses are counted, every forbidden divisor is tried, and long numbers take long to divide.
        checks = 1 + len(self.forbidden) + (self.uses is not None)
        self.effort = checks * (1 + self.modulus.bit_length() // 400)
        # The moves on an empty number and on any other: (place in `used`, digit, to the left).
        self.options = [
            [
                (shape.digits.index(digit), digit, end == "L")
                for end in shape.ends_at(length)
                for digit in shape.digits_at(length, end)
            ]
            for length in (0, 1)
        ]

    def of(self, position: Position) -> StateKey:
        """The node of a position."""
        key = state_key(position)
        return key if self.uses is not None else key._replace(used=())

    def replies(self, node: StateKey) -> Iterator[StateKey | bool]:
        """What each move leads to: a node, or True where it wins at once, False where it loses."""
        for index, residue in self.moves(node):
            yield self.made(node, index, residue)

    def made(self, node: StateKey, index: int, residue: int) -> StateKey | bool:
        """What a move leads to, from its digit's place in `used` and the residue it makes."""
        forbidden = self.forbidden
        if forbidden and spoiled(forbidden, residue):
            return False
        if node.length + 1 == self.capacity:
            return bool(wins_full(self.ruleset, residue, node.residue))
        if divides(self.target, residue):
            return True
        child = self._child(node, index, residue)
        lost = self.can_stick and stuck(forbidden, map(RESIDUE, self.moves(child)))
        return lost or child

    def moves(self, node: StateKey) -> Iterator[tuple[int, int]]:
        """For each move the digit's place in `used`, and the residue it makes."""
        length, residue, place, used = node
        uses, modulus = self.uses, self.modulus
        for index, digit, left in self.options[1 if length else 0]:
            if uses is None or used[index] < uses:
                yield index, grown(residue, digit, place if left else None) % modulus

    def _child(self, node: StateKey, index: int, residue: int) -> StateKey:
        length, _, place, used = node
        if used:
            used = (*used[:index], used[index] + 1, *used[index + 1 :])
        if place:
            place = place * 10 % self.modulus
        length = 1 if self.capacity is None else length + 1
        # The key's own constructor takes a tenth of a search.
        return tuple.__new__(StateKey, (length, residue, place, used))


def _evaluation(score: int) -> Evaluation:
    return WINS[score] if score > 0 else LOSSES[-score] if score else UNKNOWN
