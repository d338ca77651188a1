"""Tables as files: JSON, CSV or Parquet, by the end of the name; never over another file."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, BinaryIO

from digitduel.atlas.extras import missing
from digitduel.errors import DigitDuelError
from digitduel.files import already_there, is_there, shown_path, write_file
from digitduel.text import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    # Names and their columns, all of one length.
    Columns = Mapping[str, Sequence[Any]]


def columns_of(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Rows as the columns of these names."""
    return {name: [row[name] for row in rows] for name in names}


def check_place(path: Path, names: Sequence[str], size: int | None = None) -> None:
    """An error if a table cannot be written there, or would replace something else."""
    if path.suffix.lower() not in FORMATS:
        known = listed(FORMATS, "or")
        raise DigitDuelError(f"cannot write {shown_path(path)}: give a name in {known}.")
    if is_there(path):
        present, length = _outline(path) or ([], 0)
        if present != list(names) or size not in (None, length):
            raise already_there(path)


def write_table(path: Path, columns: Columns) -> None:
    """Put a table on disk, all or nothing; a file that is there already stays as it is."""
    write_file(path, lambda file: FORMATS[path.suffix.lower()][0](file, columns))


# --- Writing. ---


def _write_json(file: BinaryIO, columns: Columns) -> None:
    separator = b"[\n"
    for values in _rows(columns):
        file.write(separator + json.dumps(dict(zip(columns, values, strict=True))).encode())
        separator = b",\n"
    file.write(b"\n]\n")


def _write_csv(file: BinaryIO, columns: Columns) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(_rows(columns))
    text.flush()
    text.detach()


def _rows(columns: Columns) -> Iterator[tuple[Any, ...]]:
    # An array's items must become Python's own numbers before they are text.
    lists = [
        column.tolist() if hasattr(column, "tolist") else column for column in columns.values()
    ]
    return zip(*lists, strict=True)


def _write_parquet(file: BinaryIO, columns: Columns) -> None:
    arrow, parquet = _arrow()
    parquet.write_table(arrow.table(dict(columns)), file)


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
    file = _arrow()[1].ParquetFile(path)
    return list(file.schema_arrow.names), file.metadata.num_rows


FORMATS = {
    ".json": (_write_json, _outline_json),
    ".csv": (_write_csv, _outline_csv),
    ".parquet": (_write_parquet, _outline_parquet),
}
