"""What a text tells of a plan, and in which order: claims that hold, chosen by rules and not by taste.

What the dictionary misses comes before what it found; what is certain before what is not; the themes themselves, bin by
bin, are the list at the end. The claims write their own words.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.baseline import departures_of
from dpspin.public.stage3_narrate.claims.baseline import AgainstBaseline, BaselineCount
from dpspin.public.stage3_narrate.claims.claim import Claim
from dpspin.public.stage3_narrate.claims.counts import Listed, NothingClear
from dpspin.public.stage3_narrate.claims.naming import certifies
from dpspin.public.stage3_narrate.claims.orders import CloseThemes, Highest, MarginOrder, WholeOrder, tie_groups
from dpspin.public.stage3_narrate.claims.public_text import PublicText, Saying
from dpspin.public.stage3_narrate.claims.statement import SecretSample, UnitsCounted
from dpspin.public.stage3_narrate.claims.themes import BinGroup, Unclear
from dpspin.public.stage3_narrate.claims.values import (
    Coverage,
    HowSure,
    IntervalOf,
    OtherLanguages,
    OutsideDictionary,
    RollUp,
    Together,
    children_of,
)

SHORT_SENTENCES = 5
LONGEST_TIE = 4  # more names than this are a list, not a remark
NAMED_TIES = 3
NAMED_DEPARTURES = 3


@dataclass(frozen=True, slots=True)
class Outline:
    """Claims in paragraphs, and the bins as bullets."""

    paragraphs: tuple[tuple[Claim, ...], ...]
    bullets: tuple[BinGroup, ...]


def full_outline(plan: SemanticPlan) -> Outline:
    """Tell everything that the plan supports and a reader wants to know."""
    parts = (
        [*_opening(), *_beside_the_themes(plan), *_scope()],
        _standing(plan),
        _sums(plan),
        [*_beside_the_baseline(plan), *_left_unclear(plan)],
    )
    paragraphs = (tuple(_holding(part, plan)) for part in parts)
    return Outline(tuple(paragraph for paragraph in paragraphs if paragraph), tuple(_bins(plan)))


def short_outline(plan: SemanticPlan) -> Outline:
    """Tell the most telling claims, at most five: the bin with the highest support is always among them."""
    first, *others = [*_bins(plan), None]
    standing = [*_holding(_standing(plan), plan)][:1]
    wanted = [*_opening(), first, *_beside_the_themes(plan), *_scope(), *standing, *others]
    kept = [*_holding((claim for claim in wanted if claim is not None), plan)][:SHORT_SENTENCES]
    paragraph = tuple(claim for claim in kept if not isinstance(claim, BinGroup))
    return Outline((paragraph,), tuple(claim for claim in kept if isinstance(claim, BinGroup)))


def _holding(claims: Iterable[Claim], plan: SemanticPlan) -> Iterator[Claim]:
    return (claim for claim in claims if claim.holds(plan))


def _opening() -> Iterator[Claim]:
    yield PublicText(Saying.OPENING)
    yield UnitsCounted()
    yield SecretSample()


def _beside_the_themes(plan: SemanticPlan) -> Iterator[Claim]:
    """Tell first what was not read, where the noise lets one say that there is any, and what belongs to no theme."""
    beside: list[Claim] = [OtherLanguages(), OutsideDictionary()]
    clear = plan.not_read is not None and plan.not_read.low > 0
    yield from beside if clear else reversed(beside)


def _scope() -> Iterator[Claim]:
    yield Listed()
    yield NothingClear()
    yield PublicText(Saying.NOT_ABSENT)


def _standing(plan: SemanticPlan) -> Iterator[Claim]:
    """Name the highest theme, then the ties among the others that stand clear of the noise.

    A certain leader is in no tie, even where it is within the margin of pairs: its lead has a margin of its own.
    """
    leaders = [Highest(entry.atom_id) for entry in plan.entries[:1]]
    yield from leaders
    certain = any(leader.holds(plan) for leader in leaders)
    ties = tie_groups(plan, [entry for entry in plan.entries[certain:] if entry.clears_noise])
    named = [tie for tie in ties if len(tie.atoms) <= LONGEST_TIE][:NAMED_TIES]
    yield from named
    if len(named) < len(ties):
        yield CloseThemes()
    yield WholeOrder()
    yield MarginOrder()


def _sums(plan: SemanticPlan) -> Iterator[Claim]:
    """Give what the themes add up to, the largest heading first; a theme alone has its own interval."""
    if plan.entries and plan.uncovered is None and not Coverage().holds(plan):  # nothing else names it
        yield PublicText(Saying.DENOMINATOR)
    yield Coverage()
    if len(plan.entries) == 1:
        yield IntervalOf(plan.entries[0].atom_id)
    yield from _roll_ups(plan)
    if _gives_intervals(plan) and certifies(plan):  # beside a margin that bounds no error, it would seem to bless it
        yield HowSure()


def _gives_intervals(plan: SemanticPlan) -> bool:
    return plan.uncovered is not None or plan.not_read is not None or Coverage().holds(plan) or len(plan.entries) == 1


def _roll_ups(plan: SemanticPlan) -> list[Claim]:
    """Return the headings with several themes, but not the heading of all: that sum is the coverage."""
    sums = {
        parent: Together.of(children_of(plan, parent))
        for parent in dict.fromkeys(entry.parent for entry in plan.entries if entry.parent)
        if any(entry.clears_noise for entry in children_of(plan, parent))
        and len(children_of(plan, parent)) < len(plan.entries)
    }
    return [RollUp(parent) for parent in sorted(sums, key=lambda parent: -sums[parent].mass)]


def _beside_the_baseline(plan: SemanticPlan) -> Iterator[Claim]:
    yield BaselineCount()
    listed = [each for each in departures_of(plan) if each.differs and plan.entry(each.atom_id)]
    largest = sorted(listed, key=lambda each: -abs(each.share - each.baseline))
    yield from (AgainstBaseline(each.atom_id) for each in largest[:NAMED_DEPARTURES])


def _left_unclear(plan: SemanticPlan) -> Iterator[Claim]:
    yield Unclear(tuple(entry.atom_id for entry in plan.entries if not entry.clears_noise))
    if plan.entries:
        yield PublicText(Saying.OMISSION)


def _bins(plan: SemanticPlan) -> list[BinGroup]:
    return [BinGroup(name) for name in dict.fromkeys(entry.bin for entry in plan.entries)]
