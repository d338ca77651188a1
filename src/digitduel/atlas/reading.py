"""A row of the atlas as people read it: its ladder sight by sight, and its figures in words."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.atlas.sights import SIGHTS
from digitduel.text import counted, listed, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Row = Mapping[str, Any]

BEST = "best play"
MANNERS = {0: "random", 1: "casual", 2: "careful"}
# The sights that people have, and how far from a half is still fair.
PEOPLE = (1, 2, 3, 4)
FAIR = 0.1
WINNERS = {"win": "the starter wins", "loss": "the other wins"}
HARDNESS = {1: "easy", 2: "quite easy", 3: "bearable", 4: "hard", 5: "very hard"}
NEVER = "such games may never end"
# What a ladder is read from.
RUNGS = (
    *(f"{name}_{sight}" for name in ("first", "second", "target") for sight in SIGHTS),
    *(f"step_{sight}" for sight in SIGHTS[1:]),
    "step_top",
)


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
    first, second = row[f"first_{sight}"], row[f"second_{sight}"]
    if first + second == 0:
        return Rung(name, step)
    return Rung(name, step, first, second, row[f"target_{sight}"])


def in_words(row: Row) -> dict[str, str]:
    """The figures of a setting besides its ladder, each with what it is called."""
    said = {
        "Best play": _best_play(row),
        "Between equals": _fairness(row),
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


def _fairness(row: Row) -> str:
    """How fair it is between two who see equally far; fair only where all people find it so.

    >>> row = {f"{seat}_{sight}": 0.5 for seat in ("first", "second") for sight in PEOPLE}
    >>> _fairness(row | {"first_2": 0.48, "second_2": 0.52})
    'fair to 2%, both seeing 1, 2, 3 or 4 moves ahead'
    >>> _fairness(row | {"first_1": 0.92, "second_1": 0.08, "first_4": 0, "second_4": 0})
    'the starter wins 50% to 92%, both seeing 1, 2 or 3 moves ahead; with 4 it never ends'
    """
    chances = {sight: (row[f"first_{sight}"], row[f"second_{sight}"]) for sight in PEOPLE}
    off = max(abs(0.5 - chance) for pair in chances.values() for chance in pair)
    if off <= FAIR:
        # Rounded so that it never says more than is true.
        return f"fair to {max(1, ceil(round(100 * off, 6)))}%, {_both_seeing(PEOPLE)}"
    firsts = {sight: first for sight, (first, second) in chances.items() if first + second > 0}
    endless = listed((sight for sight in PEOPLE if sight not in firsts), "or")
    if not firsts:
        return f"it never ends, {_both_seeing(PEOPLE)}"
    least, most = (percent(each(firsts.values()), places=0) for each in (min, max))
    range_ = least if least == most else f"{least} to {most}"
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
