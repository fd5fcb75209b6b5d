"""Where the rows of a Spark table come from: each of one row of one table, or through something that mixes rows.

What protects a person is that one record is one row, read by itself. A join can make many rows of one, ``distinct`` and
``limit`` let one record decide whether another is seen, a window function or a subquery lets it change another's cells.
Spark knows the steps by which a table is made, so they are looked at, before anything is read. Steps and places that
are not known to keep rows apart count as if they did not.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROW_BY_ROW: Final = frozenset(
    (
        *("Project", "Filter", "SubqueryAlias", "View", "ResolvedHint"),
        *("Sort", "Repartition", "RepartitionByExpression", "RebalancePartitions"),
    )
)
ROWS_OF_THEIR_OWN: Final = frozenset(("LocalRelation", "HiveTableRelation"))
TYPED: Final = ("parquet", "orc", "delta", "iceberg")  # in the name of Spark's class for a kind of table or file


def steps_that_mix_rows(frame: "DataFrame") -> tuple[str, ...]:
    """Name, as Spark calls them, the steps and places by which a row may be more or less than one record's own."""
    plan = frame._jdf.queryExecution().analyzed()  # noqa: SLF001  PySpark has no public way to a table's plan
    return tuple(dict.fromkeys(_mixing(plan)))


def _mixing(plan: Any) -> Iterator[str]:  # noqa: ANN401  an object of Spark's, in Java
    kind = str(plan.getClass().getSimpleName())
    if kind in ROW_BY_ROW:
        if plan.subqueries().size():
            yield f"{kind} with a subquery"
        if not plan.deterministic():
            yield f"{kind} with what is drawn or numbered anew"
    elif not _holds_typed_rows(kind, plan):
        yield kind
    for place in range(plan.children().size()):
        yield from _mixing(plan.children().apply(place))


def _holds_typed_rows(kind: str, plan: Any) -> bool:  # noqa: ANN401
    """Tell whether a place holds rows whose cells have types; CSV and JSON are read as other rows and options say."""
    if kind == "LogicalRelation":
        held = plan.relation()
        held = held.fileFormat() if held.getClass().getSimpleName() == "HadoopFsRelation" else held
    elif kind.startswith("DataSourceV2"):
        held = plan.table()
    else:
        return kind in ROWS_OF_THEIR_OWN
    return any(word in str(held.getClass().getName()).lower() for word in TYPED)
