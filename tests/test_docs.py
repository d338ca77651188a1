"""What the docs show works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from digitduel import describe, find_ruleset, read_ruleset, ruleset_keys
from scripts import architecture, reference
from tests.terminal import digitduel

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
GAME_FILES = re.findall(
    r"```toml\n(.*?)```", (ROOT / "docs" / "adding-a-game.md").read_text("utf-8"), re.DOTALL
)
# Not run here: what waits for people or other machines, and what takes long.
LEFT_OUT = re.compile(
    r"[A-Z]{3}|\[|\.toml|serve|resume|replay$|analyse game.txt$|"
    r"--cluster|--all-targets|--vary|\.\.[0-9]{4}"
)


def commands(page: Path) -> list[str]:
    """The commands that a page shows, in their order, without what is said of them."""
    lines = re.findall(r"^    (?:\$ )?digitduel ([a-z].*)$", page.read_text("utf-8"), re.MULTILINE)
    shown = (re.split(r"\s{2,}|\s#", line)[0] for line in lines)
    return [command for command in shown if not LEFT_OUT.search(command)]


@pytest.mark.parametrize("code", PYTHON)
def test_python_in_the_readme_runs_and_prints_what_it_says(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102  (our own README)
    printed = capsys.readouterr().out.splitlines()
    promised = [line.split("# ")[1] for line in code.splitlines() if "# " in line]
    assert promised
    assert all(line in printed for line in promised)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if commands(page)], ids=lambda page: page.name
)
def test_commands_in_the_docs_work_one_after_the_other(page: Path, tmp_path: Path) -> None:
    for command in commands(page):
        done = digitduel(*shlex.split(command), home=tmp_path)
        # A game whose input ends at once is exit code 1.
        played = command.startswith(("play", "puzzle")) and "The input ended" in done.stdout
        assert done.returncode == (1 if played else 0), (command, done.stderr)


@pytest.mark.parametrize("key", ruleset_keys())
def test_the_rulings_are_in_the_docs_as_in_the_game(key: str) -> None:
    game = find_ruleset(key)
    page = (ROOT / "docs" / "games.md").read_text("utf-8").partition("## Where the rulebooks")[2]
    section = page.partition(f"### {game.title} (`{key}`)\n")[2].partition("\n#")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert rows == [
        f"| {ruling.clause} | {ruling.text} | {ruling.why} |" for ruling in describe.rulings(game)
    ]


@pytest.mark.parametrize("number", range(len(GAME_FILES)))
def test_the_game_files_in_the_docs_are_games(number: int, tmp_path: Path) -> None:
    whole = 'extends = "conquest"\nkey = "shown"\n'
    text = GAME_FILES[number]
    path = tmp_path / "shown.toml"
    path.write_text(text if "key = " in text else whole + text, "utf-8")
    assert read_ruleset(path).goal


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_are_there(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
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
        path
        for page in PAGES
        for path in re.findall(r"`([a-z_0-9]+/[a-z_0-9/]+\.py)`", page.read_text("utf-8"))
        if not any((folder / path).exists() for folder in folders)
    }
    assert lost == set()
    modules = {path.name for folder in folders for path in folder.rglob("*.py")}
    named = {name for page in PAGES for name in re.findall(r"`(\w+\.py)`", page.read_text("utf-8"))}
    assert named <= modules


def test_every_function_that_the_docs_call_is_there() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    defined = set(re.findall(r"(?:def|class) (\w+)", source))
    called = {
        name
        for page in PAGES
        for name in re.findall(r"`(?:\w+\.)*(\w+)\([^`]*\)`", page.read_text("utf-8"))
    }
    assert called <= defined


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != reference.PAGE], ids=lambda page: page.name
)
def test_python_in_the_docs_runs(page: Path) -> None:
    names: dict[str, object] = {}
    for code in re.findall(r"(?m)^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL):
        exec(compile(code, page.name, "exec"), names)  # noqa: S102  (our own pages)
