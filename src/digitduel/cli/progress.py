"""Work while somebody waits: a progress bar after a second, and a clean Ctrl-C."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from digitduel.solver import evaluator_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress, TaskID

    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator

PATIENCE = 1.0


def evaluator_with_progress(ruleset: Ruleset) -> Evaluator:
    """The values of a rule set; a solve that takes over a second shows how far it is."""
    with bar("Solving") as report:
        return evaluator_for(ruleset, progress=report)


@contextmanager
def bar(task: str, total: float = 1.0) -> Iterator[Callable[[float], None]]:
    """Takes reports of how much is done; a terminal shows them once patience has run out."""
    started = time.monotonic()
    shown: list[tuple[Progress, TaskID]] = []
    with ExitStack() as stack:

        def report(done: float) -> None:
            if not shown and sys.stderr.isatty() and time.monotonic() - started > PATIENCE:
                from rich.console import Console
                from rich.progress import Progress

                progress = Progress(console=Console(stderr=True), transient=True)
                number = stack.enter_context(progress).add_task(
                    task, total=total, completed=int(done)
                )
                shown.append((progress, number))
            for progress, number in shown:
                progress.update(number, completed=done)

        yield report
