"""Sweeps: the measures of many rule sets, in pieces that any executor can work on."""

from __future__ import annotations

import re
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.atlas.measures import (
    ALIASES,
    APPEALING,
    COLUMNS,
    SOLVED,
    appeal,
    figures,
    refuse_if_too_large,
    solved_at_once,
)
from digitduel.errors import DigitDuelError, InvalidRulesetError, TooLargeError
from digitduel.fields import RULES, parse_field
from digitduel.ruleset import table_from
from digitduel.solver.size import targets_at_once
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from digitduel.ruleset import Ruleset

    Row = dict[str, Any]

# Significant digits that survive any machine's order of adding.
DIGITS = 10
# How many rows are worked on at a time: some tenths of a second, with all columns and with few.
PIECE, QUICK_PIECE = 4, 40
MOST_ROWS = 10**7


class Axis(NamedTuple):
    """A rule that varies, and the `values` it takes."""

    field: str  # its name
    values: tuple[Any, ...] | range


@dataclass(frozen=True)
class Sweep:
    """Every combination of some rules; the last axis varies fastest.

    >>> from digitduel import find_ruleset
    >>> sweep = Sweep(find_ruleset("pool"), (Axis("target", range(11, 13)),), ("value", "plies"))
    >>> sweep.work(0)
    [{'target': 11, 'value': 'loss', 'plies': 9}, {'target': 12, 'value': 'win', 'plies': 7}]
    """

    ruleset: Ruleset
    axes: tuple[Axis, ...]  # the target's last
    columns: tuple[str, ...] = COLUMNS

    def __post_init__(self) -> None:
        if len(self) > MOST_ROWS:
            raise TooLargeError(
                f"a sweep over {len(self):,} rule sets is too large: {MOST_ROWS:,} is the most."
            )
        for _ in self._corners():
            pass  # what makes no rule set is refused before anything is worked out

    def __len__(self) -> int:
        return prod(len(axis.values) for axis in self.axes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns of the result: the rules that vary, then the measures."""
        *others, target = (axis.field for axis in self.axes)
        return (target, *others, *self.columns)

    @property
    def pieces(self) -> int:
        """How many pieces of work there are."""
        return len(self) // self._run * -(-self._run // self._piece)

    @property
    def _piece(self) -> int:
        return self._at_once or (QUICK_PIECE if self._is_quick else PIECE)

    @property
    def _run(self) -> int:
        """Of how many rows pieces are cut: with many targets at once all else must be the same."""
        return len(self.axes[-1].values) if self._at_once else len(self)

    @cached_property
    def _at_once(self) -> int:
        """How many targets one search takes; 0 where each is solved alone."""
        targets = len(self.axes[-1].values)
        return self._is_quick and min(targets_at_once(each, targets) for each in self._corners())

    @property
    def _is_quick(self) -> bool:
        return set(self.columns) <= set(SOLVED)

    def work(self, piece: int) -> list[Row]:
        """The rows of one `piece`, which are counted from 0."""
        rules = [self.rules(index) for index in self._indices(piece)]
        if self._at_once:
            targets = [values["target"] for values in rules]
            found = solved_at_once(self.ruleset.replace(**rules[0]), targets)
        else:
            found = [measured(self.ruleset.replace(**values), self.columns) for values in rules]
        return [
            self._shown(values) | {column: row[column] for column in self.columns}
            for values, row in zip(rules, found, strict=True)
        ]

    def fits(self, piece: int, rows: list[Any]) -> bool:
        """Whether these could be the rows of a `piece`."""
        return len(rows) == len(self._indices(piece)) and all(
            isinstance(row, dict)
            and tuple(row) == self.names
            and self._shown(self.rules(index)).items() <= row.items()
            for index, row in zip(self._indices(piece), rows, strict=True)
        )

    def _indices(self, piece: int) -> range:
        run, part = divmod(piece, -(-self._run // self._piece))
        first = run * self._run + part * self._piece
        return range(first, min(first + self._piece, (run + 1) * self._run))

    def _shown(self, rules: Row) -> Row:
        """The rules of a row, as far as they vary."""
        return {field: plain(field, rules[field]) for field in self.names[: len(rules)]}

    def rules(self, index: int) -> dict[str, Any]:
        """The values that the rules take in the row with this `index`."""
        rules = {}
        for axis in reversed(self.axes):
            index, place = divmod(index, len(axis.values))
            rules[axis.field] = axis.values[place]
        return rules

    def describe(self) -> dict[str, Any]:
        """What is swept over, as plain JSON values: the same for the same sweep only."""
        axes = [[axis.field, [str(value) for value in _ends(axis.values)]] for axis in self.axes]
        return {"game": table_from(self.ruleset), "axes": axes, "columns": list(self.columns)}

    def refuse_if_too_large(self) -> None:
        """TooLargeError if one of the settings cannot be measured: said before hours of work."""
        if self._is_quick:
            return  # what solving takes is said by the solver
        for corner in self._corners():
            # On a line the largest target takes most; in circles it may be any.
            whole = corner.capacity is None
            targets = self.axes[-1].values if whole else (corner.target,)
            for target in targets:
                refuse_if_too_large(corner.replace(target=target))

    def _corners(self) -> Iterator[Ruleset]:
        """The rule sets with the smallest and with the largest target, the rest being equal."""
        *others, last = self.axes
        ordered = last.values if isinstance(last.values, range) else sorted(last.values)
        for index in range(prod(len(axis.values) for axis in others)):
            rules = self.rules(index * len(last.values))
            for value in dict.fromkeys((ordered[0], ordered[-1])):
                yield self.ruleset.replace(**rules | {last.field: value})


def _ends(values: tuple[Any, ...] | range) -> Iterable[Any]:
    return (values[0], "..", values[-1]) if isinstance(values, range) else values


def measured(ruleset: Ruleset, columns: Collection[str]) -> Row:
    """The measures of a rule set as plain JSON values; what takes long only if it is asked for."""
    needed = {*columns, *(APPEALING if "appeal" in columns else ())} - {"appeal"}
    row = {name: rounded(value) for name, value in figures(ruleset, needed).items()}
    if "appeal" in columns:
        # From the figures as they are shown: a small difference of noisy ones would be noise.
        row["appeal"] = rounded(appeal(row))
    return row


def rounded(value: Any) -> Any:
    """A measure as files hold it: what is left of a float is the same on every machine.

    >>> rounded(17695.845855884978), rounded(0.0012345678987), rounded(None)
    (17695.84586, 0.001234567899, None)
    """
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def plain(field: str, value: Any) -> int | str | None:
    """A rule as files hold it: a whole number, null for no bound, or text."""
    kind = RULES[field].kind
    return value if kind.is_whole else kind.format(value)


def run(
    sweep: Sweep, executor: Executor, width: int, done: Collection[int] = ()
) -> Iterator[tuple[int, list[Row]]]:
    """Work a sweep out; each piece is given as soon as it is there, in any order.

    `width` pieces are with the executor at a time; pieces that are `done` are left out.
    """
    todo = (piece for piece in range(sweep.pieces) if piece not in done)
    waiting: dict[Future[list[Row]], int] = {}
    try:
        while True:
            for piece in islice(todo, width - len(waiting)):
                with _failures_in_words():
                    waiting[executor.submit(sweep.work, piece)] = piece
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                with _failures_in_words():
                    rows = future.result()
                yield waiting.pop(future), rows
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _failures_in_words() -> Iterator[None]:
    """What goes wrong with workers, said as our own errors are."""
    try:
        yield
    except DigitDuelError:
        raise
    except (Exception, CancelledError) as error:
        raise DigitDuelError(
            f"a worker failed ({type(error).__name__}: {error}): "
            "see that it runs this version of digitduel and has enough memory."
        ) from error


# --- What is swept over, as text. ---


def sweep_from(
    ruleset: Ruleset, targets: str | None, vary: Iterable[str] = (), columns: str | None = None
) -> Sweep:
    """A sweep from text; without targets it is over the rule set's own."""
    chosen = (ruleset.target,) if targets is None else parse_range("targets", targets)
    axes = [parse_axis(text) for text in vary]
    fields = [axis.field for axis in axes]
    for field in fields:
        if fields.count(field) > 1:
            raise InvalidRulesetError(f"{field} varies twice: give all its values at once.")
    wanted = COLUMNS if columns is None else parse_columns(columns)
    return Sweep(ruleset, (*axes, Axis("target", chosen)), wanted)


def parse_axis(text: str) -> Axis:
    """A rule that varies, and its values.

    >>> parse_axis("limit=6..8"), parse_axis("ends=right|both")
    (Axis(field='limit', values=range(6, 9)), Axis(field='ends', values=('right', 'both')))
    """
    field, equals, values = text.partition("=")
    field = {rule.flag.split("/")[0]: name for name, rule in RULES.items()}.get(f"--{field}", field)
    known = [name for name in RULES if name != "target"]
    if field not in known:
        raise InvalidRulesetError(
            f"{quoted(text)} names no rule that can vary: {did_you_mean(field, known)} "
            "Write it as limit=6..12 or ends=right|both."
        )
    if not equals or not values:
        raise InvalidRulesetError(
            f"{quoted(text)} gives {field} no values: write it as limit=6..12 or ends=right|both."
        )
    if RULES[field].kind.is_whole and (".." in values or "," in values):
        return Axis(field, parse_range(field, values))
    return Axis(field, tuple(parse_field(field, value) for value in values.split("|")))


def parse_range(name: str, text: str) -> tuple[int, ...] | range:
    """Whole numbers as text: one, a range, or several of both.

    >>> parse_range("targets", "2..9"), parse_range("targets", "2..4,12")
    (range(2, 10), (2, 3, 4, 12))
    """
    parts = [_span(name, part) for part in text.split(",")]
    if len(parts) == 1:
        return parts[0]
    return tuple(dict.fromkeys(number for part in parts for number in part))


def _span(name: str, text: str) -> range:
    match = re.fullmatch(r"\s*([0-9]{1,101})(?:\.\.([0-9]{1,101}))?\s*", text)
    if not match:
        raise InvalidRulesetError(
            f"{name} = {quoted(text)} is not a range of whole numbers: write it as 2..1000."
        )
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise InvalidRulesetError(
            f"{name} = {quoted(text)} is empty, for {last} comes before {first}: "
            f"write {last}..{first}."
        )
    if last - first >= MOST_ROWS:
        raise TooLargeError(
            f"{name} = {quoted(text)} is too large a range: {MOST_ROWS:,} numbers are the most."
        )
    return range(first, last + 1)


def parse_columns(text: str) -> tuple[str, ...]:
    """Columns by name, in the order of the atlas."""
    given = [ALIASES.get(name.strip(), name.strip()) for name in text.split(",")]
    for name in given:
        if name not in COLUMNS:
            raise InvalidRulesetError(
                f"there is no column {quoted(name)}: {did_you_mean(name, COLUMNS)}"
            )
    return tuple(name for name in COLUMNS if name in given)
