"""What the docs show works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from digitduel import describe, find_ruleset, read_ruleset, ruleset_keys
from tests.terminal import digitduel

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
GAME_FILES = re.findall(
    r"```toml\n(.*?)```", (ROOT / "docs" / "adding-a-game.md").read_text("utf-8"), re.DOTALL
)
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
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link
