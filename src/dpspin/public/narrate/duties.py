"""What no text may leave out: a true sentence misleads where it keeps silent about these."""

from collections.abc import Iterator

from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import MarginOrder
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.themes import Unclear
from dpspin.public.narrate.claims.wholes import NotRead
from dpspin.public.narrate.facts import Facts


def duties(facts: Facts) -> Iterator[Claim]:
    """Yield what must be said: that numbers are simulated or of a sample, and what the noise leaves open.

    A public margin must be called one. What was not read must be said once the noise is sure that there is any.
    """
    first: list[Claim] = [PublicSentence(Saying.SIMULATED)]
    if facts.plan.not_read is not None and facts.plan.not_read.low > 0:
        first.append(NotRead())
    others = (PublicSentence(Saying.SAMPLE), PublicSentence(Saying.CHOSEN), Unclear(facts.unclear), MarginOrder())
    return holding((*first, *others), facts)
