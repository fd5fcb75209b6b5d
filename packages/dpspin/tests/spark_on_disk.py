"""A release on a cluster, one whose tasks fail, and what there is to see of them: on its disks, and on Spark's pages.

Run as a program, with the cluster's settings as JSON. It writes how many bytes the exchange has, how many users'
pseudonyms can be read in them, and which files and pages hold a piece of a record, a hash of the keyed samples, or a
key. The keys are known here, as they are to nobody else.
"""

import json
import sys
from pathlib import Path

import pyarrow as pa

from dpspin.curator.aggregate import spark_records
from dpspin.curator.aggregate.likeness import likeness_of
from dpspin.curator.aggregate.pseudonyms import KEY_BYTES, Pseudonyms
from dpspin.curator.aggregate.spark_tasks import MapAndSum
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import SourceError
from dpspin.pipeline import release
from spark_cluster import cluster_session, spark_cluster
from spark_corpora import ASKED, on_spark
from spark_pages import pages_of

TOKEN = "zqxvcanary"
USERS = [f"{TOKEN}user{number}" for number in range(30)]
TABLE = pa.table({"who": USERS * 10, "body": [f"the parcel {TOKEN}{number} is late" for number in range(300)]})
KNOWN = Pseudonyms((TOKEN * 4).encode()[:KEY_BYTES])
OWN = {
    "spark.shuffle.compress": "false",  # else nobody could search
    "spark.broadcast.compress": "false",
    "spark.ui.enabled": "true",
    "spark.ui.port": "0",
}


class Broken(MapAndSum):
    """A task that fails at a record, and quotes it."""

    def _work(self, batches):
        raise ValueError(f"this record is odd: {next(batches).to_pylist()}")


def main(folder: Path, settings: dict[str, str]) -> None:
    spark_records.Pseudonyms = lambda _random: KNOWN
    with (
        spark_cluster(folder / "cluster", **settings) as cluster,
        cluster_session(folder / "driver", cluster, **OWN) as spark,
    ):
        asked = {**ASKED, "map": "paper", "unit": "user", "user": "who", "ledger": str(folder / "ledger.db")}
        frame = on_spark(spark, TABLE, folder / "data", 3)
        plan = release(frame, **asked)
        written = files_of(folder)  # now: Spark removes an exchange that nobody needs any more
        failed = fails(frame, {**asked, "ledger": str(folder / "another.db")})
        pages = pages_of(spark.sparkContext.uiWebUrl)
        written |= files_of(folder)
        spark.sql(f"SELECT '{TOKEN}'").collect()
        control = pages_of(spark.sparkContext.uiWebUrl)
    exchange = b"".join(held for file, held in written.items() if file.name.startswith("shuffle_"))
    key = open_ledger(str(folder / "ledger.db")).likeness_key()
    sampled = likeness_of(TABLE.rename_columns({"who": "user", "body": "text"}).to_batches(), key)
    hashes = [each.tobytes() for sample in (sampled.texts, sampled.users) for each in sample.hashes]
    halves = KNOWN(pa.array(USERS))[:, 0].tolist()
    said = [held for file, held in written.items() if file.name == "stderr"]
    told = {
        "released": plan.account.state,
        "failed": failed,
        "bytes": len(exchange),
        "pseudonyms": sum(half.to_bytes(8, "little", signed=True) in exchange for half in halves),
        "sampled": len(hashes),
        "with hashes": [file.name for file, held in written.items() if any(word in held for word in hashes)],
        "with the ledger's key": [file.name for file, held in written.items() if key in held],
        "with records": [file.name for file, held in written.items() if has_records(held)],
        "logs": len(said),
        "logs of failures": sum(b"TaskFailed" in held for held in said),
        "pages": len(pages),
        "pages of failures": sum(b"TaskFailed" in held for held in pages.values()),
        "pages with records": with_records(pages),
        "pages with what a caller wrote": with_records(control),
    }
    sys.stdout.write(json.dumps(told))


def fails(frame, asked: dict[str, object]) -> bool:
    """Release while tasks fail on all workers; say whether nothing was passed on."""
    spark_records.MapAndSum = Broken
    try:
        release(frame, **asked)
    except SourceError as error:
        return TOKEN not in str(error)
    return False


def with_records(pages: dict[str, bytes]) -> list[str]:
    return [address for address, held in pages.items() if has_records(held)]


def has_records(held: bytes) -> bool:
    return any(word in held for word in (TOKEN.encode(), TOKEN.encode("utf-16-le")))


def files_of(folder: Path) -> dict[Path, bytes]:
    files = [file for name in ("cluster", "driver") for file in (folder / name).rglob("*") if file.is_file()]
    return {file: file.read_bytes() for file in files}


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
