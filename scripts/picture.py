"""Draw docs/images/terminal.svg: a real game, played by the real session, as a picture."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from digitduel.cli.saves import TerminalDuel
from digitduel.cli.screen import Screen
from digitduel.cli.session import start
from digitduel.events import Terms
from digitduel.ruleset import find_ruleset

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "terminal.svg"
TYPED = "5\n7\n1\n3\n2\n"


def main() -> None:
    """Play the game on a recording console and export it."""
    console = Console(
        record=True,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
        width=64,
        file=io.StringIO(),
    )
    sys.stdin = io.StringIO(TYPED)
    terms = Terms(find_ruleset("pool").replace(target=12), names=("Ann", "Bob"))
    with tempfile.TemporaryDirectory() as home:
        os.environ["DIGITDUEL_HOME"] = home
        start(TerminalDuel.begin(terms), Screen(console=console))
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    picture = console.export_svg(title="digitduel play pool --target 12 --names Ann,Bob")
    PICTURE.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
