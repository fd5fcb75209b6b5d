"""What a text about a change must tell, and what it tells: what differs first, then what that rests on."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from dpspin.public.narrate.claims.certainty import SortsRight
from dpspin.public.narrate.claims.changes import (
    PARTS,
    BesideDiffers,
    BeyondChance,
    ChangeConfidence,
    Differs,
    Moved,
    NotCompared,
    OwnTotals,
    PassedOn,
    Remark,
)
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.facts import Facts

NAMED: Final = 10  # differences beyond chance that a text names; the table has all of them
WHAT_A_SHARE_IS: Final = (PublicSentence(Saying.VOICE), Remark("counted"), PublicSentence(Saying.NOT_A_COUNT))
AS_FILED: Final = (
    *map(Remark, ("none_read", "one_read", "readers_differ")),
    PassedOn(),
    SortsRight(),
    PublicSentence(Saying.NOT_TESTED),
)


def headline(facts: Facts) -> tuple[Claim, ...]:
    """Return the finding: the surest difference, how many there are, and which are more than chance.

    Where chance may explain all of them, that is the finding.
    """
    told = tuple(holding([*map(Differs, facts.ranked[:1]), Moved(), BeyondChance()], facts))
    return told if _beyond_chance(facts) else told[::-1]


def duties(facts: Facts) -> Iterator[Claim]:
    """Yield what must be said: how many differ, what that rests on, and what it leaves open."""
    beside = map(BesideDiffers, PARTS)
    shares = islice(holding(WHAT_A_SHARE_IS, facts), 1)
    more = map(PublicSentence, (Saying.ABOVE_ALL, Saying.DROPPED))
    first = (Remark("simulated"), Moved(), BeyondChance(), *AS_FILED, *beside, NotCompared(), Remark("views"))
    last = (*shares, OwnTotals(), *more, ChangeConfidence(), Remark("not_why"))
    return holding((*first, *last), facts)


def unsaid(told: Collection[Claim], facts: Facts) -> Iterator[Claim]:
    """Yield what a text that makes these claims keeps silent about, though it must not."""
    return (claim for claim in duties(facts) if claim not in told)


def paragraphs(facts: Facts) -> tuple[tuple[Claim, ...], ...]:
    """Tell what differs, what the map leaves open of it, and what else may explain it."""
    finding = (*holding([Remark("simulated")], facts), *headline(facts))
    others = tuple(holding(map(Differs, _beyond_chance(facts)[1:NAMED]), facts))
    as_filed = tuple(holding(AS_FILED, facts))
    rest = tuple(claim for claim in duties(facts) if claim not in {*finding, *as_filed})
    return tuple(filter(None, ((*finding, *as_filed), others, rest)))


def _beyond_chance(facts: Facts) -> list[int]:
    """Return the themes that differ by more than chance, in their order; they come first."""
    return [] if facts.change is None else [int(each.atom_id) for each in facts.change.moved if each.beyond_chance]
