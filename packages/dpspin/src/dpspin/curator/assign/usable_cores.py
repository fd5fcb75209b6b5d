"""How many cores this process may use: a container, a service or an administrator may allow fewer than there are."""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

# of the group that a container or a service is: so much CPU time in so much time; the older way has two files
QUOTAS: Final = (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"))


@cache
def usable_cores(groups: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the cores of this process's affinity, or fewer where a quota allows less."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quotas = (_quota(groups, files) for files in QUOTAS)
    return min([allowed, *(quota for quota in quotas if quota is not None)])


def _quota(groups: Path, files: tuple[str, ...]) -> int | None:
    """Return a quota in whole cores, rounded up; None where there is none."""
    with suppress(OSError, ValueError):
        quota, period = (int(word) for name in files for word in (groups / name).read_text().split())
        return -(-quota // period) if quota > 0 else None  # the older way says -1 for none, the newer a word
    return None
