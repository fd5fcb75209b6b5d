"""How far the numbers can be believed: the map's errors on test text, what is covered, and the public baseline."""

import math
from dataclasses import dataclass

from dpspin.boundary.baseline import ComparedShare, public_only
from dpspin.boundary.denominator import FreeTotal, PaidCount
from dpspin.boundary.percentages import confidence
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.beside_baseline import themes_beside_baseline, told_apart
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.label import baseline_sentence
from dpspin.public.wording.numbers import Scale, decimals_for, estimated, plain, points

CLEAR = 2  # standard deviations of noise above which a total is told from zero


def errs_more_than_noise(facts: Facts) -> bool:
    """Tell whether sorting errors as on test text move some listed theme further than the noise moves any."""
    if not (facts.has_shares and facts.listed):
        return False
    themes = [facts.released(theme) for theme in facts.listed]
    noise = max(max(each.share - each.low, each.high - each.share) for each in themes)
    known = ((facts.theme(theme).share, facts.sorting_range((theme,))) for theme in facts.listed)
    return any(max(share - ends[0], ends[1] - share) > noise for share, ends in known if ends is not None)


def shares_as_sorted(plan: SemanticPlan) -> dict[int, float]:
    """Return the listed themes' shares of the whole measured mass, as quantification sees it."""
    if plan.noisy_sketch is None or plan.uncovered is None:
        return {}
    total = sum(max(0.0, item.noisy_mass) for item in plan.noisy_sketch) + plan.uncovered.mass
    return {int(entry.atom_id): entry.mass / total if total else 0.0 for entry in plan.entries}


@dataclass(frozen=True, slots=True)
class Coverage:
    """The free total: all noisy masses over the most that the denominator's units can add, and its noise.

    ``share`` is None where the noise alone may account for it, as it may for every negative total.
    """

    share: str | None
    std: str


def coverage(plan: SemanticPlan) -> Coverage | None:
    """Estimate how much of the possible mass the dictionary covers; the sum of m independent noises has std·√m.

    Where the plan measures what belongs to no theme, that is the better answer, and there is no estimate. A total of
    the masses is no denominator for their own total, nor is a count that may be noise alone.
    """
    if plan.noisy_sketch is None or plan.uncovered or isinstance(plan.denominator, FreeTotal) or not plan.has_shares:
        return None
    bound, counted = plan.statement.unit.bound, plan.denominator
    most = counted.value * bound
    share = math.fsum(item.noisy_mass for item in plan.noisy_sketch) / most
    of_count = share * bound * counted.noise_std if isinstance(counted, PaidCount) else 0.0
    std = math.hypot(plan.statement.noise.std * math.sqrt(plan.dictionary.size), of_count) / most
    return Coverage(
        share=estimated(share, std) if share > CLEAR * std else None,
        std=points(std, lambda value: plain(value, 2)),
    )


@dataclass(frozen=True, slots=True)
class BesideBaseline:
    """The release beside its public baseline; without a full sketch only what the baseline alone would list."""

    verdict: str
    public: dict[int, float]  # what the baseline alone would list, with its shares
    rows: tuple[ComparedShare, ...]
    scale: Scale


def beside_baseline(facts: Facts) -> BesideBaseline | None:
    """Compare the themes that the release or the public-only plan lists with the baseline, the largest first."""
    plan = facts.plan
    if plan.baseline is None:
        return None
    public = {int(each.atom_id): each.share for each in public_only(plan.baseline, plan.rules.size)}
    compared = (each for each in themes_beside_baseline(plan) if each.atom_id in public or each.atom_id in facts.listed)
    rows = sorted(compared, key=lambda each: -each.share)
    finest = min(((each.high - each.low) / 2 for each in rows), default=1.0)
    return BesideBaseline(_verdict(plan), public, tuple(rows), Scale(decimals_for(100 * finest)))


def _verdict(plan: SemanticPlan) -> str:
    counted = told_apart(plan)
    if counted is None:
        return (
            "This release has no total of all masses, so its shares cannot be set beside the baseline's. "
            "What the baseline alone would list is below."
        )
    certainty = f"All intervals hold together with at least {confidence(plan.rules.beta)}% probability."
    beaten = "" if counted[0] else " It does not beat the public-only plan."
    return f"{baseline_sentence(plan)}{beaten} {certainty}"
