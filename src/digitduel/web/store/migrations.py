"""Numbered steps that bring a store to the form this program knows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from digitduel.errors import StorageError

if TYPE_CHECKING:
    from digitduel.web.store import Run

FOLDER = Path(__file__).parent / "migrations"


@cache
def steps() -> dict[int, list[str]]:
    """The statements of each step, by its number."""
    return {int(path.stem[:4]): _statements(path) for path in sorted(FOLDER.glob("*.sql"))}


def _statements(path: Path) -> list[str]:
    text = re.sub(r"--[^\n]*", "", path.read_text(encoding="utf-8"))
    return [part.strip() for part in text.split(";") if part.strip()]


def migrate(run: Run) -> None:
    """Take the steps that are missing; the caller holds a transaction that nobody else shares."""
    run("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)")
    done = {number for (number,) in run("SELECT number FROM migrations")}
    if unknown := done - steps().keys():
        newer = max(unknown) > max(steps())
        raise StorageError(
            f"this database is of {'a newer' if newer else 'an older'} version of digitduel (step "
            f"{max(unknown)}; this one knows {max(steps())}) and is left as it is: "
            f"{'update digitduel, or ' if newer else ''}choose another database."
        )
    for number in sorted(steps().keys() - done):
        for statement in steps()[number]:
            run(statement)
        run("INSERT INTO migrations (number) VALUES (:number)", number=number)
