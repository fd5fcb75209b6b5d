"""The summary tables that figures are drawn from, and which of their rows a figure is about."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpspin.errors import SourceError
from dpspin_lab.runs.config import RunConfig
from dpspin_lab.runs.grids import FIXED_EPSILON, MAIN_K, MAIN_L, MAIN_M, USUAL_EPSILON
from dpspin_lab.runs.summary import Row, read_summary

UNITS = ("record", "user")
_AS_GRIDS_HAVE_IT = (  # grids vary none of them
    *("adjacency", "rho", "selected_value_mechanism", "selection_shares", "comparison_margin"),
)
USUAL = {"split": (None, "hash"), "dictionary": (None, "built"), "assignment_map": (None, "ngram")}  # the paper's


@dataclass(frozen=True, slots=True)
class Table:
    """The grouped runs of one data set and unit."""

    dataset: str
    unit: str
    rows: Sequence[Row] = field(repr=False)

    def where(self, **fields: Any) -> "Table":  # noqa: ANN401  values of a table
        """Return the rows that have these values; a tuple lists several.

        >>> Table("cfpb", "record", [{"K": 1}, {"K": 3}]).where(K=3).rows
        [{'K': 3}]
        """

        def fits(row: Row) -> bool:
            return all(
                row.get(name) in value if isinstance(value, tuple) else row.get(name) == value for name, value in wanted
            )

        wanted = list(fields.items())
        return Table(self.dataset, self.unit, [row for row in self.rows if fits(row)])

    def values(self, name: str) -> list[Any]:
        """Return the different values of a column, in order."""
        return sorted({row[name] for row in self.rows if row.get(name) is not None})

    def measured(self, name: str) -> "Table":
        """Return the rows in which something was measured."""
        return Table(self.dataset, self.unit, [row for row in self.rows if row.get(name) is not None])

    @property
    def title(self) -> str:
        """Data set and unit, as captions name them."""
        return f"{self.dataset}, {self.unit} level"

    @property
    def size_field(self) -> str:
        """The column with the number of protected units."""
        return "n_users" if self.unit == "user" else "n_records"

    @property
    def main(self) -> "Table":
        """The rows of the usual number of units and of the first user bound: what most figures are about."""
        bounds = self.values("B")
        same_size = self.where(**{self.size_field: _most_frequent(row[self.size_field] for row in self.rows)})
        return same_size.where(B=bounds[0]) if bounds else same_size

    @property
    def main_setting(self) -> "Table":
        """Of these the rows at the usual K, L and dictionary."""
        return self.main.where(K=MAIN_K, L=MAIN_L, m=self.m)

    @property
    def m(self) -> int:
        """The dictionary size of figures that have one."""
        sizes: list[int] = self.values("m")
        return min(MAIN_M.get(self.dataset, max(sizes)), max(sizes))

    @property
    def epsilon(self) -> float:
        """The epsilon of figures that vary something else: the paper's, or the largest where that was not run."""
        usual = FIXED_EPSILON.get(self.dataset, USUAL_EPSILON)
        epsilons: list[float] = self.values("epsilon")
        return usual if usual in epsilons else epsilons[-1]


def of_grids(table: Table) -> Table:
    """Leave out runs that no grid makes, which somebody made beside them: curves would call them by the grids' names.

    Texts by the template have our contract there; those of models have several, and a column for it.
    """
    words = () if table.values("decoder_model") else ("decoder_contract_mode",)
    usual = {name: (None, RunConfig.model_fields[name].default) for name in (*_AS_GRIDS_HAVE_IT, *words)}
    return table.where(**usual)


def as_in_the_paper(table: Table) -> Table:
    """Return the rows of the paper's own split, dictionary and map."""
    return table.where(**USUAL)


def read_tables(out: Path, *, probe: bool = False) -> list[Table]:
    """Read every summary under an output folder; the probe's tables or the others."""
    prefix = "probe_" if probe else ""
    found = [
        of_grids(Table(path.parent.parent.name, unit, read_summary(path)))
        for unit in UNITS
        for path in sorted(out.glob(f"*/summaries/{prefix}{unit}.json"))
    ]
    if not found:
        raise SourceError(f"{out} holds no summaries; make runs first with dpspin lab grid or dpspin lab paper")
    return [table for table in found if table.rows]


def _most_frequent(values: Iterable[Any]) -> Any:  # noqa: ANN401  values of a table
    counts = Counter(values)
    return max(counts, key=lambda value: (counts[value], value))
