"""From the place of a table to the table, open to be read."""

from collections.abc import Callable, Mapping
from typing import Final

from dpspin.curator.records.places import Database, Lake, LakeTable, SqlTable
from dpspin.curator.records.tables.data_table import DataTable, OpenTable, TableKind
from dpspin.curator.records.tables.delta import DeltaVersion
from dpspin.curator.records.tables.duckdb_file import DuckdbTable
from dpspin.curator.records.tables.iceberg import IcebergSnapshot
from dpspin.curator.records.tables.postgres import PostgresTable
from dpspin.curator.records.tables.sqlite import SqliteTable

OPEN: Final[Mapping[Database, Callable[[SqlTable], OpenTable]]] = {
    Database.POSTGRESQL: PostgresTable,
    Database.SQLITE: SqliteTable,
    Database.DUCKDB: DuckdbTable,
}

OPEN_LAKE: Final[Mapping[Lake, Callable[[LakeTable], OpenTable]]] = {
    Lake.DELTA: DeltaVersion,
    Lake.ICEBERG: IcebergSnapshot,
}


def opened_table(place: SqlTable | LakeTable) -> DataTable:
    """Open a table of a database, in a transaction of its own, or one of a lake in the state that is named."""
    if isinstance(place, LakeTable):
        return DataTable(place.name, TableKind(f"{place.kind} table"), OPEN_LAKE[place.kind](place))
    return DataTable(place.name, TableKind(f"{place.kind} table"), OPEN[place.kind](place), place.declared)
