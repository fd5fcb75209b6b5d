"""Make a grid in two processes and tell of every finished batch; a test kills this program after the first."""

import sys
from pathlib import Path

from dpspin_lab.runs.config import read_config
from dpspin_lab.runs.parallel_runs import make_all, planned, pool_of


def main(kept: Path, configs: Path, out: Path) -> None:
    runs = planned([read_config(path) for path in sorted(configs.iterdir())], lambda _: kept, out)
    with pool_of(2) as pool:
        make_all(runs, pool, lambda done: print(done, flush=True))  # noqa: T201  the test waits for it


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
