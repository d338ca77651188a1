"""Names of a package that are imported when they are first used, so that commands start at once."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


def lazy_names(
    package: str, rooms: Mapping[str, Collection[str]], modules: Collection[str] = ()
) -> tuple[Callable[[str], object], list[str]]:
    """The `__getattr__` and the `__all__` of a package whose modules hold these names."""
    room_of = {name: room for room, names in rooms.items() for name in names}

    def find(name: str) -> object:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name in room_of:
            return getattr(import_module(f"{package}.{room_of[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find, sorted(room_of)
