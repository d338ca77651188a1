"""What a puzzle is about: each theme is a question that the solution answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from digitduel.errors import InvalidPuzzleError
from digitduel.moves import Move
from digitduel.position import Termination
from digitduel.solver import Value
from digitduel.text import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.learn.lines import PuzzleLine
    from digitduel.position import Position

OTHER_END = {"L": "R", "R": "L"}
LONG_WAY = 7  # plies


class Theme(NamedTuple):
    """A theme by its `name`, in `words` for people, and whether it `holds`.

    It is asked of a line and of the move that led to it, if any.
    """

    name: str
    words: str
    holds: Callable[[PuzzleLine, Move | None], bool]


def _finish_it(line: PuzzleLine, _: Move | None) -> bool:
    return line.first.plies == 1


def _forbidden_ground(line: PuzzleLine, _: Move | None) -> bool:
    lost = line.outcome.termination in (Termination.STUCK, Termination.FORBIDDEN)
    return lost and bool(line.first.position.ruleset.forbidden)


def _closer_by_one(line: PuzzleLine, _: Move | None) -> bool:
    last, before = line.positions[-1].distance, _before_the_last(line).distance
    return line.outcome.termination is Termination.CLOSEST and abs(last - before) == 1


def _before_the_last(line: PuzzleLine) -> Position:
    return (line.first.position, *line.positions)[-2]


def _copy(line: PuzzleLine, last: Move | None) -> bool:
    return line.first.move == last


def _the_other_end(line: PuzzleLine, _: Move | None) -> bool:
    digit, end = line.first.move
    worth = line.first.values.get(Move(digit, OTHER_END.get(end or "")))
    return worth is not None and end is not None and worth.plies in (1, 2)


def _now_or_never(line: PuzzleLine, _: Move | None) -> bool:
    return any(worth.value is Value.ENDLESS for worth in line.first.others)


def _two_threats(line: PuzzleLine, _: Move | None) -> bool:
    return line.first.plies == 3 and not _finishes(line)


def _whatever_comes(line: PuzzleLine, _: Move | None) -> bool:
    return line.first.plies == 3 and bool(_finishes(line))


def _finishes(line: PuzzleLine) -> set[Move]:
    """The moves that finish the game whatever is replied to the first."""
    after = line.positions[0]
    replied = (after.play(reply) for reply in after.legal_moves)
    going = [set(position.winning_moves) for position in replied if position.outcome() is None]
    return set.intersection(*going)


def _the_last_digit(line: PuzzleLine, _: Move | None) -> bool:
    return _is_full(line) and len(line.positions) % 2 == 1


def _hold_out(line: PuzzleLine, _: Move | None) -> bool:
    return _is_full(line) and len(line.positions) % 2 == 0


def _is_full(line: PuzzleLine) -> bool:
    final = line.positions[-1]
    return len(final.number) == final.ruleset.capacity


def _do_not_give_it(line: PuzzleLine, _: Move | None) -> bool:
    return all(worth.plies is not None and worth.plies <= 4 for worth in line.first.others)


def _the_long_way(line: PuzzleLine, _: Move | None) -> bool:
    return line.first.plies >= LONG_WAY


# The most telling first: a puzzle is shown under the first that holds, and the last always does.
THEMES = {
    theme.name: theme
    for theme in (
        Theme("finish it", "One move wins at once, and no other wins at all.", _finish_it),
        Theme(
            "forbidden ground",
            "With best play the other is left with nothing but forbidden numbers.",
            _forbidden_ground,
        ),
        Theme(
            "closer by one",
            "With best play the number runs full, and the winner is closer by exactly one.",
            _closer_by_one,
        ),
        Theme("copy", "The winning move copies the move that was just made.", _copy),
        Theme(
            "the other end",
            "The winning digit at the other end loses at once or lets the other win at once.",
            _the_other_end,
        ),
        Theme(
            "now or never",
            "Some other move keeps the game open, but only this one wins it.",
            _now_or_never,
        ),
        Theme(
            "two threats",
            "Whatever is replied, a move finishes the game, but no single move does for all.",
            _two_threats,
        ),
        Theme(
            "whatever comes",
            "One and the same move finishes the game, whatever is replied.",
            _whatever_comes,
        ),
        Theme(
            "do not give it",
            "Every other move gives the game away: it is lost within four moves.",
            _do_not_give_it,
        ),
        Theme("the long way", "Best play takes seven moves or more from here.", _the_long_way),
        Theme(
            "the last digit",
            "With best play the winner places the last digit that the number has room for.",
            _the_last_digit,
        ),
        Theme(
            "hold out",
            "With best play the number runs full, and the loser has to place the last digit.",
            _hold_out,
        ),
        Theme("look ahead", "One move alone wins; find it by looking ahead.", lambda *_: True),
    )
}


def themes_of(line: PuzzleLine, last: Move | None) -> tuple[str, ...]:
    """The names of all themes that hold, the most telling first; `last` is the move before."""
    return tuple(name for name, theme in THEMES.items() if theme.holds(line, last))


def find_theme(name: str) -> Theme:
    """The theme of this `name`, however it is written; InvalidPuzzleError if there is none.

    >>> find_theme("Two threats").name
    'two threats'
    """
    known = " ".join(name.lower().replace("-", " ").replace("_", " ").split())
    if known not in THEMES:
        hint = did_you_mean(known, THEMES)
        raise InvalidPuzzleError(f"there is no theme called {quoted(name)}: {hint}")
    return THEMES[known]
