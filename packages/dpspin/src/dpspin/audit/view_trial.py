"""One trial of views: how far one unit moves the totals and all views, over the scales of their noises, exactly.

Both neighbours are read and summed by the shipped code. The one in question has records in every value of each facet.
The loss of the pair is the sum of all changes, each over the scale of its noise: no bound from counts is needed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.audit.corpora import dictionary, neighbours, paper_map
from dpspin.audit.trial import Outcome
from dpspin.boundary.facets import CandidateFacet, ColumnFacet, ExampleFacet, NumberFacet, RecordFacet, columns_of
from dpspin.boundary.mechanisms import noise_of
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, MissingUsers, PrivacyLoss, RecordUnit, UserUnit
from dpspin.boundary.views import View, noise_of_view
from dpspin.curator.aggregate.joint_cells import Finders
from dpspin.curator.aggregate.local import aggregate
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.assign.nearest_example import NearestExample
from dpspin.curator.records.columns import TEXT, USER, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.draw_plan import ReleaseSpec

LOSS: Final = PrivacyLoss(1.0)
SIZE: Final = 2
SAID: Final = ("again", "today")  # behind the one word of a record, and known to no atom
EXAMPLED: Final = dictionary(SIZE).model_copy(
    update={
        "atoms": tuple(
            atom.model_copy(update={"examples": tuple(f"{atom.label} {word}" for word in SAID)})
            for atom in dictionary(SIZE).atoms
        )
    }
)
EXAMPLES: Final = ExampleFacet.of(EXAMPLED, most=2)
CANDIDATES: Final = CandidateFacet(names=("one",), dictionary="", contribution_map="", asked_of="every record")
VIEWS: Final = (
    View(facet=ColumnFacet(column="channel", values=("app", "web")), share=0.3),
    View(facet=NumberFacet(column="stars", cuts=(3.0,)), share=0.2),
    View(facet=EXAMPLES, share=0.1),
    View(facet=CANDIDATES, share=0.2),
)
FINDERS: Final[Finders] = {
    EXAMPLES.kind: NearestExample.of(EXAMPLES, EXAMPLED),
    CANDIDATES.kind: paper_map(SIZE),  # deals out mass over as many places: which map does so is no matter here
}
SPEC: Final = ReleaseSpec(loss=LOSS, denominator=1000, size=SIZE, views=VIEWS)
CELLS: Final = {"channel": ("app", "web", "fax", None), "stars": ("1", "5", "many", None)}

Summed = list[Ints]  # the totals, then the cells of each view


def summed(table: pa.Table, origin: SketchOrigin) -> Summed:
    """Read and sum up as a release does."""
    asked = Columns(TEXT, USER if isinstance(origin.unit, UserUnit) else None, facets=columns_of(origin.facets))
    corpus = open_corpus(table, asked, RowPolicy(missing_users=MissingUsers.DROP) if asked.user else None)
    sketch, _ = aggregate(corpus, paper_map(SPEC.size), origin, finders=FINDERS)
    return [sketch.ticks, *sketch.views]


def one_value_at_a_time(table: pa.Table, origin: SketchOrigin) -> Summed:
    """Clip a user in every value by itself, as if values were different people."""
    totals = summed(table, replace(origin, facets=()))
    parts = []
    for facet in origin.facets:
        if not isinstance(facet, RecordFacet):
            parts.append(summed(table, replace(origin, facets=(facet,)))[1])
            continue
        places = np.array([facet.place(cell) for cell in table.column(str(facet.column)).to_pylist()])
        alone = [
            summed(table.filter(pa.array(places == place)), replace(origin, facets=()))[0]
            for place in range(len(facet.places))
        ]
        parts.append(np.stack(alone, axis=1).ravel())
    return [*totals, *parts]


def alone_and_unclipped(table: pa.Table, origin: SketchOrigin) -> Summed:
    """Clip a user in the totals and the views of themes, and forget the facets that stand alone."""
    released, records = summed(table, origin), summed(table, replace(origin, unit=RecordUnit()))
    alone = [False, *(facet.stands_alone for facet in origin.facets)]
    return [loose if one else clipped for one, clipped, loose in zip(alone, released, records, strict=True)]


def at_its_share(view: View, origin: SketchOrigin) -> AnyNoise:
    """Calibrate a view as a release does."""
    return noise_of_view(SPEC.mechanism, LOSS, origin.sensitivity, view)


def as_if_alone(_view: View, origin: SketchOrigin) -> AnyNoise:
    """Spend the whole loss on every view."""
    return noise_of(SPEC.mechanism, LOSS, origin.sensitivity, atoms=1, size=1)


@dataclass(frozen=True, slots=True)
class ViewPath:
    """How cells are summed, and how their noise is calibrated; by default as in a release."""

    sum_up: Callable[[pa.Table, SketchOrigin], Summed] = summed
    noise: Callable[[View, SketchOrigin], AnyNoise] = at_its_share


@dataclass(frozen=True, slots=True)
class ViewMutant:
    """A fault of views, and the units with which it must be caught."""

    fault: str
    path: ViewPath
    units: tuple[type[RecordUnit | UserUnit], ...]


VIEW_MUTANTS: Final = (
    ViewMutant("clipped value by value", ViewPath(sum_up=one_value_at_a_time), (UserUnit,)),
    ViewMutant("candidates not clipped", ViewPath(sum_up=alone_and_unclipped), (UserUnit,)),
    ViewMutant("every view paid with the whole", ViewPath(noise=as_if_alone), (RecordUnit, UserUnit)),
)


def view_trial(unit: RecordUnit | UserUnit, adjacency: Adjacency, path: ViewPath) -> Outcome:
    """Compare the sums of neighbours exactly."""
    mapped = paper_map(SPEC.size)
    facets = tuple(view.facet for view in VIEWS)
    origin = SketchOrigin.of(dictionary(SPEC.size), mapped.statement, unit, adjacency, facets=facets)
    pair = neighbours(unit, adjacency, (4, 0))
    before, after = (path.sum_up(_everywhere(table), origin) for table in (pair.before, pair.after))
    moved = (float(np.abs(one - other).sum()) / TICKS_PER_MASS for one, other in zip(before, after, strict=True))
    lost = sum(change / noise.width for change, noise in zip(moved, _noises(origin, path), strict=True))
    return Outcome(0.0, 0, exact_loss=lost)


def _noises(origin: SketchOrigin, path: ViewPath) -> Iterator[AnyNoise]:
    yield noise_of(SPEC.mechanism, SPEC.loss_of_sketch, origin.sensitivity, atoms=origin.universe_size, size=SPEC.size)
    yield from (path.noise(view, origin) for view in VIEWS)


def _everywhere(table: pa.Table) -> pa.Table:
    """Give each record the next value of every facet, so that a user with several has all of them."""
    words = (f"{text} {word}" for text, word in zip(table.column(TEXT).to_pylist(), cycle(SAID), strict=False))
    table = table.set_column(table.schema.get_field_index(TEXT), TEXT, pa.array(words, pa.string()))
    for name, values in CELLS.items():
        told = [value for value, _ in zip(cycle(values), range(table.num_rows), strict=False)]
        table = table.append_column(name, pa.array(told, pa.string()))
    return table
