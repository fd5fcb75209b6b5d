"""The page of a series: one HTML file without scripts or network, in the look of a report."""

from dpspin.boundary.percentages import confidence
from dpspin.boundary.software import SOFTWARE
from dpspin.public.narrate.outline_of_series import headline, latest
from dpspin.public.narrate.verify import Verdict
from dpspin.public.report.finding import shown, shown_sentences
from dpspin.public.report.page import environment
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
        )
    )
