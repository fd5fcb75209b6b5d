"""A claim: who makes it, what it says in our words, by which test it stands or falls."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from dpspin.lab.results.tables import Results
from dpspin.lab.results.verdict import CONFIDENCE, Cell, Setting, Verdict, decided, weighed

FULL_SKETCH: Final = ("gaussian", "laplace")
PRIVATE: Final = "private_topL"
HALF_A_THEME: Final = 0.05  # of Overlap: half a theme in a plan of ten; less than that a reader would not notice
OF_THE_MASS: Final = 0.05  # of MassRetained: a twentieth of what the exact top L weighs
MOSTLY: Final = 0.9  # of the clear settings, where the paper says "generally"

Test = Callable[[Results], Iterable[Cell]]


@dataclass(frozen=True, slots=True)
class Claim:
    """``missing`` tells what would be needed where the tables hold nothing to decide it by."""

    key: str
    source: str
    said: str
    rule: str
    test: Test = field(repr=False)
    needed: float = 1.0
    missing: str = "The tables hold no rows that decide it."


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with what the tables say about it."""

    claim: Claim
    cells: tuple[Setting, ...] = field(repr=False)
    verdict: Verdict


def judge(claim: Claim, results: Results, confidence: float = CONFIDENCE) -> Judged:
    """Test a claim."""
    cells = weighed(tuple(claim.test(results)), confidence)
    return Judged(claim, cells, decided([cell.stand for cell in cells], claim.needed))
