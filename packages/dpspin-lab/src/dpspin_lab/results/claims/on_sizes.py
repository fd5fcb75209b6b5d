"""What the paper says about the dictionary's size, the number of units and the user bound (section 6.4, appendix)."""

from collections.abc import Iterator
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims.claim import FULL_SKETCH, PRIVATE, Claim, Test
from dpspin_lab.results.estimate import Estimate
from dpspin_lab.results.evaluation_tables import Results, part_of, series, short
from dpspin_lab.results.verdict import Cell, falling, followed, rising, within
from dpspin_lab.runs.config import PAPERS
from dpspin_lab.runs.grids import MAIN_K, MAIN_L

NOISE, TOTAL = "error_l2", "exact_mass"
A_QUARTER = 0.25  # more noise is ε a fifth smaller; if noise grew with √n, it would grow by 41 % at least here
LESS_OVERLAP: Final = (
    "We read this as Overlap: it is lower at the largest m than at the smallest, with no clear step up, at ε=0.5 "
    "(CFPB) or 1 (Amazon, Yelp), as in the paper's captions."
)


def overlap_over_sizes(mechanisms: tuple[str, ...]) -> Test:
    """Follow Overlap over m at the budget of the paper's captions."""

    def test(results: Results) -> Iterator[Cell]:
        for table in results.grids:
            rows = table.main.where(K=MAIN_K, L=MAIN_L, epsilon=table.epsilon)
            for mechanism in mechanisms:
                over = series(rows, "m", "overlap", mechanism=mechanism)
                yield from followed(falling, part_of(table), f"{short(mechanism)}, {_range('m', over)}", over)

    return test


def mass_over_units(results: Results) -> Iterator[Cell]:
    """Follow the exact total mass over the number of units."""
    for table in results.grids:
        over = series(_at_every_n(table), table.size_field, TOTAL, mechanism=PAPERS[0])
        yield from followed(rising, part_of(table), _range("n", over), over)


def noise_over_units(results: Results) -> Iterator[Cell]:
    """Follow the size of the noise over the number of units."""
    for table in results.grids:
        for mechanism in FULL_SKETCH:
            over = series(_at_every_n(table), table.size_field, NOISE, mechanism=mechanism)
            if len(over) > 1:
                where, ends = f"{short(mechanism)}, {_range('n', over)}", (over[0][1], over[-1][1])
                yield within(part_of(table), where, *ends, A_QUARTER)


def over_bounds(column: str, mechanisms: tuple[str, ...]) -> Test:
    """Follow a figure over the user bound B."""

    def test(results: Results) -> Iterator[Cell]:
        for table in results.of_unit("user"):
            rows = table.where(
                K=MAIN_K, L=MAIN_L, m=table.m, epsilon=table.epsilon, **{table.size_field: _usual_units(table)}
            )
            for mechanism in mechanisms:
                over = series(rows, "B", column, mechanism=mechanism)
                yield from followed(rising, part_of(table), f"{short(mechanism)}, {_range('B', over)}", over)

    return test


def _at_every_n(table: Table) -> Table:
    rows = table.where(K=MAIN_K, L=MAIN_L, m=table.m, epsilon=table.epsilon)
    bounds = table.values("B")
    return rows.where(B=bounds[0]) if bounds else rows


def _usual_units(table: Table) -> int:
    units: int = table.main.values(table.size_field)[0]
    return units


def _range(name: str, over: list[tuple[float, Estimate]]) -> str:
    return f"{name} from {over[0][0]:g} to {over[-1][0]:g}" if over else name


CLAIMS: Final = (
    Claim(
        "private-overlap-falls-with-m",
        "A larger dictionary can make exact recovery harder: with private top-L admission.",
        LESS_OVERLAP,
        overlap_over_sizes((PRIVATE,)),
        source="6.4",
    ),
    Claim(
        "sketch-overlap-falls-with-m",
        "A larger dictionary can make exact recovery harder: with full sketches.",
        LESS_OVERLAP,
        overlap_over_sizes(FULL_SKETCH),
        source="6.4",
    ),
    Claim(
        "fewer-units-less-mass",
        "With fewer protected units there is less mass in all.",
        "The exact total mass rises with n.",
        mass_over_units,
        by_construction=True,
        source="6.4",
    ),
    Claim(
        "noise-independent-of-n",
        "The sensitivity, and so the noise, does not depend on the number of units.",
        f"The Euclidean error of full sketches is the same at the smallest and the largest n, up to {A_QUARTER:.0%} "
        f"(the interval is of how far the latter is above {1 - A_QUARTER:g} times the former, or below "
        f"{1 + A_QUARTER:g} times, whichever is less clear).",
        noise_over_units,
        source="6.4",
    ),
    Claim(
        "bound-keeps-mass",
        "A larger user bound B keeps more of each user's mass.",
        "The exact mass after clipping rises with B.",
        over_bounds(TOTAL, (PAPERS[0],)),
        by_construction=True,
        source="appendix on the configuration",
    ),
    Claim(
        "bound-costs-noise",
        "A larger user bound B needs more noise at the same budget.",
        "The Euclidean error of full sketches rises with B.",
        over_bounds(NOISE, FULL_SKETCH),
        by_construction=True,
        source="appendix on the configuration",
    ),
)
