"""What we found beyond the paper, put to the same kind of test."""

from collections.abc import Iterator
from typing import Final

from dpspin.lab.figures.tables import Table
from dpspin.lab.results.claims.claim import PRIVATE, Claim, Test
from dpspin.lab.results.estimate import Estimate, measured
from dpspin.lab.results.tables import Results, found, main_setting, part_of
from dpspin.lab.results.verdict import Cell, above, at_least, at_most, not_below
from dpspin.lab.runs.mechanism import PAPERS
from dpspin.lab.runs.summary import Row

USUAL_BUDGET, HEAD = 0.5, 0.9
LOSS, VALUES, OVERLAP = "support_mass_loss", "error_l2", "overlap"


def laplace_values_beat_gaussian(results: Results) -> Iterator[Cell]:
    """Compare the Euclidean error of both sketches, in every setting of every grid."""
    for table in results.grids:
        for row in table.where(mechanism="laplace").rows:
            gaussian, laplace = _twin(table, row, "gaussian", VALUES), measured(row, VALUES)
            if gaussian and laplace:
                yield above(part_of(table), _setting(table, row), gaussian, laplace)


def laplace_loses_no_more(results: Results) -> Iterator[Cell]:
    """Compare the Loss of both sketches, in every setting of every grid."""
    for table in results.grids:
        for row in table.where(mechanism="laplace").rows:
            gaussian, laplace = _twin(table, row, "gaussian", LOSS), measured(row, LOSS)
            if gaussian and laplace:
                yield not_below(part_of(table), _setting(table, row), gaussian, laplace)


def no_worse(better: str, than: tuple[str, ...], *, from_budget: float = 0.0) -> Test:
    """Compare Overlap of one mechanism beside that of others, at every budget."""

    def test(results: Results) -> Iterator[Cell]:
        for table in results.grids:
            rows = main_setting(table)
            for epsilon in rows.values("epsilon"):
                ours = found(rows, OVERLAP, mechanism=better, epsilon=epsilon)
                for other in than if epsilon >= from_budget else ():
                    theirs = found(rows, OVERLAP, mechanism=other, epsilon=epsilon)
                    if ours and theirs:
                        yield not_below(part_of(table), f"{better} against {other}, ε={epsilon:g}", ours, theirs)

    return test


def comparisons_are_supported(results: Results) -> Iterator[Cell]:
    """Find settings in which the template compares, and whether the verifier accepts what it says."""
    for table in results.grids:
        for row in table.measured("comparisons").rows:
            unsupported = measured(row, "ucr")
            if row["comparisons"] > 0 and unsupported:
                where = f"{_setting(table, row)}: {row['comparisons']:.1f} comparisons in a text"
                yield at_most(part_of(table), where, unsupported, 0.0)


def joint_accounting_helps(column: str) -> Test:
    """Compare a figure of the URANIA-style release under joint accounting and under the paper's."""

    def test(results: Results) -> Iterator[Cell]:
        for dataset, rows in results.rivals.items():
            by_method = {(row["method"], row["epsilon"]): row for row in rows}
            for epsilon in dict.fromkeys(row["epsilon"] for row in rows):
                joint, paper = (
                    measured(by_method.get((method, epsilon)), column, runs="draws")
                    for method in ("urania_joint", "urania")
                )
                if joint and paper:
                    yield above(dataset, f"ε={epsilon:g}", joint, paper)

    return test


def histograms_find_the_head(results: Results) -> Iterator[Cell]:
    """Read the part of the exact head that a histogram releases."""
    for dataset, rows in results.rivals.items():
        for row in rows:
            head = measured(row, "head", runs="draws")
            if head and row["epsilon"] >= USUAL_BUDGET:
                yield at_least(dataset, f"{row['method']}, ε={row['epsilon']:g}", head, HEAD)


def _twin(table: Table, row: Row, mechanism: str, column: str) -> Estimate | None:
    """Return the figure of another mechanism in the same setting."""
    same = {name: row.get(name) for name in ("m", "K", "L", "B", "epsilon", table.size_field)}
    return found(table, column, mechanism=mechanism, **same)


def _setting(table: Table, row: Row) -> str:
    names = ("m", "K", "L", "B", table.size_field)
    told = ", ".join(f"{name}={row[name]:g}" for name in names if row.get(name) is not None)
    return f"ε={row['epsilon']:g}, {told}"


CLAIMS: Final = (
    Claim(
        "laplace-values",
        "ours",
        "As one unit moves masses by B at most in sum (L1), Laplace noise is smaller than Gaussian at the same ε.",
        "The Euclidean error over all themes is lower, in every setting of every grid.",
        laplace_values_beat_gaussian,
    ),
    Claim(
        "laplace-plans",
        "ours",
        "A Laplace plan loses no more mass than a Gaussian one at the same ε, and needs no δ.",
        "Its Loss is not clearly above the Gaussian's in any setting of any grid.",
        laplace_loses_no_more,
    ),
    Claim(
        "tight-admission",
        "ours",
        "Private top-L admission gains from the monotone exponent and joint accounting, at the same (ε, δ).",
        "Its Overlap is not clearly below that of the paper's accounting, at every ε.",
        no_worse("private_topL_tight", (PRIVATE,)),
    ),
    Claim(
        "planner",
        "ours",
        "A planner that sees public numbers alone chooses as well as the best of the paper's mechanisms.",
        "Its Overlap is not clearly below that of any of the three, at every ε.",
        no_worse("auto", PAPERS),
    ),
    Claim(
        "empirical-bayes",
        "ours",
        "Reading a Laplace sketch beside the auxiliary shares costs no privacy and no themes.",
        "Its Overlap is not clearly below that of the sketch alone, at every ε.",
        no_worse("laplace_eb", ("laplace",)),
    ),
    Claim(
        "beats-public-only",
        "ours",
        "Even where the target is like the auxiliary text, asking the records finds no fewer themes of the exact "
        "sketch than the public-only plan.",
        f"From ε={USUAL_BUDGET:g} on, the Laplace plan has an Overlap not clearly below that of the public-only plan.",
        no_worse("laplace", ("public_only",), from_budget=USUAL_BUDGET),
    ),
    Claim(
        "supported-comparisons",
        "ours",
        "Our template compares themes where the plan's certificate allows it, and only there.",
        "No comparison is unsupported in any setting in which the texts make some.",
        comparisons_are_supported,
        missing="No text compares.",
    ),
    Claim(
        "urania-centres",
        "ours",
        "The URANIA-style release clusters better with joint accounting than with the paper's, at the same (ε, δ).",
        "The mean cosine of a record and its centre is higher, at every ε.",
        joint_accounting_helps("cosine"),
    ),
    Claim(
        "urania-keywords",
        "ours",
        "It also describes more of the records' keywords.",
        "The part of a record's keywords that its cluster's description names is higher, at every ε.",
        joint_accounting_helps("described"),
    ),
    Claim(
        "histogram-heads",
        "ours",
        "Histograms are good at what they measure.",
        f"From ε={USUAL_BUDGET:g} on, both release at least {HEAD:.0%} of the exact head.",
        histograms_find_the_head,
    ),
)
