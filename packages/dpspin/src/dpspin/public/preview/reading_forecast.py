"""What it buys to read a sample, before anyone reads: widths of grounded shares, the split of epsilon, hours of work.

From public inputs alone, like every forecast. What it cannot know is how well the map sorts these records: that is
assumed, and said.
"""

import math
import textwrap
from collections.abc import Iterator

from pydantic import Field

from dpspin.boundary.denominator import PART_OF_BETA, split_for_count
from dpspin.boundary.grounding import Grounding, best_share, loss_of_sketch
from dpspin.boundary.mechanisms import noise_of
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.planner import within_floats
from dpspin.boundary.privacy import Everyone
from dpspin.boundary.sampling_law import SamplingLaw, expected_squares
from dpspin.errors import RequestError
from dpspin.public.preview.public_inputs import PublicInputs
from dpspin.public.wording.numbers import plain

SUPPORTS = (0.01, 0.05, 0.1, 0.2)
SPLITS = (0.1, 0.25, 0.5, 0.75, 0.9)
WISHES = (3.0, 2.0, 1.0)  # points
TYPICAL = 0.1  # the support for which splits and numbers of readings are compared
SECONDS = 20  # for one record
MOST = 0.99  # of the units, at most, are drawn
WIDTH = 80


class GroundedWidth(FrozenModel):
    """The half-width of the interval of a theme with this true support, in points."""

    support: float
    points: float


class SplitWidth(FrozenModel):
    """A part of epsilon for the sample, and the half-width that it gives a theme of 10 %."""

    share: float
    points: float


class ReadingsNeeded(FrozenModel):
    """How many must be read for a half-width of so many points, for a theme of 10 %; null if all are too few."""

    points: float
    readings: int | None


class ReadingForecast(FrozenModel):
    """What about ``readings`` of ``of`` units buy; ``share`` of epsilon pays for them, which is the best split."""

    readings: int = Field(ge=1)
    of: int = Field(ge=1)
    agreement: float = Field(ge=0, le=1)
    share: float
    widths: tuple[GroundedWidth, ...]
    splits: tuple[SplitWidth, ...]
    needed: tuple[ReadingsNeeded, ...]
    seconds_per_record: int
    hours: float


def forecast_reading(request: PublicInputs, readings: int, of: int, agreement: float) -> ReadingForecast:
    """Forecast a release for which a sample is read; ``agreement`` is the share of mass that the map sorts alike."""
    if not 1 <= readings <= MOST * of:
        raise RequestError(f"a sample is a part of all there are: between 1 and {math.floor(MOST * of):,} of {of:,}")
    if not 0 <= agreement <= 1:
        raise RequestError(f"the agreement of the map is a share, between 0 and 1, not {agreement}")
    if request.chooses_at_random or not isinstance(request.sampling, Everyone):
        raise RequestError(
            "a reading corrects every theme, of everyone: ask for laplace or gaussian, and leave `records.sampling` out"
        )
    with within_floats():
        share = best_share(request.loss, readings / of, request.sensitivity)

        def points(support: float, read: int, share: float) -> float:
            law = _law(request, read / of, share)
            mass = support * request.denominator
            return 100 * law.half_width(mass, expected_squares(mass, agreement)) / request.denominator

        return ReadingForecast(
            readings=readings,
            of=of,
            agreement=agreement,
            share=share,
            widths=tuple(GroundedWidth(support=each, points=points(each, readings, share)) for each in SUPPORTS),
            splits=tuple(SplitWidth(share=each, points=points(TYPICAL, readings, each)) for each in SPLITS),
            needed=tuple(
                ReadingsNeeded(points=wish, readings=_needed(request, of, wish, agreement)) for wish in WISHES
            ),
            seconds_per_record=SECONDS,
            hours=readings * SECONDS / 3600,
        )


def _law(request: PublicInputs, rate: float, share: float) -> SamplingLaw:
    """Return the law of the release as it would be drawn."""
    grounding = Grounding(rate=rate, share=share, reader="somebody")
    of_sketch = loss_of_sketch(request.loss, grounding)
    bought = request.count_share is not None
    noise = noise_of(
        request.mechanism,
        split_for_count(of_sketch, request.count_share).themes if request.count_share is not None else of_sketch,
        request.sensitivity,
        atoms=request.atoms,
        size=request.size,
        besides=request.besides,
    )
    return SamplingLaw(
        request.loss,
        grounding,
        request.sensitivity,
        noise,
        coordinates=request.atoms + request.besides,
        size=request.size,
        beta=(1 - PART_OF_BETA) * request.beta if bought else request.beta,
    )


def _needed(request: PublicInputs, of: int, wish: float, agreement: float) -> int | None:
    """Find the fewest readings, to two digits, whose best split gives a theme of 10 % the width; more never hurt."""
    mass = TYPICAL * request.denominator
    squares = expected_squares(mass, agreement)

    def enough(read: int) -> bool:
        share = best_share(request.loss, read / of, request.sensitivity)
        return 100 * _law(request, read / of, share).half_width(mass, squares) <= wish * request.denominator

    low, high = 0, math.floor(MOST * of)
    if not enough(high):
        return None
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def render_reading(forecast: ReadingForecast, unit: str) -> str:
    """Return the forecast as lines for a terminal."""
    return "\n".join(_lines(forecast, unit)) + "\n"


def _lines(forecast: ReadingForecast, unit: str) -> Iterator[str]:
    yield from textwrap.wrap(
        f"Reading about {forecast.readings:,} of {forecast.of:,} {unit}s, drawn in secret: intervals for what a reader "
        f"of all would find. Assumed: the map puts {plain(100 * forecast.agreement)}% of the mass where the reader "
        f"does. {plain(100 * forecast.share)}% of epsilon pays for the sample, which is the best split.",
        WIDTH,
    )
    yield f"{'theme of':>14}{'half-width, points':>22}"
    yield from (f"{plain(100 * each.support) + '%':>14}{plain(each.points):>22}" for each in forecast.widths)
    yield ""
    yield f"{'for the sample':>14}{'points, theme of 10%':>22}"
    yield from (f"{plain(100 * each.share) + '%':>14}{plain(each.points):>22}" for each in forecast.splits)
    yield ""
    yield f"{'half-width':>14}{'to read, theme of 10%':>22}"
    for each in forecast.needed:
        enough = "more than there are" if each.readings is None else f"{each.readings:,}"
        yield f"{plain(each.points):>14}{enough:>22}"
    yield ""
    yield from textwrap.wrap(
        f"At {forecast.seconds_per_record} seconds a record, {forecast.readings:,} records take one reader "
        f"{plain(forecast.hours, 2)} hours{'; a user may have several' if unit == 'user' else ''}.",
        WIDTH,
    )
