"""What a view says: pure functions of its noisy cells; anyone can recompute them.

Everything here that is said of one view holds together with probability 1 - beta, over the listed themes, all values of
the facet, and their differences from the rest. The themes were listed by the totals, whose noise is not the view's: so
a union over what is listed suffices, however many themes the dictionary has. Which cells are clear of the noise is told
of all cells, listed or not, and with a beta of its own.

Theorem (differences). Let X_1 and X_2 be the noisy masses of a theme in one value and in all others, M_1 and M_2 their
totals in intervals [L, H]. For fixed M the shares differ by X_1/M_1 - X_2/M_2 up to Z_1/M_1 - Z_2/M_2, of which each
part stays within its own quantile over L. The ends are the extremes over the intervals; a union bound does the rest.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from dpspin.boundary.certify import TICK
from dpspin.boundary.denominator import LEAST
from dpspin.boundary.facets import RecordFacet
from dpspin.boundary.percentages import COARSE
from dpspin.boundary.plan_fields import TEXT_SCHEMA, VIEWED_SCHEMA, PlanFields, schema_of
from dpspin.boundary.privacy import MASS, sensitivity_of
from dpspin.boundary.views import OF_CELLS, NoisyView, View, cell_interval, cell_threshold, noise_of_view

LOOSEST: Final = 3  # times the lower end of a value's mass: if the upper end lies beyond, its shares say nothing
OF_TOTALS: Final = 0.1  # of beta: intervals of the values' totals; what cells leave is for the differences


@dataclass(frozen=True, slots=True)
class Range:
    """A number, and the ends between which it lay before the noise."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ViewCell:
    """One theme in one value of the facet: its mass, its share of the value's own mass, and of that elsewhere."""

    atom_id: int
    place: int
    mass: Range
    share: Range | None  # None where the value's own mass is hardly known, or masses are none
    elsewhere: float | None
    difference: Range | None  # of the share here and elsewhere


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
    def totals(self) -> tuple[Range, ...]:
        """The mass that was filed of each value, under all themes and none of them; what was not read is not in it."""
        return tuple(self._total([place]) for place in range(len(self.values)))

    def is_known(self, place: int) -> bool:
        """Whether a value has so much mass that shares of it say anything."""
        own = self.totals[place]
        return own.low > LEAST and own.high <= LOOSEST * own.low

    @cached_property
    def totals_elsewhere(self) -> tuple[Range, ...]:
        """The mass of all other values together, for each value."""
        return tuple(self._total(self._others(place)) for place in range(len(self.values)))

    @cached_property
    def cells(self) -> tuple[ViewCell, ...]:
        """Every listed theme in every value, the themes by rank."""
        listed = [int(entry.atom_id) for entry in self.plan.entries]
        return tuple(self._cell(atom, place) for atom, place in product(listed, range(len(self.values))))

    def cell(self, atom: int, place: int) -> ViewCell:
        """Return one cell."""
        return next(each for each in self.cells if (each.atom_id, each.place) == (atom, place))

    @cached_property
    def apart(self) -> tuple[ViewCell, ...]:
        """The cells whose share differs from that elsewhere, the surest difference first."""
        told = [each for each in self.cells if each.difference is not None and _certain(each.difference) > 0]
        return tuple(sorted(told, key=lambda each: -_certain(each.difference)))

    def consistent(self, atom: int) -> tuple[float, ...]:
        """Return a theme's masses by value so that they add up to the best total (least squares, closed form).

        The theme's own total and the sum of its cells are two measurements of one number; each counts by the inverse of
        its variance, and what the sum is off is taken off every cell alike.
        """
        row = self._row(atom)
        whole = math.fsum(row)
        released = {int(item.atom_id): item.noisy_mass for item in self.plan.noisy_sketch or ()}
        of_sum, of_total = len(row) * self.released.noise.std**2, self.plan.statement.noise.std**2
        best = (released[atom] * of_sum + whole * of_total) / (of_sum + of_total)
        return tuple(each + (best - whole) / len(row) for each in row)

    def _others(self, place: int) -> list[int]:
        return [other for other in range(len(self.values)) if other != place]

    def _position(self, atom: int) -> int:
        return next(at for at, item in enumerate(self.plan.noisy_sketch or ()) if item.atom_id == atom)

    def _row(self, atom: int) -> list[float]:
        position = self._position(atom)
        return [column.noisy_masses[position] for column in self.released.columns]

    def _total(self, places: Sequence[int]) -> Range:
        filed = self.coordinates - bool(self.plan.statement.contribution_map.languages)  # "not read" comes last
        masses = [mass for place in places for mass in self.released.columns[place].noisy_masses[:filed]]
        tail = OF_TOTALS * self.plan.rules.beta / (4 * len(self.values))  # of each value and of the rest, both ends
        reach = self.released.noise.sum_quantile(len(masses), tail)
        total = math.fsum(masses)
        return Range(*(max(float(LEAST), each) for each in (total, total - reach, total + reach)))

    def _cell(self, atom: int, place: int) -> ViewCell:
        row = self._row(atom)
        listed = max(1, len(self.plan.entries)) * len(self.values)
        reach = cell_interval(self.released.noise, listed, self.plan.rules.beta)
        low, high = max(0.0, row[place] - reach), max(0.0, row[place] + reach)
        mass = Range(min(max(self.consistent(atom)[place], low), high), low, high)
        own, rest = self.totals[place], self.totals_elsewhere[place]
        if self.plan.statement.quantity != MASS or not self.is_known(place):
            return ViewCell(atom, place, mass, None, None, None)
        share = Range(*(min(1.0, each) for each in (mass.value / own.value, low / own.high, high / own.low)))
        if rest.low <= LEAST:
            return ViewCell(atom, place, mass, share, None, None)
        others = math.fsum(row) - row[place]
        elsewhere = min(1.0, max(0.0, others) / rest.value)
        difference = self._difference(row[place], others, own, rest, listed)
        return ViewCell(atom, place, mass, share, elsewhere, difference)

    def _difference(self, here: float, others: float, own: Range, rest: Range, listed: int) -> Range:
        tail = (1 - OF_TOTALS - OF_CELLS) * self.plan.rules.beta / (4 * listed)
        noise = self.released.noise
        near = noise.upper_quantile(tail) + TICK
        far = noise.sum_quantile(len(self.values) - 1, tail)
        low = max(0.0, here - near) / own.high - max(0.0, others + far) / rest.low
        high = max(0.0, here + near) / own.low - max(0.0, others - far) / rest.high
        value = max(0.0, here) / own.value - max(0.0, others) / rest.value
        return Range(*(min(1.0, max(-1.0, each)) for each in (value, low, high)))


def _certain(difference: Range | None) -> float:
    """Return by how much two shares differ at least; not above zero where they are not told apart."""
    return 0.0 if difference is None else max(difference.low, -difference.high)


def tables_of(plan: PlanFields) -> tuple[ViewTable, ...]:
    """Return the views of a plan by declared values as tables; those by the text itself are told in other ways."""
    pairs = zip(plan.statement.views, plan.views, strict=True)
    return tuple(ViewTable(plan, view, told) for view, told in pairs if isinstance(view.facet, RecordFacet))


def view_contradictions(plan: PlanFields) -> Iterator[str]:
    """Yield what in a plan's views does not follow from its statement."""
    stated = plan.statement.views
    wrong = plan.schema_version != schema_of(plan.statement)
    if len(plan.views) != len(stated) or (wrong and (stated or plan.schema_version in {VIEWED_SCHEMA, TEXT_SCHEMA})):
        yield f"views go with a statement about each of them, and with schema {VIEWED_SCHEMA}, or {TEXT_SCHEMA} by text"
    else:
        for view, released in zip(stated, plan.views, strict=True):
            yield from _contradictions(view, released, plan)


def _contradictions(view: View, released: NoisyView, plan: PlanFields) -> Iterator[str]:
    atoms = plan.dictionary.size
    coordinates = len(range(atoms + plan.statement.contribution_map.besides)[view.facet.measured(atoms)])
    if tuple(column.value for column in released.columns) != view.facet.places:
        yield "a view has one column for each value of its facet, in their order"
    if any(len(column.noisy_masses) != coordinates for column in released.columns):
        yield "a view has one cell for each value and measured coordinate of the sketch"
    statement = plan.statement
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    needed = noise_of_view(statement.mechanism, statement.loss, sensitivity, view)
    if needed.kind != released.noise.kind or released.noise.std < needed.std * (1 - 1e-9):
        yield "the stated noise of a view is too small for its part of the privacy loss"
