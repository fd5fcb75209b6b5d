"""Forecasts as plain text for a terminal of 80 columns."""

import textwrap
from collections.abc import Iterator, Sequence

from dpspin.boundary.denominator import split_for_count
from dpspin.boundary.percentages import confidence
from dpspin.boundary.privacy import Everyone, Mass
from dpspin.public.preview.advice import on_needed
from dpspin.public.preview.chances import Compared, Comparison
from dpspin.public.preview.forecast import Forecast
from dpspin.public.preview.public_inputs import Extent, PublicInputs
from dpspin.public.wording.numbers import plain, round_steps, small
from dpspin.public.wording.quantities import mechanism_words, protected_words, quantity_words, sampling_words

WIDTH = 80
ROWS = 6  # of a curve in the terminal; the JSON has more
BAR = 20
HARDLY = 0.0005  # chances nearer to zero or one are not told apart


def render_forecast(forecast: Forecast) -> str:
    """Return the forecast in sections: what is asked for, what it buys, the chances, the choices."""
    sections = (
        _heading(forecast.request),
        _amounts(forecast),
        _admission(forecast),
        _order(forecast),
        _selection(forecast),
        _views(forecast),
        _mechanisms(forecast.mechanisms),
        _advice(forecast.advice),
    )
    return "\n\n".join("\n".join(lines) for section in sections if (lines := list(section))) + "\n"


def render_forecast_table(forecasts: Sequence[Forecast]) -> str:
    """Return one line per forecast; everything but epsilon in percentage points of the denominator."""
    heading = ("epsilon", "noise", "limit", "seen", "below", "above", "compare", "highest")
    lines = ["".join(f"{name:>10}" for name in heading)]
    for forecast in forecasts:
        amounts = [plain(it.points) for _, it in _rows(forecast)]
        if forecast.request.chooses_at_random:
            amounts.insert(2, "-")
        lines.append("".join(f"{cell:>10}" for cell in (plain(forecast.request.loss.epsilon), *amounts)))
    first = forecasts[0]
    lines += ["", "All but epsilon in percentage points of the denominator."]
    return "\n".join([*lines, *_wrapped(*on_needed(first.request, first.needed))]) + "\n"


def _heading(request: PublicInputs) -> Iterator[str]:
    facts = {
        "protected": f"{protected_words(request.unit)} ({request.adjacency.value})",
        "privacy loss": f"epsilon {plain(request.loss.epsilon, 9)}, delta {small(request.loss.delta)}",
        "mechanism": mechanism_words(request.mechanism, request.size, request.besides),
        **_unusual(request),
        "plan": f"at most {request.size} of {request.atoms} themes, denominator {plain(request.denominator, 12)}",
        "certainty": f"{confidence(request.beta)}% for each kind of statement",
    }
    for name, words in facts.items():
        yield from textwrap.wrap(words, WIDTH, initial_indent=f"{name:<14}", subsequent_indent=" " * 14)


def _unusual(request: PublicInputs) -> dict[str, str]:
    """Name the quantity and the sample where they are not the usual ones."""
    unit = request.unit
    measured = {} if isinstance(request.quantity, Mass) else {"quantity": quantity_words(request.quantity, unit)}
    drawn = {} if isinstance(request.sampling, Everyone) else {"measured": sampling_words(request.sampling, unit)}
    return measured | drawn | _bought(request)


def _bought(request: PublicInputs) -> dict[str, str]:
    if request.count_share is None:
        return {}
    count = split_for_count(request.loss, request.count_share).count
    left = plain(request.themes_loss.epsilon, 9)
    return {"count": f"epsilon {plain(count, 9)} buys a count of {request.unit.kind}s; {left} is left for the themes"}


def _amounts(forecast: Forecast) -> Iterator[str]:
    yield f"{'':<34}{'mass':>12}{'points':>12}{_units(forecast):>12}"
    for name, it in _rows(forecast):
        yield f"{name:<34}{plain(it.mass):>12}{plain(it.points):>12}{plain(it.units):>12}"
    yield f"({_units(forecast)}: as many as give that mass if each gives all it may to the one theme)"


def _rows(forecast: Forecast) -> tuple[tuple[str, Extent], ...]:
    seen = () if forecast.request.chooses_at_random else (("reliably seen from", forecast.reliably_seen),)
    return (
        ("noise, standard deviation", forecast.noise_std),
        ("detection limit", forecast.admission_threshold),
        *seen,
        ("interval, below the value", forecast.interval_below),
        ("interval, above the value", forecast.interval_above),
        ("more or less: needed gap", forecast.comparison_margin),
        ("the highest: needed gap", forecast.superlative_margin),
    )


def _admission(forecast: Forecast) -> Iterator[str]:
    request = forecast.request
    if request.chooses_at_random:
        yield "Chance to stand clear of the noise, by true support, once it is chosen"
    else:
        yield f"Chance to be listed, by true support, if it is among the {request.size} largest values"
    for points in _round_points(forecast.admission[-1], forecast.reliably_seen):
        chance = forecast.listed_at(points / 100).chance
        yield f"{plain(points) + '%':>14}{_percent(chance):>12}  {'#' * round(BAR * chance)}".rstrip()


def _order(forecast: Forecast) -> Iterator[str]:
    if forecast.request.size == 1:
        return
    yield "Two listed themes, by the true gap between them"
    yield f"{'gap, points':>14}{'right order':>14}{'may be said':>14}{'said wrongly':>14}"
    for points in _round_points(forecast.order[-1], forecast.reliably_certified):
        it = forecast.ordered_at(points / 100)
        yield f"{plain(points):>14}{_percent(it.right):>14}{_percent(it.certified):>14}{_percent(it.wrong):>14}"


def _round_points(end: Extent, reliable: Extent) -> list[float]:
    step, _ = round_steps(min(end.points, reliable.points), ROWS)
    return [step * row for row in range(ROWS + 1) if step * row <= end.points]


def _selection(forecast: Forecast) -> Iterator[str]:
    if forecast.selection is None:
        return
    yield f"{'What the private choice may miss':<34}{'mass':>12}{'points':>12}{_units(forecast):>12}"
    bounds = {"one choice": forecast.selection.one_choice, "all choices together": forecast.selection.all_choices}
    for name, it in bounds.items():
        yield f"{name:<34}{plain(it.mass):>12}{plain(it.points):>12}{plain(it.units):>12}"
    yield from _wrapped(
        "A bound for any data (the utility proposition of the paper); how much is really missed depends on the gaps."
    )


def _views(forecast: Forecast) -> Iterator[str]:
    if not forecast.views:
        return
    columns = (f"{'Views, in ' + _units(forecast):<24}", f"{'values':>8}", f"{'epsilon':>9}", f"{'noise':>9}")
    yield "".join((*columns, f"{'seen from':>11}", f"{'range ±':>9}"))
    for view in forecast.views:
        amounts = (
            f"{plain(view.noise_std.units):>9}{plain(view.cell_threshold.units):>11}{plain(view.interval.units):>9}"
        )
        yield f"{view.title[:23]:<24}{view.values:>8}{plain(view.epsilon):>9}{amounts}"
    left = plain(forecast.request.themes_loss.epsilon)
    yield from _wrapped(
        f"Of each theme in each value, other and missing among them. The totals are left epsilon {left}: what stands "
        "above is forecast with that. A view's ranges hold together, for all listed themes in all values."
    )
    for view in forecast.views:
        if view.lead is not None:
            yield from _wrapped(
                f"Of six examples of a listed theme, the nearest to most of it is named where it leads by "
                f"{plain(view.lead.units)} {_units(forecast)} or more; else the few of which one is, or none."
            )
        if view.candidate_seen is not None:
            yield from _wrapped(
                f"A candidate is named as a theme that the dictionary may lack from about "
                f"{plain(view.candidate_seen.units)} {_units(forecast)} on that lie nearest to it."
            )


def _mechanisms(comparison: Comparison) -> Iterator[str]:
    yield f"{'Mechanisms, in points':<24}{'noise':>9}{'limit':>9}{'seen':>9}{'compare':>9}{'may miss':>10}{'delta':>9}"
    for row in comparison.rows:
        yield _mechanism(row)
    yield from _wrapped(comparison.why)


def _mechanism(row: Compared) -> str:
    figures = (row.noise_std, row.admission_threshold, row.reliably_seen, row.comparison_margin)
    cells = "".join(f"{_points(it):>9}" for it in figures)
    return f"{row.mechanism.short_name:<24}{cells}{_points(row.may_miss):>10}{small(row.delta):>9}"


def _advice(advice: Sequence[str]) -> Iterator[str]:
    for line in advice:
        yield from textwrap.wrap(line, WIDTH, initial_indent="- ", subsequent_indent="  ")


def _units(forecast: Forecast) -> str:
    return f"{forecast.request.unit.kind}s"


def _points(it: Extent | None) -> str:
    return "-" if it is None else plain(it.points)


def _percent(chance: float) -> str:
    """Write a chance; nothing that can happen is called impossible or certain.

    >>> _percent(0.5), _percent(0.00001), _percent(0.99999)
    ('50.0%', '<0.1%', '>99.9%')
    """
    if chance < HARDLY:
        return "<0.1%"
    return ">99.9%" if chance > 1 - HARDLY else f"{100 * chance:.1f}%"


def _wrapped(*sentences: str) -> list[str]:
    return [line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH)]
