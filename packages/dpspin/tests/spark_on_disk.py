"""A release on a cluster, and what then lies on its disks: run as a program, with the cluster's settings as JSON.

It writes how many bytes the exchange has, how many users' pseudonyms can be read in them, and which files hold a piece
of a record, a hash of the keyed samples, or a key. The keys are known here, as they are to nobody else.
"""

import json
import sys
from pathlib import Path

import pyarrow as pa

from dpspin.curator.aggregate import spark_records
from dpspin.curator.aggregate.likeness import likeness_of
from dpspin.curator.aggregate.pseudonyms import KEY_BYTES, Pseudonyms
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.pipeline import release
from spark_cluster import cluster_session, spark_cluster
from spark_corpora import ASKED, on_spark

TOKEN = "zqxvcanary"
USERS = [f"{TOKEN}user{number}" for number in range(30)]
TABLE = pa.table({"who": USERS * 10, "body": [f"the parcel {TOKEN}{number} is late" for number in range(300)]})
KNOWN = Pseudonyms(bytes(range(KEY_BYTES)))
PLAIN = {"spark.shuffle.compress": "false", "spark.broadcast.compress": "false"}  # else nobody could search


def main(folder: Path, settings: dict[str, str]) -> None:
    spark_records.Pseudonyms = lambda _random: KNOWN
    with (
        spark_cluster(folder / "cluster", **settings) as cluster,
        cluster_session(folder / "driver", cluster, **PLAIN) as spark,
    ):
        asked = {**ASKED, "map": "paper", "unit": "user", "user": "who", "ledger": str(folder / "ledger.db")}
        plan = release(on_spark(spark, TABLE, folder / "data", 3), **asked)
        written = {file: file.read_bytes() for name in ("cluster", "driver") for file in files_in(folder / name)}
    exchange = b"".join(held for file, held in written.items() if file.name.startswith("shuffle_"))
    key = open_ledger(str(folder / "ledger.db")).likeness_key()
    sampled = likeness_of(TABLE.rename_columns({"who": "user", "body": "text"}).to_batches(), key)
    hashes = [each.tobytes() for sample in (sampled.texts, sampled.users) for each in sample.hashes]
    halves = KNOWN(pa.array(USERS))[:, 0].tolist()
    words = (TOKEN.encode(), TOKEN.encode("utf-16-le"))
    told = {
        "released": plan.account.state,
        "bytes": len(exchange),
        "pseudonyms": sum(half.to_bytes(8, "little", signed=True) in exchange for half in halves),
        "sampled": len(hashes),
        "with hashes": [file.name for file, held in written.items() if any(word in held for word in hashes)],
        "with the ledger's key": [file.name for file, held in written.items() if key in held],
        "with records": [file.name for file, held in written.items() if any(word in held for word in words)],
        "logs": sum(file.name == "stderr" for file in written),
    }
    sys.stdout.write(json.dumps(told))


def files_in(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
