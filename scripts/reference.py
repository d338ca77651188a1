"""Writes docs/reference.md, the API reference, from the source: signatures, types, docstrings.

    .venv/bin/python scripts/reference.py

A test sees that it is up to date, and that nothing public is left without words (`gaps`).
"""

from __future__ import annotations

import ast
import re
import sys
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
MODULES = (
    "digitduel",
    "digitduel.solver",
    "digitduel.teach",
    "digitduel.players",
    "digitduel.atlas",
    "digitduel.learn",
)
# Parameters and fields that say by name and type what they are.
SELF_EXPLAINING = {
    *("ruleset", "position", "game", "move", "moves", "record", "records", "value", "text", "path"),
    *("key", "title", "goal", "target", "digits", "digit", "uses", "ends", "end", "limit", "full"),
    *(
        "forbidden",
        "leading_zero",
        "number",
        "seat",
        "rng",
        "depth",
        "side",
        "columns",
        "rows",
        "worth",
        "winner",
    ),
}
# A longer line is broken.
LONGEST = 96
OPENING = """\
# API reference

Written by `make docs` from the source. What begins with an underscore, and every module that is
not named here, may change without notice.
"""


class Member(NamedTuple):
    """Something public: its name, the syntax that defines it, and where that stands."""

    name: str
    node: ast.stmt
    source: list[str]  # the lines of the file
    value: Any


def main() -> None:
    """Write the page; say what has no words yet."""
    PAGE.write_text(page(), encoding="utf-8")
    for gap in gaps():
        print(gap, file=sys.stderr)


def page() -> str:
    """The whole reference, in Markdown."""
    parts = [OPENING]
    homes: dict[str, str] = {}
    for name in MODULES:
        module = import_module(name)
        parts += [f"## `{name}`", _markdown(module.__doc__ or "")]
        for member in members(module):
            home = homes.setdefault(f"{member.value!r} {member.name}", name)
            parts += [f"### `{member.name}`"]
            parts += (
                [f"See [`{home}`](#{home.replace('.', '')})."] if home != name else _entry(member)
            )
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def members(module: ModuleType) -> Iterator[Member]:
    """The public names of a module, with the syntax that defines them."""
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        yield next(
            Member(name, node, source, value)
            for tree, source in _sources(module.__name__, value)
            for node in tree.body
            if name in _names(node)
        )


def _sources(package: str, value: Any) -> Iterator[tuple[ast.Module, list[str]]]:
    """The files that may define a value: the one it names, or any of its package."""
    named = getattr(value, "__module__", "")
    homes = [named] if str(named).startswith("digitduel.") else []
    folder = Path(import_module(package).__file__ or "").parent
    homes += [f"{package}.{path.stem}" for path in sorted(folder.glob("*.py"))]
    for home in homes:
        path = Path(import_module(home.removesuffix(".__init__")).__file__ or "")
        text = path.read_text("utf-8")
        yield ast.parse(text), text.splitlines()


def _names(node: ast.AST) -> list[str]:
    """What a statement defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [
        name.id
        for target in targets
        for name in (target.elts if isinstance(target, ast.Tuple) else [target])
        if isinstance(name, ast.Name)
    ]


# --- An entry. ---


def _entry(member: Member) -> list[str]:
    node = member.node
    if isinstance(node, ast.FunctionDef):
        return [_code(_signature(node)), _markdown(ast.get_docstring(node) or "")]
    if isinstance(node, ast.ClassDef):
        return _class_entry(member, node)
    written = _written(node, member.source)
    shown = written if len(written) <= LONGEST else f"{member.name} = ..."
    return [_code(shown), _comment(node, member.source)]


def _class_entry(member: Member, node: ast.ClassDef) -> list[str]:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    parts = [_code(f"class {node.name}" + (f"({bases})" if bases else ""))]
    parts.append(_markdown(ast.get_docstring(node) or ""))
    lines = []
    for field in fields(node):
        comment = _comment(field, member.source)
        lines.append(f"- `{_written(field, member.source)}`" + (f": {comment}" if comment else ""))
    parts.append("\n".join(lines))
    for method in methods(node):
        parts += [f"#### `{node.name}.{method.name}`", _code(_signature(method))]
        parts.append(_markdown(ast.get_docstring(method) or ""))
    return parts


def fields(node: ast.ClassDef) -> list[ast.stmt]:
    """The public fields of a class, and the members of an enumeration."""
    return [
        statement
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        and not any(name.startswith("_") for name in _names(statement))
    ]


def methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    """The public methods and properties of a class, its constructor if it has one of its own."""
    return [
        statement
        for statement in node.body
        if isinstance(statement, ast.FunctionDef)
        and (statement.name == "__init__" or not statement.name.startswith("_"))
    ]


def _signature(node: ast.FunctionDef) -> str:
    """A function's head, on one line or with a parameter on each; a property is like a field."""
    kinds = [ast.unparse(decorator) for decorator in node.decorator_list]
    result = ast.unparse(node.returns) if node.returns else "None"
    if "property" in kinds or "cached_property" in kinds:
        return f"{node.name}: {result}"
    parts = _parameters(node.args)
    above = "@classmethod\n" if "classmethod" in kinds else ""
    line = f"{node.name}({', '.join(parts)}) -> {result}"
    if len(line) <= LONGEST:
        return above + line
    return "\n".join(
        [f"{above}{node.name}(", *(f"    {part}," for part in parts), f") -> {result}"]
    )


def _parameters(arguments: ast.arguments) -> list[str]:
    """The parameters as they are written, without self."""
    named = [*arguments.posonlyargs, *arguments.args]
    unset: list[ast.expr | None] = [None] * (len(named) - len(arguments.defaults))
    parts = list(map(_parameter, named, [*unset, *arguments.defaults]))
    if arguments.posonlyargs:
        parts.insert(len(arguments.posonlyargs), "/")
    if arguments.vararg:
        parts.append("*" + _parameter(arguments.vararg))
    elif arguments.kwonlyargs:
        parts.append("*")
    parts += map(_parameter, arguments.kwonlyargs, arguments.kw_defaults)
    if arguments.kwarg:
        parts.append("**" + _parameter(arguments.kwarg))
    return [part for part in parts if part not in ("self", "cls")]


def _parameter(parameter: ast.arg, default: ast.expr | None = None) -> str:
    kind = f": {ast.unparse(parameter.annotation)}" if parameter.annotation else ""
    return parameter.arg + kind + (f" = {ast.unparse(default)}" if default else "")


def _written(node: ast.stmt, source: list[str]) -> str:
    """A statement of one line as it is written; of several, on one."""
    if node.end_lineno == node.lineno:
        return source[node.lineno - 1][node.col_offset : node.end_col_offset]
    return " ".join(ast.unparse(node).split())


def _comment(node: ast.stmt, source: list[str]) -> str:
    """What is said of a field or a constant: on its line, or on the lines above."""
    last = source[(node.end_lineno or node.lineno) - 1]
    if "  # " in last:
        return last.partition("  # ")[2].strip()
    above: list[str] = []
    for line in reversed(source[: node.lineno - 1]):
        if not line.strip().startswith("#"):
            break
        above.insert(0, line.strip().removeprefix("#").strip())
    return " ".join(above)


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def _markdown(words: str) -> str:
    """A docstring, its examples fenced."""
    blocks = dedent(words).strip().split("\n\n")
    return "\n\n".join(_code(block) if block.startswith(">>>") else block for block in blocks)


# --- What has no words. ---


def gaps() -> list[str]:
    """What is public and not explained: names, methods, parameters, fields."""
    return [
        gap
        for name in MODULES
        for member in members(import_module(name))
        for gap in _gaps(name, member)
    ]


def _gaps(module: str, member: Member) -> Iterator[str]:
    node, full = member.node, f"{module}.{member.name}"
    if isinstance(node, ast.FunctionDef):
        yield from _function_gaps(full, node)
    elif isinstance(node, ast.ClassDef):
        words = ast.get_docstring(node) or ""
        if not words:
            yield f"{full} has no docstring"
        for field in fields(node):
            yield from (
                f"{full}: the field {name} is not explained"
                for name in _names(field)
                if not _comment(field, member.source)
                and not re.search(rf"\b{name}\b", words)
                and not _explains(words, name, getattr(field, "annotation", None))
            )
        for method in methods(node):
            yield from _function_gaps(f"{full}.{method.name}", method, words)
    elif not _comment(node, member.source):
        yield f"{full} has no comment"


def _function_gaps(full: str, node: ast.FunctionDef, words: str = "") -> Iterator[str]:
    own = ast.get_docstring(node) or ""
    if not own and not (node.name == "__init__" and words):
        yield f"{full} has no docstring"
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    for parameter in every:
        if parameter.arg not in ("self", "cls") and not _explains(
            own + words, parameter.arg, parameter.annotation
        ):
            yield f"{full}: the parameter {parameter.arg} is not explained"


def _explains(words: str, name: str, annotation: ast.AST | None) -> bool:
    """Whether a name is explained: in backticks, by itself, or by its type."""
    kind = ast.unparse(annotation).partition(" ")[0] if annotation else ""
    return (
        re.search(rf"`[^`]*\b{name}\b[^`]*`", words) is not None
        or name in SELF_EXPLAINING
        or (kind[:1].isupper() and name == kind.lower())
        or annotation is None  # a member of an enumeration, a value that speaks for itself
    )


if __name__ == "__main__":
    main()
