"""The mutants: which changes there are, and that those called equivalent are among them."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from textwrap import dedent

import pytest

from scripts import mutants


def changes(source: str) -> list[str]:
    return [mutant.change for mutant in mutants.mutants_of("game", dedent(source))]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a == b", ["x = a != b"]),
        ("x = a + b * c", ["x = a - b * c", "x = a + b // c"]),
        ("x = a and b", ["x = a or b"]),
        ("x = 7", ["x = 8", "x = 6"]),
        ("x = True", ["x = False"]),
        ("x = 0.5", ["x = 0.25"]),
        ("x = 'a'", ["x = 'x'"]),
        ("x = not a", ["x = a"]),
        ("x = -a", ["x = a"]),
        ("x = a if b else c", ["x = a if not b else c"]),
        ("x = [a for a in b if c]", ["x = [a for a in b if not c]"]),
        ("if a:\n    b", ["if not a:"]),
        ("while a < b:\n    c", ["while not a < b:", "while a <= b:"]),
        ("a.b = c", ["pass"]),
        ("a += b", ["pass", "a -= b"]),
        ("a()", ["pass"]),
        ("def f():\n    return a", ["return None"]),
        ("def f(a=1):\n    raise E", ["def f(a=2):", "def f(a=0):", "pass"]),
    ],
)
def test_each_small_change_is_made_once(source: str, expected: list[str]) -> None:
    assert [change.partition(" -> ")[2] for change in changes(source)] == expected


def test_words_for_people_and_for_the_type_checker_are_left_alone() -> None:
    source = '''
        """A module."""
        __all__ = ["f"]
        if TYPE_CHECKING:
            from a import b
        def f(a: int | None) -> "b | None":
            """A function."""
            c: "x | y"
            f"words {a:>9}"
            d = cast("int | None", zip(a, a, strict=True))
    '''
    assert changes(source) == []


def test_a_mutant_leaves_the_tree_as_it_was() -> None:
    source = "def f(a):\n    return a + 1\n"
    found = mutants.mutants_of("game", source)
    results = []
    for mutant in found:
        names: dict[str, object] = {}
        exec(mutant.code(), names)  # noqa: S102  (our own two lines)
        function = names["f"]
        assert callable(function)
        results.append(function(5))
        assert ast.unparse(mutant.tree) == source.strip()
    assert results == [None, 4, 7, 5]


def test_every_mutant_called_equivalent_is_one_and_has_a_reason() -> None:
    for where, change in mutants.equivalent():
        name = where.partition(":")[0]
        found = mutants.mutants_of(name, mutants.path_of(name).read_text("utf-8"))
        assert any(mutants.is_listed(mutant, [(where, change)]) for mutant in found), change
    for entry in tomllib.loads(mutants.EQUIVALENT.read_text("utf-8"))["equivalent"]:
        assert len(entry["reason"].split()) > 3, entry


def test_every_module_that_is_tried_is_there() -> None:
    assert {"position", "solver.table", "states.graph", "web.rights"} <= mutants.modules().keys()
    for name in mutants.HOMES:
        assert list(mutants.PACKAGE.glob(f"{name.replace('.', '/')}.py")), name


@pytest.mark.slow
def test_a_mutant_is_noticed_by_the_test_that_is_there_for_it_and_by_no_other() -> None:
    def alive(tests: str) -> str:
        options = ("web.commands", "--count", "2", "--tests", tests)
        command = [sys.executable, "scripts/mutants.py", *options]
        done = subprocess.run(
            command, cwd=mutants.ROOT, capture_output=True, text=True, check=False
        )
        return done.stdout.splitlines()[-1]

    assert alive("tests/web/test_commands.py") == "2 of 2 mutants noticed: 100.0%."
    assert alive("tests/test_cache.py") == "0 of 2 mutants noticed: 0.0%."
