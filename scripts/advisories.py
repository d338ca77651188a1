"""Asks the advisory services about every version that a .lock file pins, for whatever Python it is.

    .venv-tools/bin/python scripts/advisories.py

A version that no service knew about fails it too: not to have looked is not to have found nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,.-]+\])?==([^\s;]+)", re.MULTILINE)
SERVICES = ("pypi", "osv")


def pins(locks: list[Path]) -> list[tuple[str, str]]:
    """Each name and version that is pinned somewhere, once."""
    return sorted({pin for lock in locks for pin in PIN.findall(lock.read_text("utf-8"))})


def lists(pinned: list[tuple[str, str]]) -> list[str]:
    """The pins as lists of requirements; none names a package twice, which pip-audit refuses."""
    rows: list[dict[str, str]] = []
    for name, version in pinned:
        row = next((row for row in rows if name not in row), None)
        if row is None:
            rows.append(row := {})
        row[name] = version
    return ["".join(f"{name}=={version}\n" for name, version in row.items()) for row in rows]


def ask(service: str, pinned: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """What a service says of each; nothing if it does not answer."""
    with tempfile.TemporaryDirectory(prefix="digitduel-advisories-") as folder:
        options: list[str] = []
        for number, text in enumerate(lists(pinned)):
            path = Path(folder) / f"{number}.txt"
            path.write_text(text)
            options += ["--requirement", str(path)]
        command = (sys.executable, "-m", "pip_audit", "--vulnerability-service", service)
        how = ("--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json")
        done = subprocess.run([*command, *how, *options], capture_output=True, check=False)
    try:
        answers: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except ValueError:
        return []
    return answers


def verdict(pinned: list[tuple[str, str]], answers: list[dict[str, Any]]) -> tuple[bool, list[str]]:
    """Whether every pin was looked at and is without a weakness, and the lines that say so."""
    seen = [answer for answer in answers if "skip_reason" not in answer]
    if not seen:
        services = " nor ".join(SERVICES)
        return False, [f"NOT AUDITED: neither {services} answers for any of {len(pinned)} pins."]
    weak = [answer for answer in seen if answer["vulns"]]
    lines = [
        f"{answer['name']} {answer['version']}: {weakness['id']}, mended in "
        f"{', '.join(weakness['fix_versions']) or 'no version yet'}"
        for answer in weak
        for weakness in answer["vulns"]
    ]
    lines.append(f"{len(seen)} of {len(pinned)} pinned versions audited, {len(weak)} weak.")
    return not weak and len(seen) == len(pinned), lines


def main() -> None:
    """Ask the first service that knows our packages, and say what it says."""
    pinned = pins(sorted(ROOT.glob("requirements*.lock")))
    answers: list[dict[str, Any]] = []
    for service in SERVICES:
        answers = ask(service, pinned)
        if any("skip_reason" not in answer for answer in answers):
            break
    sound, lines = verdict(pinned, answers)
    print(*lines, sep="\n")
    sys.exit(not sound)


if __name__ == "__main__":
    main()
