"""What the paper says about plans over the privacy budget, at record and at user level (its sections 6.1 and 6.2)."""

from collections.abc import Callable, Iterator
from typing import Final

from dpspin.lab.figures.tables import Table
from dpspin.lab.results.claims.claim import FULL_SKETCH, MOSTLY, PRIVATE, Claim, Test
from dpspin.lab.results.estimate import Estimate
from dpspin.lab.results.tables import Results, found, main_setting, part_of, series, short
from dpspin.lab.results.verdict import Cell, Stand, above, at_least, falling, not_below, rising
from dpspin.lab.runs.mechanism import PAPERS

MOST, NEARLY_ALL, MISSED = 0.9, 0.95, 0.9
SMALL_BUDGET, TENFOLD = 0.5, 10.0
LOSS, MASS, OVERLAP = "support_mass_loss", "mass_retained", "overlap"


def mass_at_least(unit: str, bound: float) -> Test:
    """Read MassRetained of both full-sketch mechanisms at every budget."""

    def test(results: Results) -> Iterator[Cell]:
        for table in results.of_unit(unit):
            for mechanism in FULL_SKETCH:
                for epsilon, mass in series(main_setting(table), "epsilon", MASS, mechanism=mechanism):
                    yield at_least(part_of(table), f"{short(mechanism)}, ε={epsilon:g}", mass, bound)

    return test


def mass_not_below_overlap(results: Results) -> Iterator[Cell]:
    """Set MassRetained beside Overlap in the same runs."""
    for table in results.grids:
        for mechanism in PAPERS:
            for row in main_setting(table).where(mechanism=mechanism).rows:
                one = Table(table.dataset, table.unit, [row])
                mass, overlap = found(one, MASS), found(one, OVERLAP)
                if mass and overlap:
                    where = f"{short(mechanism)}, ε={row['epsilon']:g}"
                    yield not_below(part_of(table), where, mass, overlap)


def mass_kept_though_missed(results: Results) -> Iterator[Cell]:
    """Look on each data set for a setting in which themes are missed, and nearly all mass is kept."""
    for table in results.of_unit("record"):
        rows = [row for row in main_setting(table).rows if row["mechanism"] in FULL_SKETCH]
        if rows:
            tried = [row for row in rows if row[OVERLAP] <= MISSED]
            best = max(tried or rows, key=lambda row: row[MASS])
            kept = Stand.FOR if best[MASS] >= NEARLY_ALL else Stand.AGAINST
            figures = f"Overlap {best[OVERLAP]:.3f}, MassRetained {best[MASS]:.3f}"
            where, slack = f"{short(best['mechanism'])}, ε={best['epsilon']:g}", best[MASS] - NEARLY_ALL
            yield Cell(part_of(table), where, figures, best["runs"], slack, kept if tried else Stand.OPEN)


def loses_less(factor: float, budgets: Callable[[float], bool]) -> Test:
    """Compare Loss of private top-L admission against a multiple of the full sketches'."""

    def test(results: Results) -> Iterator[Cell]:
        for table in results.of_unit("record"):
            rows = main_setting(table)
            for epsilon in filter(budgets, rows.values("epsilon")):
                admission = found(rows, LOSS, mechanism=PRIVATE, epsilon=epsilon)
                for mechanism in FULL_SKETCH:
                    sketch = found(rows, LOSS, mechanism=mechanism, epsilon=epsilon)
                    if admission and sketch:
                        multiple = "" if factor == 1 else f"{factor:g} × "
                        where = f"private top-L against {multiple}{mechanism}, ε={epsilon:g}"
                        yield above(part_of(table), where, admission, sketch.times(factor))

    return test


def loss_falls(results: Results) -> Iterator[Cell]:
    """Follow Loss over epsilon."""
    for table in results.of_unit("record"):
        for mechanism in PAPERS:
            over = [loss for _, loss in series(main_setting(table), "epsilon", LOSS, mechanism=mechanism)]
            if len(over) > 1:
                yield falling(part_of(table), short(mechanism), over)


def gains_more(unit: str, column: str, sign: float) -> Test:
    """Compare how much private top-L admission gains between the smallest and the largest budget, beside the others."""

    def test(results: Results) -> Iterator[Cell]:
        for table in results.of_unit(unit):
            gained = {str(mechanism): _gain(table, mechanism, column, sign) for mechanism in PAPERS}
            for mechanism in FULL_SKETCH:
                ours, theirs = gained[PRIVATE], gained[mechanism]
                if ours and theirs:
                    yield above(part_of(table), f"private top-L against {mechanism}", ours, theirs)

    return test


def private_improves(results: Results) -> Iterator[Cell]:
    """Follow Overlap and MassRetained of private top-L admission over epsilon."""
    for table in results.grids:
        for column, name in ((OVERLAP, "Overlap"), (MASS, "MassRetained")):
            over = [each for _, each in series(main_setting(table), "epsilon", column, mechanism=PRIVATE)]
            if len(over) > 1:
                yield rising(part_of(table), name, over)


def _gain(table: Table, mechanism: str, column: str, sign: float) -> Estimate | None:
    over = [each for _, each in series(main_setting(table), "epsilon", column, mechanism=mechanism)]
    return over[-1].less(over[0]).times(sign) if len(over) > 1 else None


CLAIMS: Final = (
    Claim(
        "record-mass",
        "6.1",
        "Gaussian and Laplace sketches keep a large part of the mass of the exact top L, at every budget (records).",
        f"MassRetained is at least {MOST:g} for both, at every ε.",
        mass_at_least("record", MOST),
    ),
    Claim(
        "mass-and-overlap",
        "6.1",
        "Finding exactly the right themes is harder than keeping their mass.",
        "MassRetained is not below Overlap in any setting.",
        mass_not_below_overlap,
    ),
    Claim(
        "missed-themes-are-light",
        "6.1",
        "A plan can miss themes of the exact top L and still keep most of its mass.",
        f"Where some settings of a data set have Overlap at most {MISSED:g}, one of them has MassRetained at least "
        f"{NEARLY_ALL:g}.",
        mass_kept_though_missed,
    ),
    Claim(
        "small-budgets",
        "6.1",
        "At the smaller budgets full sketches lose less mass than private top-L admission (records).",
        f"Loss of private top-L is above that of either sketch, at every ε up to {SMALL_BUDGET:g}.",
        loses_less(1.0, lambda epsilon: epsilon <= SMALL_BUDGET),
    ),
    Claim(
        "near-zero-losses",
        "6.1, figure on loss",
        "Losses of full sketches are near zero beside those of private top-L admission: they need a logarithmic axis.",
        f"Loss of private top-L is above {TENFOLD:g} times that of either sketch, at every ε.",
        loses_less(TENFOLD, lambda _: True),
    ),
    Claim(
        "loss-falls",
        "6.1",
        "Loss generally falls as the budget grows (records).",
        f"Loss falls from the smallest to the largest ε with no clear step up; {MOSTLY:.0%} of the clear cases do.",
        loss_falls,
        needed=MOSTLY,
    ),
    Claim(
        "private-gains-most",
        "6.1",
        "The fall is largest for private top-L admission.",
        "From the smallest to the largest ε its Loss falls by more than that of either sketch.",
        gains_more("record", LOSS, -1.0),
    ),
    Claim(
        "user-mass",
        "6.2",
        "At user level with B=1 the full sketches have MassRetained close to one at every budget.",
        f"MassRetained is at least {NEARLY_ALL:g} for both, at every ε.",
        mass_at_least("user", NEARLY_ALL),
    ),
    Claim(
        "private-depends-on-budget",
        "6.2",
        "At user level private top-L admission depends on the budget more than the sketches do.",
        "From the smallest to the largest ε its MassRetained rises by more than that of either sketch.",
        gains_more("user", MASS, 1.0),
    ),
    Claim(
        "private-improves",
        "6.2",
        "Private top-L admission becomes better as the budget grows (here tested at both levels).",
        "Overlap and MassRetained rise from the smallest to the largest ε with no clear step down.",
        private_improves,
    ),
)
