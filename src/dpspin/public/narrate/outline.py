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
from dpspin.public.narrate.claims.orders import CertainOrder, First, Gap, Largest, MarginOrder, Next, SomeTies, ties
from dpspin.public.narrate.claims.release import ABOUT_PRIVACY, Denominator, PublicSentence, Saying
from dpspin.public.narrate.claims.themes import IntervalOf, Means, Unclear, WholeBin
from dpspin.public.narrate.claims.wholes import FitsNone, Listed, ListedHold, NothingClear, NotRead, RestHolds
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.policy import Mode

FOLLOWING = 3  # themes that are named behind the first
FOLLOWING_AREAS = 2
LONGEST_TIE = 4  # more names than this are a list, not a remark
NAMED_TIES = 2
NAMED_DEPARTURES = 3
SHORT_SENTENCES = 5


@dataclass(frozen=True, slots=True)
class Outline:
    """Claims in paragraphs, and the themes bin by bin as bullets; claims of one tuple share a sentence."""

    paragraphs: tuple[tuple[tuple[Claim, ...], ...], ...]
    bullets: tuple[Claim, ...]


def headline(facts: Facts) -> tuple[Claim, ...]:
    """Return the finding: the largest area and the largest theme, or what comes nearest to that."""
    first = next(iter(facts.listed), None)
    areas = [LargestArea(area) for area in by_share(facts)[:1]]
    if first is None:
        return tuple(holding([NothingClear()], facts))
    themes: list[Claim] = [Largest(first), First(first), IntervalOf(first)]
    return (*holding(areas, facts), *islice(holding(themes, facts), 1))


def full_outline(facts: Facts) -> Outline:
    """Tell everything that the plan supports and a reader wants to know."""
    parts = (
        [*_alone(_before_all(facts), facts), headline(facts)],
        [*_alone(_behind_the_first(facts), facts), *_alone(_areas(facts), facts)],
        [*_alone(_wholes(facts), facts), *_alone(_beside_the_baseline(facts), facts)],
        [*_alone(_how_sure(facts), facts)],
        [*_alone(_how_to_read(), facts)],
    )
    paragraphs = (tuple(sentence for sentence in part if sentence) for part in parts)
    return Outline(tuple(paragraph for paragraph in paragraphs if paragraph), _bins(facts))


def short_outline(facts: Facts) -> Outline:
    """Tell the most telling claims, in at most five sentences, bullets included: the first bin is among them."""
    first, *others = _bins(facts) or (None,)
    wanted = [*_alone(_before_all(facts), facts), headline(facts)]
    wanted += _alone([*_behind_the_first(facts), *_how_to_read()], facts)
    bullets = () if first is None else (first,)
    paragraph = tuple(sentence for sentence in wanted if sentence)[: SHORT_SENTENCES - len(bullets)]
    room = SHORT_SENTENCES - len(bullets) - len(paragraph)
    return Outline((paragraph,), (*bullets, *others[:room]))


def by_bins(facts: Facts) -> str:
    """Write the paper's own template: the listed themes by their support bins, and no number."""
    language = Language(facts, Mode.DISPLAY)
    return " ".join(map(language.written, (*holding(map(PublicSentence, ABOUT_PRIVACY), facts), *_bins(facts))))


def _alone(claims: Iterable[Claim], facts: Facts) -> Iterator[tuple[Claim, ...]]:
    return ((claim,) for claim in holding(claims, facts))


def _before_all(facts: Facts) -> Iterator[Claim]:
    """Tell at once that numbers are simulated, and what was not read, where the noise lets one say so."""
    yield PublicSentence(Saying.SIMULATED)
    if facts.plan.not_read is not None and facts.plan.not_read.low > 0:
        yield NotRead()


def _behind_the_first(facts: Facts) -> Iterator[Claim]:
    """Name what the first theme means and what comes behind it, and what the noise does not separate."""
    ids = list(facts.listed)
    yield from (Means(theme) for theme in ids[:1])
    yield from (Gap(first, second) for first, second in pairwise(ids[:2]))
    yield Next(tuple((theme, None) for theme in ids[1 : 1 + FOLLOWING]))
    yield PublicSentence(Saying.NOT_ABSENT)
    yield from _ties(facts)
    yield CertainOrder()
    yield MarginOrder()


def _ties(facts: Facts) -> Iterator[Claim]:
    """Name the ties among themes that stand clear; a certain leader is in none, its lead has a margin of its own."""
    certain = any(Largest(theme).filled(facts).holds(facts) for theme in [*facts.listed][:1])
    found = list(ties(facts, facts.clear[certain:]))
    named = [tie for tie in found if len(tie.themes) <= LONGEST_TIE][:NAMED_TIES]
    yield from named
    if len(named) < len(found):
        yield SomeTies()


def _areas(facts: Facts) -> Iterator[Claim]:
    following = by_share(facts)[1 : 1 + FOLLOWING_AREAS]
    if following:
        yield NextAreas(tuple((area, None) for area in following))
        yield AreaTie(tuple(following))


def _wholes(facts: Facts) -> Iterator[Claim]:
    yield ListedHold()
    yield RestHolds()
    yield FitsNone()
    if facts.plan.not_read is not None and facts.plan.not_read.low == 0:
        yield NotRead()
    yield Listed()


def _beside_the_baseline(facts: Facts) -> Iterator[Claim]:
    yield ApartFromBaseline()
    either = (side(theme) for theme in facts.listed for side in (AboveBaseline, BelowBaseline))
    yield from islice(holding(either, facts), NAMED_DEPARTURES)


def _how_sure(facts: Facts) -> Iterator[Claim]:
    """Keep the two errors apart: what the noise does, which is certified, and what the map does, which is not."""
    yield Unclear(facts.unclear)
    yield PublicSentence(Saying.OMISSION)
    if facts.certifies:  # beside a margin that bounds no error, it would seem to bless it
        yield NoiseReach()
    yield SortsRight()
    yield from (SortsThemeRight(theme) for theme in [*facts.listed][:1])
    yield PublicSentence(Saying.NOT_CHECKED)


def _how_to_read() -> Iterator[Claim]:
    yield PublicSentence(Saying.VOICE)
    yield PublicSentence(Saying.MENTIONS)
    yield PublicSentence(Saying.RECORDS_MENTION)
    yield PublicSentence(Saying.SAMPLE)
    yield Denominator()
    yield PublicSentence(Saying.PRIVATE)


def _bins(facts: Facts) -> tuple[Claim, ...]:
    return tuple(holding(map(WholeBin, facts.bins), facts))
