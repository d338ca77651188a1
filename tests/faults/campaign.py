"""What all campaigns share: randomness from a seed, a budget, and counts of what was done."""

from __future__ import annotations

import importlib
import os
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = TypeVar("Kind")

SKIPPED = "skipped: "
SHARED = ("__init__", "__main__", "campaign", "test_campaigns")


def campaigns() -> list[str]:
    """The names of all campaigns."""
    modules = Path(__file__).parent.glob("*.py")
    return sorted(path.stem for path in modules if path.stem not in SHARED)


class Campaign:
    """One run of an attack. A fault is an AssertionError; `report` says what was done without one.

    >>> campaign = Campaign("web_kills", seed=1, seconds=60, most=2)
    >>> while campaign.goes_on():
    ...     campaign.count("kills")
    >>> campaign.counts["kills"]
    2
    """

    def __init__(self, name: str, seed: int, seconds: float, most: int | None = None) -> None:
        """It ends after so many `seconds`, or after `most` rounds if that is sooner.

        What is done `in_turn` is done once each, however long that takes.
        """
        self.name, self.seed, self.most = name, seed, most
        self.random = Random(f"{name}/{seed}")
        self.counts: Counter[str] = Counter()
        self.notes: list[str] = []  # what else is worth telling
        self.skipped = ""
        self._rounds, self._untried, self._seconds = 0, 0, seconds
        self.begin()

    def begin(self) -> None:
        """The time counts from here, for who has had something to prepare."""
        self._began = time.monotonic()
        self._ends = self._began + self._seconds

    def goes_on(self) -> bool:
        """Whether there is budget for one more round."""
        self._rounds += 1
        in_time = time.monotonic() < self._ends or self._untried > 0
        return in_time and (self.most is None or self._rounds <= self.most)

    def in_turn(self, kinds: Sequence[Kind]) -> Iterator[Kind]:
        """All kinds in any order, then all of them again; no run is too short to try each.

        >>> campaign = Campaign("web_kills", seed=1, seconds=0.001)
        >>> attacks = campaign.in_turn("abc")
        >>> tried = [next(attacks)]
        >>> while campaign.goes_on():
        ...     tried.append(next(attacks))
        >>> {*tried} == {*"abc"}
        True
        """
        self._untried = len(kinds)
        while True:
            for kind in self.random.sample(kinds, len(kinds)):
                self._untried -= 1
                yield kind

    def count(self, what: str, times: int = 1) -> None:
        """Note that something was done."""
        self.counts[what] += times

    def skip(self, reason: str) -> None:
        """Note that nothing can be done here, and why."""
        self.skipped = reason

    def report(self) -> str:
        """What was done, and how it is done again."""
        if self.skipped:
            return f"{SKIPPED}{self.name}: {self.skipped}"
        took = time.monotonic() - self._began
        done = ", ".join(f"{count:,} {what}" for what, count in sorted(self.counts.items()))
        told = f"{self.name} --seed {self.seed}: {done or 'nothing'} in {took:.0f} s, no fault"
        return "\n  ".join([told, *self.notes])

    def run(self) -> str:
        """Run it in an empty folder; the report."""
        # What is killed a thousand times is not measured for coverage.
        for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
            del os.environ[name]
        attack = importlib.import_module(f"tests.faults.{self.name}")
        with TemporaryDirectory(prefix="digitduel-faults-") as folder:
            try:
                attack.run(self, Path(folder))
            except BaseException as fault:
                fault.add_note(f"{self.name} --seed {self.seed}, after {dict(self.counts)}")
                raise
        return self.report()
