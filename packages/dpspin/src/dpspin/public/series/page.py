"""The page of a series: one HTML file without scripts or network, in the look of a report."""

import re
from collections.abc import Callable, Iterable

from markupsafe import Markup

from dpspin.boundary.percentages import confidence
from dpspin.boundary.software import SOFTWARE
from dpspin.public.narrate.outline_of_series import headline, latest
from dpspin.public.narrate.verify import Verdict
from dpspin.public.report.finding import shown, shown_sentences
from dpspin.public.report.page import environment, isolated
from dpspin.public.series.picture import Picture
from dpspin.public.series.rows import period_rows, theme_rows


def series_page(picture: Picture, verdict: Verdict, title: str) -> str:
    """Return the whole page; all of its sentences are verified ones."""
    facts, time = picture.facts, picture.time
    told = [shown(each, facts) for each in shown_sentences(verdict)]
    private = all(plan.is_private for plan in time.plans.values())
    first = int(not private)  # that it is simulated stands above, in red
    count = first + len(headline(facts, time)) + len(latest(facts, time))
    return (
        environment()
        .get_template("series.html.j2")
        .render(
            title=title.strip() or facts.plan.title.strip() or facts.plan.dictionary.name,
            time=time,
            plan=facts.plan,
            terms=time.places[time.last].terms,
            finding=told[first],
            doubts=told[first + 1 : count],
            sentences=told[count:],
            picture=picture,
            table=theme_rows(picture),
            periods=period_rows(picture),
            confidence=confidence(time.beta),
            private=private,
            software=SOFTWARE,
            unbroken=unbroken(time.calendar),
        )
    )


def unbroken(names: Iterable[str]) -> Callable[[str], Markup]:
    """Return what keeps the names of periods in one line: a browser would break them at their hyphens.

    >>> unbroken(["2026-05"])("“<late>” in 2026-05.")
    Markup('“&lt;late&gt;” in <span class="whole">2026-05</span>.')
    """
    known = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])")
    whole = Markup('<span class="whole">{}</span>')

    def kept(text: str) -> Markup:
        parts = enumerate(known.split(text))
        return Markup().join(whole.format(part) if place % 2 else isolated(part) for place, part in parts)

    return kept
