"""Adding a row: its key, and its day."""

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, Table, insert


def insert_row(connection: Connection, table: Table, values: dict[str, Any]) -> int:
    """Add a row and return its key."""
    return int(connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one())


def today() -> date:
    """Return the day, which is all the time that is kept."""
    return datetime.now(UTC).date()
