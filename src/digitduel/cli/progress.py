"""Solving while somebody waits: a progress bar after a second, and a clean Ctrl-C."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from digitduel.solver import evaluator_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress, TaskID

    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator

PATIENCE = 1.0


def evaluator_with_progress(ruleset: Ruleset) -> Evaluator:
    """The values of a rule set; a solve that takes over a second shows how far it is."""
    with ExitStack() as stack:
        return evaluator_for(ruleset, progress=_progress(stack))


def _progress(stack: ExitStack) -> Callable[[float], None] | None:
    """Reports to a bar on standard error that appears when patience runs out."""
    if not sys.stderr.isatty():
        return None
    started = time.monotonic()
    bar: list[tuple[Progress, TaskID]] = []

    def report(done: float) -> None:
        if not bar and time.monotonic() - started > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            progress = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
            bar.append((progress, progress.add_task("Solving", total=1.0)))
        for progress, task in bar:
            progress.update(task, completed=done)

    return report
