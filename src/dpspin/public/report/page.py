"""The report: one HTML file without scripts or network, in which every sentence leads to the plan rows it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.boundary.printable import printable
from dpspin.errors import PlanError
from dpspin.public.report.baseline import beside_baseline
from dpspin.public.report.bins import reaches_into
from dpspin.public.report.chart import Bar, chart_of
from dpspin.public.report.denominators import denominator_words, units_words
from dpspin.public.report.gaps import coverage, left_out
from dpspin.public.report.label import privacy_label
from dpspin.public.report.mapping import mapping_of
from dpspin.public.report.measured import value_words
from dpspin.public.report.numbers import decimals_for, out_of, plain, small
from dpspin.public.report.scale import detection_limit, scale_of
from dpspin.text.languages import names_of


@dataclass(frozen=True, slots=True)
class ReportSentence:
    """One sentence of the narration, the atoms it speaks of, and whether the verifier accepted it.

    ``none`` tells that it speaks of what belongs to no theme.
    """

    text: str
    atom_ids: tuple[int, ...]
    verified: bool
    none: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence as shown: its text and the plan rows under it."""

    text: str
    entries: tuple[PlanEntry, ...]
    none: bool


@dataclass(frozen=True, slots=True)
class BesideRow:
    """What belongs to no theme, or was not read, as shown before the themes and under the table."""

    support: str
    interval: str
    noisy_mass: str
    marker: str


@dataclass(frozen=True, slots=True)
class Row:
    """One plan row as shown in the chart and in the table."""

    entry: PlanEntry
    support: str
    interval: str
    noisy_mass: str
    reaches: tuple[str, ...]
    bar: Bar


def render_report(
    plan: SemanticPlan, summary: Sequence[ReportSentence], *, atoms: AtomUniverse | None = None, credit: str = ""
) -> str:
    """Return the whole report as one HTML text; sentences that were not verified do not appear in it.

    ``atoms`` is the public dictionary: with it the report can name the themes that were measured but not admitted.
    ``credit`` says who wrote the sentences.
    """
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            plan=plan,
            title=plan.title.strip() or plan.dictionary.name,
            claims=[_claim(sentence, plan) for sentence in summary if sentence.verified],
            credit=credit,
            withheld=sum(not sentence.verified for sentence in summary),
            chart=chart_of(plan),
            rows=_rows(plan),
            not_read=_beside_row(plan.not_read, plan) if plan.not_read else None,
            uncovered=_beside_row(plan.uncovered, plan) if plan.uncovered else None,
            languages=" or ".join(names_of(plan.statement.contribution_map.languages)),
            label=privacy_label(plan),
            denominator=denominator_words(plan),
            units=units_words(plan),
            scale=scale_of(plan),
            value=value_words(plan.statement.quantity),
            limit=scale_of(plan).spoken(detection_limit(plan), 2),
            mapping=mapping_of(plan),
            beside=beside_baseline(plan, atoms),
            groups=left_out(plan, atoms),
            coverage=coverage(plan),
            confidence=plain(100 * (1 - plan.rules.beta)),
            plan_json=embedded_json(plan.to_json()),
        )
    )


def _seen(value: object) -> object:
    """Show what a page would obey or hide: a mark of direction in a label turns the numbers after it round."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dpspin.public.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    environment.filters.update(plain=plain, small=small, out_of=out_of)
    return environment


def embedded_json(text: str) -> Markup:
    r"""Make JSON safe inside a script element: without ``<`` no label can close it.

    >>> embedded_json('{"label": "</script>"}')
    Markup('{"label": "\\u003c/script>"}')
    """
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704  a script element's text is not HTML; `<` is the only way out


def _claim(sentence: ReportSentence, plan: SemanticPlan) -> Claim:
    entries = [plan.entry(atom_id) for atom_id in dict.fromkeys(sentence.atom_ids)]
    found = [entry for entry in entries if entry is not None]
    if len(found) != len(entries):
        raise PlanError("a verified sentence speaks of an atom that is not in the plan. Narrate this very plan again")
    if sentence.none and plan.uncovered is None:
        raise PlanError("a verified sentence speaks of what this plan did not measure. Narrate this very plan again")
    return Claim(sentence.text, tuple(sorted(found, key=lambda entry: entry.rank)), sentence.none)


def _beside_row(value: Uncovered, plan: SemanticPlan) -> BesideRow:
    scale = scale_of(plan)
    return BesideRow(
        support=scale.text(value.support),
        interval=scale.interval(value.support_low, value.support_high),
        noisy_mass=_mass(value, plan),
        marker=value.marker,
    )


def _rows(plan: SemanticPlan) -> list[Row]:
    scale = scale_of(plan)
    return [
        Row(
            entry=entry,
            support=scale.text(entry.support),
            interval=scale.interval(entry.support_low, entry.support_high),
            noisy_mass=_mass(entry, plan),
            reaches=reaches_into(entry, plan),
            bar=bar,
        )
        for entry, bar in zip(plan.entries, chart_of(plan).bars, strict=True)
    ]


def _mass(released: PlanEntry | Uncovered, plan: SemanticPlan) -> str:
    return f"{released.noisy_mass:,.{decimals_for(plan.rules.certificates.interval_below)}f}"
