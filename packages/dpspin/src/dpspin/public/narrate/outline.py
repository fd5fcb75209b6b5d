"""What a text must tell of a plan, what it may tell, and in which order: the message first, then what stands behind it.

A true sentence misleads where it keeps silent about what no text may leave out. A reader wants to know what is largest,
by how much, and how far it can be relied on. So size and certainty decide the order, and not the order of the plan. A
claim that does not hold is left out; no subset is passed off as the whole.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

from dpspin.boundary.plan_fields import Uncovered
from dpspin.public.narrate import outline_of_change, outline_of_series
from dpspin.public.narrate.as_read import Estimate
from dpspin.public.narrate.claims.areas import AreaTie, LargestArea, NextAreas, by_share
from dpspin.public.narrate.claims.beside_baseline import AboveBaseline, ApartFromBaseline, BelowBaseline
from dpspin.public.narrate.claims.certainty import (
    DOUBTS,
    ConfidenceOfIntervals,
    NoiseReach,
    SortsRight,
    SortsThemeRight,
    doubts_of,
)
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import CertainOrder, First, Gap, Largest, Next, TieRun, overlapping, ties
from dpspin.public.narrate.claims.readings import (
    HowRead,
    MapFiles,
    ReadConfidence,
    ReadFirst,
    ReadLarger,
    ReadLargest,
    ReadNone,
    ReadOverlap,
    ReadShare,
    ReadUnclear,
    ReadUnlisted,
    SortedAlike,
)
from dpspin.public.narrate.claims.release import CountsUnits, Denominator, PublicSentence, Saying
from dpspin.public.narrate.claims.themes import IntervalOf, Means, Mention, Shares, Unclear
from dpspin.public.narrate.claims.wholes import (
    FitsNone,
    Listed,
    ListedHold,
    NotFiled,
    NothingClear,
    NotRead,
    RestHolds,
)
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.outline_of_views import (
    beside_views,
    candidate_claims,
    example_claims,
    sure_of_text,
    view_claims,
)

USUAL_BETA: Final = 0.05  # a greater chance of error is told
SIMULATED: Final = PublicSentence(Saying.SIMULATED)
WHAT_A_SHARE_IS: Final = (PublicSentence(Saying.VOICE), CountsUnits(), PublicSentence(Saying.NOT_A_COUNT))
WHATEVER_SHARES: Final = (Saying.NO_SHARES, Saying.UNREAD, Saying.UNCOVERED, Saying.SAMPLE, Saying.DROPPED)
CHECKED: Final = (SortedAlike(), SortsRight(), PublicSentence(Saying.NOT_TESTED))  # on these records, or not on them
HOW_SURE: Final = (*CHECKED, HowRead(), ReadConfidence())
ALWAYS: Final = (*map(PublicSentence, (*WHATEVER_SHARES, Saying.CHOSEN)), *HOW_SURE)


def duties(facts: Facts) -> Iterator[Claim]:
    """Yield what must be said: that numbers are simulated or of a part, how well the map sorts, what it left out.

    What was not read or fits no theme must be said once the noise is sure that there is any, and so must a confidence
    that is less than usual.
    """
    beside = (claim for claim, value in _beside(facts) if value is not None and value.low > 0)
    rash = [ConfidenceOfIntervals()] if facts.plan.rules.beta > USUAL_BETA else []
    return holding((SIMULATED, *rash, *ALWAYS, *beside, Unclear(facts.unclear), ReadUnclear(facts.unclear)), facts)


def _beside(facts: Facts) -> Iterator[tuple[Claim, Estimate | Uncovered | None]]:
    """Yield what belongs to no theme, by the map or by the reading."""
    yield NotRead(), facts.plan.not_read
    yield FitsNone(), facts.plan.uncovered
    yield ReadNone(), None if facts.read is None else facts.read.none


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
    if facts.before is not None:
        return outline_of_change.unsaid(told, facts)
    if facts.time is not None:
        return outline_of_series.unsaid(told, facts, facts.time)
    must = (*duties(facts),)
    shares = what_a_share_is(facts) if any(claim.gives_shares for claim in (*told, *must)) else ()
    doubts = doubts_of((claim.kind for claim in told), facts)
    filed = sorted(claim.theme for claim in told if isinstance(claim, MapFiles))
    read = holding((line(theme) for theme in filed for line in (ReadShare, ReadUnlisted)), facts)
    views = holding((*beside_views(told), *sure_of_text(told)), facts)
    return (claim for claim in (*must, *doubts, *read, *views, *shares) if claim not in told)


FOLLOWING = 3  # themes that are named behind the first
FOLLOWING_AREAS = 2
LONGEST_TIE = 4  # more names than this are a list, not a remark
NAMED_TIES = 3
NAMED_DEPARTURES = 3
SHORT_SENTENCES = 6
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Outline:
    """Sentences in paragraphs, and claims that stand each in a line of its own."""

    paragraphs: tuple[tuple[Claim, ...], ...]
    lines: tuple[Claim, ...] = ()


def headline(facts: Facts) -> tuple[Claim, ...]:
    """Return the finding: the largest area and the largest theme, or what comes nearest to that."""
    first = next(iter(facts.ranked), None)
    beside = [*_mostly_beside(facts)]
    if first is None:
        return tuple(holding([*beside, NothingClear()], facts))
    areas = (LargestArea(area) for area in by_share(facts)[:1])
    as_read: list[Claim] = [ReadLargest(first), ReadFirst(first), ReadShare(first)]
    themes: list[Claim] = [*as_read, Largest(first), First(first), IntervalOf(first), Mention((first,))]
    return (*holding([*beside, *areas], facts), *islice(holding(themes, facts), 1))


def _mostly_beside(facts: Facts) -> Iterator[Claim]:
    """Yield that most was not read, or fits no theme: then the largest theme is not the finding."""
    for claim, value in _beside(facts):
        low = value.support_low if isinstance(value, Uncovered) else 0.0 if value is None else value.low
        if low > HALF:
            yield claim


def doubts(facts: Facts) -> tuple[Claim, ...]:
    """Return how far the map was right on these records, or what it leaves open of the finding, which is of the noise.

    Where nobody checked that, this is said as early.
    """
    kinds = (claim.kind for claim in headline(facts))
    return (*holding(CHECKED, facts), *doubts_of(kinds, facts))


def full_outline(facts: Facts) -> Outline:
    """Tell everything that the plan supports and a reader wants to know: what leads could stand alone on a page."""
    if facts.before is not None:
        return Outline(outline_of_change.paragraphs(facts))
    if facts.time is not None:
        return Outline(outline_of_series.paragraphs(facts, facts.time))
    body = (
        [*what_a_share_is(facts), *holding(behind_the_first(facts), facts)],
        [*_other_duties(facts), *_whole(facts)],
    )
    parts = (
        _finding(facts),
        *(body if facts.read is None else reversed(body)),  # how it was read comes first: all else rests on it
        *(view_claims(view, facts) for view in facts.views),
        example_claims(facts),
        candidate_claims(facts),
        holding([*_more_on_themes(facts), *_areas(facts), *_beside_the_baseline(facts)], facts),
        holding(_more_on_certainty(facts), facts),
        holding([PublicSentence(Saying.PRIVATE)], facts),
    )
    paragraphs = (tuple(part) for part in parts)
    return Outline(tuple(filter(None, paragraphs)), lines_of(facts.ranked, facts))


def lines_of(themes: Iterable[int], facts: Facts) -> tuple[Claim, ...]:
    """Give each of these themes a line with its interval."""
    return tuple(holding((line(theme) for theme in themes for line in (ReadShare, IntervalOf)), facts))


def short_outline(facts: Facts) -> Outline:
    """Tell what leads, what must be said, and every listed theme with its share, in about six sentences."""
    shares = [*holding([Shares()], facts), *what_a_share_is(facts)]
    told = [*_finding(facts), *shares, *_other_duties(facts)]
    lines = () if facts.read is None else lines_of(facts.ranked, facts)  # what has an interval is no list of shares
    return Outline(((*told, *islice(_whole(facts), max(0, SHORT_SENTENCES - len(told)))),), lines)


def _finding(facts: Facts) -> list[Claim]:
    """Tell the finding and what the sorting leaves open of it; before it only that nothing is real."""
    return [*holding([SIMULATED], facts), *headline(facts), *doubts(facts)]


def _other_duties(facts: Facts) -> Iterator[Claim]:
    finding = _finding(facts)
    others = (*duties(facts), *holding(DOUBTS, facts))
    return (claim for claim in others if claim not in finding)


def _whole(facts: Facts) -> Iterator[Claim]:
    """Tell how far the noise reaches, and the whole."""
    sure: list[Claim] = [NoiseReach()] if facts.certifies else []  # a margin that bounds no error is not blessed by it
    return holding([*sure, ListedHold(), RestHolds(), NotFiled(), ApartFromBaseline()], facts)


def behind_the_first(facts: Facts) -> Iterator[Claim]:
    """Name what comes behind the first theme, or say that nothing listed does not mean nothing there."""
    yield Next(tuple((theme, None) for theme in facts.ranked[1 : 1 + FOLLOWING]))
    yield from (ReadLarger(facts.ranked[0], theme) for theme in facts.ranked[1 : 1 + FOLLOWING])
    yield PublicSentence(Saying.NOT_ABSENT)


def _more_on_themes(facts: Facts) -> Iterator[Claim]:
    """Say what the first theme means and by how much it leads, and what cannot be told apart."""
    yield from (Means(theme) for theme in facts.ranked[:1])
    if facts.certifies:  # under a public margin a text orders by released rank, and names no confidence
        yield from (Gap(first, second) for first, second in pairwise([*facts.listed][:2]))
    if not facts.has_shares:  # then no line names the others
        yield Mention(facts.ranked[1:])
    runs = () if facts.read is None else overlapping(facts.ranked, facts.read.theme)
    yield from map(ReadOverlap, islice((run for run in runs if len(run) <= LONGEST_TIE), NAMED_TIES))
    yield from _ties(facts)
    yield CertainOrder()


def _ties(facts: Facts) -> Iterator[Claim]:
    """Name the ties among themes that stand clear; a certain leader is in none, its lead has a margin of its own."""
    certain = any(Largest(theme).filled(facts).holds(facts) for theme in [*facts.listed][:1])
    clear = tuple(theme for theme in facts.listed if theme not in facts.unclear)
    for tie in islice(ties(facts, clear[certain:]), NAMED_TIES):
        yield tie if len(tie.themes) <= LONGEST_TIE else TieRun(tie.themes[0], tie.themes[-1])


def _areas(facts: Facts) -> Iterator[Claim]:
    following = by_share(facts)[1 : 1 + FOLLOWING_AREAS]
    if following:
        yield NextAreas(tuple((area, None) for area in following))
        yield AreaTie(tuple(following))


def _beside_the_baseline(facts: Facts) -> Iterator[Claim]:
    either = (side(theme) for theme in facts.listed for side in (AboveBaseline, BelowBaseline))
    return islice(holding(either, facts), NAMED_DEPARTURES)


def _more_on_certainty(facts: Facts) -> Iterator[Claim]:
    """Say what the noise leaves open, and how well the first theme is sorted: that is another matter."""
    yield Listed()
    yield PublicSentence(Saying.OMISSION)
    if facts.plan.not_read is not None and facts.plan.not_read.low == 0:
        yield NotRead()
    yield from (SortsThemeRight(theme) for theme in facts.ranked[:1])
    yield from map(MapFiles, facts.ranked[:1])
