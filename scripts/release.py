"""Builds a release and tries it as a user would: in an empty environment. It uploads nothing.

    .venv/bin/python scripts/release.py [--out FOLDER] [--unclean]

`--unclean` lets the working tree hold changes that are not committed: for trying this out.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADING = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", re.MULTILINE)
GAME = ("play", "pool", "--target", "12", "--p1", "casual", "--p2", "casual", "--seed", "7")


def main() -> None:
    """Check, build, install, play; say what to tag."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the files go")
    parser.add_argument("--unclean", action="store_true", help="allow uncommitted changes")
    given = parser.parse_args()
    version = check_version((ROOT / "CHANGELOG.md").read_text("utf-8"), package_version())
    if not given.unclean:
        check_tree()
    wheel = build(given.out)
    print(play(wheel))
    print(f"{wheel.name} plays. To release it:\n")
    print(f"    git tag --annotate v{version} --message 'Digit Duel {version}'")
    print(f"    git push origin v{version}\n\nand put the files of {given.out} where they belong.")


def package_version() -> str:
    """The version that the package says it has."""
    text = (ROOT / "src" / "digitduel" / "__init__.py").read_text("utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def check_version(changelog: str, version: str) -> str:
    """The version, if it is the newest that the changelog has a date for."""
    headings = HEADING.findall(changelog)
    if not headings:
        sys.exit("CHANGELOG.md names no released version: write ## 0.1.0 (2026-11-18).")
    if headings[0][0] != version:
        sys.exit(f"the package is {version}, but CHANGELOG.md begins with {headings[0][0]}.")
    return version


def check_tree() -> None:
    """Stop if there is something that is not committed."""
    changes = _run("git", "status", "--porcelain")
    if changes:
        sys.exit(f"commit these first, or give --unclean:\n{changes}")


def build(folder: Path) -> Path:
    """Source archive and wheel; the wheel's place."""
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder))
    return max(folder.glob("*.whl"), key=lambda path: path.stat().st_mtime)


def play(wheel: Path) -> str:
    """Install the wheel where nothing else is, and play a game there; what the game says."""
    with tempfile.TemporaryDirectory(prefix="digitduel-release-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        install = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        for lock in ("requirements-pip.lock", "requirements.lock"):
            _run(*install, "--require-hashes", "--only-binary=:all:", "-r", str(ROOT / lock))
        _run(*install, "--no-deps", str(wheel))
        # Isolated (-I), so that it is the wheel that plays and not this folder.
        return _run(python, "-I", "-m", "digitduel", *GAME, cwd=Path(folder))


def _run(*command: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
