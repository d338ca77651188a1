"""Every target there is, in one sweep: who wins, and in how many plies.

Where no ending depends on distances, a target changes a game only by the numbers that it divides.
One that divides no number at all leaves the game as if nobody could win by it: that is the default.
So only divisors of the numbers that can be formed matter. Where digits go to the right only, large
ones have the default too, and the few below are solved one by one. Elsewhere all are followed at
once, from the full numbers back to the start: those after which play turns out different.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from digitduel.atlas.divisors import DistinctDivisors, Factored
from digitduel.errors import InvalidRulesetError, TooLargeError
from digitduel.position import Position
from digitduel.solver import Value, solve
from digitduel.solver.evaluation import LOSSES, WINS
from digitduel.solver.tree import number_type
from digitduel.states.endings import grown, last_mover_loses
from digitduel.states.shape import Shape
from digitduel.states.vectors import distinct, vectors_of
from digitduel.teach.verdicts import SIDES
from digitduel.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluation

# What takes about a gigabyte.
MOST_LINES, MOST_DIGITS = 2 * 10**6, 10
# Spans that are listed in a sentence.
MOST_SPANS = 20
# Numbers that are worked on at a time.
PIECE = 2**14
# A score takes so many bits of a key.
SCORE_BITS, SCORE_ZERO = 5, 16


@dataclass(frozen=True)
class AllTargets:
    """What every target of a rule set comes to."""

    ruleset: Ruleset
    numbers: int  # that can be formed, each counted as often as there are ways to it
    pairs: int  # of a number and a target that divides it
    targets: NDArray[np.int64]  # every target that divides a number, in order
    plies: NDArray[np.int8]  # of each: n if the starter wins in n plies, -n if the other does
    default: Evaluation  # what every other target comes to

    @property
    def exceptions(self) -> dict[int, list[int]]:
        """The targets with another winner than the default, by the plies they take."""
        targets, plies = self.targets[~self._usual], abs(self.plies[~self._usual])
        return {int(number): targets[plies == number].tolist() for number in distinct(plies)}

    @property
    def _usual(self) -> NDArray[np.bool_]:
        """Which of the targets have the same winner as the default."""
        return np.equal(self.plies > 0, self.default.value is Value.WIN)

    @property
    def table(self) -> dict[str, Any]:
        """Target, value and plies as columns."""
        value = np.where(self.plies > 0, Value.WIN.value, Value.LOSS.value)
        return {"target": self.targets, "value": value.tolist(), "plies": abs(self.plies)}

    @property
    def sentences(self) -> list[str]:
        """The answer in words."""
        starter, other = SIDES.values()
        usual, rare = (other, starter) if self.default.value is Value.LOSS else (starter, other)
        exceptions = self.exceptions
        some = sorted(target for targets in exceptions.values() for target in targets)
        lengths = [
            f"{counted(plies, 'move')} for {spans(targets)}"
            for plies, targets in exceptions.items()
        ]
        sentences = [
            f"{counted(self.numbers, 'number')} can be formed, and "
            f"{counted(len(self.targets), 'target')} from 2 on divide at least one of them "
            f"({counted(self.pairs, 'pair')})."
        ]
        if some:
            sentences.append(
                f"With best play {rare} wins exactly for {spans(some)}: in {listed(lengths)}."
            )
        if len(some) < len(self.targets):
            every = "every other target" if some else "each of these targets"
            sentences.append(f"With {every} {usual} wins ({self._usual_plies()}).")
        beyond = f"in {counted(self.default.plies or 0, 'move')}"
        sentences.append(f"With a target that divides none of the numbers {usual} wins {beyond}.")
        return sentences

    def _usual_plies(self) -> str:
        """How long it takes where the winner is the usual one."""
        counts = np.bincount(abs(self.plies[self._usual]))
        if np.count_nonzero(counts) == 1:
            return f"in {counted(int(counts.argmax()), 'move')}"
        lengths = np.flatnonzero(counts).tolist()
        return listed(f"{counts[plies]:,} in {counted(plies, 'move')}" for plies in lengths)


def spans(numbers: list[int]) -> str:
    """Numbers in order, as people write them.

    >>> spans([2, 3, 4, 9, 12])
    '2-4, 9 and 12'
    """
    # Numbers in a row are all as far ahead of their places.
    in_a_row = groupby(enumerate(numbers), lambda placed: placed[1] - placed[0])
    runs = [[number for _, number in run] for _, run in in_a_row]
    more = [f"{len(runs) - MOST_SPANS:,} more"] if len(runs) > MOST_SPANS else []
    shown = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs[:MOST_SPANS]]
    return listed([*shown, *more])


class NumberLayer(NamedTuple):
    """All numbers of a length, and for each the place of the shorter number it is made of."""

    numbers: NDArray[Any]
    parents: NDArray[np.int64]
    children: NDArray[np.int64]  # how many numbers are made of each shorter one


class Turns(NamedTuple):
    """Where play turns out different: a number, a target, and the score for the side to move."""

    place: NDArray[Any]
    target: NDArray[Any]
    score: NDArray[np.int8]


def all_targets(
    ruleset: Ruleset, progress: Callable[[float], object] = lambda _: None
) -> AllTargets:
    """Solve a rule set for every target at once; which target it has does not matter.

    `progress` is told what part of the work is done.
    """
    refuse_if_unfit(ruleset)
    shape = Shape.of(ruleset)
    layers, bound, divisors = _layers(shape), default_from(shape), DistinctDivisors()
    capacity, sizes = len(layers) - 1, [len(layer.numbers) for layer in layers]
    turns = Turns(*np.zeros((3, 0), np.int64))
    for length in range(capacity, 0, -1):
        factored = Factored(layers[length].numbers)
        divisors.add(factored)
        if bound is None:
            turns = _followed(layers[length], factored, turns, capacity - length)
        progress(sum(sizes[length:]) / sum(sizes))
    targets, score = divisors.each(), turns.score
    plies = np.full(len(targets), last_mover_loses(capacity) * capacity, np.int8)
    # A score of 1 is a win with the last digit that fits, one more for each ply before that.
    plies[np.searchsorted(targets, turns.target)] = np.sign(score) * (capacity + 1 - abs(score))
    for place, target in enumerate(targets[targets < (bound or 0)].tolist()):
        start = Position(ruleset.replace(target=target, smallest_target=target))
        worth = solve(start.ruleset).probe(start)
        plies[place] = (worth.plies or 0) * (1 if worth.value is Value.WIN else -1)
    default = (WINS if last_mover_loses(capacity) > 0 else LOSSES)[capacity]
    return AllTargets(ruleset, sum(sizes) - 1, divisors.count, targets, plies, default)


def default_from(shape: Shape) -> int | None:
    """From which target on each has the default; None where nothing of the kind is proved.

    Of the digits to choose from, two are so near each other that not both can give a win at once:
    docs/atlas.md has the proof.

    >>> default_from(Shape((1, 2, 3, 4, 5, 6, 7, 8, 9), 1, "right", True, 9))
    89
    """
    used_up = ((shape.capacity or 0) - 2) // shape.uses if shape.uses else 0
    # So many digits, or more, are to choose from at every move but the last.
    choice = min(len(shape.digits_at(0, "R")), len(shape.digits) - used_up)
    if shape.ends != "right" or choice < 2:
        return None
    span = max(shape.digits) - min(shape.digits)
    return 10 * (span // (choice - 1)) + span + 1


def refuse_if_unfit(ruleset: Ruleset) -> None:
    """An error, in words, for a rule set whose targets cannot be solved all at once."""
    shape, problem = Shape.of(ruleset), None
    if shape.capacity is None:
        problem = "its numbers grow without end: give a limit, or a cap on uses"
    elif ruleset.full != "last-loses":
        problem = "distances change with every target: take full = last-loses"
    elif ruleset.forbidden:
        problem = "some divisors are forbidden: take forbidden = none"
    elif 0 in ruleset.digits and (ruleset.leading_zero or ruleset.ends != "right"):
        problem = (
            "0 is among the digits, which is fine only where digits go to the right and none "
            "comes first: leave 0 out, or take ends = right and leading_zero = false"
        )
    if problem:
        raise InvalidRulesetError(f"{ruleset.key} cannot be solved for all targets: {problem}.")
    lines, _ = shape.count_lines()
    if lines > MOST_LINES or (shape.capacity or 0) > MOST_DIGITS:
        raise TooLargeError(
            f"{ruleset.key} cannot be solved for all targets: with numbers of up to "
            f"{shape.capacity} digits there are {lines:,} lines of play or more, and at most "
            f"{MOST_LINES:,} of up to {MOST_DIGITS} digits will do: take a shorter limit or "
            "fewer digits."
        )


def _layers(shape: Shape) -> list[NumberLayer]:
    """All lines of play, layer by layer; what is made of the same number stays together."""
    capacity, vectors = shape.capacity or 0, vectors_of(shape)
    numbers, rows = np.zeros(1, number_type(capacity)), np.zeros(1, np.int64)
    layers = [NumberLayer(numbers, np.zeros(1, np.int64), np.zeros(0, np.int64))]
    for length in range(capacity):
        moves = vectors.moves(length)
        fits = (moves.rows < moves.none)[rows]
        parents, move = np.nonzero(fits)
        shorter, rows = numbers[parents], rows[parents]
        digit = moves.digits[rows, move].astype(numbers.dtype)
        right, left = grown(shorter, digit), grown(shorter, digit, 10**length)
        numbers, rows = np.where(move < moves.rights, right, left), moves.rows[rows, move]
        layers.append(NumberLayer(numbers, parents, fits.sum(axis=1)))
    return layers


def _followed(layer: NumberLayer, factored: Factored, turns: Turns, left: int) -> Turns:
    """Where play turns out different one move earlier, multiples included.

    Some thousand numbers at a time, so that the arrays stay small; what is made of the same
    number stays together.
    """
    edges, before = np.searchsorted(layer.parents, layer.parents[::PIECE]).tolist(), []
    for first, last in pairwise([*edges, len(layer.numbers)]):
        found = factored.divisors(first, last)
        pairs = [(np.tile(place, len(target)), target.ravel()) for place, target in found]
        place, target = (np.concatenate(part) for part in zip(*pairs, strict=True))
        multiples = Turns(place, target, np.full(len(place), -left - 1, np.int8))
        some = slice(*np.searchsorted(turns.place, (first, last)))
        earlier = Turns(*(part[some] for part in turns))
        # A number that the target divides has ended the game, whatever would come after it.
        goes_on = layer.numbers[earlier.place] % earlier.target != 0
        turned = _joined([Turns(*(part[goes_on] for part in earlier)), multiples])
        before.append(_before(layer, turned, last_mover_loses(left)))
    return _joined(before)


def _before(layer: NumberLayer, turns: Turns, default: int) -> Turns:
    """Where play turns out different one move earlier; other numbers have the default score."""
    width = int(turns.target.max(initial=1)).bit_length()
    keys = layer.parents[turns.place] << width | turns.target.astype(np.int64)
    keys = np.sort(keys << SCORE_BITS | (turns.score + SCORE_ZERO))
    group = keys >> SCORE_BITS
    firsts = np.flatnonzero(np.diff(group, prepend=-1))
    many = np.diff(firsts, append=len(keys))
    # In a group the least score comes first: it is what the mover leaves the opponent.
    least = (keys[firsts] & (2**SCORE_BITS - 1)) - SCORE_ZERO
    parents, target = group[firsts] >> width, group[firsts] & (2**width - 1)
    all_turn = many == layer.children[parents]
    score = -np.where(all_turn, least, np.minimum(least, default))
    turn = score != -default
    return Turns(parents[turn], target[turn], score[turn].astype(np.int8))


def _joined(parts: list[Turns]) -> Turns:
    return Turns(*(np.concatenate(part) for part in zip(*parts, strict=True)))
