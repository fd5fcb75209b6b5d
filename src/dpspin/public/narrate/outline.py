"""What a text tells of a plan, and in which order: the message first, then what stands behind it, then how sure it is.

A reader wants to know what is largest, by how much, and how far it can be relied on. So size and certainty decide the
order, and not the order of the plan. A claim that does not hold is left out; no subset is passed off as the whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from dpspin.public.narrate.claims.areas import AreaTie, LargestArea, NextAreas, by_share
from dpspin.public.narrate.claims.baseline import AboveBaseline, ApartFromBaseline, BelowBaseline
from dpspin.public.narrate.claims.certainty import NoiseReach, SortsRight, SortsThemeRight
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import CertainOrder, First, Gap, Largest, Next, SomeTies, ties
from dpspin.public.narrate.claims.release import Denominator, PublicSentence, Saying
from dpspin.public.narrate.claims.themes import IntervalOf, Means, Shares
from dpspin.public.narrate.claims.wholes import FitsNone, Listed, ListedHold, NothingClear, NotRead, RestHolds
from dpspin.public.narrate.duties import duties, what_a_share_is
from dpspin.public.narrate.facts import Facts
from dpspin.text.lists import listing

FOLLOWING = 3  # themes that are named behind the first
FOLLOWING_AREAS = 2
LONGEST_TIE = 4  # more names than this are a list, not a remark
NAMED_TIES = 2
NAMED_DEPARTURES = 3
SHORT_SENTENCES = 5

Told = tuple[Claim, ...]  # the claims of one sentence


@dataclass(frozen=True, slots=True)
class Outline:
    """Sentences in paragraphs, and claims that stand each in a line of its own."""

    paragraphs: tuple[tuple[Told, ...], ...]
    lines: tuple[Claim, ...] = ()


def headline(facts: Facts) -> Told:
    """Return the finding: the largest area and the largest theme, or what comes nearest to that."""
    first = next(iter(facts.listed), None)
    areas = [LargestArea(area) for area in by_share(facts)[:1]]
    if first is None:
        return tuple(holding([NothingClear()], facts))
    themes: list[Claim] = [Largest(first), First(first), IntervalOf(first)]
    return (*holding(areas, facts), *islice(holding(themes, facts), 1))


def full_outline(facts: Facts) -> Outline:
    """Tell everything that the plan supports and a reader wants to know: what leads could stand alone on a page."""
    parts = (
        [*_before_all(facts), headline(facts)],
        _lead(facts),
        _alone([*_more_on_themes(facts), *_areas(facts), *_beside_the_baseline(facts)], facts),
        _alone(_more_on_certainty(facts), facts),
        _alone([Denominator(), PublicSentence(Saying.PRIVATE)], facts),
    )
    return Outline(tuple(tuple(part) for part in parts if part), tuple(holding(map(IntervalOf, facts.listed), facts)))


def short_outline(facts: Facts) -> Outline:
    """Tell what must be said, what leads, and every listed theme with its share, in about five sentences."""
    told = [*_before_all(facts), headline(facts), *_alone([Shares()], facts)]
    lead = _lead(facts)[: max(1, SHORT_SENTENCES - len(told))]  # what a share is comes first there
    return Outline(((*told, *lead),))


def by_bins(facts: Facts) -> str:
    """Write the paper's own template: the listed themes by their support bins, and no number. It is not verified."""
    opening = "This is an aggregate summary of a differentially private plan."
    members = {name: [each.label for each in facts.plan.entries if each.bin == name] for name in facts.bins}
    return " ".join((opening, *(f"Themes with {name} support: {listing(labels)}." for name, labels in members.items())))


def _alone(claims: Iterable[Claim], facts: Facts) -> list[Told]:
    return [(claim,) for claim in holding(claims, facts)]


def _before_all(facts: Facts) -> list[Told]:
    """Tell at once what no text may leave out."""
    return [(claim,) for claim in duties(facts)]


def _lead(facts: Facts) -> list[Told]:
    """Tell what a reader must know beside the finding: what a share is, how sure it is, what follows, the whole."""
    sure: list[Claim] = [NoiseReach()] if facts.certifies else []  # a margin that bounds no error is not blessed by it
    told = [
        *((claim,) for claim in what_a_share_is(facts)),
        tuple(holding([*sure, SortsRight()], facts)),
        *_alone(_behind_the_first(facts), facts),
        tuple(holding([ListedHold(), RestHolds(), FitsNone()], facts)),
        tuple(holding([ApartFromBaseline()], facts)),
    ]
    return [sentence for sentence in told if sentence]


def _behind_the_first(facts: Facts) -> Iterator[Claim]:
    """Name what comes behind the first theme, or say that nothing listed does not mean nothing there."""
    yield Next(tuple((theme, None) for theme in [*facts.listed][1 : 1 + FOLLOWING]))
    yield PublicSentence(Saying.NOT_ABSENT)


def _more_on_themes(facts: Facts) -> Iterator[Claim]:
    """Say what the first theme means and by how much it leads, and what cannot be told apart."""
    yield from (Means(theme) for theme in [*facts.listed][:1])
    if facts.certifies:  # under a public margin a text orders by released rank, and names no confidence
        yield from (Gap(first, second) for first, second in pairwise([*facts.listed][:2]))
    yield from _ties(facts)
    yield CertainOrder()


def _ties(facts: Facts) -> Iterator[Claim]:
    """Name the ties among themes that stand clear; a certain leader is in none, its lead has a margin of its own."""
    certain = any(Largest(theme).filled(facts).holds(facts) for theme in [*facts.listed][:1])
    clear = tuple(theme for theme in facts.listed if theme not in facts.unclear)
    found = list(ties(facts, clear[certain:]))
    named = [tie for tie in found if len(tie.themes) <= LONGEST_TIE][:NAMED_TIES]
    yield from named
    if len(named) < len(found):
        yield SomeTies()


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
    yield from (SortsThemeRight(theme) for theme in [*facts.listed][:1])
    yield PublicSentence(Saying.NOT_CHECKED)
