"""A claim: who makes it, what it says in our words, by which test it stands or falls."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.evaluation_tables import Results
from dpspin_lab.results.verdict import CONFIDENCE, Cell, Setting, Verdict, decided, runs_needed, weighed

FULL_SKETCH: Final = ("gaussian", "laplace")
PRIVATE: Final = "private_topL"
HALF_A_THEME: Final = 0.05  # of Overlap: half a theme in a plan of ten; less than that a reader would not notice
OF_THE_MASS: Final = 0.05  # of MassRetained: a twentieth of what the exact top L weighs
MOSTLY: Final = 0.9  # of the clear settings, where the paper says "generally"
NAMED_FROM: Final = 0.5  # the smallest ε that the paper's text names; it says nothing of smaller ones

Test = Callable[[Results], Iterable[Cell]]


@dataclass(frozen=True, slots=True)
class Claim:
    """``missing`` tells what would be needed where the tables hold nothing to decide it by.

    ``by_construction`` marks what follows from how the runs are made, so that only a fault could refute it, and
    ``of_models`` what no template can show: a language model has to write, or to judge.
    """

    key: str
    said: str
    rule: str
    test: Test = field(repr=False)
    source: str = "ours"  # or where in the paper it is made
    needed: float = 1.0
    by_construction: bool = False
    of_models: bool = False
    missing: str = "The tables hold no rows that decide it."
    why_missing: Callable[[Results], str] | None = field(default=None, repr=False)  # where the tables tell it


@dataclass(frozen=True, slots=True)
class Scope:
    """On which runs a claim is tested: of which unit, and with which budgets."""

    unit: str
    least: float = 0.0
    below: float = inf

    def __contains__(self, epsilon: float) -> bool:
        """Say whether a budget is in it.

        >>> 0.5 in Scope("record", least=0.5), 0.5 in Scope("record", below=0.5)
        (True, False)
        """
        return self.least <= epsilon < self.below

    def of(self, tables: Iterable[Table]) -> list[Table]:
        """Return the rows in it, table by table."""
        chosen = ((table, [row for row in table.rows if row["epsilon"] in self]) for table in tables)
        return [Table(table.dataset, table.unit, rows) for table, rows in chosen if table.unit == self.unit and rows]


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with what the tables say about it."""

    claim: Claim
    cells: tuple[Setting, ...] = field(repr=False)
    verdict: Verdict
    missing: str
    needed: tuple[int | None, ...] = ()  # runs of each row that would decide, where nothing is clear


def judge(claim: Claim, results: Results, confidence: float = CONFIDENCE) -> Judged:
    """Test a claim."""
    tried = tuple(claim.test(results))
    cells = weighed(tried, confidence)
    verdict = decided([cell.stand for cell in cells], claim.needed)
    missing = claim.why_missing(results) if claim.why_missing else claim.missing
    needed = runs_needed(tried, confidence) if verdict is Verdict.UNDECIDED else ()
    return Judged(claim, cells, verdict, missing, needed)
