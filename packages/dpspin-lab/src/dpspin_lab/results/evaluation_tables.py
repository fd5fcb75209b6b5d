"""The tables that `dpspin lab paper` leaves, read for the results page; more columns and rows than these do no harm."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dpspin.errors import SourceError
from dpspin_lab.datasets.registry import DATASETS
from dpspin_lab.datasets.statistics import DatasetReport
from dpspin_lab.figures.summary_tables import UNITS, USUAL, Table, of_grids
from dpspin_lab.results.estimate import Estimate, measured
from dpspin_lab.runs.config import OF_A_WRITER, MechanismName
from dpspin_lab.runs.evaluation_log import FILE, EvaluationLog
from dpspin_lab.runs.summary import Row, read_summary

BY_DATASET: Final = (  # tables beside the runs'
    *("rivals", "methods", "judged", "judged_pairs", "judged_known"),
    *("judged_texts", "judged_text_pairs"),
)


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that the page is made of."""

    grids: tuple[Table, ...] = ()  # the paper's own settings
    others: tuple[Table, ...] = ()  # each with one other split, dictionary or map
    probes: tuple[Table, ...] = ()
    models: tuple[Table, ...] = ()  # runs whose texts a language model wrote
    model_probes: tuple[Table, ...] = ()  # those of the probe among them
    rivals: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    methods: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    judged: Mapping[str, Sequence[Row]] = field(default_factory=dict)  # scores by a language model
    judged_pairs: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    judged_known: Mapping[str, Sequence[Row]] = field(default_factory=dict)  # what it made of known answers
    judged_texts: Mapping[str, Sequence[Row]] = field(default_factory=dict)  # of texts that models wrote
    judged_text_pairs: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    datasets: tuple[DatasetReport, ...] = ()
    log: EvaluationLog | None = None

    def varied(self, **setting: str) -> list[Table]:
        """Return the other tables that have these values in the columns of split, dictionary and map."""
        return [table for table in self.others if len(table.where(**setting).rows) == len(table.rows)]

    @property
    def whole(self) -> list[Table]:
        """The grids with the rows of other splits, dictionaries and maps."""
        return [
            Table(
                grid.dataset,
                grid.unit,
                [row for each in (grid, *self.others) if _same(each, grid) for row in each.rows],
            )
            for grid in self.grids
        ]

    def of_unit(self, unit: str) -> list[Table]:
        """Return the grids of one protected unit."""
        return [table for table in self.grids if table.unit == unit]


def read_results(folder: Path) -> Results:
    """Read the tables of an evaluation."""
    tables = list(_tables(folder, ""))
    if not any(table.rows for table in tables):
        raise SourceError(f"{folder} holds no summaries; make runs first with dpspin lab paper")
    return Results(
        grids=_filled(table.where(**USUAL) for table in tables),
        others=tuple(variant for table in tables for variant in _variants(table)),
        probes=_filled(_tables(folder, "probe_")),
        models=_filled(_tables(folder, "model_")),
        model_probes=_filled(_tables(folder, "model_probe_")),
        **{name: _by_dataset(folder, name) for name in BY_DATASET},
        datasets=tuple(_reports(folder)),
        log=_log(folder),
    )


def part_of(table: Table) -> str:
    """Name a data set and unit."""
    return f"{table.dataset}, {table.unit}"


def unusual(table: Table) -> list[str]:
    """Name the split, dictionary and map of a table where they are not the paper's."""
    return [str(value) for name, usual in USUAL.items() for value in table.values(name) if value not in usual]


def by_writer(table: Table) -> Iterator[Table]:
    """Part the rows by model, contract and all that it was asked with: texts of two writers are never pooled."""
    for writer in dict.fromkeys(tuple(row.get(name) for name in OF_A_WRITER) for row in table.rows):
        yield table.where(**dict(zip(OF_A_WRITER, writer, strict=True)))


def writer_told(row: Row) -> tuple[str, str, str]:
    """Name a writer in three cells: the model, the decoder with its contract, and with what it was asked."""
    decoder = ", ".join(filter(None, (row["decoder_backend"], row.get("decoder_contract_mode"))))
    seed = f", seed {row['decoder_seed']}" if row["decoder_seed"] else ""
    attempts = f"{row['decoder_attempts']} attempt{'s' if row['decoder_attempts'] > 1 else ''}"
    asked = f"T={row['decoder_temperature']:g}{seed}, {attempts}, {row['decoder_max_tokens']} tokens"
    return row["decoder_model"], decoder, asked


def found(table: Table, column: str, **setting: object) -> Estimate | None:
    """Return a figure of the one row in this setting; None where there is none, or where it was not measured."""
    rows = table.where(**setting).measured(column).rows
    return measured(rows[0], column) if len(rows) == 1 else None


def series(table: Table, over: str, column: str, **setting: object) -> list[tuple[float, Estimate]]:
    """Return a figure over the values of another column, in order."""
    rows = sorted(table.where(**setting).measured(column).rows, key=lambda row: row[over])
    return [(row[over], estimate) for row in rows if (estimate := measured(row, column)) is not None]


def short(mechanism: str) -> str:
    """Return a short name of a mechanism for a line of figures."""
    return {MechanismName.PRIVATE_TOP_L: "private top-L"}.get(MechanismName(mechanism), str(mechanism))


def _same(one: Table, other: Table) -> bool:
    return (one.dataset, one.unit) == (other.dataset, other.unit)


def _tables(folder: Path, prefix: str) -> Iterator[Table]:
    for name in DATASETS:
        for unit in UNITS:
            if (path := folder / name / "summaries" / f"{prefix}{unit}.json").is_file():
                yield of_grids(Table(name, unit, read_summary(path)))


def _filled(tables: Iterator[Table]) -> tuple[Table, ...]:
    return tuple(table for table in tables if table.rows)


def _variants(table: Table) -> Iterator[Table]:
    """Part the rows that are not the paper's by what is other about them."""
    usual = set(map(id, table.where(**USUAL).rows))
    kinds: dict[tuple[object, ...], list[Row]] = {}
    for row in table.rows:
        if id(row) not in usual:
            kinds.setdefault(tuple(row.get(name) for name in USUAL), []).append(row)
    yield from (Table(table.dataset, table.unit, rows) for rows in kinds.values())


def _by_dataset(folder: Path, name: str) -> dict[str, list[Row]]:
    paths = {dataset: folder / dataset / "summaries" / f"{name}.json" for dataset in DATASETS}
    return {dataset: read_summary(path) for dataset, path in paths.items() if path.is_file()}


def _reports(folder: Path) -> Iterator[DatasetReport]:
    for name in DATASETS:
        if (path := folder / name / "stats" / "dataset.json").is_file():
            yield DatasetReport.model_validate_json(path.read_bytes())


def _log(folder: Path) -> EvaluationLog | None:
    path = folder / FILE
    return EvaluationLog.model_validate_json(path.read_bytes()) if path.is_file() else None
