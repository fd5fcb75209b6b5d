"""The paper's own template: the listed themes by their support bins, and no number. It is not verified."""

from dpspin.boundary.plan import SemanticPlan
from dpspin.text.lists import listing

OPENING = "This is an aggregate summary of a differentially private plan."


def by_bins(plan: SemanticPlan) -> str:
    """Write it."""
    bins = dict.fromkeys(entry.bin for entry in plan.entries)
    members = {name: [each.label for each in plan.entries if each.bin == name] for name in bins}
    return " ".join((OPENING, *(f"Themes with {name} support: {listing(labels)}." for name, labels in members.items())))
