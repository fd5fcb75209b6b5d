"""From the place of a table to the table, open to be read."""

from collections.abc import Callable, Mapping
from typing import Final

from dpspin.curator.records.places import Database, SqlTable
from dpspin.curator.records.tables.data_table import DataTable, OpenTable, TableKind
from dpspin.curator.records.tables.duckdb_file import DuckdbTable
from dpspin.curator.records.tables.postgres import PostgresTable
from dpspin.curator.records.tables.sqlite import SqliteTable

OPEN: Final[Mapping[Database, Callable[[SqlTable], OpenTable]]] = {
    Database.POSTGRESQL: PostgresTable,
    Database.SQLITE: SqliteTable,
    Database.DUCKDB: DuckdbTable,
}


def opened_table(place: SqlTable) -> DataTable:
    """Open a table of a database, in a transaction of its own."""
    return DataTable(place.name, TableKind(f"{place.kind} table"), OPEN[place.kind](place), place.declared)
