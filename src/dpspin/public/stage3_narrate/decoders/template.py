"""The deterministic decoder: a report from the plan alone, in either mode and length. It is also the fallback.

It must be accepted for every plan, whatever the labels are. Three habits see to that. It says nothing but claims that
hold. Labels stand in quotation marks, so "food" next to "drink" is never read as the label "food and drink". And every
fixed word is in the public lexicon, so fixed text is never read as a label: a label made of such words counts only in
quotation marks.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.claims.claim import Claim, rendered
from dpspin.public.stage3_narrate.decoders.outline import Outline, full_outline, short_outline
from dpspin.public.stage3_narrate.history import History
from dpspin.public.stage3_narrate.policy import Length, Mode


@dataclass(frozen=True, slots=True)
class TemplateDecoder:
    """Short paragraphs, then one bullet per support bin, in rank order; no pairwise comparisons, as in the paper."""

    mode: Mode
    length: Length = Length.FULL

    def __call__(self, plan: SemanticPlan, history: History = History(), /) -> str:  # noqa: ARG002, B008  a decoder's shape
        """Write the text; the history cannot change it."""
        outline = outline_of(plan, self.length)
        blocks = [" ".join(self._sentences(paragraph, plan)) for paragraph in outline.paragraphs]
        bullets = [f"- {line}" for line in self._sentences(outline.bullets, plan)]
        return "\n\n".join([*blocks, *(["\n".join(bullets)] if bullets else [])])

    def _sentences(self, claims: Iterable[Claim], plan: SemanticPlan) -> Iterator[str]:
        """Write one claim after the other; those of one kind take turns with their wordings."""
        turns: Counter[type] = Counter()
        for claim in claims:
            yield rendered(claim, plan, self.mode, turns[type(claim)])
            turns[type(claim)] += 1


def outline_of(plan: SemanticPlan, length: Length) -> Outline:
    """Choose and order the claims for a length."""
    match length:
        case Length.SHORT:
            return short_outline(plan)
        case Length.FULL:
            return full_outline(plan)
        case _:
            assert_never(length)
