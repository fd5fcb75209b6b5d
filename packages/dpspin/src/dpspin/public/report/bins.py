"""Bins in words: a bin is read off the released value, so its neighbours may be possible too."""

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry


def known_bin(plan: SemanticPlan, entry: PlanEntry) -> str:
    """Name the bin of an entry; nothing where nothing is known of what shares refer to."""
    return entry.bin if plan.has_shares else ""


def reaches_into(entry: PlanEntry, plan: SemanticPlan) -> tuple[str, ...]:
    """Name the other bins that the certified interval of an entry touches, from high to low."""
    if not plan.has_shares:
        return ()
    low, high = entry.support_low, entry.support_high
    ends = [float("inf"), *(support_bin.at_least for support_bin in plan.rules.bins)]
    return tuple(
        support_bin.name
        for support_bin, end in zip(plan.rules.bins, ends, strict=False)
        if support_bin.name != entry.bin and support_bin.at_least <= high and low < end
    )
