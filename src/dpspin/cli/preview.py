"""``dpspin preview``: what a budget buys, before anything is spent. No private file is opened."""

import json
from typing import Annotated

import typer

from dpspin.cli import options


def preview(
    atoms: options.AtomsOption,
    unit: options.UnitOption,
    denominator: options.DenominatorOption,
    epsilon: Annotated[float | None, typer.Option("--epsilon", help="Leave out to compare several.")] = None,
    delta: options.DeltaOption = 0.0,
    bound: options.BoundOption = None,
    mechanism: options.MechanismOption = options.MechanismName.LAPLACE,
    rho: options.RhoOption = None,
    adjacency: options.AdjacencyOption = options.AdjacencyName.ADD_DROP,
    size: options.SizeOption = None,
    beta: options.BetaOption = 0.05,
    as_json: options.JsonOption = False,
) -> None:
    """Forecast a release from public inputs alone: noise, smallest visible support, interval widths."""
    from dpspin.boundary.privacy import Adjacency
    from dpspin.cli.files import read_atoms
    from dpspin.public.preview.forecast import EPSILONS, forecast_table
    from dpspin.public.preview.render import render_forecast, render_forecast_table

    themes = read_atoms(atoms).size
    forecasts = forecast_table(
        options.unit_of(unit, bound),
        Adjacency(adjacency.value),
        delta,
        options.mechanism_of(mechanism, rho),
        atoms=themes,
        size=options.size_of(size, themes),
        denominator=denominator,
        beta=beta,
        epsilons=EPSILONS if epsilon is None else (epsilon,),
    )
    if as_json:
        answers = [forecast.model_dump(mode="json") for forecast in forecasts]
        typer.echo(json.dumps(answers if epsilon is None else answers[0], indent=2))
    else:
        typer.echo(render_forecast_table(forecasts) if epsilon is None else render_forecast(forecasts[0]))
