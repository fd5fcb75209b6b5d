"""``dpspin preview``: what a budget buys, before anything is spent. No private file is opened."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import options, requested
from dpspin.cli.rehearse import MapOptions, aux_options
from dpspin.cli.terminal import say
from dpspin.errors import InputError, RequestError

if TYPE_CHECKING:
    from dpspin.public.preview.forecast import Forecast
    from dpspin.public.preview.rehearsal import Rehearsal


def preview(
    atoms: options.AtomsOption,
    unit: options.UnitOption,
    denominator: options.DenominatorOption,
    epsilon: Annotated[float | None, typer.Option("--epsilon", help="Leave out to compare several.")] = None,
    delta: options.DeltaOption = 0.0,
    bound: options.BoundOption = None,
    mechanism: options.MechanismOption = options.MechanismName.LAPLACE,
    rho: options.RhoOption = None,
    monotone: options.MonotoneOption = False,
    accounting: options.AccountingOption = None,
    quantity: options.QuantityOption = options.QuantityName.MASS,
    prevalence_atoms: options.PrevalenceAtomsOption = None,
    sample_rate: options.SampleRateOption = None,
    count_share: Annotated[
        float | None,
        typer.Option(
            "--count-share", help="The part of epsilon that buys a noisy count; --denominator is then a guess at it."
        ),
    ] = None,
    adjacency: options.AdjacencyOption = options.AdjacencyName.ADD_DROP,
    size: options.SizeOption = None,
    beta: options.BetaOption = 0.05,
    map_: options.MapOption = "hybrid",
    see: Annotated[
        float | None,
        typer.Option("--see", help="A support, e.g. 0.01: say which epsilon lets one see such a theme reliably."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="With --epsilon: draw the chances to this SVG file.")
    ] = None,
    aux: Annotated[
        str | None,
        typer.Option(
            "--aux", help="With --epsilon: public or separate records to rehearse on. NEVER the protected ones."
        ),
    ] = None,
    aux_text: Annotated[str | None, typer.Option("--aux-text", help="Its text column.")] = None,
    aux_user: Annotated[str | None, typer.Option("--aux-user", help="User level: its user column.")] = None,
    aux_label: options.AuxLabelOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Forecast a release from public inputs alone: noise, chances, gaps, mechanisms, and what each choice costs.

    With auxiliary text the release is also rehearsed on it: what clipping takes, which themes would be listed.
    """
    from dpspin.boundary.privacy import Adjacency
    from dpspin.cli.files import read_atoms
    from dpspin.public.preview.forecast import EPSILONS, forecast_table

    auxiliary = aux_options(aux, aux_text, aux_user, aux_label)
    if epsilon is None and (picture or auxiliary):
        raise RequestError("--picture and --aux show one release: say at which epsilon (--epsilon)")
    universe = read_atoms(atoms)
    chosen = MapOptions(map_, labelled=aux_label is not None)
    measured, drawn = requested.quantity_of(quantity, prevalence_atoms), requested.sampling_of(sample_rate)
    if auxiliary and (quantity is not options.QuantityName.MASS or sample_rate is not None or count_share is not None):
        raise RequestError(
            "a rehearsal on auxiliary text is of masses, of everyone and without a count: leave --aux out"
        )
    if count_share is not None and not 0 < count_share < 1:
        raise RequestError(f"--count-share is the part of epsilon for the count, between 0 and 1, not {count_share}")
    forecasts = forecast_table(
        requested.unit_of(unit, bound),
        Adjacency(adjacency.value),
        delta,
        requested.mechanism_of(mechanism, rho, monotone=monotone, accounting=accounting),
        atoms=universe.size,
        size=requested.size_of(size, universe.size),
        denominator=denominator,
        beta=beta,
        besides=chosen.besides(universe),
        quantity=measured,
        sampling=drawn,
        count_share=count_share,
        see=see,
        epsilons=EPSILONS if epsilon is None else (epsilon,),
    )
    if picture is not None:
        _draw(forecasts[0], picture)
    rehearsal = auxiliary.rehearsal(chosen, universe, forecasts[0].request) if auxiliary else None
    if as_json:
        answers = [_as_data(forecast, rehearsal) for forecast in forecasts]
        say(json.dumps(answers if epsilon is None else answers[0], indent=2))
    else:
        say(_as_text(forecasts, rehearsal))


def _as_data(forecast: "Forecast", rehearsal: "Rehearsal | None") -> dict[str, object]:
    rehearsed = {} if rehearsal is None else {"rehearsal": rehearsal.model_dump(mode="json", exclude={"request"})}
    return forecast.model_dump(mode="json") | rehearsed


def _as_text(forecasts: "tuple[Forecast, ...]", rehearsal: "Rehearsal | None") -> str:
    from dpspin.public.preview.rehearsal import render_rehearsal
    from dpspin.public.preview.render import render_forecast, render_forecast_table

    told = render_forecast(forecasts[0]) if len(forecasts) == 1 else render_forecast_table(forecasts)
    return told if rehearsal is None else f"{told}\n{render_rehearsal(rehearsal)}"


def _draw(forecast: "Forecast", path: Path) -> None:
    from dpspin.public.preview.picture import picture

    try:
        path.write_text(picture(forecast), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}; change --picture") from None
