"""What readers see of two golden plans: the page of a terminal and the summary, word for word."""

from pathlib import Path

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.atoms.dictionary_files import load
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.narrate import narrate
from dpspin.public.report.finding import shown_sentences
from dpspin.public.report.on_terminal import terminal_page

HERE = Path(__file__).parent
ATOMS = load(HERE / "before-the-house" / "atoms.yaml")


def plain_report(name):
    plan = SemanticPlan.from_json((HERE / "before-the-house" / f"{name}.plan.json").read_text())
    told = narrate(plan, ATOMS)
    page = terminal_page(Facts(plan, ATOMS), shown_sentences(told.verdict), 90)
    return f"{page}\n\n{'=' * 90}\n\n{told.text.rstrip()}\n"


@pytest.mark.parametrize("name", ["hybrid-count", "prevalence-sample"])
def test_the_plain_report_is_the_same_word_for_word(name):
    assert plain_report(name) == (HERE / "reports" / f"{name}.txt").read_text()
