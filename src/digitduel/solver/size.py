"""How large a solution would be, said before anything is allocated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from digitduel.errors import TooLargeError
from digitduel.states.shape import COUNTLESS, Shape
from digitduel.text import large

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

MEMORY = 2**30
# Cells that are worked on at a time, so that they stay in the processor's cache, and the most
# bytes that this takes for each.
BLOCK, BYTES_PER_CELL = 100_000, 40
SMALL_THINGS = 2**16
# Nanoseconds that a layer costs however small it is, and how often an endless game goes round.
TABLE_LAYER, TREE_LAYER, SPARSE_LAYER, ROUNDS = 60_000, 200_000, 20_000, 4


# The same of a search with many targets: for each line, for each target (times the power of lines),
# and at most; how many targets it has at most; and the longest numbers that floats hold exactly.
SEARCH_LINE, SEARCH_TARGET, POWER, SEARCH = 400, 8, 0.75, 7 * 10**9
MOST_AT_ONCE, LONGEST_SEARCHED = 50_000, 15


class Estimate(NamedTuple):
    """What solving a rule set takes. Counting stops at 10^11 states: then it is at least this."""

    layout: str  # "table" (counts and residues), "tree" (lines of play) or "sparse" (multiples)
    states: int  # that can be reached, or that the layout holds
    bytes: int  # at the peak, temporary arrays included
    work: int  # nanoseconds on one core, give or take a factor of five


def estimate(ruleset: Ruleset, *, memory: int = MEMORY) -> Estimate:
    """What the best layout takes: the quickest that fits `memory` bytes, else the smallest.

    >>> from digitduel import find_ruleset
    >>> estimate(find_ruleset("pool")).states
    3577
    """
    sizes = [make(ruleset) for make in LAYOUTS.values()]
    fitting = [size for size in sizes if size.bytes <= memory]
    if fitting:
        return min(fitting, key=lambda size: size.work)
    return min(sizes, key=lambda size: size.bytes)


def refuse_if_too_large(ruleset: Ruleset, size: Estimate, memory: int) -> None:
    """TooLargeError, in words, for an estimate beyond the memory allowed."""
    if size.bytes > memory:
        raise TooLargeError(
            f"{size_in_words(ruleset, size)}, but only {_in_units(memory)} may be used: choose a "
            "smaller target, a shorter limit or fewer digits, or allow more memory."
        )


def size_in_words(ruleset: Ruleset, size: Estimate) -> str:
    """What solving a rule set would take, in a sentence without its full stop."""
    least = "at least " if size.states > COUNTLESS else ""
    return (
        f"solving {ruleset.key} with target {large(ruleset.target)} would take {least}"
        f"{large(size.states)} states and {_in_units(size.bytes)} of memory"
    )


def score_bytes(bound: int) -> int:
    """How many bytes hold a score up to a bound."""
    return 1 if bound < 2**7 else 2 if bound < 2**15 else 4 if bound < 2**31 else 8


def table_estimate(ruleset: Ruleset, width: int = 2) -> Estimate:
    """The table layout: a row for each vector or phase, a column for each residue.

    How many plies an endless game can take is not known beforehand: `width` is a guess.
    """
    shape, modulus, capacity = Shape.of(ruleset), ruleset.modulus, ruleset.capacity
    rows, choices = shape.count_rows(modulus), len(shape.digits) * len(shape.ends_at(1))
    if capacity is None:
        layers, tallest, used_up, ways = rows, 1, 0, rows * 200
        # A single digit leaves no choice: one long line, of which a round sees one ply a layer.
        rounds = ROUNDS if choices > 1 else modulus // layers + ROUNDS
    else:
        # There are most vectors of one length half way to using all digits.
        middle = min(capacity - 1, (shape.uses or 0) * len(shape.digits) // 2)
        tallest = shape.count_vectors(middle) - shape.count_vectors(middle - 1)
        used_up = shape.count_vectors(capacity - 1, used_up=1)
        width, layers, rounds = score_bytes(capacity + 1), capacity, 1
        ways = (rows * 24 + tallest * 80) * choices if shape.uses else 0
    # A row is made longer by a digit on the right, or by itself where digits go to the left.
    long_row = (1 if shape.ends == "right" else 2) * modulus + 9
    size = (
        SMALL_THINGS
        + width * (rows * modulus + (tallest + 1) * long_row + 6 * modulus)
        + (40 * modulus if ruleset.full == "closest" else 0)
        + min(BLOCK, tallest * modulus * choices) * BYTES_PER_CELL
        + ways  # the tables of where moves lead
    )
    cells = (rows - used_up) * choices * modulus
    work = rounds * (layers * TABLE_LAYER + cells * width // 3)
    return Estimate("table", rows * modulus, size, work)


def tree_estimate(ruleset: Ruleset) -> Estimate:
    """The tree layout: every line of play; without a capacity they have no end."""
    shape, capacity = Shape.of(ruleset), ruleset.capacity
    if capacity is None:
        return _impossible("tree")
    total, full = shape.count_lines()
    states = total - full
    # Numbers of up to 9 and 18 digits are machine words; longer ones are Python's own.
    number, slow = (4, 1) if capacity <= 9 else (8, 2) if capacity <= 18 else (160, 100)
    size = (
        SMALL_THINGS
        + 2 * states * score_bytes(capacity + 1)
        + min(BLOCK, total) * (BYTES_PER_CELL + 12 * number)
        + shape.count_vectors(capacity) * 6000
    )
    work = capacity * TREE_LAYER + total * slow * 2
    return Estimate("tree", states, size, work)


def sparse_estimate(ruleset: Ruleset) -> Estimate:
    """The sparse layout: the multiples of the target, if only they can end a game early."""
    shape, capacity, target = Shape.of(ruleset), ruleset.capacity, ruleset.target
    plain = not ruleset.forbidden and ruleset.full == "last-loses" and shape.leading_zero
    # Longer numbers do not fit 64 bits.
    if capacity is None or capacity > 18 or not plain:
        return _impossible("sparse")
    total, full = shape.count_lines()
    numbers, looked_at = sum(shape.count_numbers()), capacity + 10**capacity // target
    size = 10 * SMALL_THINGS + min(numbers, looked_at) * 400
    work = capacity * SPARSE_LAYER + looked_at * 10 + numbers // target * 2000
    return Estimate("sparse", total - full, size, work)


def targets_at_once(ruleset: Ruleset, targets: int) -> int:
    """How many of so many targets a search takes at once; 0 where solving each is quicker."""
    lines = Shape.of(ruleset).count_lines()[0]
    walk, each = lines * SEARCH_LINE, int(lines**POWER * SEARCH_TARGET) + 1
    most = min((SEARCH - walk) // each, MOST_AT_ONCE)
    if most < 1 or not 1 < (ruleset.capacity or 0) <= LONGEST_SEARCHED:
        return 0
    even = -(-targets // -(-targets // most))
    # Both are guesses: only what seems twice as fast is taken.
    return even if 2 * (walk + even * each) < even * estimate(ruleset).work else 0


def _impossible(layout: str) -> Estimate:
    return Estimate(layout, COUNTLESS + 1, COUNTLESS**2, COUNTLESS**2)


LAYOUTS = {"table": table_estimate, "tree": tree_estimate, "sparse": sparse_estimate}


def _in_units(size: int) -> str:
    """A number of bytes as people say it.

    >>> _in_units(2**30), _in_units(1_500_000)
    ('1.0 GiB', '1.4 MiB')
    """
    if size >= 2**60:
        return f"{large(size // 2**30)} GiB"
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size >= 2**power:
            return f"{size / 2**power:,.1f} {unit}"
    return f"{size} bytes"
