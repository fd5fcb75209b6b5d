"""Forecasts as plain text for a terminal."""

import textwrap
from collections.abc import Sequence

from dpspin.boundary.privacy import PrivateTopL
from dpspin.public.preview.forecast import Forecast
from dpspin.public.report.label import Amount, mechanism_words, unit_words
from dpspin.public.report.numbers import plain, small

WIDTH = 88


def render_forecast(forecast: Forecast) -> str:
    """Return the forecast as aligned lines: what is asked for, what it buys, what that means."""
    lines = [*_heading(forecast), "", f"{'':<34}{'mass':>12}{'points':>12}"]
    lines += [f"{name:<34}{plain(it.mass):>12}{plain(it.points):>12}" for name, it in _rows(forecast)]
    lines.append("")
    for advice in forecast.advice:
        lines += textwrap.wrap(advice, WIDTH, initial_indent="- ", subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def render_forecast_table(forecasts: Sequence[Forecast]) -> str:
    """Return one line per forecast; everything but epsilon in percentage points of the denominator."""
    heading = ("epsilon", "noise std", "detection", "reliably seen", "below", "above", "compare", "highest")
    lines = ["".join(f"{name:>14}" for name in heading)]
    for forecast in forecasts:
        cells = [plain(forecast.request.loss.epsilon), *(plain(it.points) for _, it in _rows(forecast))]
        lines.append("".join(f"{cell:>14}" for cell in cells))
    return "\n".join(lines) + "\n"


def _heading(forecast: Forecast) -> list[str]:
    request = forecast.request
    loss = f"epsilon {plain(request.loss.epsilon, 9)}, delta {small(request.loss.delta)}"
    facts = {
        "protected": f"{unit_words(request.unit)} ({request.adjacency.value})",
        "privacy loss": loss,
        "mechanism": mechanism_words(request.mechanism, request.size, answers_none=request.answers_none),
        "plan": f"at most {request.size} of {request.atoms} themes, denominator {plain(request.denominator, 12)}",
        "certainty": f"{plain(100 * (1 - request.beta))}% for each kind of statement",
    }
    return [
        line
        for name, words in facts.items()
        for line in textwrap.wrap(words, WIDTH, initial_indent=f"{name:<14}", subsequent_indent=" " * 14)
    ]


def _rows(forecast: Forecast) -> tuple[tuple[str, Amount], ...]:
    chooses = isinstance(forecast.request.mechanism, PrivateTopL)  # by chance: no support is sure to be chosen
    seen = () if chooses else (("reliably seen from", forecast.reliably_seen),)
    return (
        ("noise, standard deviation", forecast.noise_std),
        ("detection limit", forecast.admission_threshold),
        *seen,
        ("interval, below the value", forecast.interval_below),
        ("interval, above the value", forecast.interval_above),
        ("more or less: needed gap", forecast.comparison_margin),
        ("the highest: needed gap", forecast.superlative_margin),
    )
