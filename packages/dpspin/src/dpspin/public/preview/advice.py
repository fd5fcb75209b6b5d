"""What a forecast means, in plain words: from public inputs only, one sentence or two for each choice."""

from collections.abc import Iterator

from dpspin.boundary.certify import SupportBin, comparison_margin
from dpspin.boundary.privacy import PrivacyLoss, RecordUnit
from dpspin.public.preview.chances import SMALLEST, Needed, surely_certified, surely_right
from dpspin.public.preview.public_inputs import RELIABLY, Known, PublicInputs, known_of
from dpspin.public.wording.numbers import out_of, plain
from dpspin.public.wording.promise import even_guess_becomes

SURE = f"{plain(100 * RELIABLY)}%"


def advice_on(request: PublicInputs, known: Known, needed: Needed | None) -> tuple[str, ...]:
    """Say what the request buys, and what each public choice costs."""
    return (
        _on_detection(request, known),
        _on_comparison(request, known),
        *_on_bins(request, known),
        _on_epsilon(request),
        *on_needed(request, needed),
        _on_unit(request),
        _on_size(request, known),
    )


def lowest_named_bin(request: PublicInputs) -> SupportBin | None:
    """Return the lowest bin with a floor above zero: what a reader would not like to miss."""
    named = [support_bin for support_bin in request.bins if support_bin.at_least > 0]
    return named[-1] if named else None


def _on_detection(request: PublicInputs, known: Known) -> str:
    limit = _percent(known.threshold, request)
    if known.threshold >= request.largest_mass:
        return f"No theme can stand clear of the noise: the detection limit is {limit} of the denominator."
    if request.chooses_at_random:
        return (
            f"Detection limit: a chosen theme below about {limit} of the denominator cannot be told from zero. "
            "Which themes are chosen is random too, and depends on gaps that only the data know."
        )
    return (
        f"Detection limit: a theme below about {limit} of the denominator cannot be told from zero. "
        f"From {_percent(known.reliably_seen, request)} on it is seen with {SURE} probability, "
        f"if it is among the {request.size} largest."
    )


def _on_comparison(request: PublicInputs, known: Known) -> str:
    needed = _points(known.certificates.comparison_margin, request)
    if request.size == 1:
        return "A plan of one theme compares nothing."
    return (
        f"Two listed values must differ by more than {needed} before the report may say which theme has more "
        f"support. A true gap of {_points(surely_certified(known), request)} gets there with {SURE} probability; from "
        f"{_points(surely_right(known), request)} on the larger theme has the larger value with {SURE} probability."
    )


def _on_bins(request: PublicInputs, known: Known) -> Iterator[str]:
    lowest = lowest_named_bin(request)
    if lowest is None:
        return
    limit = known.threshold / request.denominator
    hidden = [support_bin.name for support_bin in request.bins if 0 < support_bin.at_least < limit]
    if not hidden:
        yield f"Every bin from {lowest.name!r} upward begins above the detection limit."
        return
    names = ", ".join(repr(name) for name in hidden)
    remedy = "More records, a larger epsilon or wider bins would mend it."
    yield f"The detection limit lies above the floor of {names}: themes there may be missed. {remedy}"


def _on_epsilon(request: PublicInputs) -> str:
    doubled = PrivacyLoss(2 * request.loss.epsilon, request.loss.delta)
    after = known_of(request.asking(loss=doubled)).threshold
    guess = out_of(even_guess_becomes(request.loss))
    return (
        f"Epsilon: an even guess about one {request.unit.kind} becomes at most {guess}. Doubling epsilon to "
        f"{plain(doubled.epsilon)} would lower the detection limit to {_percent(after, request)}."
    )


def on_needed(request: PublicInputs, needed: Needed | None) -> Iterator[str]:
    """Say which epsilon a wish costs: the same whatever epsilon is asked for."""
    if needed is None:
        return
    wish = f"see a theme of {_percent(needed.support * request.denominator, request)} with {SURE} probability"
    if needed.epsilon is not None:
        less = " or less" if needed.epsilon == SMALLEST else ""
        yield f"To {wish}, epsilon {plain(needed.epsilon)}{less} is enough."
    elif request.chooses_at_random:
        yield f"No epsilon promises to {wish}: it may not be chosen. The full-sketch mechanisms can promise it."
    else:
        yield f"No sensible epsilon lets one {wish}: more {request.unit.kind}s are needed."


def _on_unit(request: PublicInputs) -> str:
    if isinstance(request.unit, RecordUnit):
        return (
            "One record is protected, not one person: somebody with three records has three times this epsilon. "
            "Where people write more than once, protect users (`records.unit: user`)."
        )
    bound = plain(request.unit.bound)
    meaning = "everyone counts alike, as one average record" if request.unit.bound == 1 else "more is scaled down"
    return (
        f"B = {bound}: all records of one user together weigh at most {bound}; {meaning}. Noise grows with B: "
        f"B = {plain(2 * request.unit.bound)} would double it, and pays only where many users write much."
    )


def _on_size(request: PublicInputs, known: Known) -> str:
    possible = [size for size in (5, 10, 20, 40) if size <= request.atoms and size != request.size]
    other = [size for size in possible if request.mechanism.admits(size)][:2]
    if request.chooses_at_random:
        costs = [f"{_points(_missed(request, size), request)} with L = {size}" for size in other]
        now = _points(_missed(request, request.size), request)
        cost = "L choices share the budget. Each may take a theme smaller than the largest that is left, by up to"
        return _joined(f"L = {request.size}: {cost} {now}", costs)
    costs = [
        f"{_points(comparison_margin(known.noise, size, request.beta), request)} with L = {size}" for size in other
    ]
    now = _points(known.certificates.comparison_margin, request)
    return _joined(
        f"L = {request.size} costs no privacy and no noise, only a wider gap before two themes may be compared: {now}",
        costs,
    )


def _missed(request: PublicInputs, size: int) -> float:
    selection = request.asking(size=size).selection
    return selection.one_choice.mass if selection else 0.0


def _joined(now: str, others: list[str]) -> str:
    return f"{'; '.join([now, ', '.join(others)]) if others else now}."


def _percent(mass: float, request: PublicInputs) -> str:
    return f"{plain(request.extent(mass).points)}%"


def _points(mass: float, request: PublicInputs) -> str:
    return f"{plain(request.extent(mass).points)} points"
