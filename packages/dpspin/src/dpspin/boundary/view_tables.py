"""What a view says: pure functions of its noisy cells; anyone can recompute them."""

from collections.abc import Iterator

from dpspin.boundary.plan_fields import VIEWED_SCHEMA, PlanFields
from dpspin.boundary.privacy import sensitivity_of
from dpspin.boundary.views import NoisyView, View, noise_of_view


def view_contradictions(plan: PlanFields) -> Iterator[str]:
    """Yield what in a plan's views does not follow from its statement."""
    stated = plan.statement.views
    if len(plan.views) != len(stated) or bool(stated) != (plan.schema_version == VIEWED_SCHEMA):
        yield f"views go with a statement about each of them, and with schema {VIEWED_SCHEMA}"
        return
    for view, released in zip(stated, plan.views, strict=True):
        yield from _contradictions(view, released, plan)


def _contradictions(view: View, released: NoisyView, plan: PlanFields) -> Iterator[str]:
    coordinates = plan.dictionary.size + plan.statement.contribution_map.besides
    if tuple(column.value for column in released.columns) != view.facet.places:
        yield "a view has one column for each value of its facet, in their order"
    if any(len(column.noisy_masses) != coordinates for column in released.columns):
        yield "a view has one cell for each value and coordinate of the sketch"
    statement = plan.statement
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    needed = noise_of_view(statement.mechanism, statement.loss, sensitivity, view)
    if needed.kind != released.noise.kind or released.noise.std < needed.std * (1 - 1e-9):
        yield "the stated noise of a view is too small for its part of the privacy loss"
