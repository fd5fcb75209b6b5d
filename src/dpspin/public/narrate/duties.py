"""What no text may leave out: a true sentence misleads where it keeps silent about these."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from dpspin.public.narrate.claims.areas import LargestArea
from dpspin.public.narrate.claims.certainty import SortingLeavesOpen
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import Largest, MarginOrder
from dpspin.public.narrate.claims.release import CountsUnits, PublicSentence, Saying
from dpspin.public.narrate.claims.themes import Unclear
from dpspin.public.narrate.claims.wholes import NotRead
from dpspin.public.narrate.facts import Facts

SUPERLATIVES: Final = frozenset({Largest.kind, LargestArea.kind})
SIMULATED: Final = PublicSentence(Saying.SIMULATED)
WHAT_A_SHARE_IS: Final = (PublicSentence(Saying.VOICE), CountsUnits(), PublicSentence(Saying.NOT_A_COUNT))
ALWAYS: Final = tuple(
    map(PublicSentence, (Saying.NO_SHARES, Saying.SAMPLE, Saying.DROPPED, Saying.CHOSEN, Saying.NOT_TESTED))
)


def duties(facts: Facts) -> Iterator[Claim]:
    """Yield what must be said: that numbers are simulated or of a part, that nobody tested the map, what stays open.

    A public margin must be called one. What was not read must be said once the noise is sure that there is any.
    """
    unread: list[Claim] = [NotRead()] if facts.plan.not_read is not None and facts.plan.not_read.low > 0 else []
    return holding((SIMULATED, *unread, *ALWAYS, Unclear(facts.unclear), MarginOrder()), facts)


def what_a_share_is(facts: Facts) -> Iterator[Claim]:
    """Yield the sentence that a text with shares must hold: a reader takes a share for one of people."""
    return islice(holding(WHAT_A_SHARE_IS if facts.has_shares else (), facts), 1)


def unsaid(told: Collection[Claim], facts: Facts) -> Iterator[Claim]:
    """Yield what a text that makes these claims keeps silent about, though it must not."""
    shares = what_a_share_is(facts) if any(claim.gives_shares for claim in told) else ()
    doubts = holding([SortingLeavesOpen()], facts) if any(claim.kind in SUPERLATIVES for claim in told) else ()
    return (claim for claim in (*duties(facts), *doubts, *shares) if claim not in told)
