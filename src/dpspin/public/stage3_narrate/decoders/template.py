"""The deterministic decoder: a short report from the plan alone, in either mode. It is also the fallback.

It must be accepted for every plan, whatever the labels are. Two habits see to that. Labels stand in quotation marks, so
"food" next to "drink" is never read as the label "food and drink". And every fixed word is in the public lexicon, so
fixed text is never read as a label: a label made of such words counts only in quotation marks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.boundary.postprocess import lead_over_the_rest
from dpspin.public.report.numbers import decimals_for
from dpspin.public.report.scale import PERCENT, Scale
from dpspin.public.stage3_narrate.history import History
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.stated import stated_sentences

_PRIVATE = "This is an aggregate summary of a differentially private plan."
_SIMULATED = "This is an aggregate summary, and its numbers are simulated and not private."
_LONGEST_TIE = 4  # more names than this are a list, not a remark
_VERBS = ("is found for", "is released for", "remains for")


@dataclass(frozen=True, slots=True)
class TemplateDecoder:
    """One short paragraph, then one bullet per support bin, in rank order; no pairwise comparisons, as in the paper.

    Where the map answers "none of these", its share comes before any theme.
    """

    mode: Mode

    def __call__(self, plan: SemanticPlan, history: History = History(), /) -> str:  # noqa: ARG002, B008  a decoder's shape
        """Write the text; the history cannot change it."""
        paragraph = " ".join(part for part in self._paragraph(plan) if part)
        if not plan.entries:
            return paragraph
        return "\n".join((paragraph, "", *self._bullets(plan)))

    def _paragraph(self, plan: SemanticPlan) -> Iterator[str]:
        yield _opening(plan)
        yield from stated_sentences(plan)
        yield self._uncovered(plan)
        if not plan.entries:
            yield _nothing_found(plan)
            return
        yield _scope(plan)
        yield self._highest(plan)
        yield self._uncertain(plan)
        yield self._resolution(plan)

    def _uncovered(self, plan: SemanticPlan) -> str:
        """Say first how much the dictionary does not cover: all that follows speaks of the rest."""
        if plan.uncovered is None:
            return ""
        none, audit = plan.uncovered, self.mode is Mode.AUDIT
        marker, mass = (f" {none.marker}", f"a noisy mass of {_mass(none)}, ") if audit else ("", "")
        share, interval = _percentages(none, plan)
        return (
            f"Text that belongs to {_no_theme(plan)}{marker} has {mass}a support of {share} "
            f"of the public denominator of {plan.denominator:,} (interval {interval})."
        )

    def _highest(self, plan: SemanticPlan) -> str:
        if not _leads_for_certain(plan):
            return ""
        of_which = " of the listed themes" if plan.noisy_sketch is None else ""
        return f"With {_confidence(plan)} confidence, {self._name(plan.entries[0])} has the highest support{of_which}."

    def _uncertain(self, plan: SemanticPlan) -> str:
        unclear = [self._name(entry) for entry in plan.entries if not entry.clears_noise]
        return f"Not clear of the noise: {_listing(unclear)}." if unclear else ""

    def _resolution(self, plan: SemanticPlan) -> str:
        """Say what the noise leaves open among the themes that stand clear of it: the first tie, or none."""
        clear = [entry for entry in plan.entries if entry.clears_noise]
        tie = _first_tie(clear[1:] if _leads_for_certain(plan) else clear, plan.rules.certificates.comparison_margin)
        if len(tie) > _LONGEST_TIE:
            return "Themes that are close in mass cannot be told apart under the noise."
        if tie:
            return f"The noise does not tell {_listing([self._name(entry) for entry in tie])} apart."
        if len(clear) < len(plan.entries):
            return ""
        if len(clear) == 1:
            return "The released mass carries noise."
        return f"The order of the listed themes is certified with {_confidence(plan)} confidence."

    def _bullets(self, plan: SemanticPlan) -> Iterator[str]:
        groups = (list(group) for _, group in groupby(plan.entries, key=lambda entry: entry.bin))
        for position, entries in enumerate(groups):
            name = entries[0].bin
            heading = f"- {name[0].upper()}{name[1:]} support"
            match self.mode:
                case Mode.AUDIT:
                    yield f"{heading}: {_listing(_with_masses([self._name(entry) for entry in entries], entries))}."
                case Mode.DISPLAY:
                    verb = _VERBS[min(position, len(_VERBS) - 1)]
                    yield f"{heading} {verb} {_listing([self._name(entry) for entry in entries])}."

    def _name(self, entry: PlanEntry) -> str:
        marker = f" {entry.marker}" if self.mode is Mode.AUDIT else ""
        return f"“{entry.label}”{marker}"


def _opening(plan: SemanticPlan) -> str:
    return _PRIVATE if plan.is_private else _SIMULATED


def _nothing_found(plan: SemanticPlan) -> str:
    return (
        f"{_none_of_the_dictionary(plan)} stands clear of the noise, so no theme is listed. "
        "This does not say that the themes are absent, only that the noise leaves them unclear."
    )


def _no_theme(plan: SemanticPlan) -> str:
    return "no theme of the public dictionary" if plan.dictionary.size == 1 else f"none of {_dictionary(plan)}"


def _percentages(none: Uncovered, plan: SemanticPlan) -> tuple[str, str]:
    scale = Scale(PERCENT, decimals_for(100 * plan.rules.certificates.interval_below / plan.denominator))
    return scale.text(none.support), scale.interval(none.low / plan.denominator, none.high / plan.denominator)


def _none_of_the_dictionary(plan: SemanticPlan) -> str:
    return "No theme of the public dictionary" if plan.dictionary.size == 1 else f"Of {_dictionary(plan)}, none"


def _scope(plan: SemanticPlan) -> str:
    listed, clear = len(plan.entries), sum(entry.clears_noise for entry in plan.entries)
    subject, against = "It", f" Support is relative to a public denominator of {plan.denominator:,}."
    if plan.uncovered:  # that sentence has told the denominator
        subject, against = "The plan", ""
    if listed < min(plan.rules.size, plan.dictionary.size):  # nothing was cut off: it speaks for the dictionary
        return f"Of {_dictionary(plan)}, {_clear_of_noise(clear)}.{against}"
    return f"{subject} lists {_part_of_dictionary(plan)}, and {_outcome(listed, clear)}.{against}"


def _outcome(listed: int, clear: int) -> str:
    if listed == 1:
        return f"it {'stands' if clear else 'does not stand'} clear of the noise"
    if clear == 0:
        return "none of these stands clear of the noise"
    return "all of these stand clear of the noise" if clear == listed else f"of these {_clear_of_noise(clear)}"


def _clear_of_noise(clear: int) -> str:
    return f"{clear:,} {'stands' if clear == 1 else 'stand'} clear of the noise"


def _part_of_dictionary(plan: SemanticPlan) -> str:
    listed, size = len(plan.entries), plan.dictionary.size
    if listed < size:
        return f"{listed:,} of {_dictionary(plan)}"
    return "the only theme of the public dictionary" if size == 1 else f"all {size:,} themes of the public dictionary"


def _dictionary(plan: SemanticPlan) -> str:
    return f"the {plan.dictionary.size:,} themes in the public dictionary"


def _leads_for_certain(plan: SemanticPlan) -> bool:
    if len(plan.entries) == 1:
        return False
    return lead_over_the_rest(plan, {plan.entries[0].atom_id}) > plan.rules.certificates.superlative_margin


def _confidence(plan: SemanticPlan) -> str:
    return f"{100 * (1 - plan.rules.beta):g}%"


def _first_tie(entries: Sequence[PlanEntry], margin: float) -> Sequence[PlanEntry]:
    """Return the first run of ranks that lie within the comparison margin of each other, if any."""
    for start, first in enumerate(entries):
        run = [entry for entry in entries[start:] if first.noisy_mass - entry.noisy_mass <= margin]
        if len(run) > 1:
            return run
    return ()


def _with_masses(names: list[str], entries: list[PlanEntry]) -> list[str]:
    first, *rest = map(_mass, entries)
    masses = [f"noisy mass {first}", *rest]
    return [f"{name} ({mass})" for name, mass in zip(names, masses, strict=True)]


def _mass(released: PlanEntry | Uncovered) -> str:
    return f"{round(released.noisy_mass, 1) + 0.0:,.1f}"  # + 0.0 turns -0.0 into 0.0


def _listing(items: list[str]) -> str:
    """Join items as a sentence does.

    >>> _listing(["a", "b", "c"]), _listing(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join((", ".join(items[:-1]), items[-1])) if len(items) > 1 else items[0]
