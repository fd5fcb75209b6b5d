"""What no text may leave out: a true sentence misleads where it keeps silent about these."""

from collections.abc import Collection, Iterator
from typing import Final

from dpspin.public.narrate.claims.certainty import ConfidenceOfIntervals, SortsRight, doubts_of
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.laws import is_there
from dpspin.public.narrate.claims.release import CountsUnits, Denominator, PublicSentence, Saying
from dpspin.public.narrate.claims.themes import Unclear
from dpspin.public.narrate.claims.wholes import FitsNone, NotRead
from dpspin.public.narrate.facts import Facts

USUAL_BETA: Final = 0.05  # a greater chance of error is told
SIMULATED: Final = PublicSentence(Saying.SIMULATED)
WHAT_A_SHARE_IS: Final = (PublicSentence(Saying.VOICE), CountsUnits(), PublicSentence(Saying.NOT_A_COUNT))
WHATEVER_SHARES: Final = (Saying.NO_SHARES, Saying.UNREAD, Saying.UNCOVERED, Saying.SAMPLE, Saying.DROPPED)
ALWAYS: Final = (*map(PublicSentence, (*WHATEVER_SHARES, Saying.CHOSEN, Saying.NOT_TESTED)), SortsRight())


def duties(facts: Facts) -> Iterator[Claim]:
    """Yield what must be said: that numbers are simulated or of a part, how well the map sorts, what it left out.

    What was not read or fits no theme must be said once the noise is sure that there is any, and so must a confidence
    that is less than usual.
    """
    known = ((NotRead(), facts.plan.not_read), (FitsNone(), facts.plan.uncovered))
    beside = (claim for claim, value in known if is_there(value))
    rash = [ConfidenceOfIntervals()] if facts.plan.rules.beta > USUAL_BETA else []
    return holding((SIMULATED, *rash, *ALWAYS, *beside, Unclear(facts.unclear)), facts)


def what_a_share_is(facts: Facts) -> Iterator[Claim]:
    """Yield what a text with shares must hold, and of what they are: a reader takes them for shares of people."""
    first = next(holding(WHAT_A_SHARE_IS if facts.has_shares else (), facts), None)
    yield from () if first is None else (first,)
    if not isinstance(first, CountsUnits):  # that names it
        yield from holding([Denominator(), PublicSentence(Saying.ABOVE_ALL)], facts)


def unsaid(told: Collection[Claim], facts: Facts) -> Iterator[Claim]:
    """Yield what a text that makes these claims keeps silent about, though it must not.

    What must be said may give a share itself: then what a share is must be said too.
    """
    must = (*duties(facts),)
    shares = what_a_share_is(facts) if any(claim.gives_shares for claim in (*told, *must)) else ()
    doubts = doubts_of((claim.kind for claim in told), facts)
    return (claim for claim in (*must, *doubts, *shares) if claim not in told)
