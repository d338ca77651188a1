"""What the package promises: its names, what they say of themselves, and its types."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import digitduel
from digitduel import errors

PUBLIC = [
    "Budget",
    "DigitDuelError",
    "Duel",
    "Evaluation",
    "Evaluator",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPositionError",
    "InvalidPuzzleError",
    "InvalidRecordError",
    "InvalidRulesetError",
    "Lookahead",
    "Match",
    "Move",
    "Outcome",
    "Position",
    "Record",
    "Ruleset",
    "Side",
    "Solution",
    "StorageError",
    "Termination",
    "TooLargeError",
    "UnreadableError",
    "Value",
    "evaluator_for",
    "find_ruleset",
    "perft",
    "read_ruleset",
    "ruleset_keys",
    "setting_names",
    "solve",
]


def test_the_public_names_are_these() -> None:
    assert list(digitduel.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_says_what_it_is(name: str) -> None:
    value = getattr(digitduel, name)
    documented = vars(value)["__doc__"] if inspect.isclass(value) else value.__doc__
    assert documented
    assert not documented.startswith(f"{name}(")  # the words that a dataclass gives itself


def public_members() -> list[tuple[str, object]]:
    """The methods and properties that the public classes define themselves."""
    classes = [value for name in PUBLIC if inspect.isclass(value := getattr(digitduel, name))]
    return [
        (f"{each.__name__}.{name}", member)
        for each in classes
        for name, member in vars(each).items()
        if not name.startswith("_") and (inspect.isroutine(member) or isinstance(member, property))
    ]


@pytest.mark.parametrize(("name", "member"), public_members(), ids=[n for n, _ in public_members()])
def test_every_public_method_says_what_it_does(name: str, member: object) -> None:
    assert (inspect.getdoc(member) or "").strip(), name


def test_the_error_tree_is_as_drawn() -> None:
    tree = {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }
    assert set(tree) < set(PUBLIC)
    assert tree.pop("DigitDuelError").__bases__ == (ValueError,)
    parents = {name: value.__base__ for name, value in tree.items()}
    assert parents.pop("UnreadableError") is errors.StorageError
    assert set(parents.values()) == {errors.DigitDuelError}
    drawing = errors.__doc__ or ""
    assert all(f"── {name} " in drawing for name in tree)


def test_the_larger_rooms_are_opened_on_entering() -> None:
    for name in ("players", "teach"):
        assert getattr(digitduel, name) is import_module(f"digitduel.{name}")
    with pytest.raises(AttributeError, match="has no attribute 'chess'"):
        digitduel.chess  # noqa: B018


def test_numpy_is_not_loaded_before_something_is_solved() -> None:
    code = "import sys, digitduel; print('numpy' in sys.modules)"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_version_is_three_numbers() -> None:
    assert [part.isdecimal() for part in digitduel.__version__.split(".")] == [True] * 3


def test_the_package_says_that_it_is_typed() -> None:
    marker = Path(digitduel.__file__).with_name("py.typed")
    assert marker.read_bytes() == b""
