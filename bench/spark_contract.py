"""A real Spark cluster of one master and two workers: does it measure what the local engine measures, bit for bit?

    python bench/spark_contract.py --corpora 200

Generated corpora x units x adjacencies x quantities x maps x views x windows x partitions, one after the other in one
session; and the same in sketch files, but for windows. Exit code 1 at the first difference. Needs the development
requirements.
"""

import argparse
import json
import signal
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))
from spark_cluster import cluster_session, spark_cluster
from spark_corpora import A_FILE_EACH, Case, require_equal
from spark_sessions import events_of


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--corpora", type=int, default=200)
    chosen = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster is ended, too
    warnings.simplefilter("ignore", FutureWarning)  # of pandas' version, which plays no part here
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        print(json.dumps(compared(Path(folder), chosen.corpora), indent=2))


def compared(folder: Path, corpora: int) -> dict[str, object]:
    """Compare both engines on so many corpora; count what was asked."""
    asked = Counter()
    with (
        spark_cluster(folder / "cluster") as cluster,
        cluster_session(folder / "driver", cluster, **A_FILE_EACH) as spark,
    ):
        for seed in range(corpora):
            case = Case(seed)
            require_equal(spark, folder / str(seed), case)
            asked.update(f"{kind}: {value}" for kind, value in case.kinds().items())
    ends = events_of(folder / "driver", "SparkListenerTaskEnd")
    tasks = Counter(each["Task Info"]["Host"] for each in ends)
    return {
        "corpora": corpora,
        "identical": corpora,
        "tasks": dict(sorted(tasks.items())),
        "asked": dict(sorted(asked.items())),
    }


if __name__ == "__main__":
    main()
