"""The report: one HTML file without scripts or network, in which every sentence leads to the plan rows it rests on."""

import re
from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dpspin.boundary.percentages import confidence
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry
from dpspin.boundary.printable import ISOLATES, printable
from dpspin.public.atoms.speakable_names import is_right_to_left
from dpspin.public.narrate.claims.certainty import whole_percent
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.chart import chart_of
from dpspin.public.report.finding import LEADING, ReportSentence, Shown, beside_finding, doubts_of, finding_of, shown
from dpspin.public.report.how_sure import beside_baseline, coverage, errs_more_than_noise, shares_as_sorted
from dpspin.public.report.label import privacy_label
from dpspin.public.report.listed_table import listed_table, unlisted
from dpspin.public.report.missing_themes import missing_themes
from dpspin.public.report.nearest_examples import nearest_examples
from dpspin.public.report.tiles import tiles_of
from dpspin.public.report.view_panels import view_pictures
from dpspin.public.wording.numbers import decimals_for, out_of, plain, points, scale_of, small, spoken
from dpspin.public.wording.quantities import denominator_words, limit_words, unit_words, units_words, value_words


def render_report(facts: Facts, summary: Sequence[ReportSentence], *, credit: str = "") -> str:
    """Return the whole report as one HTML text; sentences that were not verified do not appear in it.

    The finding stands first whatever the summary begins with. ``credit`` says who wrote the sentences.
    """
    plan, statement = facts.plan, facts.plan.statement
    finding = finding_of(facts)
    sentences = [shown(each, facts) for each in beside_finding(facts, summary)]
    themes = tuple(dict.fromkeys(theme for each in finding for theme in each.themes))
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            facts=facts,
            plan=plan,
            scale=scale_of(plan),
            title=plan.title.strip() or plan.dictionary.name,
            finding=finding,
            doubts=doubts_of(facts),
            headline=Shown(" ".join(each.text for each in finding), themes),
            tiles=tiles_of(facts),
            lead=sentences[:LEADING],
            more=sentences[LEADING:],
            withheld=sum(not sentence.verified for sentence in summary),
            credit=credit,
            chart=chart_of(facts) if facts.has_shares else None,
            views=view_pictures(facts),
            nearest=nearest_examples(facts),
            missing=missing_themes(facts),
            table=listed_table(facts),
            others=unlisted(facts),
            read=facts.read,
            not_read=None if plan.not_read is None else facts.beside(plan.not_read),
            uncovered=None if plan.uncovered is None else facts.beside(plan.uncovered),
            mass_decimals=decimals_for(plan.rules.certificates.interval_below),
            label=privacy_label(plan),
            denominator=denominator_words(plan),
            units=units_words(plan),
            counted=unit_words(statement.unit),
            value=value_words(statement.quantity),
            limit=limit_words(plan),
            has_shares=facts.has_shares,
            map=statement.contribution_map,
            larger_error=errs_more_than_noise(facts),
            raw_shares=shares_as_sorted(plan),
            corrected={each.atom_id: each for each in plan.quantified if plan.has_shares},
            beside=beside_baseline(facts),
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
def environment() -> Environment:
    """Return the templates of pages, with what they may call."""
    templates = Environment(
        loader=PackageLoader("dpspin.public.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    templates.filters.update(plain=plain, small=small, out_of=out_of, points=points, spoken=spoken, isolated=isolated)
    templates.globals.update(whole_percent=whole_percent, reaches_into=reaches_into)
    return templates


def embedded_json(text: str) -> Markup:
    r"""Make JSON safe inside a script element: without ``<`` no label can close it.

    >>> embedded_json('{"label": "</script>"}')
    Markup('{"label": "\\u003c/script>"}')
    """
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704  a script element's text is not HTML; `<` is the only way out


def reaches_into(entry: PlanEntry, plan: SemanticPlan) -> tuple[str, ...]:
    """Name the other bins that the certified interval of an entry touches, from high to low.

    A bin is read off the released value, so its neighbours may be possible too.
    """
    if not plan.has_shares:
        return ()
    low, high = entry.support_low, entry.support_high
    ends = [float("inf"), *(support_bin.at_least for support_bin in plan.rules.bins)]
    return tuple(
        support_bin.name
        for support_bin, end in zip(plan.rules.bins, ends, strict=False)
        if support_bin.name != entry.bin and support_bin.at_least <= high and low < end
    )
