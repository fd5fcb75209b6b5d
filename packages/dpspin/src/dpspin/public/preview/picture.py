"""The forecast as one SVG file: the chance to be listed over support, and the chances of order over the gap.

Geometry is computed here, the template only writes it down. No font, script or network is needed to show it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from dpspin.public.preview.advice import SURE
from dpspin.public.preview.forecast import Forecast
from dpspin.public.preview.public_inputs import RELIABLY, Extent
from dpspin.public.wording.numbers import Tick, plain, round_steps, small

WIDTH, HEIGHT = 360, 240  # of one plot
LEVELS = (0, 25, 50, 75, 100)  # percent, on the axis of chances
MOST_TICKS, LONG_TICK = 5, 7  # fewer ticks where one has this many characters


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on a curve that is worth a sign."""

    kind: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A chance over an extent: the points of a polyline."""

    kind: str
    points: str


@dataclass(frozen=True, slots=True)
class Key:
    """What a line or a sign means, with its value."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One plot: curves that share an axis."""

    title: str
    axis: str
    ticks: tuple[Tick, ...]
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """From zero to ``end``, in percent of the denominator."""

    end: Extent

    def x(self, extent: Extent) -> float:
        """Return where an extent lies."""
        return round(WIDTH * extent.mass / self.end.mass, 1)

    def name(self, what: str) -> str:
        """Name what the axis shows, with its unit."""
        return f"{what}, % of the denominator"

    def value(self, extent: Extent) -> str:
        """Write an extent in the unit of the axis."""
        return f"{plain(extent.points)}%"

    def mark(self, kind: str, at: Extent, chance: float) -> tuple[Mark, ...]:
        """Mark a place, if it lies on the axis."""
        return (Mark(kind, self.x(at), _y(chance)),) if at.mass <= self.end.mass else ()

    def curve(self, kind: str, chances: Iterable[tuple[Extent, float]]) -> Curve:
        """Draw a chance."""
        return Curve(kind, " ".join(f"{self.x(at)},{_y(chance)}" for at, chance in chances))

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """Round values, as many as there is room for."""
        many = self._ticks(MOST_TICKS)
        return many if max(len(tick.text) for tick in many) < LONG_TICK else self._ticks(2)

    def _ticks(self, most: int) -> tuple[Tick, ...]:
        end = self.end.points
        step, count = round_steps(end, most)
        values = [step * i for i in range(count + 1) if step * i <= end * (1 + 1e-9)]
        return tuple(Tick(round(WIDTH * value / end, 1), f"{plain(value)}%") for value in values)


def picture(forecast: Forecast) -> str:
    """Return the text of an SVG file."""
    panels = [_admission(forecast), *([_order(forecast)] if forecast.request.size > 1 else [])]
    svg = _environment().get_template("picture.svg.j2")
    told = " ".join(forecast.advice[:2])  # for those who do not see it
    return svg.render(panels=panels, width=WIDTH, height=HEIGHT, levels=LEVELS, asked=_asked(forecast), told=told)


def _asked(forecast: Forecast) -> str:
    request = forecast.request
    delta = f", delta {small(request.loss.delta)}" if request.loss.delta else ""
    return "; ".join(
        (
            f"{request.mechanism.kind}, epsilon {plain(request.loss.epsilon, 9)}{delta}",
            f"one {request.unit.kind} protected",
            f"at most {request.size} of {request.atoms} themes",
            f"denominator {plain(request.denominator, 12)}",
        )
    )


def _admission(forecast: Forecast) -> Panel:
    axis, chooses = Axis(forecast.admission[-1]), forecast.request.chooses_at_random
    limit, seen = forecast.admission_threshold, forecast.reliably_seen
    listed = f"Chance to be listed, if among the {forecast.request.size} largest"
    return Panel(
        title="Chance to stand clear of the noise, once chosen" if chooses else listed,
        axis=axis.name("true support"),
        ticks=axis.ticks,
        curves=(axis.curve("first", ((it, it.chance) for it in forecast.admission)),),
        marks=(*axis.mark("limit", limit, 0.5), *axis.mark("sure", seen, RELIABLY)),
        keys=(
            Key("limit", f"detection limit {axis.value(limit)}"),
            Key("sure", f"{SURE} from {axis.value(seen)}"),
        ),
    )


def _order(forecast: Forecast) -> Panel:
    axis = Axis(forecast.order[-1])
    right, certified = forecast.reliably_right, forecast.reliably_certified
    return Panel(
        title="Two listed themes: which has more?",
        axis=axis.name("true gap"),
        ticks=axis.ticks,
        curves=(
            axis.curve("second", ((it, it.right) for it in forecast.order)),
            axis.curve("first", ((it, it.certified) for it in forecast.order)),
        ),
        marks=(*axis.mark("sure", right, RELIABLY), *axis.mark("sure", certified, RELIABLY)),
        keys=(
            Key("second", f"values in the right order, {SURE} from {axis.value(right)}"),
            Key("first", f"order may be said, {SURE} from {axis.value(certified)}"),
        ),
    )


def _y(chance: float) -> float:
    return round(HEIGHT * (1 - chance), 1)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("dpspin.public.preview"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
