"""The page of a comparison: one HTML file without scripts or network, in the look of a report."""

from dataclasses import dataclass

from dpspin.boundary.comparison_fields import Change, Comparison
from dpspin.boundary.percentages import confidence
from dpspin.public.compare.rows import all_rows, shown_rows
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.outline_of_change import paragraphs
from dpspin.public.narrate.verify import Verdict
from dpspin.public.report.chart import Span
from dpspin.public.report.finding import shown, shown_sentences
from dpspin.public.report.page import embedded_json, environment
from dpspin.public.wording.numbers import Tick, plain, round_steps
from dpspin.public.wording.quantities import denominator_words

STEPS = 2  # on either side of zero


@dataclass(frozen=True, slots=True)
class Axis:
    """Points of difference, zero in the middle. Positions are percentages of its width."""

    ticks: tuple[Tick, ...]
    full: float

    def at(self, share: float) -> float:
        """Return the position of a difference."""
        return round(50 + 50 * max(-1.0, min(1.0, 100 * share / self.full)), 3)

    def whisker(self, change: Change) -> Span:
        """Return where the interval lies."""
        return Span(self.at(change.low), self.at(change.high))

    def certain(self, change: Change) -> Span:
        """Return the part of the difference that is certain: from zero to the nearer end."""
        end = self.at(change.low if change.direction == "up" else change.high)
        return Span(min(50.0, end), max(50.0, end))


def axis_of(changes: list[Change]) -> Axis:
    """Return an axis that holds every interval."""
    top = max((100 * each.most for each in changes), default=1.0)
    step, count = round_steps(top, STEPS)
    ticks = (
        Tick(50 + 50 * place / count, f"{'+' if place > 0 else ''}{plain(place * step)}")
        for place in range(-count, count + 1)
    )
    return Axis(tuple(ticks), step * count)


def change_page(facts: Facts, change: Comparison, verdict: Verdict) -> str:
    """Return the whole page; all of its sentences are verified ones."""
    told = [shown(each, facts) for each in shown_sentences(verdict)]
    private = all(one.plan.is_private for one in facts.each)
    first, count = int(not private), len(paragraphs(facts)[0])  # that it is simulated stands above, in red
    rows = shown_rows(facts, change)
    plans = [
        (name, one.plan, stated, denominator_words(one.plan))
        for name, one, stated in zip("AB", facts.each, (change.a, change.b), strict=True)
    ]
    return (
        environment()
        .get_template("compare.html.j2")
        .render(
            plans=plans,
            change=change,
            finding=told[first],
            doubts=told[first + 1 : count],
            sentences=told[count:],
            rows=rows,
            table=all_rows(facts, change),
            axis=axis_of([row.change for row in rows]),
            confidence=confidence(change.beta),
            private=private,
            comparison_json=embedded_json(change.to_json()),
        )
    )
