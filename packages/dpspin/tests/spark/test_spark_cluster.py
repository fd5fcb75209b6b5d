"""One master, two workers and an exchange between them: short versions of ``bench/spark_contract.py`` and others.

A process has one Spark session, so each cluster has a process of its own.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[4] / "bench"
ON_DISK = Path(__file__).parents[1] / "spark_on_disk.py"
ENCRYPTED = {
    "spark.io.encryption.enabled": "true",
    "spark.authenticate": "true",
    "spark.authenticate.secret": "a secret of this test",
    "spark.network.crypto.enabled": "true",
}


def ran(program: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    return done.stdout


def test_a_cluster_and_the_local_engine_measure_the_same(spark):
    figures = json.loads(ran(BENCH / "spark_contract.py", "--corpora", "40"))
    assert figures["identical"] == 40
    assert len(figures["tasks"]) == 2  # both workers had some
    kinds = ("unit: user", "unit: record", "quantity: prevalence", "candidates: True", "window: True", "size: 1000")
    assert {*kinds, "views: language"} <= set(figures["asked"])


def test_every_fault_leaves_the_sketch_as_it_is_and_charges_once(spark):
    """One round each; ``bench/spark_faults.py --rounds 20`` is the whole of it."""
    told = ran(BENCH / "spark_faults.py", "--rounds", "1").splitlines()
    faults = [line.strip("| ").split(" | ")[0] for line in told[2:]]
    assert faults == ["executor", "worker", "python", "exchange", "speculation", "driver"]


@pytest.mark.parametrize(("settings", "readable"), [({}, 30), (ENCRYPTED, 0)], ids=["plain", "encrypted"])
def test_disks_logs_and_pages_hold_pseudonyms_at_most_and_encrypted_nothing_readable(
    spark, tmp_path, settings, readable
):
    """Of a release, and of one whose tasks fail: nothing of a record, of a user's id or of the pseudonyms' key."""
    told = json.loads(ran(ON_DISK, str(tmp_path), json.dumps(settings)))
    assert (told["released"], told["failed"]) == ("v1", True)
    assert told["bytes"] > 0
    assert told["pseudonyms"] == readable
    assert (told["sampled"], told["with hashes"], told["with the ledger's key"]) == (330, [], [])
    assert (told["with records"], told["pages with records"]) == ([], [])
    assert told["logs"] == 2  # what both executors said is among the files, …
    assert told["logs of failures"] >= 1  # … and that tasks failed
    assert told["pages of failures"] >= 1
    assert told["pages"] > 30
    assert any("/SQL/" in page for page in told["pages with what a caller wrote"])  # the search finds what is there
