"""Fixed public sentences about what a plan measures. They follow from its statement: a text may carry them as they are.

Written in other words they would be claims like any other, and the verifier would have to understand them.
"""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PoissonSample, Prevalence

PREVALENCE = "Support is a prevalence here: a protected unit counts once for a theme, or not at all."
SAMPLE = "All values are those of a secret sample, scaled up, and all statements are about that sample."


def stated_sentences(plan: SemanticPlan) -> Iterator[str]:
    """Name the quantity where it is not mass, and the sample where not everyone was measured."""
    if isinstance(plan.statement.quantity, Prevalence):
        yield PREVALENCE
    if isinstance(plan.statement.sampling, PoissonSample):
        yield SAMPLE


def without_stated(text: str, plan: SemanticPlan) -> str:
    """Blank out the fixed sentences that are true of the plan; everything else keeps its place."""
    for sentence in stated_sentences(plan):
        text = text.replace(sentence, " " * len(sentence))
    return text
