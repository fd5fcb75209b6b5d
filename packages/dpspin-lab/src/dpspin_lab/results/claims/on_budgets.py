"""What the paper says about plans over the privacy budget, at record and at user level (its sections 6.1 and 6.2)."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims.claim import FULL_SKETCH, MOSTLY, NAMED_FROM, PRIVATE, Claim, Scope, Test
from dpspin_lab.results.estimate import Combination, Estimate, less, measured, times
from dpspin_lab.results.evaluation_tables import Results, found, part_of, series, short
from dpspin_lab.results.verdict import (
    Cell,
    above,
    above_on_average,
    at_least,
    at_most,
    both,
    compared,
    falling,
    followed,
    rising,
    some,
)
from dpspin_lab.runs.config import PAPERS

MOST, NEARLY_ALL, MISSED = 0.9, 0.95, 0.9
TENFOLD = 10.0
LOSS, MASS, OVERLAP = "support_mass_loss", "mass_retained", "overlap"
RECORDS, USERS = Scope("record", least=NAMED_FROM), Scope("user", least=NAMED_FROM)  # of which the paper speaks
AT_SMALLEST: Final = Scope("record", least=NAMED_FROM, below=1.0)
FROM: Final = f"at every ε from {NAMED_FROM:g} on"


def mass_at_least(scope: Scope, bound: float) -> Test:
    """Read MassRetained of both full-sketch mechanisms at every budget."""

    def test(results: Results) -> Iterator[Cell]:
        for table in _main_settings(results, scope):
            for mechanism in FULL_SKETCH:
                for epsilon, mass in _over(table, mechanism, MASS):
                    yield at_least(part_of(table), f"{short(mechanism)}, ε={epsilon:g}", mass, bound)

    return test


def mass_above_overlap(scope: Scope) -> Test:
    """Set MassRetained beside Overlap in the same runs."""

    def test(results: Results) -> Iterator[Cell]:
        for table, mechanism in product(_main_settings(results, scope), PAPERS):
            masses, overlaps = (_over(table, mechanism, column) for column in (MASS, OVERLAP))
            if masses and len(masses) == len(overlaps):
                pairs = [(mass, overlap) for (_, mass), (_, overlap) in zip(masses, overlaps, strict=True)]
                yield above_on_average(part_of(table), short(mechanism), pairs)

    return test


def mass_kept_though_missed(results: Results) -> Iterator[Cell]:
    """Look on all data sets for one setting in which themes are missed, and nearly all mass is kept."""
    tried = []
    for table in _main_settings(results, RECORDS):
        for row in table.where(mechanism=tuple(PAPERS)).rows:
            overlap, mass = measured(row, OVERLAP), measured(row, MASS)
            where = f"{table.dataset}, {short(row['mechanism'])}, ε={row['epsilon']:g}, Overlap and MassRetained"
            if overlap and mass:
                missed = at_most("", where, overlap, MISSED)
                tried.append(both(missed, at_least("", where, mass, NEARLY_ALL)))
    if tried:
        yield some("all, record", tried)


def loses_less(factor: float, scope: Scope) -> Test:
    """Compare Loss of private top-L admission against a multiple of the full sketches'."""

    def test(results: Results) -> Iterator[Cell]:
        for table in _main_settings(results, scope):
            for epsilon in table.values("epsilon"):
                admission = found(table, LOSS, mechanism=PRIVATE, epsilon=epsilon)
                for mechanism in FULL_SKETCH:
                    sketch = found(table, LOSS, mechanism=mechanism, epsilon=epsilon)
                    if admission and sketch:
                        multiple = "" if factor == 1 else f"{factor:g} × "
                        where = f"private top-L against {multiple}{mechanism}, ε={epsilon:g}"
                        yield above(part_of(table), where, admission, times(sketch, factor))

    return test


def loss_falls(scope: Scope) -> Test:
    """Follow Loss over epsilon."""

    def test(results: Results) -> Iterator[Cell]:
        for table, mechanism in product(_main_settings(results, scope), PAPERS):
            yield from followed(falling, part_of(table), short(mechanism), _over(table, mechanism, LOSS))

    return test


def gains_more(scope: Scope, column: str, sign: float) -> Test:
    """Compare how much private top-L admission gains between the smallest and the largest budget, beside the others."""

    def test(results: Results) -> Iterator[Cell]:
        for table in _main_settings(results, scope):
            gained = {str(mechanism): _gain(table, mechanism, column, sign) for mechanism in PAPERS}
            for mechanism in FULL_SKETCH:
                where = f"private top-L against {mechanism}"
                yield from compared(part_of(table), where, gained[PRIVATE], gained[mechanism])

    return test


def private_improves(scope: Scope) -> Test:
    """Follow Overlap and MassRetained of private top-L admission over epsilon."""

    def test(results: Results) -> Iterator[Cell]:
        for table in _main_settings(results, scope):
            for column, name in ((OVERLAP, "Overlap"), (MASS, "MassRetained")):
                yield from followed(rising, part_of(table), name, _over(table, PRIVATE, column))

    return test


def _main_settings(results: Results, scope: Scope) -> list[Table]:
    return scope.of(table.main_setting for table in results.grids)


def _over(table: Table, mechanism: str, column: str) -> list[tuple[float, Estimate]]:
    return series(table, "epsilon", column, mechanism=mechanism)


def _gain(table: Table, mechanism: str, column: str, sign: float) -> Combination | None:
    over = _over(table, mechanism, column)
    return times(less(over[-1][1], over[0][1]), sign) if len(over) > 1 else None


CLAIMS: Final = (
    Claim(
        "record-mass",
        "Gaussian and Laplace sketches keep a large part of the mass of the exact top L, at every budget (records).",
        f"MassRetained is at least {MOST:g} for both, {FROM}.",
        mass_at_least(RECORDS, MOST),
        source="6.1",
    ),
    Claim(
        "mass-and-overlap",
        "Finding exactly the right themes is harder than keeping their mass (records).",
        f"Averaged over the budgets, MassRetained is above Overlap, {FROM}; at no single ε is it clearly below.",
        mass_above_overlap(RECORDS),
        source="6.1",
    ),
    Claim(
        "missed-themes-are-light",
        "A mechanism can miss themes of the exact top L and still keep most of its mass (records).",
        f"On some data set one of the paper's three mechanisms has Overlap at most {MISSED:g} and MassRetained at "
        f"least {NEARLY_ALL:g}, at some ε from {NAMED_FROM:g} on.",
        mass_kept_though_missed,
        source="6.1",
    ),
    Claim(
        "small-budgets",
        "At the smaller budgets full sketches lose less mass than private top-L admission (records).",
        f"Loss of private top-L is above that of either sketch at ε={NAMED_FROM:g}, the smallest that the paper names.",
        loses_less(1.0, AT_SMALLEST),
        source="6.1",
    ),
    Claim(
        "near-zero-losses",
        "Losses of full sketches are near zero beside those of private top-L admission (records).",
        f"Loss of private top-L is above {TENFOLD:g} times that of either sketch, {FROM} (so we read a caption, which "
        "names no factor and no ε).",
        loses_less(TENFOLD, RECORDS),
        source="6.1, figure on loss",
    ),
    Claim(
        "loss-falls",
        "Loss generally falls as the budget grows (records).",
        f"Loss is lower at the largest ε than at ε={NAMED_FROM:g}, with no clear step up; in {MOSTLY:.0%} of clear "
        "cases.",
        loss_falls(RECORDS),
        needed=MOSTLY,
        source="6.1",
    ),
    Claim(
        "private-gains-most",
        "The fall is largest for private top-L admission (records).",
        f"From ε={NAMED_FROM:g} to the largest ε its Loss falls by more than that of either sketch.",
        gains_more(RECORDS, LOSS, -1.0),
        source="6.1",
    ),
    Claim(
        "user-mass",
        "At user level with B=1 the full sketches have MassRetained close to one at every budget.",
        f"MassRetained is at least {NEARLY_ALL:g} for both, {FROM}.",
        mass_at_least(USERS, NEARLY_ALL),
        source="6.2",
    ),
    Claim(
        "private-depends-on-budget",
        "At user level private top-L admission depends on the budget more than the sketches do.",
        f"From ε={NAMED_FROM:g} to the largest ε its MassRetained rises by more than that of either sketch.",
        gains_more(USERS, MASS, 1.0),
        source="6.2",
    ),
    Claim(
        "private-improves",
        "At user level private top-L admission becomes better as the budget grows.",
        f"Overlap and MassRetained are higher at the largest ε than at ε={NAMED_FROM:g}, with no clear step down.",
        private_improves(USERS),
        source="6.2",
    ),
)
