"""A cell is read as the local engine reads it, whatever its type and in a session whose time zone is far from UTC."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spark_corpora import ASKED, numbers_of, source_of

MANY = 60
AT_MONTHS_END = [datetime(2026, 1, 31, 23, 30, tzinfo=UTC) + timedelta(days=30 * (row % 3)) for row in range(MANY)]
TYPED = {
    "local times": pa.array([moment.replace(tzinfo=None) for moment in AT_MONTHS_END], pa.timestamp("us")),
    "moments": pa.array(AT_MONTHS_END, pa.timestamp("us", "UTC")),
    "days": pa.array([moment.date() for moment in AT_MONTHS_END]),
    "decimals": pa.array([Decimal(row % 7) / 2 for row in range(MANY)], pa.decimal128(10, 2)),
    "doubles": pa.array([row % 7 + (row % 2) / 2 for row in range(MANY)]),
    "floats": pa.array([row % 7 + 0.1 for row in range(MANY)], pa.float32()),
    "numbers": pa.array([row % 7 for row in range(MANY)]),
    "large numbers": pa.array([2**63 + row % 7 for row in range(MANY)], pa.uint64()),
    "truths": pa.array([row % 2 == 0 for row in range(MANY)]),
    "bytes": pa.array([bytes([65 + row % 7]) for row in range(MANY)]),
}
DATED = {"local times", "moments", "days"}


@pytest.fixture
def far_from_utc(spark):
    spark.conf.set("spark.sql.session.timeZone", "America/Los_Angeles")
    yield
    spark.conf.unset("spark.sql.session.timeZone")


@pytest.mark.usefixtures("far_from_utc")
@pytest.mark.parametrize("kind", TYPED)
def test_typed_cells_are_read_alike(spark, tmp_path, kind):
    bodies = ["my parcel came too late" if row % 3 else "where is my refund" for row in range(MANY)]
    pq.write_table(pa.table({"body": bodies, kind: TYPED[kind]}), tmp_path / "rows.parquet")
    view = f"{kind}=month:2026-01..2026-03" if kind in DATED else f"{kind}=1,2.5,3,true"
    for told in ({"unit": "user", "user": kind}, {"unit": "record", "views": [view]}):
        fields = {**ASKED, "map": "paper", **told}
        here = source_of(str(tmp_path / "rows.parquet"), fields)
        there = source_of(spark.read.parquet(str(tmp_path)), fields)
        assert numbers_of(there.measure()) == numbers_of(here.measure())
