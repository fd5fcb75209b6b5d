"""Pages for tests: a plan with its dictionary, and the text of a page as a reader sees it."""

import re

from dpspin.public.narrate.facts import Facts
from dpspin.public.report.page import render_report
from factories import PAPER_UNIVERSE


def page_of(plan, summary=(), atoms=PAPER_UNIVERSE, **options):
    """Return the page of a plan that was measured by a dictionary."""
    return render_report(Facts(plan, atoms), summary, **options)


def words(page):
    """Return the text of a page the way a reader sees it, in one line."""
    body = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())
