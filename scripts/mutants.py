"""Changes the rules one small thing at a time, and asks whether a test notices.

    .venv/bin/python scripts/mutants.py                          a sample of all modules
    .venv/bin/python scripts/mutants.py solver.table --all       every mutant of one
    .venv/bin/python scripts/mutants.py ruleset --count 50 --seed 7 --tests tests/test_ruleset.py

One run of the fast tests tells which of them reach which line (kept in .mutants.json until the
source changes; tests written since then are run wherever they belong). A mutant is then tried in a
process of its own, forked where all libraries are loaded and nothing of ours is, by the tests that
reach its line, until one fails. One that hangs is noticed too. Mutants that change nothing anybody
can see are in scripts/mutants.toml.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "digitduel"
MAP = ROOT / ".mutants.json"
EQUIVALENT = Path(__file__).with_suffix(".toml")
ASKED_FOR = 0.95  # of the mutants have to be noticed
MEMORY = 4 << 30  # bytes: a mutant may want all there is
OTHERS = 20.0  # seconds for tests that are not there for the module

# The modules that are tried, and the tests that are there for them: these come first.
HOMES = {
    "ruleset": ("tests/test_ruleset.py", "tests/test_gamefile.py"),
    "position": ("tests/test_position.py", "tests/test_rulings.py"),
    "game": ("tests/test_game.py",),
    "duel": ("tests/test_duel.py", "tests/test_match.py"),
    "record": ("tests/test_record.py",),
    "states.*": ("tests/states",),
    "solver.*": ("tests/solver",),
    "players.levels": ("tests/players",),
    "teach.grading": ("tests/teach/test_grading.py", "tests/teach/test_report.py"),
    "web.rights": ("tests/web/test_rights.py", "tests/web/test_guard.py"),
    "web.commands": ("tests/web/test_commands.py", "tests/web/test_api.py"),
}
# Whatever runs in this process and soon.
TESTS = ("tests/test_*.py", *(f"tests/{part}" for part in ("solver", "states", "players", "teach")))
TESTS += ("tests/web/test_*.py",)
LEFT_OUT = ("tests/test_docs.py", "tests/test_mutants.py", "tests/test_release.py")
MARKS = "not browser and not postgres and not cluster and not slow"
# Loaded before the fork, so that no mutant waits for them.
LIBRARIES = (
    "numpy hypothesis.strategies click rich.console fastapi.testclient uvicorn jinja2 httpx2 "
    "schemathesis.pytest.plugin _hypothesis_pytestplugin anyio.pytest_plugin"
)

Lines = dict[int, list[str]]


# --- What can be changed. ---

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
OPPOSITES = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)  # swapping these negates
NOT_RUN = {"annotation", "returns", "format_spec"}


@dataclass(frozen=True)
class Place:
    """A node of a module's tree, and where it hangs."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    scope: str
    statement: ast.stmt

    def put(self, node: ast.AST) -> None:
        """Hang another node there."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """One small change of one module."""

    module: str
    tree: ast.Module
    place: Place
    node: ast.AST

    @property
    def where(self) -> str:
        """The module and the function."""
        return f"{self.module}:{self.place.scope}"

    @property
    def lines(self) -> range:
        """The lines that run when the change matters."""
        first = self.place.statement
        node = first if not hasattr(first, "body") else self.place.node
        node = node if isinstance(node, ast.expr | ast.stmt) else first
        last = node.end_lineno if not hasattr(node, "body") or isinstance(node, ast.expr) else None
        return range(node.lineno, (last or node.lineno) + 1)

    @property
    def change(self) -> str:
        """The statement before and after."""
        before = heading(self.place.statement)
        self.place.put(self.node)
        statement = self.node if isinstance(self.node, ast.stmt) else self.place.statement
        after = heading(statement)
        self.place.put(self.place.node)
        return f"{before} -> {after}"

    def code(self) -> CodeType:
        """The whole module with the change."""
        self.place.put(self.node)
        tree = ast.fix_missing_locations(self.tree)
        code = compile(tree, str(path_of(self.module)), "exec")
        self.place.put(self.place.node)
        return code

    def __str__(self) -> str:
        return f"{self.where} (line {self.lines.start})  {self.change}"


def heading(statement: ast.stmt) -> str:
    """A statement in a line, without what stands inside it."""
    bare = copy(statement)
    for field in ("body", "orelse", "finalbody", "handlers"):
        if hasattr(bare, field):
            setattr(bare, field, [])
    return " ".join(ast.unparse(bare).split())


def path_of(module: str) -> Path:
    """The file of a module of the package."""
    return PACKAGE / f"{module.replace('.', '/')}.py"


def mutants_of(module: str, source: str) -> list[Mutant]:
    """Every small change of a module."""
    tree = ast.parse(source)
    return [
        Mutant(module, tree, place, node)
        for place in places(tree, "", None)
        for node in variants(place)
    ]


def places(node: ast.AST, scope: str, statement: ast.stmt | None) -> Iterator[Place]:
    """All nodes below one that run and mean something."""
    for field, value in ast.iter_fields(node):
        if field in NOT_RUN:
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or idle(child, node):
                continue
            inner = child if isinstance(child, ast.stmt) else statement
            if inner is not None:
                yield Place(node, field, index, child, scope, inner)
            name = f"{scope}.{child.name}".strip(".") if isinstance(child, Named) else scope
            yield from places(child, name, inner)


Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def idle(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a node is words for people or for the type checker, or only makes sure."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.keyword(arg="strict"):
            return True
        case ast.Constant():
            typed = isinstance(parent, ast.Call) and ast.unparse(parent.func) == "cast"
            return typed or isinstance(parent, ast.JoinedStr)
    return False


def variants(place: Place) -> Iterator[ast.AST]:
    """What could stand in a place instead."""
    node = place.node
    if type(node) in SWAPS:
        yield SWAPS[type(node)]()
    elif isinstance(node, ast.stmt):
        yield from other_statements(node)
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, other_values(node.value))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    if isinstance(node, ast.expr) and turns_on(place):
        yield ast.UnaryOp(ast.Not(), node)


def other_values(value: object) -> Iterator[bool | int | float | str]:
    """What another constant could be."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case float():
            yield value / 2 if value else 1.0
        case str():
            yield "x" if value != "x" else ""


def other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """A result that is lost, or nothing where something was done."""
    match node:
        case ast.Return(value=value) if value and not nothing(value):
            yield ast.copy_location(ast.Return(ast.Constant(None)), node)
        case (
            ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom() | ast.Await())
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
            | ast.AugAssign()
            | ast.Raise()
            | ast.Delete()
            | ast.Continue()
            | ast.Break()
        ):
            yield ast.copy_location(ast.Pass(), node)


def nothing(node: ast.AST) -> bool:
    """Whether this is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None


def turns_on(place: Place) -> bool:
    """Whether this is a condition that no other change already turns round."""
    match place.node:
        case ast.UnaryOp(op=ast.Not()):
            return False
        case ast.Compare(ops=[op]) if isinstance(op, OPPOSITES):
            return False
    return place.field in ("test", "ifs")


# --- Which tests reach it. ---


@dataclass(frozen=True)
class Reach:
    """The tests that run each line of each module, and how long each test takes."""

    lines: dict[str, Lines]
    seconds: dict[str, float]

    def tests(self, mutant: Mutant) -> set[str]:
        """Those that reach a mutant's lines; what runs on import is reached by all that use it."""
        reached = self.lines.get(mutant.module, {})
        found = {test for line in mutant.lines for test in reached.get(line, [])}
        if "" in found or not mutant.place.scope:
            found = {test for tests in reached.values() for test in tests}
        return found - {""}


def state() -> str:
    """A digest of the source; tests that the map does not know are always run."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def reach() -> Reach:
    """The map, from its file or from a run of the tests."""
    now = state()
    kept = json.loads(MAP.read_text()) if MAP.exists() else {}
    if kept.get("state") != now:
        print("Running the tests once to see what they reach ...", flush=True)
        if in_fork(lambda: write_map(now), seconds=3600, quiet=False):
            sys.exit("the tests have to pass before mutants tell anything.")
        kept = json.loads(MAP.read_text())
    names: list[str] = kept["tests"]
    lines = {
        module: {int(line): [names[test] for test in tests] for line, tests in reached.items()}
        for module, reached in kept["lines"].items()
    }
    return Reach(lines, kept["seconds"])


def write_map(now: str) -> int:
    """Run the tests with an eye on the lines; how pytest ended."""
    from coverage import Coverage

    with tempfile.TemporaryDirectory(prefix="digitduel-reach-") as folder:
        data_file = str(Path(folder) / "coverage")
        eye = Coverage(data_file=data_file, config_file=False, include=[f"{PACKAGE}/*"])
        eye.start()
        watcher = Watcher(eye)
        status = run_tests(test_files(), watcher)
        eye.stop()
        data = eye.get_data()
        names = ["", *watcher.seconds]
        number = {name: index for index, name in enumerate(names)}
        lines = {
            module: {
                line: sorted(number[context] for context in contexts)
                for line, contexts in data.contexts_by_lineno(str(path_of(module))).items()
            }
            for module in modules()
        }
    if status == 0:
        kept = {"state": now, "tests": names, "seconds": watcher.seconds, "lines": lines}
        MAP.write_text(json.dumps(kept))
    return status


class Watcher:
    """Tells the coverage measurement which test is running, and notes how long it took."""

    def __init__(self, eye: Any) -> None:
        self.eye = eye
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Whatever happens now is this test's."""
        self.eye.switch_context(item.nodeid)
        began = time.process_time()
        result = yield
        self.seconds[item.nodeid] = round(time.process_time() - began, 3)
        self.eye.switch_context("")
        return result


def test_files() -> list[str]:
    """The files and folders whose tests are asked."""
    found = [str(path.relative_to(ROOT)) for glob in TESTS for path in sorted(ROOT.glob(glob))]
    return [path for path in found if path not in LEFT_OUT]


# --- Trying one. ---


class Finder(MetaPathFinder):
    """Gives one module other code than its file has."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.name, self.path, self.code = f"digitduel.{module}", path_of(module), code

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """The changed module; of others nothing is known here."""
        if name != self.name:
            return None
        loader = Loader(name, str(self.path))
        loader.code = self.code
        return spec_from_file_location(name, self.path, loader=loader)


class Loader(SourceFileLoader):
    """Loads code that is there already."""

    code: CodeType

    def get_code(self, _: str) -> CodeType:
        """The changed code."""
        return self.code


class Choice:
    """Runs the chosen tests and unknown ones, the quick ones first, each for a limited time."""

    def __init__(self, tests: set[str], seconds: dict[str, float]) -> None:
        self.others, self.seconds = seconds.keys() - tests, seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose and order; the tests of a file stay together, for what they share."""
        items[:] = [item for item in items if item.nodeid not in self.others]
        whole: dict[Path, float] = defaultdict(float)
        for item in items:
            whole[item.path] += self.seconds.get(item.nodeid, 1)
        items.sort(key=lambda item: (whole[item.path], self.seconds.get(item.nodeid, 1)))

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """The signal ends the process: to take ten times as long is to fail."""
        signal.setitimer(signal.ITIMER_PROF, 5 + 10 * self.seconds.get(item.nodeid, 2))


def run_tests(paths: Sequence[str], plugin: object) -> int:
    """How pytest ends, at the first failure."""
    with tempfile.TemporaryDirectory(prefix="digitduel-mutants-") as folder:
        options = f"-x -q --tb=line -p no:cacheprovider -p no:xdist --basetemp={folder}/base"
        options += " -W ignore::pytest.PytestAssertRewriteWarning -o addopts= --strict-markers"
        options += " --hypothesis-profile=mutants --hypothesis-seed=0"
        return int(pytest.main([*options.split(), "-m", MARKS, *paths], plugins=[plugin]))


def in_fork(work: Callable[[], int], seconds: float, quiet: bool = True) -> int:
    """How work ends in a process of its own; killed if it takes too long."""
    child = os.fork()
    if child:
        return wait(child, seconds)
    os.setsid()
    if quiet:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    status = os.EX_SOFTWARE
    try:
        status = work()
    finally:
        sys.stdout.flush()
        os._exit(status)


def wait(child: int, seconds: float) -> int:
    """How a process ended; one that does not is ended, with all that it started."""
    until = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended or time.monotonic() > until:
            break
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
        return -signal.SIGKILL
    return os.waitstatus_to_exitcode(status)


def survives(mutant: Mutant, stages: Sequence[set[str]], seconds: dict[str, float]) -> bool:
    """Whether no test notices; each stage is run where the one before did not."""
    code = mutant.code()
    for tests in stages:
        if not tests:
            continue
        files = sorted({test.partition("::")[0] for test in tests})
        limit = 60 + 10 * sum(seconds.get(test, 1) for test in tests)

        def work(files: list[str] = files, tests: set[str] = tests) -> int:
            sys.meta_path.insert(0, Finder(mutant.module, code))
            return run_tests(files, Choice(tests, seconds))

        status = in_fork(work, limit)
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return False
    return True


# --- The sample. ---


def modules() -> dict[str, tuple[str, ...]]:
    """Every module that is tried, and its own tests."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): home
        for name, home in HOMES.items()
        for path in sorted(PACKAGE.glob(f"{name.replace('.', '/')}.py"))
        if path.name != "__init__.py"
    }


def equivalent() -> list[tuple[str, str]]:
    """Where and what the changes are that nobody can see; `*` stands for whatever follows."""
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]
    return [(entry["where"], change) for entry in listed for change in entry["changes"]]


def is_listed(mutant: Mutant, listed: list[tuple[str, str]]) -> bool:
    """Whether a list of changes has this one."""
    changes = [change for where, change in listed if where == mutant.where]
    return any(fnmatchcase(mutant.change, change.replace("[", "[[]")) for change in changes)


def population(names: Sequence[str]) -> list[Mutant]:
    """All mutants of some modules that somebody could notice."""
    known = equivalent()
    found = [m for name in names for m in mutants_of(name, path_of(name).read_text("utf-8"))]
    return [mutant for mutant in found if not is_listed(mutant, known)]


def stages(mutant: Mutant, known: Reach, own: Sequence[str]) -> list[set[str]]:
    """The tests that reach a mutant: those of its module, then the quickest others."""
    tests = known.tests(mutant)
    near = {test for test in tests if test.startswith(tuple(own))}
    near.update(path for path in own if (ROOT / path).exists())  # and what is new there
    far, spent = set(), 0.0
    for test in sorted(tests - near, key=lambda test: known.seconds[test]):
        spent += known.seconds[test]
        if spent < OTHERS:
            far.add(test)
    return [near, far]


def prepare() -> None:
    """Load what all mutants need and none changes."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", CI="")
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    os.chdir(ROOT)
    from importlib import import_module

    from hypothesis import Phase, settings

    for library in LIBRARIES.split():
        import_module(library)
    phases = (Phase.explicit, Phase.generate)  # a failure need not be made small
    settings.register_profile(
        "mutants", max_examples=30, deadline=None, phases=phases, database=None
    )


def main() -> None:
    """Try a sample and tell who lives."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("modules", nargs="*", help=f"of {', '.join(modules())}")
    parser.add_argument("--count", type=int, default=100, help="so many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="every mutant, not a sample")
    parser.add_argument("--tests", nargs="+", help="these tests instead of those that reach it")
    given = parser.parse_args()
    if unknown := [name for name in given.modules if name not in modules()]:
        parser.error(f"{unknown[0]} is not tried: there are {', '.join(modules())}")
    found = population(given.modules or list(modules()))
    if not given.all:
        found = random.Random(given.seed).sample(found, min(given.count, len(found)))
    prepare()
    known = None if given.tests else reach()
    alive = 0
    for number, mutant in enumerate(found, start=1):
        rounds = stages(mutant, known, modules()[mutant.module]) if known else [set(given.tests)]
        if survives(mutant, rounds, known.seconds if known else {}):
            alive += 1
            print(f"{number}/{len(found)} alive  {mutant}", flush=True)
    noticed = 1 - alive / max(1, len(found))
    print(f"{len(found) - alive} of {len(found)} mutants noticed: {noticed:.1%}.")
    sys.exit(noticed < ASKED_FOR)


if __name__ == "__main__":
    main()
