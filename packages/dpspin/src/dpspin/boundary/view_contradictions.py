"""What in a plan's views does not follow from its statement: nobody is shown other cells than were paid for."""

from collections.abc import Iterator

from dpspin.boundary.plan_fields import NEWEST_SCHEMA, VIEWED_SCHEMA, PlanFields
from dpspin.boundary.privacy import sensitivity_of
from dpspin.boundary.view_sizes import size_contradictions
from dpspin.boundary.views import NoisyView, View, noise_of_view, views_by_text


def view_contradictions(plan: PlanFields) -> Iterator[str]:
    """Yield what in a plan's views does not follow from its statement."""
    stated = plan.statement.views
    newest = plan.sizes or plan.series or views_by_text(stated)
    if bool(newest) != (plan.schema_version == NEWEST_SCHEMA):
        yield f"a place in a series, sizes and views by the text go with schema {NEWEST_SCHEMA}, and it with them"
    fits = plan.schema_version in {VIEWED_SCHEMA, NEWEST_SCHEMA} if stated else plan.schema_version != VIEWED_SCHEMA
    if len(plan.views) != len(stated) or not fits:
        yield f"views go with a statement about each of them, and with schema {VIEWED_SCHEMA} or {NEWEST_SCHEMA}"
    else:
        yield from size_contradictions(plan.sizes, stated)
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
