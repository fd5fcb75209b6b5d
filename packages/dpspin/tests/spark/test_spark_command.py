"""``dpspin release --engine spark``: Parquet that Spark reads, on its own session and on the one that runs."""

import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

import dpspin as package
from dpspin.errors import SourceAway, SourceError
from spark_corpora import ASKED

TABLE = pa.table({"body": ["my parcel is late", "refund please"] * 100})


def words(tmp_path, data):
    return (
        *("release", str(data), "--engine", "spark", "--text", "body", "--atoms", "support-tickets", "--map", "paper"),
        *("--unit", "record", "--epsilon", "1", "--denominator", "200", "--dataset", "tickets", "--snapshot", "v7"),
        *("--ledger", str(tmp_path / "ledger.db"), "--out", str(tmp_path / "out")),
    )


def require_released(tmp_path):
    plan = json.loads((tmp_path / "out/release/plan.json").read_text())
    assert plan["account"]["state"] == "v7"
    assert "'v7', and not by their content" in (tmp_path / "out/release/report.html").read_text().replace("&#39;", "'")
    assert json.loads((tmp_path / "out/curator/diagnostics.json").read_text())["records"] == 200


@pytest.mark.parametrize("suffix", ["parquet", "orc"])
def test_files_are_released_on_the_session_that_runs(spark, dpspin, tmp_path, suffix):
    data = tmp_path / f"tickets.{suffix}"
    orc.write_table(TABLE, data) if suffix == "orc" else pq.write_table(TABLE, data)
    ran = dpspin(*words(tmp_path, data))
    assert ran.code == 0, ran.err
    require_released(tmp_path)
    assert "no look was taken" not in ran.err
    assert spark.range(3).count() == 3  # it still runs


def test_what_spark_cannot_read_is_refused(spark, dpspin, tmp_path):
    ran = dpspin(*words(tmp_path, tmp_path / "nothing.parquet"))
    assert (ran.code, "Spark cannot read" in ran.err) == (2, True)
    ran = dpspin(*words(tmp_path, "sqlite:///t.db?table=tickets&where=customer = 'CANARY'"))
    assert (ran.code, "no address of a table" in ran.err, "CANARY" in ran.err) == (2, True, False)


def test_a_damaged_file_is_told_from_cells_that_are_not_what_is_asked(spark, dpspin, tmp_path):
    texts = pa.table({"body": [f"parcel number {number} is late" for number in range(5000)]})
    pq.write_table(texts, tmp_path / "tickets.parquet", compression="none", use_dictionary=False)
    damaged = bytearray((tmp_path / "tickets.parquet").read_bytes())
    damaged[200:600] = b"\xff" * 400
    (tmp_path / "damaged.parquet").write_bytes(damaged)
    ran = dpspin(*words(tmp_path, tmp_path / "damaged.parquet"))
    assert (ran.code, "a file may be damaged" in ran.err) == (75, True)  # or its store did not answer
    read = spark.read.parquet(str(tmp_path / "tickets.parquet")).selectExpr("cast(cast(body AS int) AS string) AS body")
    with pytest.raises(SourceError) as refused:
        package.release(read, **{**ASKED, "unit": "record", "map": "paper", "ledger": tmp_path / "ledger.db"})
    assert not isinstance(refused.value, SourceAway)


def test_a_session_is_started_for_a_release_and_stopped(spark, tmp_path):
    pq.write_table(TABLE, tmp_path / "tickets.parquet")
    command = [
        sys.executable,
        "-c",
        "from dpspin.cli.main import run; run()",
        *words(tmp_path, tmp_path / "tickets.parquet"),
    ]
    ran = subprocess.run([*command, "--master", "local[1]"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    require_released(tmp_path)
