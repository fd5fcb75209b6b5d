"""What a text about a series must tell, and what it tells: what changed last, since when, and what that rests on."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from dpspin.boundary.series_changes import PlansInTime, Step
from dpspin.public.narrate.claims.certainty import SortsRight
from dpspin.public.narrate.claims.changes import PassedOn
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.life_of_series import CountedPart, NewLife, SeriesLoss, Skipped, new_lives
from dpspin.public.narrate.claims.over_time import (
    BESIDE,
    BesideOverTime,
    BeyondChanceOverTime,
    DiffersOverTime,
    MovedOverTime,
    OwnPeriods,
    SinceWhen,
    Steps,
    TimeConfidence,
    TimeRemark,
    TooNoisy,
)
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.facts import Facts

NAMED: Final = 10  # earlier changes, and themes that stay above or below, that a text names; the table has all of them
WHAT_A_SHARE_IS: Final = (PublicSentence(Saying.VOICE), PublicSentence(Saying.NOT_A_COUNT))
AS_FILED: Final = (TimeRemark("filed"), PassedOn(), SortsRight(), PublicSentence(Saying.NOT_TESTED))


def headline(facts: Facts, time: PlansInTime) -> tuple[Claim, ...]:
    """Return the finding: what changed from the period before to the last one, or that nothing can be told apart."""
    step = time.steps.get(time.last)
    if step is None:
        return tuple(holding([Steps()], facts))
    surest = [DiffersOverTime(theme, step.period, step.earlier) for theme in step.beyond_chance[:1]]
    return tuple(holding([*surest, BeyondChanceOverTime(time.last), MovedOverTime(time.last)], facts))


def latest(facts: Facts, time: PlansInTime) -> tuple[Claim, ...]:
    """Return the latest change, where the last step had none, and since when its theme is above or below the first."""
    theme = next(iter(time.moved), None)
    changes = [] if theme is None or theme in _moved_last(time) else [*islice(_changes(time), 1)]
    return tuple(holding([*changes, *(() if theme is None else (SinceWhen(theme),))], facts))


def _moved_last(time: PlansInTime) -> tuple[int, ...]:
    return time.steps[time.last].beyond_chance if time.last in time.steps else ()


def _changes(time: PlansInTime) -> Iterator[DiffersOverTime]:
    """Yield every change beyond chance, the latest first, and of one step the surest."""
    steps: Iterator[Step] = (time.steps[period] for period in reversed(time.periods) if period in time.steps)
    return (DiffersOverTime(theme, step.period, step.earlier) for step in steps for theme in step.beyond_chance)


def duties(facts: Facts, time: PlansInTime) -> Iterator[Claim]:
    """Yield what must be said: what the last step says, what that rests on, and what it leaves open."""
    last = (BeyondChanceOverTime(time.last), MovedOverTime(time.last), Steps())
    beside = [BesideOverTime(time.last, part) for part in BESIDE]
    fading = (*map(NewLife, new_lives(time)), CountedPart(time.last), TimeRemark("fading"))
    shares = islice(holding(WHAT_A_SHARE_IS, facts), 1)
    more = map(PublicSentence, (Saying.ABOVE_ALL, Saying.DROPPED))
    first = (TimeRemark("simulated"), *last, *AS_FILED, *beside, TooNoisy(), Skipped(), *fading)
    rests = (*shares, OwnPeriods(), *more, SeriesLoss(), TimeConfidence(), TimeRemark("not_why"))
    return holding((*first, *rests), facts)


def unsaid(told: Collection[Claim], facts: Facts, time: PlansInTime) -> Iterator[Claim]:
    """Yield what a text that makes these claims keeps silent about, though it must not."""
    return (claim for claim in duties(facts, time) if claim not in told)


def paragraphs(facts: Facts, time: PlansInTime) -> tuple[tuple[Claim, ...], ...]:
    """Tell what changed, what the map leaves open of it, what changed before, and what else may explain it."""
    finding = (*holding([TimeRemark("simulated")], facts), *headline(facts, time), *latest(facts, time))
    as_filed = tuple(holding(AS_FILED, facts))
    changes = islice(_changes(time), NAMED)
    stays = islice(holding(map(SinceWhen, time.moved), facts), NAMED)
    others = tuple(claim for claim in (*holding(changes, facts), *stays) if claim not in finding)
    rest = tuple(claim for claim in duties(facts, time) if claim not in {*finding, *as_filed})
    return tuple(filter(None, ((*finding, *as_filed), others, rest)))
