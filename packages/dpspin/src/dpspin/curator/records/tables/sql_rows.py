"""What holds of rows in every database: which conditions fit their columns, and why a view has to be declared."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dpspin.curator.records.columns import no_such_column
from dpspin.curator.records.conditions import Conditions
from dpspin.curator.records.places import ROW_BY_ROW, SqlTable
from dpspin.curator.records.tables.data_table import Cells, Column
from dpspin.errors import RequestError, SourceError

DECLARE: Final = (
    f"declare that each of its rows comes from one row of one table, and that no other row decides over it "
    f"(view={ROW_BY_ROW} in the address): the plan states that as taken on trust"
)
MISFIT: Final = (
    "a literal behind where= is none that its column can hold (a number that is too large, a text that is no date or "
    "no member of its ENUM)"
)


def file_at(place: SqlTable) -> Path:
    """Return the file of a database that is one."""
    file = place.where
    if not isinstance(file, Path) or not file.is_file():
        raise SourceError(f"there is no file {str(file)!r}: it is where the tables lie", code="source.no-such-file")
    return file


def undeclared(name: str, kind: str) -> RequestError:
    """Return the refusal of a view that nobody vouches for."""
    return RequestError(
        f"{name!r} is {kind}: a join in it can multiply a record, and DISTINCT, GROUP BY, LIMIT or a window function "
        "lets one record decide over others, so that what one person changes would have no bound. Read the table "
        f"itself, or {DECLARE}",
        code="request.view",
        field="records.data",
    )


def require_conditions(table: str, conditions: Conditions, columns: Mapping[str, Column]) -> None:
    """Refuse conditions on columns that are not there, or with literals that do not fit their type."""
    for each in conditions:
        if each.column not in columns:
            raise no_such_column(repr(table), each.column, list(columns))
        cells = columns[each.column].cells
        numbers = any(literal.is_number for literal in each.literals)
        if cells is Cells.NOT_READ or (numbers and cells not in {Cells.NUMBER, Cells.ANY}):
            raise RequestError(
                f"the condition on {each.column!r} does not fit its type, {columns[each.column].type}: texts, dates "
                "and ids are compared with literals in single quotes, numbers with numbers",
                code="request.condition",
            )
