"""What the paper says about the dictionary's size, the number of units and the user bound (section 6.4, appendix)."""

from collections.abc import Iterator
from typing import Final

from dpspin.lab.figures.tables import Table
from dpspin.lab.results.claims.claim import FULL_SKETCH, Claim, Test
from dpspin.lab.results.estimate import Estimate
from dpspin.lab.results.tables import Results, part_of, series, short
from dpspin.lab.results.verdict import Cell, falling, rising, steady
from dpspin.lab.runs.grids import MAIN_K, MAIN_L
from dpspin.lab.runs.mechanism import PAPERS

NOISE, TOTAL = "error_l2", "exact_mass"


def overlap_over_sizes(results: Results) -> Iterator[Cell]:
    """Follow Overlap over m at the paper's one budget."""
    for table in results.grids:
        rows = table.main.where(K=MAIN_K, L=MAIN_L, epsilon=table.epsilon)
        for mechanism in PAPERS:
            over = series(rows, "m", "overlap", mechanism=mechanism)
            if len(over) > 1:
                yield falling(part_of(table), f"{short(mechanism)}, {_range('m', over)}", _figures(over))


def mass_over_units(results: Results) -> Iterator[Cell]:
    """Follow the exact total mass over the number of units."""
    for table in results.grids:
        over = series(_at_every_n(table), table.size_field, TOTAL, mechanism=PAPERS[0])
        if len(over) > 1:
            yield rising(part_of(table), _range("n", over), _figures(over))


def noise_over_units(results: Results) -> Iterator[Cell]:
    """Follow the size of the noise over the number of units."""
    for table in results.grids:
        for mechanism in FULL_SKETCH:
            over = series(_at_every_n(table), table.size_field, NOISE, mechanism=mechanism)
            if len(over) > 1:
                yield steady(part_of(table), f"{short(mechanism)}, {_range('n', over)}", _figures(over))


def over_bounds(column: str, mechanisms: tuple[str, ...]) -> Test:
    """Follow a figure over the user bound B."""

    def test(results: Results) -> Iterator[Cell]:
        for table in results.of_unit("user"):
            rows = Table(table.dataset, table.unit, table.rows).where(
                K=MAIN_K, L=MAIN_L, m=table.m, epsilon=table.epsilon, **{table.size_field: _usual_units(table)}
            )
            for mechanism in mechanisms:
                over = series(rows, "B", column, mechanism=mechanism)
                if len(over) > 1:
                    yield rising(part_of(table), f"{short(mechanism)}, {_range('B', over)}", _figures(over))

    return test


def _at_every_n(table: Table) -> Table:
    rows = table.where(K=MAIN_K, L=MAIN_L, m=table.m, epsilon=table.epsilon)
    bounds = table.values("B")
    return rows.where(B=bounds[0]) if bounds else rows


def _usual_units(table: Table) -> int:
    units: int = table.main.values(table.size_field)[0]
    return units


def _figures(over: list[tuple[float, Estimate]]) -> list[Estimate]:
    return [each for _, each in over]


def _range(name: str, over: list[tuple[float, Estimate]]) -> str:
    return f"{name} from {over[0][0]:g} to {over[-1][0]:g}"


CLAIMS: Final = (
    Claim(
        "overlap-falls-with-m",
        "6.4",
        "A larger dictionary can make the borderline of the top L narrower, and so its exact recovery harder.",
        "Overlap falls from the smallest to the largest m with no clear step up, at the paper's one budget.",
        overlap_over_sizes,
    ),
    Claim(
        "fewer-units-less-mass",
        "6.4",
        "With fewer protected units there is less mass in all.",
        "The exact total mass rises with n.",
        mass_over_units,
    ),
    Claim(
        "noise-independent-of-n",
        "6.4",
        "The sensitivity, and so the noise, does not depend on the number of units.",
        "The Euclidean error of full sketches is the same at every n, within the margin of error.",
        noise_over_units,
    ),
    Claim(
        "bound-keeps-mass",
        "appendix on the configuration",
        "A larger user bound B keeps more of each user's mass.",
        "The exact mass after clipping rises with B.",
        over_bounds(TOTAL, (PAPERS[0],)),
    ),
    Claim(
        "bound-costs-noise",
        "appendix on the configuration",
        "A larger user bound B needs more noise at the same budget.",
        "The Euclidean error of full sketches rises with B.",
        over_bounds(NOISE, FULL_SKETCH),
    ),
)
