"""A real Spark cluster of one master and two workers: does it measure what the local engine measures, bit for bit?

    python bench/spark_contract.py --corpora 200

Generated corpora x units x adjacencies x quantities x maps x views x windows x partitions, one after the other in one
session. Exit code 1 at the first difference. Needs the development requirements.
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
from spark_corpora import Case, require_equal
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
    with spark_cluster(folder / "cluster") as cluster, cluster_session(folder / "driver", cluster) as spark:
        for seed in range(corpora):
            case = Case(seed)
            require_equal(spark, folder / str(seed), case)
            asked.update(kinds_of(case))
    ends = events_of(folder / "driver", "SparkListenerTaskEnd")
    tasks = Counter(each["Task Info"]["Host"] for each in ends)
    return {
        "corpora": corpora,
        "identical": corpora,
        "tasks": dict(sorted(tasks.items())),
        "asked": dict(sorted(asked.items())),
    }


def kinds_of(case: Case) -> list[str]:
    """Name what a case asks for, to show that all of it was tried."""
    fields = case.fields()
    unit = "user" if "user" in fields else "record"
    views = [f"view {str(view).partition('=')[0].partition(':')[0]}" for view in fields["views"]]
    optional = [name for name in ("examples", "candidates", "window") if name in fields]
    return [unit, fields["adjacency"], fields["quantity"], fields["map"], f"{case.parts} parts", *views, *optional]


if __name__ == "__main__":
    main()
