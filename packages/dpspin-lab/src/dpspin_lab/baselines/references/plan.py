"""The non-private plan as one reference among the others: exact top-L masses, by the prompts of a release."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby

from dpspin.boundary.markers import marker_of
from dpspin.public.narrate.decoders.prompts import prose_prompt
from dpspin.public.narrate.policy import Mode
from dpspin.text.lists import listing
from dpspin_lab.reference import REFERENCE, ReferencePlan


@dataclass(frozen=True, slots=True)
class PlanSource:
    """The paper's P_NP."""

    plan: ReferencePlan
    mode: Mode = Mode.DISPLAY
    method: str = field(default="non-private plan", init=False)

    @property
    def settings(self) -> Mapping[str, object]:
        """The entries: they are what the writer saw."""
        return {"mode": self.mode.value, "entries": [asdict(entry) for entry in self.plan.entries]}

    def prompt(self) -> str:
        """Show the entries as a release's prompt does."""
        return prose_prompt(self.plan.entries, self.mode, margin=0.0, introduction=REFERENCE)

    def extract(self) -> str:
        """Name the themes bin by bin, the largest first."""
        audit = self.mode is Mode.AUDIT
        bins = [
            (name, [f"{entry.label} {marker_of(entry.atom_id)}" if audit else entry.label for entry in entries])
            for name, entries in groupby(self.plan.entries, key=lambda entry: entry.bin)
        ]
        return " ".join(f"With {name} support: {listing(labels)}." for name, labels in bins)
