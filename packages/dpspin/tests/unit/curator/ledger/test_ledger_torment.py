"""Eight processes, killed at random: the short version of ``bench/ledger_crash.py --seconds 60``, on both databases."""

import json
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

PROGRAM = Path(__file__).parents[6] / "bench" / "ledger_crash.py"


def torment(*words: str) -> tuple[int, dict]:
    ran = subprocess.run([sys.executable, PROGRAM, *words], capture_output=True, text=True, check=False, timeout=240)
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    server, schema = request.getfixturevalue("postgres"), f"torment_{uuid4().hex}"
    with psycopg.connect(server) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return f"{server}&options=-csearch_path%3D{schema}"


@pytest.mark.long
def test_killed_processes_never_overspend_nor_release_without_a_charge(place):
    code, figures = torment("--seconds", "3", "--url", place)
    assert code == 0, figures
    assert figures["kills"] > 0
    assert figures["published"] > 0


@pytest.mark.long
def test_the_same_torment_catches_a_ledger_that_reads_and_then_writes(place):
    # One run of three seconds overspent in all trials on two busy cores; five leave the scheduler no excuse.
    def overspends(number: int) -> bool:
        fresh = place.replace("ledger.db", f"{number}.db")
        if fresh.startswith("postgresql"):
            with psycopg.connect(fresh) as connection:
                connection.execute("DROP TABLE IF EXISTS naive")
        code, figures = torment("--seconds", "3", "--naive", "--url", fresh)
        assert code == bool(figures["overspent_accounts"])
        return code == 1

    assert any(overspends(number) for number in range(5))
