"""What no text may leave out: a true sentence misleads where it keeps silent about these."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import MarginOrder
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.themes import Unclear
from dpspin.public.narrate.claims.wholes import NotRead
from dpspin.public.narrate.facts import Facts

WHAT_A_SHARE_IS: Final = (Saying.VOICE, Saying.MENTIONS, Saying.RECORDS_MENTION, Saying.NOT_A_COUNT)


def duties(facts: Facts) -> Iterator[Claim]:
    """Yield what must be said: that numbers are simulated or of a sample, what the noise leaves open, what a share is.

    A public margin must be called one. What was not read must be said once the noise is sure that there is any.
    """
    first: list[Claim] = [PublicSentence(Saying.SIMULATED)]
    if facts.plan.not_read is not None and facts.plan.not_read.low > 0:
        first.append(NotRead())
    others = (PublicSentence(Saying.SAMPLE), PublicSentence(Saying.CHOSEN), Unclear(facts.unclear), MarginOrder())
    yield from holding((*first, *others), facts)
    yield from islice(holding(map(PublicSentence, WHAT_A_SHARE_IS), facts), 1 if facts.listed else 0)
