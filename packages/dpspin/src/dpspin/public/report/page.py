"""The report: one HTML file without scripts or network, in which every sentence leads to the plan rows it rests on."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dpspin.boundary.percentages import confidence
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry, Uncovered
from dpspin.boundary.printable import ISOLATES, printable
from dpspin.errors import PlanError
from dpspin.public.atoms.speakable_names import is_right_to_left
from dpspin.public.narrate.claims.certainty import whole_percent
from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.facts import Estimate, Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline import doubts, headline
from dpspin.public.report.baseline import beside_baseline
from dpspin.public.report.bins import known_bin, reaches_into
from dpspin.public.report.chart import chart_of
from dpspin.public.report.gaps import coverage, reason_left_out
from dpspin.public.report.label import privacy_label
from dpspin.public.report.mapping import UNTESTED, mapping_of, sorted_right
from dpspin.public.report.tiles import tiles_of
from dpspin.public.wording.numbers import decimals_for, out_of, plain, points, scale_of, small, spoken
from dpspin.public.wording.quantities import denominator_words, limit_words, unit_words, units_words, value_words
from dpspin.text.languages import names_of

LEADING = 5  # sentences that are shown at once beside the finding; the others are there on demand


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
class Shown:
    """A sentence as shown: its text, and the themes whose rows are under it, by id and label."""

    text: str
    themes: tuple[tuple[int, str], ...] = ()
    none: bool = False


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers of a theme, of what belongs to none, or of what was not read."""

    share: str
    interval: str
    noisy_mass: str


@dataclass(frozen=True, slots=True)
class Row:
    """One listed theme in the tables."""

    entry: PlanEntry
    values: Values
    sorting: str
    sorted_right: str
    bin: str
    reaches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherRow:
    """One theme that is not listed, with its released share where there is one, and why it is not listed."""

    atom_id: int
    label: str
    area: str
    share: str
    interval: str
    reason: str


def render_report(facts: Facts, summary: Sequence[ReportSentence], *, credit: str = "") -> str:
    """Return the whole report as one HTML text; sentences that were not verified do not appear in it.

    The finding stands first whatever the summary begins with. ``credit`` says who wrote the sentences.
    """
    plan = facts.plan
    finding, doubt = finding_of(facts), doubts_of(facts)
    sentences = [_shown(each, facts) for each in beside_finding(facts, summary)]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            plan=plan,
            title=plan.title.strip() or plan.dictionary.name,
            finding=finding,
            doubts=doubt,
            headline=Shown(
                " ".join(each.text for each in finding),
                tuple(dict.fromkeys(t for each in finding for t in each.themes)),
            ),
            tiles=tiles_of(facts),
            lead=sentences[:LEADING],
            more=sentences[LEADING:],
            withheld=sum(not sentence.verified for sentence in summary),
            credit=credit,
            chart=chart_of(facts) if facts.has_shares else None,
            rows=[_row(entry, facts) for entry in plan.entries],
            others=_others(facts),
            not_read=_beside(plan.not_read, facts),
            uncovered=_beside(plan.uncovered, facts),
            languages=" or ".join(names_of(plan.statement.contribution_map.languages)),
            label=privacy_label(plan),
            denominator=denominator_words(plan),
            units=units_words(plan),
            counted=unit_words(plan.statement.unit),
            value=value_words(plan.statement.quantity),
            limit=limit_words(plan),
            has_shares=facts.has_shares,
            mapping=mapping_of(facts),
            beside=beside_baseline(plan, facts.atoms),
            coverage=coverage(plan),
            confidence=confidence(plan.rules.beta),
            plan_json=embedded_json(plan.to_json()),
        )
    )


def _seen(value: object) -> object:
    """Show what a page would obey or hide: a mark of direction in a label turns the numbers after it round."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def isolated(text: str) -> Markup:
    """Keep a quoted name that is written from right to left from turning the numbers after it round.

    >>> isolated("“שלום” (6.1%) & “late parcel” (5%)")
    Markup('“<bdi>שלום</bdi>” (6.1%) &amp; “late parcel” (5%)')
    """
    parts = re.split("(“[^”]*”)", printable(text))
    return Markup().join(
        Markup("“<bdi>{}</bdi>”").format(part[1:-1].strip(ISOLATES))
        if at % 2 and is_right_to_left(part)
        else escape(part)
        for at, part in enumerate(parts)
    )


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
    environment.filters.update(plain=plain, small=small, out_of=out_of, points=points, spoken=spoken, isolated=isolated)
    environment.globals.update(whole_percent=whole_percent)
    return environment


def embedded_json(text: str) -> Markup:
    r"""Make JSON safe inside a script element: without ``<`` no label can close it.

    >>> embedded_json('{"label": "</script>"}')
    Markup('{"label": "\\u003c/script>"}')
    """
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704  a script element's text is not HTML; `<` is the only way out


def beside_finding(facts: Facts, summary: Sequence[ReportSentence]) -> list[ReportSentence]:
    """Return the verified sentences that say something else than the finding and its doubts, in whichever words."""
    language, said = Language(facts, Mode.DISPLAY), {*headline(facts), *doubts(facts)}
    return [each for each in summary if each.verified and not _says(each, language, said)]


def _says(sentence: ReportSentence, language: Language, said: Collection[Claim]) -> bool:
    claims = [claim for read in language.read(sentence.text) for claim in read.claims or ()]
    return any(claim in said for claim in claims)


def finding_of(facts: Facts) -> tuple[Shown, ...]:
    """Write the headline in the forms of the verifier: it holds, or it could not be written."""
    return _written(headline(facts), facts)


def doubts_of(facts: Facts) -> tuple[Shown, ...]:
    """Write what the sorting leaves open of it."""
    return _written(doubts(facts), facts)


def _written(claims: Sequence[Claim], facts: Facts) -> tuple[Shown, ...]:
    language = Language(facts, Mode.DISPLAY)
    told = (ReportSentence(language.written(claim), claim.rows, verified=True) for claim in claims)
    return tuple(_shown(each, facts) for each in told)


def _shown(sentence: ReportSentence, facts: Facts) -> Shown:
    ids = tuple(dict.fromkeys(sentence.atom_ids))
    if any(atom not in facts.masses for atom in ids) or (sentence.none and facts.plan.uncovered is None):
        raise PlanError("a verified sentence speaks of what this plan did not measure. Narrate this very plan again")
    return Shown(sentence.text, tuple((atom, facts.labels[atom]) for atom in ids), sentence.none)


def _row(entry: PlanEntry, facts: Facts) -> Row:
    atom, scale = int(entry.atom_id), scale_of(facts.plan)
    sorting = facts.sorting_range((atom,))
    about = UNTESTED if sorting is None else scale.between(*sorting)
    return Row(
        entry=entry,
        values=_values(entry, facts.theme(atom), facts.plan),
        sorting=about,
        sorted_right=sorted_right(facts, atom),
        bin=known_bin(facts.plan, entry) or "–",
        reaches=reaches_into(entry, facts.plan),
    )


def _beside(released: Uncovered | None, facts: Facts) -> Values | None:
    return None if released is None else _values(released, facts.beside(released), facts.plan)


def _values(released: PlanEntry | Uncovered, estimate: Estimate, plan: SemanticPlan) -> Values:
    scale = scale_of(plan)
    return Values(
        share=scale.text(estimate.share),
        interval=scale.interval(estimate.low, estimate.high),
        noisy_mass=f"{released.noisy_mass:,.{decimals_for(plan.rules.certificates.interval_below)}f}",
    )


def _others(facts: Facts) -> list[OtherRow]:
    """Return the themes that are not listed, the largest first: they are paid for, where everything was measured."""
    rest = [atom for atom in facts.atoms.atoms if atom.id not in facts.listed]
    rest.sort(key=lambda atom: -facts.masses.get(int(atom.id), 0.0))
    scale = scale_of(facts.plan)
    rows = []
    for atom in rest:
        known = facts.theme(int(atom.id)) if atom.id in facts.masses else None
        share, interval = (
            ("", "") if known is None else (scale.text(known.share), scale.interval(known.low, known.high))
        )
        rows.append(
            OtherRow(int(atom.id), atom.label, atom.parent or "", share, interval, reason_left_out(facts, int(atom.id)))
        )
    return rows
