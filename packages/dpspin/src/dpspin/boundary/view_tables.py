"""What a view says: pure functions of its noisy cells; anyone can recompute them.

Everything here that is said of one view holds together with probability 1 - beta, over the listed themes, all values of
the facet, their differences from the rest, and those of any two values that are compared. The themes were listed by the
totals, whose noise is not the view's: so a union over what is listed suffices, however many themes the dictionary has.
Which cells are clear of the noise is told of all cells, listed or not, and with a beta of its own.

Theorem (differences). Let X_1 and X_2 be the noisy masses of a theme in one value and in all others, M_1 and M_2 their
totals in intervals [L, H]. For fixed M the shares differ by X_1/M_1 - X_2/M_2 up to Z_1/M_1 - Z_2/M_2, of which each
part stays within its own quantile over L. The ends are the extremes over the intervals; a union bound does the rest.

Theorem (pairs). Of two single values the law of Z_1/M_1 - Z_2/M_2 is exact, as for two plans (`comparison`). What pays:
the part of beta that differences have is divided in halves, one for the cell and one for the rest; but while all cells
lie in their intervals, which are narrower, the first half is never needed. So it pays for the pairs, and nothing else
gets wider.

Theorem (ratios). While all shares lie in their intervals, a ratio of two lies between those of their opposite ends.
It costs nothing, and where the smaller share may be zero there is no upper end.

Where sizes were declared, shares are of those: M is exact, and `elsewhere` is all other values with a size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Final

from dpspin.boundary.certify import TICK
from dpspin.boundary.denominator import LEAST
from dpspin.boundary.facets import PeriodFacet, RecordFacet
from dpspin.boundary.percentages import COARSE, outward
from dpspin.boundary.plan_fields import PlanFields
from dpspin.boundary.privacy import MASS
from dpspin.boundary.sampling_law import reach_of_difference
from dpspin.boundary.view_cells import Contrast, Range, ViewCell, around, least_share
from dpspin.boundary.views import OF_CELLS, NoisyView, View, cell_interval, cell_threshold

FINER: Final = 2  # more decimals for an end next to zero, so that it is not written as zero
LOOSEST: Final = 3  # times the lower end of a value's mass: if the upper end lies beyond, its shares say nothing
OF_TOTALS: Final = 0.1  # of beta: intervals of the values' totals; what cells leave is for the differences
OF_PAIRS: Final = (1 - OF_TOTALS - OF_CELLS) / 2  # the half of it that differences from elsewhere never need


@dataclass(frozen=True)
class ViewTable:
    """The listed themes by the values of one facet."""

    plan: PlanFields
    view: View
    released: NoisyView

    @property
    def values(self) -> tuple[str, ...]:
        """The names of the facet's values."""
        return self.view.facet.places

    @property
    def themes(self) -> tuple[int, ...]:
        """The listed themes, by rank."""
        return tuple(int(entry.atom_id) for entry in self.plan.entries)

    @property
    def coordinates(self) -> int:
        """How many masses each value has."""
        return len(self.released.columns[0].noisy_masses)

    @cached_property
    def threshold(self) -> float:
        """The mass from which on a cell is more than noise, over all cells of the view together."""
        cells = self.coordinates * len(self.values)
        return cell_threshold(self.released.noise, cells, self.plan.rules.beta)

    @cached_property
    def decimals(self) -> int:
        """The decimals of a percentage that the noise allows."""
        shares = [cell.share for cell in self.cells if cell.share is not None]
        widths = [50 * (share.high - share.low) for share in shares if share.high > share.low]
        error = min(widths, default=float(COARSE))
        return max(0 if error >= COARSE else 1, math.ceil(-math.log10(error)))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The sizes that were declared, one for each declared value; empty where none were."""
        title = self.view.facet.title
        return tuple(each.size for sized in self.plan.sizes if sized.view == title for each in sized.sizes)

    @cached_property
    def totals(self) -> tuple[Range, ...]:
        """What shares are of: the declared size of each value, or the mass that was filed of it.

        That is under all themes and none of them; what was not read is not in it.
        """
        return tuple(self._total([place]) for place in range(len(self.values)))

    def is_known(self, place: int) -> bool:
        """Whether a value has a size, or so much mass that shares of it say anything."""
        own = self.totals[place]
        return own.low >= LEAST if self.sizes else own.low > LEAST and own.high <= LOOSEST * own.low

    @property
    def has_shares(self) -> bool:
        """Whether there is anything that cells could be shares of: counts of units have no total."""
        return bool(self.sizes) or self.plan.statement.quantity == MASS

    @property
    def is_of_periods(self) -> bool:
        """Whether its values follow one another in time."""
        return isinstance(self.view.facet, PeriodFacet)

    def compares(self, here: int, there: int) -> bool:
        """Tell whether two single values are compared: every two declared ones, but of periods only neighbours."""
        beside = abs(here - there) == 1 if self.is_of_periods else here != there
        return beside and max(here, there) < len(self.view.facet.declared)

    @property
    def number_of_pairs(self) -> int:
        """How many pairs of values are compared."""
        values = len(self.view.facet.declared)
        return max(1, values - 1 if self.is_of_periods else values * (values - 1) // 2)

    @cached_property
    def totals_elsewhere(self) -> tuple[Range, ...]:
        """The mass of all other values together, for each value."""
        return tuple(self._total(self._others(place)) for place in range(len(self.values)))

    @cached_property
    def cells(self) -> tuple[ViewCell, ...]:
        """Every listed theme in every value, the themes by rank."""
        return tuple(self._cell(atom, place) for atom, place in product(self.themes, range(len(self.values))))

    def cell(self, atom: int, place: int) -> ViewCell:
        """Return one cell."""
        return self._by_place[atom, place]

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], ViewCell]:
        return {(each.atom_id, each.place): each for each in self.cells}

    def from_elsewhere(self, atom: int, place: int) -> Contrast | None:
        """Return a listed theme in one value beside all others; None where one of the two is hardly known."""
        cell = self._by_place.get((atom, place))
        if cell is None or cell.share is None or cell.elsewhere is None or cell.difference is None:
            return None
        return Contrast(atom, cell.share, cell.elsewhere, cell.difference)

    def between(self, atom: int, here: int, there: int) -> Contrast | None:
        """Return a listed theme in two single values; None where they are not compared, or one is hardly known."""
        one, other = (self._by_place.get((atom, place)) for place in (here, there))
        if not self.compares(here, there) or one is None or other is None or one.share is None or other.share is None:
            return None
        row, own, its = self._rows[atom], self.totals[here], self.totals[there]
        tail = OF_PAIRS * self.plan.rules.beta / (2 * len(self.plan.entries) * self.number_of_pairs)
        noise = self.released.noise
        reach = reach_of_difference(noise.scaled(1 / own.low), noise.scaled(1 / its.low), tail)
        reach += TICK / own.low + TICK / its.low
        low = least_share(row[here], own) + least_share(-row[there], its) - reach
        high = -least_share(-row[here], own) - least_share(row[there], its) + reach
        value = one.share.value - other.share.value
        difference = Range(value, *(self._possible(each) for each in (min(low, value), max(high, value))))
        return Contrast(atom, one.share, other.share, difference)

    @cached_property
    def apart(self) -> tuple[ViewCell, ...]:
        """The cells whose share differs from that elsewhere, the surest difference first."""
        beside = ((each, self.from_elsewhere(each.atom_id, each.place)) for each in self.cells)
        told = [(each, contrast) for each, contrast in beside if contrast is not None and self.tells_apart(contrast)]
        return tuple(cell for cell, _ in sorted(told, key=lambda each: -each[1].certain))

    @cached_property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """The pairs that a report shows, the later period or the first value in front.

        Neighbouring periods; or two declared values, where nothing is known of any other.
        """
        declared, known = len(self.view.facet.declared), [*filter(self.is_known, range(len(self.values)))]
        if self.is_of_periods:
            return tuple((place, place - 1) for place in range(1, declared))
        return ((known[0], known[1]),) if len(known) == 2 and known[1] < declared else ()  # noqa: PLR2004  a pair

    def ends(self, contrast: Contrast) -> tuple[Decimal, Decimal]:
        """Round the ends of a difference outward, in points, with the decimals that leave out zero where any do."""
        low, high = contrast.difference.low, contrast.difference.high
        tried = [outward(low, high, self.decimals + more) for more in range(FINER + 1)]
        return next((each for each in tried if each[0] > 0 or each[1] < 0), tried[0])

    def tells_apart(self, contrast: Contrast) -> bool:
        """Tell whether two shares are told apart, as their difference is written."""
        low, high = self.ends(contrast)
        return low > 0 or high < 0

    def consistent(self, atom: int) -> tuple[float, ...]:
        """Return a theme's masses by value so that they add up to the best total (least squares, closed form).

        The theme's own total and the sum of its cells are two measurements of one number; each counts by the inverse of
        its variance, and what the sum is off is taken off every cell alike.
        """
        row = self._rows[atom]
        whole = math.fsum(row)
        released = {int(item.atom_id): item.noisy_mass for item in self.plan.noisy_sketch or ()}
        of_sum, of_total = len(row) * self.released.noise.std**2, self.plan.statement.noise.std**2
        best = (released[atom] * of_sum + whole * of_total) / (of_sum + of_total)
        return tuple(each + (best - whole) / len(row) for each in row)

    def _others(self, place: int) -> list[int]:
        known = len(self.sizes) or len(self.values)
        return [other for other in range(known) if other != place]

    def _possible(self, difference: float) -> float:
        """Cut what no difference of parts of a whole can be; a declared size is the requester's word."""
        return difference if self.sizes else min(1.0, max(-1.0, difference))

    @cached_property
    def _rows(self) -> dict[int, tuple[float, ...]]:
        by_atom = zip(*(column.noisy_masses for column in self.released.columns), strict=True)
        ids = (int(item.atom_id) for item in self.plan.noisy_sketch or ())
        return dict(zip(ids, by_atom, strict=False))  # none and not read come behind the atoms

    @cached_property
    def _consistent(self) -> dict[int, tuple[float, ...]]:
        return {atom: self.consistent(atom) for atom in self.themes}

    def _total(self, places: Sequence[int]) -> Range:
        if self.sizes:
            declared = float(sum(self.sizes[place] for place in places if place < len(self.sizes)))
            return Range(declared, declared, declared)
        filed = self.filed(places)
        return Range(*(max(float(LEAST), each) for each in (filed.value, filed.low, filed.high)))

    def filed(self, places: Sequence[int]) -> Range:
        """Return the mass that was filed of one value, or of all values but one: these hold together, sizes or not."""
        filed = self.coordinates - bool(self.plan.statement.contribution_map.languages)  # "not read" comes last
        masses = [mass for place in places for mass in self.released.columns[place].noisy_masses[:filed]]
        tail = OF_TOTALS * self.plan.rules.beta / (4 * len(self.values))  # of each value and of the rest, both ends
        return around(math.fsum(masses), self.released.noise.sum_quantile(len(masses), tail))

    def part_of_all(self, places: Sequence[int]) -> Range | None:
        """Return which part of all that was filed has one of these values; None where hardly anything was.

        While each value and all values but that one lie in their intervals, so do these ends: it costs nothing.
        """
        own = [self.filed([place]) for place in places]
        rests = [self.filed([other for other in range(len(self.values)) if other != place]) for place in places]
        value, low, high = (math.fsum(getattr(each, end) for each in own) for end in ("value", "low", "high"))
        pairs = [*zip(own, rests, strict=True)]
        most = min(rest.high - (low - each.low) for each, rest in pairs)
        least = max(0.0, *(rest.low - (high - each.high) for each, rest in pairs))
        if low + most <= LEAST or high + least <= LEAST:
            return None
        ends = max(0.0, low) / (low + most), min(1.0, high / (high + least))
        beside = max(0.0, pairs[0][1].value - (value - pairs[0][0].value))
        share = value / (value + beside) if value + beside > 0 else ends[0]
        return Range(min(max(share, ends[0]), ends[1]), *ends)

    def _cell(self, atom: int, place: int) -> ViewCell:
        row = self._rows[atom]
        listed = max(1, len(self.plan.entries)) * len(self.values)
        reach = cell_interval(self.released.noise, listed, self.plan.rules.beta)
        low, high = max(0.0, row[place] - reach), max(0.0, row[place] + reach)
        mass = Range(min(max(self._consistent[atom][place], low), high), low, high)
        own, rest = self.totals[place], self.totals_elsewhere[place]
        if not self.has_shares or not self.is_known(place):
            return ViewCell(atom, place, mass, None, None, None)
        share = self._share(mass, own)
        if rest.low <= (0 if self.sizes else LEAST):
            return ViewCell(atom, place, mass, share, None, None)
        others = self._others(place)
        tail = (1 - OF_TOTALS - OF_CELLS) * self.plan.rules.beta / (4 * listed)
        near = self.released.noise.upper_quantile(tail) + TICK
        far = self.released.noise.sum_quantile(len(others), tail)
        here = around(row[place], near)
        there = around(math.fsum(row[other] for other in others), far)
        value = here.value / own.value - there.value / rest.value
        ends = here.low / own.high - there.high / rest.low, here.high / own.low - there.low / rest.high
        difference = Range(*map(self._possible, (value, *ends)))
        return ViewCell(atom, place, mass, share, self._share(there, rest), difference)

    def _share(self, mass: Range, whole: Range) -> Range:
        shares = mass.value / whole.value, mass.low / whole.high, mass.high / whole.low
        return Range(*(each if self.sizes else min(1.0, each) for each in shares))


def tables_of(plan: PlanFields) -> tuple[ViewTable, ...]:
    """Return the views of a plan by declared values as tables; those by the text itself are told in other ways."""
    pairs = zip(plan.statement.views, plan.views, strict=True)
    return tuple(ViewTable(plan, view, told) for view, told in pairs if isinstance(view.facet, RecordFacet))
