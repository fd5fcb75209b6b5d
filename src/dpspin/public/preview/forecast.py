"""What a release would be able to say, before a record is read or any budget is spent.

Noise and certificates are pure functions of public parameters, so the forecast is exact, costs no privacy and never
opens a private file. What it cannot know is the data: which themes are there, and how large they are.
"""

import math
from collections.abc import Sequence

from dpspin.boundary.calibration import noise_of, sensitivity_of
from dpspin.boundary.certify import Certificates, certificates, upper_quantile
from dpspin.boundary.plan import SupportBin, even_share_bins
from dpspin.boundary.postprocess import require_fitting_size
from dpspin.boundary.privacy import (
    Adjacency,
    Gaussian,
    Laplace,
    Mechanism,
    Noise,
    PrivacyLoss,
    PrivateTopL,
    ProtectedUnit,
    RecordUnit,
    UserUnit,
)
from dpspin.boundary.sealed import Sealed
from dpspin.errors import RequestError
from dpspin.public.report.label import Amount, amount
from dpspin.public.report.numbers import plain

EPSILONS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
RELIABLY = 0.95  # the chance with which a theme of the size "reliably seen" is admitted


class Request(Sealed):
    """The public inputs of a release."""

    unit: ProtectedUnit
    adjacency: Adjacency
    loss: PrivacyLoss
    mechanism: Mechanism
    atoms: int
    size: int
    denominator: int
    beta: float
    bins: tuple[SupportBin, ...]
    answers_none: bool


class Forecast(Sealed):
    """What the request buys. ``Amount`` is a mass and the same in percentage points of the denominator.

    ``admission_threshold`` is what a noisy support must exceed; ``reliably_seen`` is the smallest true support that
    exceeds it with 95 % probability.
    """

    request: Request
    noise: Noise
    noise_std: Amount
    admission_threshold: Amount
    reliably_seen: Amount
    interval_below: Amount
    interval_above: Amount
    comparison_margin: Amount
    superlative_margin: Amount
    advice: tuple[str, ...]


def forecast(
    unit: RecordUnit | UserUnit,
    adjacency: Adjacency,
    loss: PrivacyLoss,
    mechanism: Laplace | Gaussian | PrivateTopL,
    *,
    atoms: int,
    size: int,
    denominator: int,
    beta: float = 0.05,
    bins: tuple[SupportBin, ...] | None = None,
    answers_none: bool = False,
) -> Forecast:
    """Forecast a release from its public inputs alone; ``answers_none`` is for a map that measures what is uncovered.

    >>> loss = PrivacyLoss(1.0)
    >>> it = forecast(RecordUnit(), Adjacency.ADD_DROP, loss, Laplace(), atoms=46, size=10, denominator=2000)
    >>> round(it.admission_threshold.mass, 2), round(it.admission_threshold.points, 3)
    (6.11, 0.305)
    """
    _require_fitting(atoms, size, denominator, beta)
    request = Request(
        unit=unit,
        adjacency=adjacency,
        loss=loss,
        mechanism=mechanism,
        atoms=atoms,
        size=size,
        denominator=denominator,
        beta=beta,
        bins=bins or even_share_bins(atoms, unit.bound),
        answers_none=answers_none,
    )
    noise, known = _measure(request, loss)
    threshold = known.admission_threshold
    return Forecast(
        request=request,
        noise=noise,
        noise_std=amount(noise.std, denominator),
        admission_threshold=amount(threshold, denominator),
        reliably_seen=amount(threshold + upper_quantile(noise, 1 - RELIABLY), denominator),
        interval_below=amount(known.interval_below, denominator),
        interval_above=amount(known.interval_above, denominator),
        comparison_margin=amount(known.comparison_margin, denominator),
        superlative_margin=amount(known.superlative_margin, denominator),
        advice=_advice(request, noise, known),
    )


def forecast_table(
    unit: RecordUnit | UserUnit,
    adjacency: Adjacency,
    delta: float,
    mechanism: Laplace | Gaussian | PrivateTopL,
    *,
    atoms: int,
    size: int,
    denominator: int,
    beta: float = 0.05,
    answers_none: bool = False,
    epsilons: Sequence[float] = EPSILONS,
) -> tuple[Forecast, ...]:
    """Forecast the same release at several epsilons, to choose one."""
    return tuple(
        forecast(
            unit,
            adjacency,
            PrivacyLoss(epsilon, delta),
            mechanism,
            atoms=atoms,
            size=size,
            denominator=denominator,
            beta=beta,
            answers_none=answers_none,
        )
        for epsilon in epsilons
    )


def _require_fitting(atoms: int, size: int, denominator: int, beta: float) -> None:
    require_fitting_size(size, atoms)
    if denominator < 1:
        raise RequestError(f"the public denominator must be at least 1, not {denominator}")
    if not 0 < beta < 0.5:  # noqa: PLR2004  the range that a plan's rules accept
        raise RequestError(f"beta, the error probability, must lie between 0 and 0.5, not {beta}")


def _measure(request: Request, loss: PrivacyLoss) -> tuple[Noise, Certificates]:
    sensitivity = sensitivity_of(request.unit, request.adjacency)
    atoms, size, answers_none = request.atoms, request.size, request.answers_none
    noise = noise_of(request.mechanism, loss, sensitivity, atoms=atoms, size=size, answers_none=answers_none)
    return noise, certificates(
        request.mechanism, noise, atoms=atoms, size=size, beta=request.beta, answers_none=answers_none
    )


def _advice(request: Request, noise: Noise, known: Certificates) -> tuple[str, ...]:
    return (
        _on_detection(request, noise, known),
        _on_comparison(request, known),
        *_on_bins(request, known),
        _on_epsilon(request, known),
    )


def _on_detection(request: Request, noise: Noise, known: Certificates) -> str:
    limit = _share(known.admission_threshold, request)
    if known.admission_threshold >= request.denominator:
        return f"No theme can stand clear of the noise: the detection limit is {limit} of the denominator."
    seen = _share(known.admission_threshold + upper_quantile(noise, 1 - RELIABLY), request)
    if isinstance(request.mechanism, PrivateTopL):
        return (
            f"Detection limit: a chosen theme below about {limit} of the denominator cannot be told from zero. "
            "Which themes are chosen is random too, and depends on gaps that only the data know."
        )
    return (
        f"Detection limit: a theme below about {limit} of the denominator cannot be told from zero. "
        f"From {seen} on it is seen with {plain(100 * RELIABLY)}% probability, "
        f"if it is among the {request.size} largest."
    )


def _on_comparison(request: Request, known: Certificates) -> str:
    points = plain(amount(known.comparison_margin, request.denominator).points)
    return f"Two themes must differ by more than {points} points before the report may say which has more support."


def _on_bins(request: Request, known: Certificates) -> tuple[str, ...]:
    named = [support_bin for support_bin in request.bins if support_bin.at_least > 0]
    limit = known.admission_threshold / request.denominator
    hidden = [support_bin for support_bin in named if support_bin.at_least < limit]
    if not named:
        return ()
    if not hidden:
        return (f"Every bin from {named[-1].name!r} upward begins above the detection limit.",)
    names = ", ".join(repr(support_bin.name) for support_bin in hidden)
    remedy = "More records, a larger epsilon or wider bins would mend it."
    return (f"The detection limit lies above the floor of {names}: themes there may be missed. {remedy}",)


def _on_epsilon(request: Request, known: Certificates) -> str:
    doubled = PrivacyLoss(2 * request.loss.epsilon, request.loss.delta)
    after = _measure(request, doubled)[1].admission_threshold
    verb = "halves" if math.isclose(2 * after, known.admission_threshold, rel_tol=1e-6) else "lowers"
    return f"Doubling epsilon to {plain(doubled.epsilon)} {verb} the detection limit, to {_share(after, request)}."


def _share(mass: float, request: Request) -> str:
    return f"{plain(amount(mass, request.denominator).points)}%"
