"""A sweep as a picture: who wins, how fair it is, and what sight pays, over the target.

Of one target it is the ladder: the same over the sights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from digitduel.atlas.extras import missing
from digitduel.atlas.reading import FAIR_FROM, FAIR_TO, PEOPLE, RUNGS, figure, rows_from, rungs
from digitduel.describe import changed_rules, setting
from digitduel.errors import DigitDuelError
from digitduel.files import already_there, is_there, write_file
from digitduel.text import listed, percent, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from digitduel.atlas.reading import Row
    from digitduel.atlas.sweep import Sweep
    from digitduel.atlas.tables import Columns
    from digitduel.ruleset import Ruleset

SUFFIXES = (".svg", ".png")
STEPS = PEOPLE[1:]  # whose steps are drawn
NEEDED = (
    *("value", "plies"),
    *(f"{seat}_{sight}" for seat in ("first", "second") for sight in PEOPLE),
    *(f"step_{sight}" for sight in STEPS),
)
MOST_NAMED = 3
MARK = "digitduel atlas"

# Colours that every eye can tell apart, and a grey for what is neither.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#00795C", "#A0447A"
GREY, INK, PALE = "#8A8A8A", "#333333", "#EEEEEE"
# The same for a dark page, where the paper is dark too.
DARK = {
    "#FFFFFF": "#1f1f23",
    BLUE: "#6cb8ec",
    ORANGE: "#ff9a52",
    GREEN: "#4fd1ae",
    PURPLE: "#eb9ccb",
    GREY: "#9a9a9a",
    INK: "#f1eee7",
    PALE: "#34343a",
}


class Mark(NamedTuple):
    """How a sight is drawn: told apart by shape, and by colour too."""

    shape: str
    color: str
    size: float
    filled: bool
    label: str


MARKS = {
    1: Mark("o", BLUE, 2, True, "● 1 casual"),
    2: Mark("s", ORANGE, 4, False, "□ 2 careful"),
    3: Mark("^", GREEN, 4.5, False, "△ 3"),
    4: Mark("x", PURPLE, 3.5, False, "\N{MULTIPLICATION SIGN} 4"),
}
STYLE: dict[Any, Any] = {
    "font.size": 9,
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": MARK,  # the same picture is the same to the byte
}
# Where the panels stand. A layout that is worked out differs in its last bits from time to time.
PLACES = {"left": 0.065, "right": 0.88, "top": 0.935, "bottom": 0.075, "hspace": 0.17}


def check_picture(path: Path, sweep: Sweep) -> None:
    """An error, in words, if a sweep cannot be drawn there."""
    if path.suffix.lower() not in SUFFIXES:
        raise DigitDuelError(f"cannot draw {quoted(str(path))}: give a name in .svg or .png.")
    if is_there(path) and MARK.encode() not in path.read_bytes()[:4096]:
        raise already_there(path)
    needed = RUNGS if len(sweep) == 1 else NEEDED
    lacking = [name for name in needed if name not in sweep.columns]
    if more := len(lacking[MOST_NAMED:]):
        lacking[MOST_NAMED:] = [f"{more} more"]
    if lacking:
        raise DigitDuelError(
            f"cannot draw {quoted(str(path))} without {listed(lacking)}: leave out --columns."
        )
    if len(sweep.axes) > 1:
        raise DigitDuelError(
            f"cannot draw {quoted(str(path))}: a picture shows one game over its targets; "
            "leave out --plot or --vary."
        )
    _figure_class()


def draw(path: Path, ruleset: Ruleset, columns: Columns) -> None:
    """Draw a sweep over targets to a file; of one target, its ladder."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        figure = _figure_class()(figsize=(8.0, 8.4))
        if len(columns["target"]) == 1:
            _draw_ladder(figure, ruleset, {name: column[0] for name, column in columns.items()})
        else:
            _draw_sweep(figure, ruleset, columns)
        kind = path.suffix[1:].lower()
        note = {"Creator": MARK, "Date": None} if kind == "svg" else {"Software": MARK}
        write_file(path, lambda file: figure.savefig(file, format=kind, dpi=150, metadata=note))


def in_the_dark(drawn: str) -> str:
    """A picture in SVG, in colours for a dark page."""
    for light, dark in DARK.items():
        drawn = drawn.replace(light.lower(), dark)
    return drawn


def _figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing(error, "atlas", "a picture") from None
    return Figure


def _heading(figure: Any, ruleset: Ruleset, rules: str) -> None:
    text = f"{ruleset.title} ({ruleset.key}{f': {rules}' if rules else ''})"
    figure.suptitle(text, x=0.01, y=0.99, ha="left", va="top", fontsize=12, weight="bold")


# --- Over the targets. ---


def _draw_sweep(figure: Any, ruleset: Ruleset, columns: Columns) -> None:
    _heading(figure, ruleset, changed_rules(ruleset))
    winners, fairness, steps = figure.subplots(
        3, sharex=True, gridspec_kw=PLACES | {"height_ratios": (2, 3, 3)}
    )
    _draw_winners(winners, columns)
    _draw_fairness(fairness, columns)
    _draw_steps(steps, columns)
    steps.set_xlabel("target")
    steps.xaxis.get_major_locator().set_params(integer=True)


def _draw_winners(axes: Axes, columns: Columns) -> None:
    """A stem for each target: up where the starter wins, down where the other does."""
    rows = list(zip(columns["target"], columns["value"], columns["plies"], strict=True))
    most = max((plies or 1 for _, _, plies in rows), default=1)
    for value, color, sign in (("win", BLUE, 1), ("loss", ORANGE, -1)):
        some = [(target, sign * plies) for target, kind, plies in rows if kind == value]
        targets, heights = [t for t, _ in some], [n for _, n in some]
        axes.vlines(targets, 0, heights, color=color, linewidth=_width(columns))
    endless = [target for target, value, _ in rows if value == "endless"]
    axes.plot(endless, [0] * len(endless), ".", color=GREY, markersize=3)
    axes.axhline(0, color=GREY, linewidth=0.6)
    axes.set_ylim(-1.15 * most, 1.15 * most)
    axes.set_yticks([-most, 0, most], [str(most), "0", str(most)])
    _title(axes, "Who wins with best play, and in how many moves")
    _label(axes, most, "starter", BLUE)
    _label(axes, -most, "the other", ORANGE)
    if endless:
        _label(axes, 0, "neither", GREY)


def _draw_fairness(axes: Axes, columns: Columns) -> None:
    _title(axes, f"The starter's chance between two who see {listed(PEOPLE, 'or')} moves ahead")
    _fair(axes)
    for sight in PEOPLE:
        _draw_marks(axes, columns, sight, _chances_that_end(columns, sight))
    _chance_axis(axes)
    _label_marks(axes, PEOPLE)


def _draw_steps(axes: Axes, columns: Columns) -> None:
    _title(axes, f"What seeing {listed(STEPS, 'or')} moves ahead wins against seeing one fewer")
    _nothing(axes)
    for sight in STEPS:
        _draw_marks(axes, columns, sight, columns[f"step_{sight}"])
    _step_axis(axes, [step for sight in STEPS for step in columns[f"step_{sight}"]])
    _label_marks(axes, STEPS)


def _chances_that_end(columns: Columns, sight: int) -> list[float]:
    """The starter's chances; where no game ever ends there is nothing to see."""
    name = f"first_{sight}"
    chances = (figure(row, name) for row in rows_from(columns))
    return [float("nan") if chance is None else chance for chance in chances]


def _draw_marks(axes: Axes, columns: Columns, sight: int, chances: Sequence[float]) -> None:
    mark = MARKS[sight]
    axes.plot(
        columns["target"],
        chances,
        mark.shape,
        color=mark.color,
        markerfacecolor=mark.color if mark.filled else "none",
        markeredgewidth=0.8,
        markersize=mark.size * (1 + _width(columns)) / 2,
    )


def _label_marks(axes: Axes, sights: Sequence[int]) -> None:
    for place, sight in enumerate(sights):
        mark = MARKS[sight]
        _label(axes, 0.94 - 0.1 * place, mark.label, mark.color, "axes fraction")


# --- The ladder of one target. ---


def _draw_ladder(figure: Any, ruleset: Ruleset, row: Row) -> None:
    chosen = ruleset.replace(target=row["target"])
    names = ("target", *(name for name in chosen.changed if name != "target"))
    _heading(figure, chosen, setting(chosen, names))
    steps, starter, target = figure.subplots(3, sharex=True, gridspec_kw=PLACES)
    ladder = rungs(row)
    _title(steps, "What seeing one move further wins against seeing one fewer")
    _nothing(steps)
    paid = [rung.step or 0.0 for rung in ladder[1:]]
    steps.bar(range(1, len(ladder)), [step - 0.5 for step in paid], 0.6, 0.5, color=BLUE)
    _step_axis(steps, paid)
    _write_figures(steps, [None, *paid])
    _title(starter, "The starter's chance between two who see equally far")
    _fair(starter)
    _draw_line(starter, [rung.first for rung in ladder], "o-", ORANGE)
    _title(target, "How often a multiple of the target decides between them")
    _draw_line(target, [rung.target for rung in ladder], "s-", GREEN)
    target.set_xlabel("moves seen ahead")
    target.set_xticks(range(len(ladder)), [rung.name.replace(" ", "\n") for rung in ladder])


def _draw_line(axes: Axes, chances: Sequence[float | None], style: str, color: str) -> None:
    """A line over the sights; where no game ever ends it is broken."""
    known = [float("nan") if chance is None else chance for chance in chances]
    axes.plot(range(len(known)), known, style, color=color, markersize=5)
    _chance_axis(axes)
    _write_figures(axes, chances)


def _write_figures(axes: Axes, chances: Sequence[float | None]) -> None:
    """The chances in a line above what is drawn."""
    lowest, highest = axes.get_ylim()
    axes.set_ylim(lowest, highest + 0.15 * (highest - lowest))
    for place, chance in enumerate(chances):
        if chance is not None:
            axes.text(place, highest, percent(chance, places=0), ha="center", va="bottom")


# --- What all of them have. ---


def _fair(axes: Axes) -> None:
    axes.axhspan(FAIR_FROM, FAIR_TO, color=PALE)
    _label(axes, 0.5, "fair", GREY)


def _nothing(axes: Axes) -> None:
    axes.axhline(0.5, color=GREY, linewidth=0.6)
    _label(axes, 0.5, "pays nothing", GREY)


def _chance_axis(axes: Axes) -> None:
    axes.set_ylim(-0.06, 1.06)
    axes.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])


def _step_axis(axes: Axes, steps: Sequence[float]) -> None:
    """As far down as there is something to see: few steps are worse than none."""
    axes.set_ylim(min(0.4, *steps) - 0.03, 1.03)
    axes.set_yticks([0.5, 0.75, 1], ["50%", "75%", "100%"])


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", fontsize=10)


def _label(axes: Axes, height: float, text: str, color: str, unit: str = "data") -> None:
    """Name what is drawn, at the right edge."""
    axes.annotate(
        text,
        (1.01, height),
        xycoords=("axes fraction", unit),
        color=color,
        va="center",
        annotation_clip=False,
    )


def _width(columns: Columns) -> float:
    """Thinner where there are more targets."""
    return max(0.6, min(3.0, 250 / max(1, len(columns["target"]))))
