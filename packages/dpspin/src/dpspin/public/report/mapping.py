"""How far the sorting can be believed: the map's report card, as a reader of the report sees it."""

from dataclasses import dataclass

from dpspin.boundary.card import AtomCard, QuantifiedShare, ReportCard
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.certainty import whole_percent
from dpspin.public.narrate.facts import Facts

UNTESTED = "–"


def sorted_right(facts: Facts, atom: int) -> str:
    """Say how much of what was filed under a theme belonged there, on test text."""
    card = facts.cards.get(atom)
    return UNTESTED if card is None or card.precision is None else f"{whole_percent(card.precision)}%"


@dataclass(frozen=True, slots=True)
class MappedTheme:
    """One reported theme: how well it is measured, and its corrected share where there is one."""

    label: str
    precision: str
    recall: str
    raw_share: str
    corrected: str
    interval: str


@dataclass(frozen=True, slots=True)
class Mapping:
    """The map, what its card says as a whole, and each reported theme."""

    name: str
    fitted_on: str
    trusts: str
    card: ReportCard | None
    larger_error: bool
    themes: tuple[MappedTheme, ...]
    corrected: bool


def errs_more_than_noise(facts: Facts) -> bool:
    """Tell whether sorting errors as on test text move some listed theme further than the noise moves any."""
    if not (facts.has_shares and facts.listed):
        return False
    themes = [facts.released(theme) for theme in facts.listed]
    noise = max(max(each.share - each.low, each.high - each.share) for each in themes)
    known = ((facts.theme(theme).share, facts.sorting_range((theme,))) for theme in facts.listed)
    return any(max(share - ends[0], ends[1] - share) > noise for share, ends in known if ends is not None)


def mapping_of(facts: Facts) -> Mapping:
    """Read the map's statement and card out of the plan."""
    plan, statement = facts.plan, facts.plan.statement.contribution_map
    return Mapping(
        name=statement.name,
        fitted_on=statement.fitted_on,
        trusts=statement.trusts,
        card=statement.card,
        larger_error=errs_more_than_noise(facts),
        themes=_themes(plan, statement.card) if statement.card else (),
        corrected=bool(plan.quantified) and plan.has_shares,
    )


def _themes(plan: SemanticPlan, card: ReportCard) -> tuple[MappedTheme, ...]:
    cards = {atom.atom_id: atom for atom in card.atoms}
    quantified = {share.atom_id: share for share in plan.quantified}
    total = _total(plan)
    return tuple(
        _theme(entry.label, entry.mass / total if total else 0.0, cards[entry.atom_id], quantified.get(entry.atom_id))
        for entry in plan.entries
    )


def _total(plan: SemanticPlan) -> float:
    """Return the whole measured mass, as quantification sees it."""
    if plan.noisy_sketch is None or plan.uncovered is None:
        return 0.0
    return sum(max(0.0, item.noisy_mass) for item in plan.noisy_sketch) + plan.uncovered.mass


def _theme(label: str, raw: float, card: AtomCard, corrected: QuantifiedShare | None) -> MappedTheme:
    return MappedTheme(
        label=label,
        precision=_percent(card.precision),
        recall=_percent(card.recall),
        raw_share=f"{raw:.1%}",
        corrected="" if corrected is None else f"{corrected.share:.1%}",
        interval="" if corrected is None else f"{corrected.low:.1%} to {corrected.high:.1%}",
    )


def _percent(share: float | None) -> str:
    return UNTESTED if share is None else f"{share:.0%}"
