"""What the docs show works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from scripts import architecture, reference
from tests.terminal import digitduel

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.split("#")[0].strip()
    for line in README.splitlines()
    if re.match(r"    digitduel (play|rules|solve|games|remainders)", line)
]


@pytest.mark.parametrize("code", PYTHON)
def test_python_in_the_readme_runs_and_prints_what_it_says(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102  (our own README)
    printed = capsys.readouterr().out.splitlines()
    promised = [line.split("# ")[1] for line in code.splitlines() if "# " in line]
    assert promised
    assert all(line in printed for line in promised)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_in_the_readme_are_accepted(command: str, tmp_path: Path) -> None:
    _, *args = shlex.split(command)
    # A game whose input ends at once is exit code 1; only 2 would mean that it was not understood.
    assert digitduel(*args, home=tmp_path).returncode in (0, 1)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_are_there(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link


# --- Pages that follow from the source; `make docs` writes them anew. ---


def test_the_picture_of_the_floors_shows_the_imports_as_they_are() -> None:
    assert architecture.PICTURE.read_text("utf-8") == architecture.picture(), "make docs"


def test_the_reference_is_what_the_source_says() -> None:
    assert reference.PAGE.read_text("utf-8") == reference.page(), "make docs"


def test_everything_public_is_explained() -> None:
    assert reference.gaps() == []


def test_every_module_that_the_docs_name_is_there() -> None:
    """A path in backticks begins at the root of the repository, or of the package."""
    folders = (ROOT, ROOT / "src" / "digitduel")
    lost = {
        (page.name, path)
        for page in PAGES
        for path in re.findall(r"`([a-z_0-9]+/[a-z_0-9/]+\.py)`", page.read_text())
        if not any((folder / path).exists() for folder in folders)
    }
    assert lost <= {("architecture.md", "states/endings.py")}
