"""SQL over CSV text. Which columns a result has depends on the query, so its exact schema comes with
each result."""

import csv
import io
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from portcullis import Field, Full, InvalidArguments, progress, tool

Cell = int | float | str | None
ROWS_MAX = 1000
ROWS_PER_NOTE = 10_000


@tool(title="Query CSV", read_only=True, idempotent=True, open_world=False)
def query_csv(
    csv_text: Annotated[
        str, Field(description="CSV whose first line names the columns.", min_length=1)
    ],
    sql: Annotated[str, Field(description="One SELECT of SQLite. The table is called `data`.")],
    rows_max: Annotated[int, Field(description="The most rows to give.", ge=1, le=ROWS_MAX)] = 100,
) -> Full[list[dict[str, Cell]]]:
    """Runs a SQL query over CSV text and gives the rows that it finds.

    Cells that are numbers in every row are numbers to SQL, and empty cells are null.
    """
    with sqlite3.connect(":memory:") as database:
        load(database, csv_text)
        try:
            found = database.execute(sql)
            rows = found.fetchmany(rows_max + 1)
        except sqlite3.Error as error:
            raise InvalidArguments(f"SQLite refuses the query: {error}") from error
    if found.description is None:
        raise InvalidArguments("the query gives no rows: a SELECT is meant")
    names = distinct(name for name, *_ in found.description)
    rows, is_all = rows[:rows_max], len(rows) <= rows_max
    return Full(
        [dict(zip(names, row, strict=True)) for row in rows],
        meta={"rows": len(rows), "is_all": is_all},
        exact_schema=exact_schema(names, rows),
    )


def load(database: sqlite3.Connection, text: str) -> None:
    """Makes the table `data` of CSV text."""
    header, *lines = csv.reader(io.StringIO(text.strip()))
    names = distinct(name.strip() or "column" for name in header)
    for number, line in enumerate(lines, 2):
        if len(line) != len(names):
            raise InvalidArguments(
                f"line {number} has {len(line)} cells, and there are {len(names)} columns"
            )
    columns = [column(cells) for cells in zip(*lines, strict=True)] or [[]] * len(names)
    quoted = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in names)
    database.execute(f"CREATE TABLE data ({quoted})")
    insert = f"INSERT INTO data VALUES ({', '.join('?' * len(names))})"
    for number, row in enumerate(zip(*columns, strict=True), 1):
        database.execute(insert, row)
        if number % ROWS_PER_NOTE == 0:
            progress.report(number, len(lines), "rows read")


def column(cells: Iterable[str]) -> list[Cell]:
    """The cells of a column: all integers, all numbers, or text."""
    cells = [cell.strip() for cell in cells]
    for read in (int, float):
        try:
            return [read(cell) if cell else None for cell in cells]
        except ValueError:
            continue
    return [cell or None for cell in cells]


def distinct(names: Iterable[str]) -> list[str]:
    """The names, with a number after one that was there before."""
    taken: list[str] = []
    for name in names:
        numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
        taken.append(next(it for it in (name, *numbered) if it not in taken))
    return taken


def exact_schema(names: list[str], rows: list[tuple[Cell, ...]]) -> dict[str, Any]:
    """The schema of these rows and no others: their columns, each with its types."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    properties = {name: {"type": types(cells)} for name, cells in zip(names, columns, strict=True)}
    row = {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }
    return {"type": "array", "items": row}


def types(cells: Sequence[Cell]) -> list[str]:
    """The JSON types of a column's cells."""
    names = {int: "integer", float: "number", str: "string", type(None): "null"}
    if any(isinstance(cell, bytes) for cell in cells):
        raise InvalidArguments("a column holds bytes: select its hex(…)")
    return sorted({names[type(cell)] for cell in cells}) or ["null"]
