"""The release gate: what it lets through has been built, installed and played."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import digitduel
from scripts import release

ROOT = Path(__file__).parent.parent


def test_version_and_changelog_agree() -> None:
    assert release.package_version() == digitduel.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert release.check_version(changelog, digitduel.__version__) == digitduel.__version__
    assert changelog.index("## Unreleased") < changelog.index(f"## {digitduel.__version__} (")


@pytest.mark.parametrize(
    ("changelog", "words"),
    [("## Unreleased\n", "no released version"), ("## 0.9.0 (2027-01-01)\n", "begins with 0.9.0")],
)
def test_a_version_that_the_changelog_does_not_name_is_stopped(changelog: str, words: str) -> None:
    with pytest.raises(SystemExit, match=words):
        release.check_version(changelog, "0.1.0")


@pytest.mark.slow
def test_a_release_is_built_installed_in_an_empty_place_and_played(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "scripts/release.py", "--unclean", "--out", str(tmp_path / "dist")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "wins" in done.stdout
    assert f"git tag --annotate v{digitduel.__version__}" in done.stdout
    kinds = {path.suffix for path in (tmp_path / "dist").iterdir()}
    assert kinds == {".whl", ".gz"}
