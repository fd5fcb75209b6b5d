"""What was run, and on which data."""

from collections.abc import Iterator, Mapping
from typing import Final

from dpspin_lab.datasets.statistics import DatasetReport, Statistics
from dpspin_lab.figures.tables import Table
from dpspin_lab.markdown import table_lines
from dpspin_lab.results.tables import Results, part_of, unusual
from dpspin_lab.runs.mechanism import TITLES, MechanismName
from dpspin_lab.sitting import Sitting

_RUN = ("data, unit", "units n", "m", "K", "L", "B", "ε", "mechanisms", "seeds", "settings", "runs")
_DATA = (
    "data",
    "part",
    "records",
    "users",
    "users with several",
    "words, mean",
    "words, median",
    "first day",
    "last day",
)
WHOLE: Final[Mapping[str, int]] = {"cfpb": 1_000_000, "amazon": 700_000, "yelp": 1_000_000}  # at least, as published
SPLIT: Final = (
    "Each data set is split once: a public auxiliary part ({share} of it), from which dictionary and map are made, and "
    "a target part, from which each seed selects its units by hash. The split is by a hash of the record, or of the "
    "user where users are protected, so that no unit is in both; where a row says *time*, by the day instead."
)
SAMPLES: Final[Mapping[str, str]] = {
    "cfpb": "CFPB: a **small** sample, gathered from several smaller ones. It spans 2015 to 2026 unevenly (one year "
    "alone has more than a third of it), and more than half of it is about credit reporting. Products and issues were "
    "renamed within these years. There is no consumer id, so that one complaint is all that can be protected.",
    "amazon": "Amazon: mostly reviews of users and products with at least two reviews in a larger sample. Users with "
    "several reviews are a large majority here and a small minority in the whole category.",
    "yelp": "Yelp: reviews of several releases of the data set, and many of them of a few much-reviewed places. Only "
    "totals are given, as its terms forbid more.",
}


def what_was_run(results: Results) -> Iterator[str]:
    """Write the sizes of every grid, and what the last sitting was."""
    if results.sitting:
        yield from (*_of_the_sitting(results.sitting), "")
    yield from table_lines(_RUN, [_sizes(table) for table in (*results.grids, *results.others)], words=1)
    named = {name for table in results.grids for name in table.values("mechanism")}
    yield from ("", f"Mechanisms: {'; '.join(TITLES[name] for name in MechanismName if name in named)}.")
    if results.probes:
        yield from ("", "The controlled probe: a base of n units, and s more that speak of the probe.", "")
        yield from table_lines((*_RUN, "s"), [_probed(table) for table in results.probes], words=1)


def on_which_data(results: Results) -> Iterator[str]:
    """Write the statistics of the data sets and of the parts they are split into, and what these files are not."""
    shares = sorted({report.auxiliary_share for report in results.datasets})
    yield from (SPLIT.format(share=" or ".join(f"{share:.0%}" for share in shares)), "")
    yield from table_lines(_DATA, [row for report in results.datasets for row in _statistics(report)], words=2)
    sampled = [report.dataset for report in results.datasets if report.whole.records < WHOLE[report.dataset]]
    if sampled:
        yield from (
            "",
            "**These are samples, and none is uniform.** What follows says nothing about the whole data sets.",
        )
        yield from ("", *(f"- {SAMPLES[name]}" for name in sampled))


def _of_the_sitting(sitting: Sitting) -> Iterator[str]:
    made = f"{sitting.runs:,} runs in {sitting.seconds / 60:.0f} minutes with {sitting.workers} processes"
    if sitting.runs_found:
        made = f"{sitting.runs - sitting.runs_found:,} of {made}; the others were there from earlier sittings"
    yield f"`{sitting.command}`: {sitting.seeds} seeds, {made} (ended {sitting.day}). {', '.join(sitting.software)}."


def _sizes(table: Table) -> tuple[str, ...]:
    sizes = (_listed(table, name) for name in (table.size_field, "m", "K", "L", "B", "epsilon"))
    runs = [int(row["runs"]) for row in table.rows]
    seeds = f"{min(runs)}" if min(runs) == max(runs) else f"{min(runs)} to {max(runs)}"
    mechanisms = str(len(table.values("mechanism")))
    return _title(table), *sizes, mechanisms, seeds, f"{len(runs):,}", f"{sum(runs):,}"


def _probed(table: Table) -> tuple[str, ...]:
    title, _, *others = _sizes(table)
    return title, f"{min(table.values(table.size_field)):,} + s", *others, _listed(table, "probe_support")


def _title(table: Table) -> str:
    """Name data and unit, and what is other than in the paper, where something is."""
    return ", ".join((part_of(table), *unusual(table)))


def _listed(table: Table, column: str) -> str:
    return ", ".join(f"{value:g}" if value < 1 else f"{value:,g}" for value in table.values(column)) or "-"


def _statistics(report: DatasetReport) -> Iterator[tuple[str, ...]]:
    yield report.title, "all", *_figures(report.whole)
    for unit, split in report.splits.items():
        yield "", f"auxiliary, by {unit}", *_figures(split.auxiliary)
        yield "", f"target, by {unit}", *_figures(split.target)


def _figures(found: Statistics) -> tuple[str, ...]:
    users = found.users
    people = (f"{users.users:,}", f"{users.users_with_several_records:,}") if users else ("unknown", "unknown")
    words = (f"{found.words.mean:.0f}", f"{found.words.median:.0f}")
    return f"{found.records:,}", *people, *words, found.days.first or "-", found.days.last or "-"
