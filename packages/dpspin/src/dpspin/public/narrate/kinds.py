"""Every kind of claims by its name: the one list that a new kind is added to."""

from collections.abc import Mapping
from typing import Final

from dpspin.public.narrate.claims import areas, baseline, certainty, orders, release, themes, wholes
from dpspin.public.narrate.claims.claim import Claim

_EVERY: Final[tuple[type[Claim], ...]] = (
    themes.Mention,
    themes.ShareOf,
    themes.IntervalOf,
    themes.Unlisted,
    themes.Shares,
    themes.RankOf,
    themes.MassOf,
    themes.Means,
    themes.Unclear,
    orders.Largest,
    orders.First,
    orders.Next,
    orders.Larger,
    orders.Gap,
    orders.Tie,
    orders.CertainOrder,
    orders.TieRun,
    areas.LargestArea,
    areas.AreaInterval,
    areas.NextAreas,
    areas.AreaTie,
    wholes.Listed,
    wholes.NothingClear,
    wholes.ListedHold,
    wholes.RestHolds,
    wholes.FitsNone,
    wholes.NotRead,
    certainty.NoiseReach,
    certainty.ConfidenceOfIntervals,
    certainty.SortsRight,
    certainty.SortsThemeRight,
    certainty.SortingLeavesOpen,
    baseline.AboveBaseline,
    baseline.BelowBaseline,
    baseline.ApartFromBaseline,
    release.PublicSentence,
    release.Denominator,
    release.CountsUnits,
    release.PrivacyLossOf,
)
KINDS: Final[Mapping[str, type[Claim]]] = {kind.kind: kind for kind in _EVERY}
