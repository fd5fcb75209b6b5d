"""Questions about a release: what is largest, what the dictionary lacks, an example; and what no release tells."""

from collections.abc import Iterable
from typing import Final

from dpspin.boundary.facets import MISSING
from dpspin.boundary.privacy import MASS
from dpspin.public.narrate.ask_views import NO_COUNT, OfViews
from dpspin.public.narrate.ask_words import (
    AREAS,
    EXAMPLES,
    LACKS,
    PROMISES,
    SAMPLES,
    SORTING,
    TOP,
    WHEN,
    WHERE,
    Question,
)
from dpspin.public.narrate.claims.areas import AreaInterval, LargestArea
from dpspin.public.narrate.claims.by_text import AmongNearest, ExampleConfidence, NearestExample
from dpspin.public.narrate.claims.certainty import ConfidenceOfIntervals, NoiseReach, SortsRight
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.readings import HowRead, ReadConfidence, SortedAlike
from dpspin.public.narrate.claims.release import Denominator, LifetimeLossOf, PrivacyLossOf
from dpspin.public.narrate.claims.wholes import FitsNone, NotFiled, NotRead
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.outline import behind_the_first, headline
from dpspin.public.narrate.outline_of_views import candidate_claims, example_claims

NO_CANDIDATES: Final = (
    "This release did not look for themes that the dictionary lacks: a public list of candidates does, as a view of "
    "the next release."
)
NO_EXAMPLES: Final = (
    "This release did not ask which of the dictionary's own examples are nearest: the next one can, as a view by its "
    "examples. No release shows what anybody wrote."
)
NO_NEAREST: Final = "No example is certainly nearest to most of it. No release shows what anybody wrote."
NO_COUNT_OF_IT: Final = (
    "How many write of it is not counted here: a share is a part of what was filed. A release that measures prevalence "
    "counts records or users."
)
MOST_AREAS: Final = 3


def asked_of_whole(facts: Facts, asked: Question) -> tuple[OfViews, ...] | None:
    """Answer a question about the whole release; None where it is about something else."""
    of_sorting = asked.has(SORTING) and not asked.places  # compared with a reader, perhaps
    if asked.facets or asked.unknown or (asked.has(WHERE | WHEN) and not of_sorting):
        return None
    if asked.has(LACKS) and not asked.places and not asked.introduces(MISSING) and _names_missing_only(asked):
        return (_lacking(facts),)
    if asked.values:
        return None
    if asked.has(EXAMPLES):
        return tuple(_examples_of(facts, theme) for theme in asked.themes) or (_examples(facts),)
    return None if asked.places else _of_everything(facts, asked)


def _of_everything(facts: Facts, asked: Question) -> tuple[OfViews, ...] | None:
    of_sample = facts.read is not None and (asked.has(SAMPLES) or "read" in asked.words)
    known: tuple[tuple[bool, str, list[Claim]], ...] = (
        (asked.fits_none, "none of the themes", [FitsNone(), NotFiled(), NotRead()]),
        (
            asked.has(PROMISES),
            "the promise",
            [PrivacyLossOf(), LifetimeLossOf(), NoiseReach(), ConfidenceOfIntervals()],
        ),
        (asked.has(SORTING), "the sorting", [SortedAlike(), SortsRight()]),
        (of_sample, "the sample", [HowRead(), SortedAlike(), ReadConfidence()]),
        (asked.has(AREAS), "the areas", [*_areas(facts)]),
    )
    for is_asked, name, claims in known:
        if is_asked:
            return (OfViews(name, None, _holding(facts, claims)),)
    if asked.has(TOP):
        first = (*headline(facts), *holding(behind_the_first(facts), facts))
        return (OfViews("the largest", None, first, untold(facts, asked)),)
    if asked.asks_how_many:
        return (OfViews("how many", None, _holding(facts, [Denominator(), NotFiled()]), NO_COUNT),)
    return None


def untold(facts: Facts, asked: Question) -> str | None:
    """Say that nobody is counted, where that is asked of a release that does not count."""
    return NO_COUNT_OF_IT if asked.asks_how_many and facts.plan.statement.quantity == MASS else None


def _areas(facts: Facts) -> tuple[Claim, ...]:
    """Return how much the largest areas hold."""
    ranked = sorted(facts.area_estimates, key=lambda area: -facts.area_estimates[area].share)[:MOST_AREAS]
    return _holding(facts, [*map(LargestArea, ranked[:1]), *map(AreaInterval, ranked)])


def _names_missing_only(asked: Question) -> bool:
    return all(value == MISSING for span in asked.values for _, value in span.meant)


def _lacking(facts: Facts) -> OfViews:
    note = NO_CANDIDATES if facts.candidates is None else None
    return OfViews("what is missing", None, (*candidate_claims(facts), *_holding(facts, [FitsNone()])), note)


def _examples(facts: Facts) -> OfViews:
    told = tuple(example_claims(facts))
    return OfViews("an example", None, told, None if told else NO_EXAMPLES if facts.examples is None else NO_NEAREST)


def _examples_of(facts: Facts, theme: int) -> OfViews:
    told = _holding(facts, [NearestExample(theme), AmongNearest(theme)])
    sure = _holding(facts, [ExampleConfidence()]) if told else ()
    note = None if told else NO_EXAMPLES if facts.examples is None else NO_NEAREST
    return OfViews(facts.labels[theme], theme, (*told, *sure), note)


def _holding(facts: Facts, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    return tuple(holding(claims, facts))
