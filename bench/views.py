"""What do views cost beside a release without them? CPU time of reading, mapping and adding up, in turn in one process.

    python bench/views.py [--records 20000] [--rounds 5] [--user] [--candidates]

Views of ten values, of the dictionary's examples and, as their map takes minutes to fit, only where they are asked for,
of 250 candidates. Each is a ratio to the same release without any view; the middle of all rounds is printed.
"""

import argparse
import statistics
import time
from collections.abc import Mapping

import numpy as np

from dpspin.curator.aggregate.local import Records
from dpspin.curator.release.measurement import Measurement
from dpspin.demo.synthetic import generate_tickets, ticket_pack
from dpspin.public.atoms import packs
from dpspin.public.atoms.candidates import list_candidates

SEED = 3


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=20_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--user", action="store_true", help="protect users, not records")
    options.add_argument("--candidates", action="store_true")
    chosen = options.parse_args()
    ways = sources(chosen.records, by_user=chosen.user, candidates=chosen.candidates)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(1 + chosen.rounds):  # the first one compiles
        for name, records in ways.items():
            start = time.process_time()
            records.measure()
            seconds[name].append(time.process_time() - start)
    for name, taken in seconds.items():
        ratios = [one / plain for one, plain in zip(taken[1:], seconds["no view"][1:], strict=True)]
        micro = 1e6 * statistics.median(taken[1:]) / chosen.records
        print(f"{name:<24}{statistics.median(ratios):>8.2f} times{micro:>10.1f} microseconds a record")


def sources(records: int, *, by_user: bool, candidates: bool) -> Mapping[str, Records]:
    """Prepare the same tickets to be measured with each view."""
    table, pack = generate_tickets(records, SEED).records, ticket_pack()
    place = np.arange(records) % 11
    table = table.append_column("region", [[f"region {one}" for one in place]])
    unit = {"unit": "user", "user": "user_id"} if by_user else {"unit": "record"}
    asked = {"data": table, "text": "text", **unit}
    ten = [{"column": "region", "values": [f"region {one}" for one in range(10)]}]
    views = {"no view": {}, "ten values": {"views": ten}, "examples": {"examples": True}}
    found = {name: Measurement.model_validate({**asked, **more}).records(pack, None) for name, more in views.items()}
    if candidates:
        others = [packs.load(name) for name in packs.names() if name != pack.name]
        themes = list_candidates(pack, others).themes
        measured = Measurement.model_validate({**asked, "candidates": themes})
        found[f"{themes.size} candidates"] = measured.records(pack, None, themes)
    return found


if __name__ == "__main__":
    main()
