"""A sweep as a picture: who wins, how fair it is, and whether skill pays, over the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from digitduel.atlas.extras import missing
from digitduel.describe import changed_rules
from digitduel.errors import DigitDuelError
from digitduel.files import already_there, is_there, write_file
from digitduel.text import listed, quoted

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from digitduel.atlas.sweep import Sweep
    from digitduel.atlas.tables import Columns
    from digitduel.ruleset import Ruleset

SUFFIXES = (".svg", ".png")
NEEDED = (
    *("value", "plies"),
    *("casual_first", "casual_second", "casual_skill"),
    *("careful_first", "careful_second", "careful_skill"),
)
MARK = "digitduel atlas"

# Two colours that every eye can tell apart, and a grey for what is neither.
BLUE, ORANGE, GREY, INK, PALE = "#0072B2", "#D55E00", "#8A8A8A", "#333333", "#EEEEEE"
# The same for a dark page, where the paper is dark too.
DARK = {
    "#FFFFFF": "#1f1f23",
    BLUE: "#6cb8ec",
    ORANGE: "#ff9a52",
    GREY: "#9a9a9a",
    INK: "#f1eee7",
    PALE: "#34343a",
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


def check_picture(path: Path, sweep: Sweep) -> None:
    """An error, in words, if a sweep cannot be drawn there."""
    if path.suffix.lower() not in SUFFIXES:
        raise DigitDuelError(f"cannot draw {quoted(str(path))}: give a name in .svg or .png.")
    if is_there(path) and MARK.encode() not in path.read_bytes()[:4096]:
        raise already_there(path)
    lacking = [name for name in NEEDED if name not in sweep.columns]
    if lacking:
        raise DigitDuelError(f"cannot draw {quoted(str(path))} without {listed(lacking)}.")
    if len(sweep.axes) > 1:
        raise DigitDuelError(
            f"cannot draw {quoted(str(path))}: a picture shows one game over its targets; "
            "leave out --plot or --vary."
        )
    _figure_class()


def draw(path: Path, ruleset: Ruleset, columns: Columns) -> None:
    """Draw a sweep over targets to a file."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        figure = _figure_class()(figsize=(8.0, 6.4), layout="constrained")
        figure.suptitle(_heading(ruleset), x=0.01, ha="left", fontsize=12, weight="bold")
        winners, fairness, skill = figure.subplots(3, sharex=True)
        _draw_winners(winners, columns)
        _draw_fairness(fairness, columns)
        _draw_skill(skill, columns)
        skill.set_xlabel("target")
        skill.xaxis.get_major_locator().set_params(integer=True)
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


def _heading(ruleset: Ruleset) -> str:
    changes = changed_rules(ruleset)
    return f"{ruleset.title} ({ruleset.key}{f': {changes}' if changes else ''})"


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
    axes.axhspan(0.4, 0.6, color=PALE)
    _title(axes, "The starter's chance between two casual, and two careful players")
    _draw_chances(axes, columns, "first")
    _label(axes, 0.5, "fair", GREY)


def _draw_skill(axes: Axes, columns: Columns) -> None:
    axes.axhline(0.5, color=GREY, linewidth=0.6)
    _title(axes, "A perfect player's chance against a casual, and a careful one")
    _draw_chances(axes, columns, "skill")
    _label(axes, 0.5, "no help", GREY)


def _draw_chances(axes: Axes, columns: Columns, measure: str) -> None:
    """Dots for casual players, and squares around them for careful ones."""
    for kind, marker, color, size, filled in (
        ("careful", "s", ORANGE, 4, "none"),
        ("casual", "o", BLUE, 2, BLUE),
    ):
        some = [
            (target, chance)
            for target, chance, first, second in zip(
                columns["target"],
                columns[f"{kind}_{measure}"],
                columns[f"{kind}_first"],
                columns[f"{kind}_second"],
                strict=True,
            )
            if first + second > 0  # where no game ever ends there is nothing to see
        ]
        axes.plot(
            [target for target, _ in some],
            [chance for _, chance in some],
            marker,
            color=color,
            markerfacecolor=filled,
            markeredgewidth=0.8,
            markersize=size * (1 + _width(columns)) / 2,
        )
    axes.set_ylim(-0.06, 1.06)
    axes.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    _label(axes, 0.94, "● casual", BLUE)
    _label(axes, 0.76, "□ careful", ORANGE)


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", fontsize=10)


def _label(axes: Axes, height: float, text: str, color: str) -> None:
    """Name what is drawn, at the right edge."""
    axes.annotate(
        text,
        (1.01, height),
        xycoords=("axes fraction", "data"),
        color=color,
        va="center",
        annotation_clip=False,
    )


def _width(columns: Columns) -> float:
    """Thinner where there are more targets."""
    return max(0.6, min(3.0, 250 / max(1, len(columns["target"]))))
