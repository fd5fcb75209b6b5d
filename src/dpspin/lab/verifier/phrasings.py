"""True texts by code, in many phrasings: what falsehoods are planted into, and a test of what must be accepted."""

from collections.abc import Callable, Iterator, Sequence

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.lab.datasets.chance import Chance, pick, pick_several
from dpspin.lab.verifier.words import in_words
from dpspin.public.stage3_narrate.claims.claim import Claim, rendered
from dpspin.public.stage3_narrate.claims.counts import CountInBin, Listed
from dpspin.public.stage3_narrate.claims.naming import listing, mass_text
from dpspin.public.stage3_narrate.claims.orders import Compare, Highest, RankOf
from dpspin.public.stage3_narrate.claims.public_text import PublicText, Saying
from dpspin.public.stage3_narrate.claims.themes import InBin, Mention
from dpspin.public.stage3_narrate.claims.values import IntervalOf, MassOf, SupportOf
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Length, Mode

Phrasing = Callable[[SemanticPlan, Mode, Chance], str]
_CLAIMS = 5  # of a text made of single claims


def _short(plan: SemanticPlan, mode: Mode, _: Chance) -> str:
    return TemplateDecoder(mode, Length.SHORT)(plan)


def _full(plan: SemanticPlan, mode: Mode, _: Chance) -> str:
    return TemplateDecoder(mode, Length.FULL)(plan)


def _claims(plan: SemanticPlan, mode: Mode, chance: Chance) -> str:
    """Write a few claims that hold, drawn from all that do."""
    chosen = pick_several([claim for claim in _candidates(plan, chance) if claim.holds(plan)], _CLAIMS, chance)
    mention = Mention(tuple(entry.atom_id for entry in pick_several(plan.entries, 2, chance)))
    return " ".join(rendered(claim, plan, mode, int(2 * chance.random())) for claim in (mention, *chosen))


def _candidates(plan: SemanticPlan, chance: Chance) -> Iterator[Claim]:
    for entry in plan.entries:
        other = pick(plan.entries, chance)
        yield from (InBin((entry.atom_id,), entry.bin), SupportOf(entry.atom_id), IntervalOf(entry.atom_id))
        yield from (MassOf(entry.atom_id), RankOf(entry.atom_id), Highest(entry.atom_id))
        yield from (Compare(entry.atom_id, other.atom_id), CountInBin(entry.bin))
    yield Listed()
    yield from (PublicText(saying) for saying in Saying)


def _bullets(plan: SemanticPlan, mode: Mode, chance: Chance) -> str:
    """Write one bullet per theme."""
    lines = (f"- {_name(entry, mode)}: {entry.bin} support" for entry in pick_several(plan.entries, 5, chance))
    return "\n".join([pick(("Released themes:", "Key themes of the plan:"), chance), *lines])


def _masses(plan: SemanticPlan, mode: Mode, chance: Chance) -> str:
    """Write one bullet per theme, in the order of the plan, with its number."""
    number = _mass if mode is Mode.AUDIT else _percentage
    lines = (f"- {_name(entry, mode)} ({number(entry)})" for entry in plan.entries)
    return "\n".join([pick(("The plan lists the following themes.", "Released themes"), chance), "", *lines])


def _table(plan: SemanticPlan, mode: Mode, chance: Chance) -> str:
    """Write a table."""
    bin_name = pick(("Bin", "Support bin"), chance)
    rows = (f"| {_name(entry, mode)} | {mass_text(entry.noisy_mass)} | {entry.bin} |" for entry in plan.entries)
    return "\n".join([f"| Theme | Noisy mass | {bin_name} |", "|---|---|---|", *rows])


def _headings(plan: SemanticPlan, mode: Mode, chance: Chance) -> str:
    """Write the themes under headings by bin."""
    head = pick(("## {} support", "**{} support**", "{} support:"), chance)
    blocks = (
        "\n".join([head.format(name.capitalize()), *(f"- {_name(entry, mode)}" for entry in entries)])
        for name, entries in _by_bin(plan)
    )
    return "\n\n".join(blocks)


def _grouped(plan: SemanticPlan, mode: Mode, chance: Chance) -> str:
    """Write one sentence per bin."""
    said = pick(("{names} {have} {bin} support.", "The {bin} bin contains {names}.", "{bin} support: {names}."), chance)
    sentences = (
        said.format(
            names=listing([_name(entry, mode) for entry in entries]),
            have="has" if len(entries) == 1 else "have",
            bin=name,
        )
        for name, entries in _by_bin(plan)
    )
    return "\n".join(sentence[0].upper() + sentence[1:] for sentence in sentences)


def _noted(plan: SemanticPlan, mode: Mode, chance: Chance) -> str:
    """Write a careful paragraph on a few themes."""
    chosen = pick_several(plan.entries, 3, chance)
    sentences = (f"Support for {_name(entry, mode)} falls in the {entry.bin} bin." for entry in chosen)
    count = len(plan.entries)
    opening = pick((f"The plan lists {count} themes.", f"The plan lists {in_words(count)} themes."), chance)
    note = pick(("All values carry noise.", "All values are approximate.", "Noise was added before release."), chance)
    return " ".join([opening if count > 1 else "", *sentences, note]).strip()


PHRASINGS: dict[str, Phrasing] = {
    "template, short": _short,
    "template, full": _full,
    "claims": _claims,
    "bullets": _bullets,
    "numbers": _masses,
    "table": _table,
    "headings": _headings,
    "groups": _grouped,
    "notes": _noted,
}


def _name(entry: PlanEntry, mode: Mode) -> str:
    return f"{entry.label} {entry.marker}" if mode is Mode.AUDIT else entry.label


def _mass(entry: PlanEntry) -> str:
    return f"noisy mass {mass_text(entry.noisy_mass)}"


def _percentage(entry: PlanEntry) -> str:
    return f"{100 * entry.support:.1f}% of the public denominator"


def _by_bin(plan: SemanticPlan) -> Iterator[tuple[str, Sequence[PlanEntry]]]:
    for name in dict.fromkeys(entry.bin for entry in plan.entries):
        yield name, [entry for entry in plan.entries if entry.bin == name]
