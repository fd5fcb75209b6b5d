"""The tables of the page: what was run and on which data; all mechanisms and methods beside each other."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from dpspin_lab.datasets.statistics import DatasetReport, Statistics
from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.markdown import table_lines
from dpspin_lab.metrics.text import PROSE
from dpspin_lab.results.estimate import measured
from dpspin_lab.results.evaluation_tables import Results, found, part_of, unusual
from dpspin_lab.runs.config import TITLES, MechanismName
from dpspin_lab.runs.evaluation_log import EvaluationLog
from dpspin_lab.runs.summary import Row

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
PROBE: Final = (
    "The controlled probe: a base of n units, and s more that speak of a synthetic theme and of nothing else. Their "
    "records are sentences of ours, so each gives its whole mass to the probe: no theme of real text is so sharp."
)
EPSILONS: Final = (0.1, 0.5, 1.0)  # of the tables of mechanisms
NOTHING: Final = 0.0  # what asks no record spends
EPSILON: Final = 1.0  # of the tables of methods, as in the paper
_LIKENESSES: Final = {"j_kp": "keyphrase Jaccard", "cos_tfidf": "TF-IDF cosine"}
_STANDARD: Final = "non-private plan"  # to whose text they are
_TEXTS: Final = {
    "coverage": "names what it released",
    "verified": "verified sentences",
    "readability": "reading ease",
    **_LIKENESSES,
}
_TOLD: Final = (MechanismName.LAPLACE, MechanismName.GAUSSIAN)
_LABELS: Final = "Auxiliary labels alone (no records, no map)"
_TRUTH: Final = {
    "overlap": "Overlap with the sketch",
    "truth_overlap": "Overlap with the truth",
    "truth_tv": "TV from the truth",
    "truth_tv_mapping": "by the map",
    "truth_tv_noise": "by noise",
}
_OF_LABELS: Final = ("", "labels_overlap", "labels_tv", "", "")  # in the same places
_CLUSTERS: Final = {
    "head": "part of the exact head",
    "cosine": "cosine to centre",
    "clusters": "clusters",
    "keywords_absent": "keywords absent",
    "described": "keywords described",
}


def what_was_run(results: Results) -> Iterator[str]:
    """Write the sizes of every grid, and what the last call of the evaluation was."""
    if results.log:
        yield from (*_of_the_log(results.log), "")
    yield from table_lines(_RUN, [_sizes(table) for table in (*results.grids, *results.others)], words=1)
    named = {name for table in results.grids for name in table.values("mechanism")}
    settings = [row for table in results.grids for row in table.rows]
    spent = {name: sorted({f"{row[name]:g}" for row in settings if row[name]}) for name in ("delta_eff", "rho")}
    yield from ("", f"Mechanisms: {'; '.join(TITLES[name] for name in MechanismName if name in named)}.")
    delta, rho = (", ".join(spent[name]) for name in ("delta_eff", "rho"))
    yield f"δ={delta} where it is spent; private top-L selects with ρ={rho} of ε."
    if results.probes:
        yield from ("", PROBE, "")
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


def _of_the_log(log: EvaluationLog) -> Iterator[str]:
    made = log.runs - log.runs_found
    runs = f"{log.runs:,} runs in {log.seconds / 60:.0f} minutes with {log.workers} processes"
    if log.runs_found:
        runs = f"{made:,} of {runs}; the others were there from earlier sittings"
    if not made:
        runs = f"{log.runs:,} runs, all of them made in earlier sittings"
    yield f"`{log.command}`: {log.seeds} seeds, {runs} (ended {log.day}). {', '.join(log.software)}."


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


def mechanisms_compared(results: Results) -> Iterator[str]:
    """Write Overlap and MassRetained of every mechanism on every data set and unit."""
    for column, title in (("overlap", "Overlap@10"), ("mass_retained", "MassRetained")):
        names = (title, "ε", *(part_of(table) for table in results.grids))
        yield from (*table_lines(names, _mechanisms(results, column), words=1), "")


def truth_compared(results: Results) -> Iterator[str]:
    """Write how far plans are from known labels, by split and map, and which part of it map and noise add."""
    tables = (*(table.main_setting for table in results.grids), *results.others)
    rows = [row for table in tables for k in table.values("K") for row in _truths(table.where(K=k))]
    if rows:
        yield from table_lines(("data, unit, split, map", "K", "plan", "ε", *_TRUTH.values()), rows, words=3)


def methods_compared(results: Results) -> Iterator[str]:
    """Write how the texts of all methods compare, one table for each data set."""
    for dataset, rows in results.methods.items():
        shown = [row for row in rows if row.get("epsilon") in {EPSILON, NOTHING, None}]
        names = (f"{dataset}, ε={EPSILON:g}", "protects", "ε", "texts", *_TEXTS.values())
        yield from (*table_lines(names, [_method(row) for row in shown], words=2), "")


def rivals_compared(results: Results) -> Iterator[str]:
    """Write how good the releases of the private rivals are, by what each of them measures."""
    rows = [
        (dataset, row["method"], _epsilon(row), str(row["draws"]), *_cells(row, _CLUSTERS, "draws"))
        for dataset, every in results.rivals.items()
        for row in every
        if row["epsilon"] in (NOTHING, *EPSILONS)
    ]
    yield from table_lines(("data", "method", "ε", "draws", *_CLUSTERS.values()), rows, words=2)


def _mechanisms(results: Results, column: str) -> Iterator[tuple[str, ...]]:
    tables = [table.main_setting for table in results.grids]
    asking = [name for name in MechanismName if name is not MechanismName.PUBLIC_ONLY]
    for epsilon, mechanism in (*product(EPSILONS, asking), (EPSILON, MechanismName.PUBLIC_ONLY)):
        figures = [found(table, column, mechanism=mechanism, epsilon=epsilon) for table in tables]
        if any(figures):
            told = _epsilon({"mechanism": mechanism, "epsilon": epsilon})
            yield TITLES[mechanism], told, *(str(figure or "-") for figure in figures)


def _epsilon(row: Row) -> str:
    asks_nobody = row.get("mechanism") == MechanismName.PUBLIC_ONLY or row["epsilon"] in {NOTHING, None}
    return "none" if asks_nobody else f"{row['epsilon']:g}"


def _truths(table: Table) -> Iterator[tuple[str, ...]]:
    """Write the plans of one start, and once each what is said without a record: it has no epsilon."""
    for row in table.where(mechanism=_TOLD, epsilon=EPSILONS).measured("truth_overlap").rows:
        title = TITLES[MechanismName(row["mechanism"])]
        yield *_of_start(table, row), title, _epsilon(row), *_cells(row, _TRUTH, "runs")
    for row in table.where(mechanism=MechanismName.PUBLIC_ONLY).measured("truth_overlap").rows[:1]:
        yield *_of_start(table, row), TITLES[MechanismName.PUBLIC_ONLY], _epsilon(row), *_cells(row, _TRUTH, "runs")
        if row.get("labels_tv") is not None:
            yield *_of_start(table, row), _LABELS, _epsilon(row), *_cells(row, _OF_LABELS, "runs")


def _of_start(table: Table, row: Row) -> tuple[str, str]:
    return _start(table), "all" if row["K"] >= row["m"] else str(row["K"])


def _start(table: Table) -> str:
    return ", ".join((part_of(table), *(str(table.rows[0].get(name)) for name in ("split", "assignment_map"))))


def _method(row: Row) -> tuple[str, ...]:
    prose = row if row.get("sentences", PROSE) >= PROSE else {**row, "readability": None}
    cells = _cells(prose, _TEXTS, "texts")
    if row["method"] == _STANDARD:
        cells[-len(_LIKENESSES) :] = ["itself"] * len(_LIKENESSES)
    return row["method"], _protects(row), _epsilon(row), str(row["texts"]), *cells


def _protects(row: Row) -> str:
    if not row["private"]:
        return "**nobody**"
    return "asks no record" if row["epsilon"] == NOTHING else "records, if drawn with secure noise"


def _cells(row: Row, columns: Mapping[str, str] | Sequence[str], runs: str) -> list[str]:
    return [str(measured(row, column, runs=runs) or "-") for column in columns]
