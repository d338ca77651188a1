"""What can be said of a rule set too large to solve: a search that knows when to stop."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from digitduel.solve.shape import Shape
from digitduel.solve.value import LOSSES, UNKNOWN, WINS, Evaluation, Judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.position import Move, Position
    from digitduel.ruleset import Ruleset

DEPTH = 60
# Moves that one search may try: about a quarter of a second.
MOVES = 100_000


class Node(NamedTuple):
    """A position as far as the rest of the game depends on it."""

    length: int
    residue: int
    place: int
    used: tuple[int, ...]


class Study(NamedTuple):
    """What a search found. A score is n for a win in n plies, -n for a loss, 0 for neither."""

    depth: int
    score: int
    replies: dict[Node, int]


class Lookahead(Judge):
    """Sees forced results some plies ahead, and says `unknown` where it sees none.

    What it does see is exact: no win is quicker and no loss is slower.

    >>> from digitduel import Position, find_ruleset
    >>> start = Position(find_ruleset("forbidden").replace(target=10**9 + 7))
    >>> Lookahead(start.ruleset, depth=3).probe(start)
    Evaluation(value=<Value.UNKNOWN: 'unknown'>, plies=None)
    """

    def __init__(self, ruleset: Ruleset, depth: int = DEPTH, moves: int = MOVES) -> None:
        super().__init__(ruleset)
        self.depth, self.moves = depth, moves
        self._nodes = Nodes(ruleset)
        self._study = lru_cache(maxsize=64)(self._search)

    def probe(self, position: Position) -> Evaluation:
        """What is seen of a position; InvalidPositionError if finished or of other rules."""
        self._check(position)
        return _evaluation(self._study(self._nodes.of(position)).score)

    def sight(self, position: Position) -> int:
        """How many plies ahead a position was searched before the moves ran out."""
        self._check(position)
        return self._study(self._nodes.of(position)).depth

    def move_values(self, position: Position) -> dict[Move, Evaluation]:
        """What is seen of each legal move, for the player who makes it; plies count the move."""
        self._check(position)
        replies = self._study(self._nodes.of(position)).replies
        values = {}
        for move in position.legal_moves:
            child = position.play(move)
            if child.ending is None:
                values[move] = _evaluation(replies.get(self._nodes.of(child), 0)).before()
            else:
                values[move] = self._after(child)
        return values

    def _search(self, root: Node) -> Study:
        """Look one ply deeper each time, as long as there are moves left to try."""
        search, study = _Search(self._nodes, self.moves), Study(0, 0, {})
        children = [each for each in self._nodes.replies(root) if isinstance(each, Node)]
        for depth in range(1, self.depth + 1):
            try:
                score = search.score(root, depth)
                replies = {child: search.score(child, depth - 1) for child in children}
            except _OutOfMovesError:
                break
            study = Study(depth, score, replies)
            # With every reply decided, looking deeper finds nothing new.
            if score and all(replies.values()):
                break
        return study


class _OutOfMovesError(Exception):
    """A search has tried as many moves as it may."""


class _Search:
    """Finds results within a depth, and remembers what it has seen."""

    def __init__(self, nodes: Nodes, moves: int) -> None:
        self._nodes, self._moves = nodes, moves
        self._decided: dict[Node, int] = {}
        self._open: dict[Node, int] = {}  # up to which depth a node has no forced result
        self._children: dict[Node, list[Node]] = {}

    def score(self, node: Node, depth: int) -> int:
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

    def _look(self, node: Node, depth: int) -> int:
        children = self._children.get(node)
        if children is None:
            children = self._children[node] = []
            for reply in self._nodes.replies(node):
                self._moves -= 1
                if reply is True:
                    return 1
                if isinstance(reply, Node):
                    children.append(reply)
            if self._moves < 0:
                raise _OutOfMovesError
        if not children:
            return -1
        if depth == 1:
            return 0
        scores = [self.score(child, depth - 1) for child in children]
        lost = [score for score in scores if score < 0]
        if lost:
            return 1 - max(lost)
        return -1 - max(scores) if all(scores) else 0


class Nodes:
    """The rules once more, on bare remainders: a search makes too many moves for positions."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.shape = ruleset, Shape.of(ruleset)
        self.target, self.modulus = ruleset.target, ruleset.modulus
        self.goes_left = ruleset.ends != "right"
        self.can_stick = bool(ruleset.forbidden) or not ruleset.leading_zero
        # What an end takes, on an empty number and on any other: (place in `used`, digit, left).
        self._options = [
            [
                (self.shape.digits.index(digit), digit, end == "L")
                for end in self.shape.ends_at(length)
                for digit in self.shape.digits_at(length, end)
            ]
            for length in (0, 1)
        ]

    def of(self, position: Position) -> Node:
        """The node of a position."""
        residue, place, used = position.state
        return self._node(len(position.number), residue, place, used)

    def _node(self, length: int, residue: int, place: int, used: tuple[int, ...]) -> Node:
        return Node(
            length if self.shape.capacity is not None else min(length, 1),
            residue,
            place if self.goes_left else 1,
            used if self.shape.uses is not None else (),
        )

    def replies(self, node: Node) -> Iterator[Node | bool]:
        """What each move leads to: a node, or True where it wins at once, False where it loses."""
        longer, closest = node.length + 1, self.ruleset.full == "closest"
        place = node.place * 10 % self.modulus
        for index, residue in self._moves(node):
            if self._spoiled(residue):
                yield False
            elif residue % self.target == 0:
                yield True
            elif longer == self.shape.capacity:
                yield closest and self._distance(residue) < self._distance(node.residue)
            else:
                used = node.used and (
                    *node.used[:index],
                    node.used[index] + 1,
                    *node.used[index + 1 :],
                )
                child = self._node(longer, residue, place, used)
                yield child if not self.can_stick or self._has_safe_move(child) else True

    def _moves(self, node: Node) -> Iterator[tuple[int, int]]:
        """The digit's place in `used` and the residue after each move."""
        uses, used = self.shape.uses, node.used
        for index, digit, left in self._options[min(node.length, 1)]:
            if uses is None or used[index] < uses:
                value = digit * node.place + node.residue if left else 10 * node.residue + digit
                yield index, value % self.modulus

    def _has_safe_move(self, node: Node) -> bool:
        return any(not self._spoiled(residue) for _, residue in self._moves(node))

    def _spoiled(self, residue: int) -> bool:
        return any(residue % each == 0 for each in self.ruleset.forbidden)

    def _distance(self, residue: int) -> int:
        rest = residue % self.target
        return min(rest, self.target - rest)


def _evaluation(score: int) -> Evaluation:
    return WINS[score] if score > 0 else LOSSES[-score] if score else UNKNOWN
