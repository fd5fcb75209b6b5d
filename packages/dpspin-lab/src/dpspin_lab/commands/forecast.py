"""``dpspin lab forecast``: the preview's promises beside simulated releases."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin_lab.forecast_check import ForecastError

FIGURES = ("noise", "below", "above", "threshold", "listed", "right", "certified")


def forecast(
    releases: Annotated[int, typer.Option("--releases", min=100, help="Simulated releases of each shape.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the simulated noise.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare the preview with simulated releases: half-widths (relative) and chances (absolute), largest errors."""
    from dpspin_lab.forecast_check import cases, check_forecast

    if not as_json:
        say(f"{'shape':<12}{'mechanism':<10}" + "".join(f"{name:>10}" for name in FIGURES))
    for number, case in enumerate(cases()):
        error = check_forecast(case, releases, seed + number)
        say(json.dumps(_as_data(error)) if as_json else _line(error))


def _line(error: "ForecastError") -> str:
    figures = "".join(f"{getattr(error, name):>10.2%}" for name in FIGURES[:4])
    chances = "".join(f"{getattr(error, name):>10.4f}" for name in FIGURES[4:])
    return f"{error.case.shape:<12}{error.case.mechanism.kind:<10}{figures}{chances}"


def _as_data(error: "ForecastError") -> dict[str, object]:
    case = error.case
    return {
        "shape": case.shape,
        "mechanism": case.mechanism.kind,
        "unit": case.unit.kind,
        "bound": case.unit.bound,
        "adjacency": case.adjacency.value,
        "loss": asdict(case.loss),
        "releases": error.releases,
    } | {name: getattr(error, name) for name in FIGURES}
