"""One master, two workers and an exchange between them: the short version of ``bench/spark_contract.py``.

A process has one Spark session, so each cluster has a process of its own.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[4] / "bench"


def ran(program: str, *words: str) -> dict:
    done = subprocess.run([sys.executable, BENCH / program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    return json.loads(done.stdout)


@pytest.mark.long
def test_a_cluster_and_the_local_engine_measure_the_same(spark):
    figures = ran("spark_contract.py", "--corpora", "40")
    assert figures["identical"] == 40
    assert len(figures["tasks"]) == 2  # both workers had some
    assert {"user", "record", "candidates", "window", "view language"} <= set(figures["asked"])
