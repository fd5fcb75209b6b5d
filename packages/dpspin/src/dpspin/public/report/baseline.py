"""The release beside its public baseline: what differs, what the baseline alone would list, and the best guess."""

from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline, public_only
from dpspin.boundary.percentages import confidence
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.baseline import departures_of, told_apart
from dpspin.public.report.names import labels_of
from dpspin.public.wording.numbers import Scale, decimals_for


@dataclass(frozen=True, slots=True)
class BesideRow:
    """One theme as the baseline and as the release have it; shares are of everything that is measured."""

    label: str
    baseline: str
    released: str
    interval: str
    differs: bool
    public: bool  # the public-only plan would list it
    listed: bool  # this release lists it


@dataclass(frozen=True, slots=True)
class GuessRow:
    """One theme of the best guess."""

    label: str
    share: str
    novelty: bool


@dataclass(frozen=True, slots=True)
class Beside:
    """All that a report shows of the baseline; without a full sketch only what the baseline alone would list."""

    source: str
    verdict: str
    rows: tuple[BesideRow, ...]
    guess: tuple[GuessRow, ...]
    public: tuple[tuple[str, str], ...]
    with_none: bool


def baseline_sentence(plan: SemanticPlan) -> str:
    """Say how many themes the noise lets one tell apart from the baseline; nothing, where they were not compared."""
    counted = told_apart(plan)
    if counted is None:
        return ""
    told, size = counted
    of = f"Of the {size:,} {'theme' if size == 1 else 'themes'} in the public dictionary"
    who = f"{told:,} {'is' if told == 1 else 'are'}" if told else "none is"
    so = "" if told else ", so this release shows no more than the public baseline"
    return f"{of}, {who} told apart from the public baseline under the noise{so}."


def beside_baseline(plan: SemanticPlan, atoms: AtomUniverse | None) -> Beside | None:
    """Lay out the comparison with the baseline, the best guess and the public-only plan."""
    if plan.baseline is None:
        return None
    labels = {each.atom_id: each.label for each in plan.denoised} | labels_of(plan, atoms)
    listed = public_only(plan.baseline, plan.rules.size)
    return Beside(
        source=plan.baseline.source,
        verdict=_verdict(plan),
        rows=_rows(plan, plan.baseline, labels),
        guess=tuple(GuessRow(each.label, f"{each.share:.1%}", each.novelty) for each in plan.denoised),
        public=tuple((_name(each.atom_id, labels), f"{each.share:.1%}") for each in listed),
        with_none=plan.baseline.none is not None,
    )


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


def _rows(plan: SemanticPlan, baseline: Baseline, labels: dict[int, str]) -> tuple[BesideRow, ...]:
    public = {each.atom_id for each in public_only(baseline, plan.rules.size)}
    listed = {entry.atom_id for entry in plan.entries}
    shown = [each for each in departures_of(plan) if each.atom_id in public | listed]
    widths = [(each.high - each.low) / 2 for each in shown]
    scale = Scale(decimals_for(100 * min(widths, default=1.0)))
    return tuple(
        BesideRow(
            label=_name(each.atom_id, labels),
            baseline=scale.text(each.baseline),
            released=scale.text(each.share),
            interval=scale.interval(each.low, each.high),
            differs=each.differs,
            public=each.atom_id in public,
            listed=each.atom_id in listed,
        )
        for each in sorted(shown, key=lambda each: -each.share)
    )


def _name(atom_id: int, labels: dict[int, str]) -> str:
    return labels.get(atom_id, f"atom {atom_id}")
