"""The differentially private semantic plan: the only thing that crosses from the curator to the public side."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import model_validator

from dpspin.boundary.folders import read_plan_text, save_plan
from dpspin.boundary.model_base import explained_as
from dpspin.boundary.percentages import has_shares
from dpspin.boundary.plan_fields import PlanEntry, PlanFields
from dpspin.boundary.plan_views import html_table, pandas_frame, plot, polars_frame, short_form
from dpspin.boundary.postprocess import contradictions
from dpspin.errors import PlanError, RequestError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.axes import Axes


class SemanticPlan(PlanFields):
    """Admitted atoms with noisy masses, and the statement under which they were released.

    ``uncovered`` is there exactly when the map answers "none of these", ``not_read`` exactly when it states its
    languages. Nothing else about the run is in here: no counts, no durations, no digest of the data. The constructor
    checks that every derived field follows from the noisy masses and the rules.
    """

    @model_validator(mode="after")
    def _follows_from_its_masses(self) -> Self:
        try:
            for contradiction in contradictions(self):
                raise ValueError(contradiction)
        except ArithmeticError:
            raise ValueError("its parameters lie beyond what can be calculated") from None
        return self

    @property
    def has_shares(self) -> bool:
        """Whether shares say anything: what they refer to stands clear of the noise, and no part of it beyond it."""
        return has_shares(self)

    def entry(self, atom_id: int) -> PlanEntry | None:
        """Return the admitted entry of an atom, or None."""
        return next((entry for entry in self.entries if entry.atom_id == atom_id), None)

    def save(self, path: str | Path) -> Path:
        """Write the plan to a file, or as ``plan.json`` into a folder, whole or not at all; return where it is."""
        return save_plan(self, path)

    @classmethod
    def load(cls, path: str | Path) -> "SemanticPlan":
        """Read a plan file, or the one in the folder of a release."""
        return cls.from_json(read_plan_text(path))

    def top(self, n: int = 10) -> tuple[PlanEntry, ...]:
        """Return the n largest of the listed themes, by rank."""
        if n < 0:
            raise RequestError("n is how many themes are wanted: zero or more")
        return self.entries[:n]

    def to_frame(self) -> "pd.DataFrame":
        """Return the entries as a pandas data frame, one row per admitted atom."""
        return pandas_frame(self)

    def to_polars(self) -> "pl.DataFrame":
        """Return the entries as a polars data frame, one row per admitted atom."""
        return polars_frame(self)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the listed themes as bars with their intervals, on these axes or on new ones; return the axes."""
        return plot(self, ax)

    def __repr_args__(self) -> Iterable[tuple[str, object]]:
        return short_form(self)

    def _repr_html_(self) -> str:
        """Show shares, intervals and bars as a table in a notebook."""
        return html_table(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "SemanticPlan":
        """Read a plan file, or say in plain words why it is none."""
        with explained_as(PlanError, "this plan (a plan.json as `dpspin schema plan` describes it)"):
            return cls.model_validate_json(text)
