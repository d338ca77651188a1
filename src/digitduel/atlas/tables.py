"""Tables as files: JSON, CSV or Parquet, by the end of the name; never over another file."""

from __future__ import annotations

import csv
import filecmp
import io
import json
import os
from typing import TYPE_CHECKING, Any, BinaryIO

from digitduel.atlas.extras import missing
from digitduel.errors import DigitDuelError, StorageError
from digitduel.text import LONGEST_PATH, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    # Names and their columns, all of one length.
    Table = Mapping[str, Sequence[Any]]


def table_of(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    """Rows as columns."""
    return {name: [row[name] for row in rows] for name in names}


def check_place(path: Path, names: Sequence[str], size: int | None = None) -> None:
    """An error if a table cannot be written there, or would replace something else."""
    if path.suffix.lower() not in FORMATS:
        known = listed(FORMATS, "or")
        raise DigitDuelError(f"cannot write {_shown(path)}: give a name in {known}.")
    if is_there(path):
        found, length = _outline(path) or ([], 0)
        if found != list(names) or size not in (None, length):
            raise already_there(path)


def is_there(path: Path) -> bool:
    """Whether a file has this name; StorageError if no file can have it."""
    try:
        folder, file, anything = path.parent.is_dir(), path.is_file(), os.path.lexists(path)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None
    if not folder:
        raise StorageError(
            f"cannot write {_shown(path)}: there is no folder {_shown(path.parent)}."
        )
    if anything and not file:
        raise StorageError(
            f"cannot write {_shown(path)}: something that is no file has that name; choose another."
        )
    return file


def write_table(path: Path, table: Table) -> None:
    """Put a table on disk, all or nothing; a file that is there already stays as it is."""
    write_file(path, lambda file: FORMATS[path.suffix.lower()][0](file, table))


def write_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Put a file on disk, all or nothing; fine if it holds the same already, else StorageError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("xb") as file:
            write(file)
        if path.exists():
            if not filecmp.cmp(draft, path, shallow=False):
                raise already_there(path)
        else:
            draft.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from None
    finally:
        draft.unlink(missing_ok=True)


def already_there(path: Path) -> StorageError:
    """The error for a file that holds something else."""
    return StorageError(
        f"{_shown(path)} is there already, holds something else and is not written over: "
        "choose another name, or move it away."
    )


def _cannot_write(path: Path, error: Exception) -> StorageError:
    reason = getattr(error, "strerror", None) or str(error)
    return StorageError(f"cannot write {_shown(path)}: {reason}.")


def _shown(path: Path) -> str:
    return quoted(str(path), LONGEST_PATH)


# --- Writing. ---


def _write_json(file: BinaryIO, table: Table) -> None:
    separator = b"[\n"
    for values in _rows(table):
        file.write(separator + json.dumps(dict(zip(table, values, strict=True))).encode())
        separator = b",\n"
    file.write(b"\n]\n")


def _write_csv(file: BinaryIO, table: Table) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(_rows(table))
    text.flush()
    text.detach()


def _rows(table: Table) -> Iterator[tuple[Any, ...]]:
    # An array's items must become Python's own numbers before they are text.
    columns = [each.tolist() if hasattr(each, "tolist") else each for each in table.values()]
    return zip(*columns, strict=True)


def _write_parquet(file: BinaryIO, table: Table) -> None:
    arrow, parquet = _arrow()
    parquet.write_table(arrow.table(dict(table)), file)


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise missing(error, "atlas", "a Parquet file") from None
    return pyarrow, pyarrow.parquet


# --- Reading as much as is needed to tell one table from another. ---


def _outline(path: Path) -> tuple[list[str], int] | None:
    """The names and the length of the table in a file; None if it holds none."""
    try:
        return FORMATS[path.suffix.lower()][1](path)
    except DigitDuelError:
        raise
    except Exception:  # a file may hold anything, and a reader may trip over it in any way
        return None


def _outline_json(path: Path) -> tuple[list[str], int]:
    rows = json.loads(path.read_bytes())
    return list(rows[0]), len(rows)


def _outline_csv(path: Path) -> tuple[list[str], int]:
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        return next(reader), sum(1 for _ in reader)


def _outline_parquet(path: Path) -> tuple[list[str], int]:
    found = _arrow()[1].ParquetFile(path)
    return list(found.schema_arrow.names), found.metadata.num_rows


FORMATS = {
    ".json": (_write_json, _outline_json),
    ".csv": (_write_csv, _outline_csv),
    ".parquet": (_write_parquet, _outline_parquet),
}
