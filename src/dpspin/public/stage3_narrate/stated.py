"""Fixed public sentences about a plan. They follow from it word for word: a text may carry them as they are.

Written in other words they would be claims like any other, and the verifier would have to understand them.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PoissonSample, Prevalence
from dpspin.public.stage3_narrate.claims.baseline import BaselineCount
from dpspin.public.stage3_narrate.claims.claim import Claim, rendered
from dpspin.public.stage3_narrate.claims.counts import CountInBin, Listed, NothingClear
from dpspin.public.stage3_narrate.claims.orders import CloseThemes, MarginOrder, WholeOrder
from dpspin.public.stage3_narrate.claims.public_text import PublicText, Saying
from dpspin.public.stage3_narrate.claims.values import Coverage, HowSure, OtherLanguages
from dpspin.public.stage3_narrate.policy import Mode

PREVALENCE = "Support is a prevalence here: a protected unit counts once for a theme, or not at all."
SAMPLE = "All values are those of a secret sample, scaled up, and all statements are about that sample."


def stated_sentences(plan: SemanticPlan) -> Iterator[str]:
    """Name the quantity where it is not mass, and the sample where not everyone was measured."""
    if isinstance(plan.statement.quantity, Prevalence):
        yield PREVALENCE
    if isinstance(plan.statement.sampling, PoissonSample):
        yield SAMPLE


def without_stated(text: str, plan: SemanticPlan) -> str:
    """Blank out the fixed sentences that are true of the plan, and its title; everything else keeps its place."""
    for sentence in (*stated_sentences(plan), *_claims_without_themes(plan)):
        text = text.replace(sentence, " " * len(sentence))
    if len(plan.title.split()) > 1:  # a single word may be a theme's
        title = re.compile(rf"(?<!\w){re.escape(plan.title)}(?!\w)", re.IGNORECASE)
        text = title.sub(lambda match: " " * len(match[0]), text)
    return text


def _claims_without_themes(plan: SemanticPlan) -> Iterator[str]:
    claims: list[Claim] = [PublicText(saying) for saying in Saying]
    claims += [CountInBin(support_bin.name) for support_bin in plan.rules.bins]
    claims += [
        Listed(),
        NothingClear(),
        OtherLanguages(),
        Coverage(),
        HowSure(),
        WholeOrder(),
        MarginOrder(),
        CloseThemes(),
        BaselineCount(),
    ]
    yield from (rendered(claim, plan, Mode.DISPLAY) for claim in claims if claim.holds(plan))
