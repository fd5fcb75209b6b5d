"""All mechanisms and all methods beside each other, at the same epsilon."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from dpspin_lab.figures.tables import Table
from dpspin_lab.markdown import table_lines
from dpspin_lab.results.estimate import measured
from dpspin_lab.results.tables import Results, found, main_setting, part_of
from dpspin_lab.rubric import PROSE
from dpspin_lab.runs.mechanism import TITLES, MechanismName
from dpspin_lab.runs.summary import Row

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


def mechanisms_compared(results: Results) -> Iterator[str]:
    """Write Overlap and MassRetained of every mechanism on every data set and unit."""
    for column, title in (("overlap", "Overlap@10"), ("mass_retained", "MassRetained")):
        names = (title, "ε", *(part_of(table) for table in results.grids))
        yield from (*table_lines(names, _mechanisms(results, column), words=1), "")


def truth_compared(results: Results) -> Iterator[str]:
    """Write how far plans are from known labels, by split and map, and which part of it map and noise add."""
    tables = (*map(main_setting, results.grids), *results.others)
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
    tables = [main_setting(table) for table in results.grids]
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
