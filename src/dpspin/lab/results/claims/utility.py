"""What the paper says about plans over the privacy budget, at record and at user level (its sections 6.1 and 6.2)."""

from collections.abc import Callable, Iterator
from typing import Final

from dpspin.lab.figures.tables import Table
from dpspin.lab.results.claims.claim import FULL_SKETCH, MOSTLY, PRIVATE, Claim, Test
from dpspin.lab.results.estimate import Combination, less, measured, times
from dpspin.lab.results.tables import Results, found, main_setting, part_of, series, short
from dpspin.lab.results.verdict import (
    Cell,
    above,
    above_on_average,
    at_least,
    at_most,
    both,
    falling,
    rising,
    some,
)
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


def mass_above_overlap(results: Results) -> Iterator[Cell]:
    """Set MassRetained beside Overlap in the same runs."""
    for table in results.grids:
        for mechanism in PAPERS:
            masses, overlaps = (
                [each for _, each in series(main_setting(table), "epsilon", column, mechanism=mechanism)]
                for column in (MASS, OVERLAP)
            )
            if masses and len(masses) == len(overlaps):
                pairs = list(zip(masses, overlaps, strict=True))
                yield above_on_average(part_of(table), short(mechanism), pairs)


def mass_kept_though_missed(results: Results) -> Iterator[Cell]:
    """Look on each data set for a setting in which themes are missed, and nearly all mass is kept."""
    for table in results.of_unit("record"):
        tried = []
        for row in main_setting(table).where(mechanism=FULL_SKETCH).rows:
            overlap, mass = measured(row, OVERLAP), measured(row, MASS)
            where = f"{short(row['mechanism'])}, ε={row['epsilon']:g}, Overlap and MassRetained"
            if overlap and mass:
                missed = at_most(part_of(table), where, overlap, MISSED)
                tried.append(both(missed, at_least(part_of(table), where, mass, NEARLY_ALL)))
        if tried:
            yield some(part_of(table), tried)


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
                        yield above(part_of(table), where, admission, times(sketch, factor))

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


def _gain(table: Table, mechanism: str, column: str, sign: float) -> Combination | None:
    over = [each for _, each in series(main_setting(table), "epsilon", column, mechanism=mechanism)]
    return times(less(over[-1], over[0]), sign) if len(over) > 1 else None


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
        "Averaged over the budgets, MassRetained is above Overlap; at no single ε is it clearly below.",
        mass_above_overlap,
    ),
    Claim(
        "missed-themes-are-light",
        "6.1",
        "A plan can miss themes of the exact top L and still keep most of its mass.",
        f"On each data set some full sketch at some ε has Overlap at most {MISSED:g} and MassRetained at least "
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
        f"Loss is lower at the largest ε than at the smallest, with no clear step up; in {MOSTLY:.0%} of clear cases.",
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
        "Overlap and MassRetained are higher at the largest ε than at the smallest, with no clear step down.",
        private_improves,
    ),
)
