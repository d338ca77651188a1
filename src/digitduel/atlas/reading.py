"""A row of the atlas as people read it: its ladder sight by sight, and its figures in words."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.atlas.sights import SIGHTS
from digitduel.text import counted, listed, percent, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from digitduel.atlas.tables import Columns

    Row = Mapping[str, Any]

BEST = "best play"
MANNERS = {0: "random", 1: "casual", 2: "careful"}
# The sights that people have, how far from a half is still fair, and between which chances that is.
PEOPLE = (1, 2, 3, 4)
FAIR = 0.1
FAIR_FROM, FAIR_TO = 0.5 - FAIR, 0.5 + FAIR
WINNERS = {"win": "the starter wins", "loss": "the other wins"}
HARDNESS = {1: "easy", 2: "quite easy", 3: "bearable", 4: "hard", 5: "very hard"}
NEVER = "such games may never end"
# By sight, of games between two who see equally far.
EQUALS = ("first", "second", "target")
# What a ladder is read from.
RUNGS = (
    *(f"{name}_{sight}" for name in EQUALS for sight in SIGHTS),
    *(f"step_{sight}" for sight in SIGHTS[1:]),
    "step_top",
)


class Heading(NamedTuple):
    """What a column is called, in short and where there is room, and what that means."""

    short: str
    long: str
    meaning: str


HEADINGS = {
    "target": Heading("target", "Target", "the number to be divisible by"),
    "value": Heading("value", "Best play", "who wins with best play"),
    "plies": Heading("moves", "Moves", "how many moves best play takes"),
    "first_1": Heading(
        "first 1", "Casual", "the starter's chance between two casual players, who see 1 move ahead"
    ),
    "first_2": Heading(
        "start",
        "Careful",
        "the starter's chance between two careful players, who see 2 moves ahead",
    ),
    "step_2": Heading("2 v 1", "2 against 1", "how often seeing 2 moves ahead beats seeing 1"),
    "step_3": Heading("3 v 2", "3 against 2", "how often seeing 3 moves ahead beats seeing 2"),
    "step_4": Heading("4 v 3", "4 against 3", "how often seeing 4 moves ahead beats seeing 3"),
    "step_top": Heading(
        "best v 6", "Best against 6", "how often best play beats seeing 6 moves ahead"
    ),
    "target_3": Heading("hits", "Hits", "how often the target decides, if both see 3 moves ahead"),
    "sums": Heading("sums", "Sums", "how hard they are, from 1 to 5"),
    "depth": Heading(
        "depth", "Depth", "players of whom each beats the one before in 6 games of 10"
    ),
    "forced": Heading("forced", "Forced", "moves of careful players with at most one that is safe"),
    "careful_length": Heading(
        "careful length", "Length", "moves to expect between careful players"
    ),
    "appeal": Heading("appeal", "Appeal", "how well it suits people, from 0 to 1"),
}
# What other columns of the ladder mean, by sight.
FAMILIES = {
    "first": "the starter's chance, if both see {} moves ahead",
    "second": "the other's chance, if both see {} moves ahead",
    "step": "how often seeing {} moves ahead beats seeing one fewer",
    "target": "how often the target decides, if both see {} moves ahead",
}
# The columns of the ladder itself, and the same in short.
LADDER = ("moves seen", "beats the one below", "starter wins", "other wins", "target decides")
NARROW_LADDER = ("seen", "beats", "starter", "other", "target")


def heading(name: str) -> Heading:
    """What any column is called.

    >>> heading("second_5").long, heading("second_5").meaning
    ('Second 5', "the other's chance, if both see 5 moves ahead")
    """
    kind, _, sight = name.partition("_")
    words = name.replace("_", " ")
    other = Heading(words, sentence(words), FAMILIES.get(kind, words).format(sight))
    return HEADINGS.get(name, other)


class Rung(NamedTuple):
    """A player of the ladder: against the one below, and against another of the same sight."""

    name: str  # "0 random", "3", "best play"
    step: float | None  # the chance against the one below; None for the lowest
    first: float | None = None  # of whoever starts, between two; None where they never end
    second: float | None = None
    target: float | None = None  # that a multiple of the target ends it

    @property
    def short(self) -> str:
        """The first word of its name."""
        return self.name.split()[0]

    @property
    def cells(self) -> tuple[str, ...]:
        """All of it as text: nobody is below the lowest, and of best play only its step counts."""
        step = "" if self.step is None else percent(self.step)
        chances = (self.first, self.second, self.target)
        return self.name, step, *("" if self.name == BEST else percent(each) for each in chances)


def rungs(row: Row) -> list[Rung]:
    """The ladder of a setting, from sight 0 to best play, of which only the step is known."""
    return [*(_rung(row, sight) for sight in SIGHTS), Rung(BEST, row["step_top"])]


def _rung(row: Row, sight: int) -> Rung:
    name = f"{sight} {MANNERS.get(sight, '')}".strip()
    step = row[f"step_{sight}"] if sight else None
    return Rung(name, step, *(figure(row, f"{kind}_{sight}") for kind in EQUALS))


def figure(row: Row, name: str) -> Any:
    """A figure of a row; None for the chances of games between two that never end.

    >>> never = {"first_2": 0.0, "second_2": 0.0, "target_2": 0.0}
    >>> figure(never, "target_2"), figure(never | {"second_2": 0.5}, "first_2")
    (None, 0.0)
    """
    kind, _, sight = name.partition("_")
    ends = any(row.get(f"{seat}_{sight}") != 0 for seat in ("first", "second"))
    return row[name] if ends or kind not in EQUALS else None


def rows_from(columns: Columns) -> list[dict[str, Any]]:
    """The rows of a table."""
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def in_words(row: Row) -> dict[str, str]:
    """The figures of a setting besides its ladder, each with what it is called."""
    said = {
        "Best play": _best_play(row),
        "Between equals": _between_equals(row),
        "Length": _length(row),
        "Depth": _depth(row["depth"]),
        "Forced": _forced(row["forced"]),
        "Sums": f"{row['sums']} of 5, {HARDNESS[row['sums']]}",
        "Recipe": row["recipe"] or "none was found: no simple rule wins every game",
        "Appeal": f"{100 * row['appeal']:.0f} of 100",
    }
    return {name: text for name, text in said.items() if text}


def _best_play(row: Row) -> str:
    if row["plies"] is None:
        return "neither can force an end"
    ways = row["winning_first_moves"]
    how = f", with {counted(ways, 'first move')}" if ways else ""
    return f"{WINNERS[row['value']]} in {counted(row['plies'], 'move')}{how}"


def fairness(row: Row) -> str:
    """How fair a setting is: what is said of one round holds for both seats at all PEOPLE's sights.

    >>> row = {f"{seat}_{sight}": 0.5 for seat in ("first", "second") for sight in PEOPLE}
    >>> fairness(row), fairness(row | {"first_2": 0.62})
    ('fair to 1%', 'fair over two rounds')
    """
    # Rounded so that it never says more than is true.
    off = ceil(round(100 * _off(row), 6))
    return f"fair to {max(1, off)}%" if _off(row) <= FAIR else "fair over two rounds"


def _off(row: Row) -> float:
    """How far from a half the chances of people are at most."""
    names = [f"{seat}_{sight}" for seat in ("first", "second") for sight in PEOPLE]
    return max(abs(0.5 - float(row[name])) for name in names)


def _between_equals(row: Row) -> str:
    """How fair it is between two who see equally far, or else what the start is worth.

    >>> row = {f"{seat}_{sight}": 0.5 for seat in ("first", "second") for sight in PEOPLE}
    >>> _between_equals(row | {"first_2": 0.48, "second_2": 0.52})
    'fair to 2%, both seeing 1, 2, 3 or 4 moves ahead'
    >>> _between_equals(row | {"first_1": 0.92, "second_1": 0.08, "first_4": 0, "second_4": 0})
    'the starter wins 50% to 92%, both seeing 1, 2 or 3 moves ahead; with 4 it never ends'
    """
    if _off(row) <= FAIR:
        return f"{fairness(row)}, {_both_seeing(PEOPLE)}"
    known = {sight: figure(row, f"first_{sight}") for sight in PEOPLE}
    firsts = {sight: first for sight, first in known.items() if first is not None}
    if not firsts:
        return f"it never ends, {_both_seeing(PEOPLE)}"
    least, most = (percent(each(firsts.values()), places=0) for each in (min, max))
    range_ = least if least == most else f"{least} to {most}"
    endless = listed((sight for sight in PEOPLE if sight not in firsts), "or")
    never = f"; with {endless} it never ends" if len(firsts) < len(PEOPLE) else ""
    return f"the starter wins {range_}, {_both_seeing(firsts)}{never}"


def _both_seeing(sights: Iterable[int]) -> str:
    told = listed(sights, "or")
    return f"both seeing {told} {'move' if told == '1' else 'moves'} ahead"


def _length(row: Row) -> str:
    casual, careful = row["casual_length"], row["careful_length"]
    if casual is None or careful is None:
        return NEVER
    return f"{casual:.1f} moves between casual players, {careful:.1f} between careful ones"


def _depth(depth: int) -> str:
    if depth == 1:
        return "1: nobody beats another in 6 games of 10"
    return f"{depth} players, each of whom beats the one before in 6 games of 10 or more"


def _forced(forced: float | None) -> str:
    if forced is None:
        return ""
    return f"at {percent(forced)} of the moves of careful players at most one is safe"
