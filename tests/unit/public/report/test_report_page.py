"""The page shows verified sentences only, leads each to its rows, and says what cannot be seen."""

import json
import re

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Gaussian, PrivacyLoss
from dpspin.errors import DictionaryError, PlanError
from dpspin.public.report.page import ReportSentence, render_report
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

WAIT = ReportSentence("Long wait has high support.", (17,), verified=True)
PAIR = ReportSentence("Friendly staff and food quality have moderate support.", (81, 42), verified=True)
FALSE = ReportSentence("Guests are furious.", (17,), verified=False)
EMPTY_PLAN = plan_of(PAPER_UNIVERSE, [0.3, -1.0, 2.0, 1.0])


def simulated(plan):
    statement = plan.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})
    return plan.model_copy(update={"statement": statement})


def words(page):
    """Return the text of a page the way a reader sees it, in one line."""
    body = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_each_shown_sentence_links_to_its_rows_in_rank_order():
    page = render_report(PAPER_PLAN, [WAIT, PAIR])
    claims = re.findall(r'<li class="claim".*?</li>', page, flags=re.DOTALL)
    assert [re.findall(r'href="#row-(\d+)"', claim) for claim in claims] == [["17"], ["42", "81"]]
    assert [re.findall(r'data-atoms="([^"]*)"', claim) for claim in claims] == [["17"], ["42 81"]]
    assert all('tabindex="0"' in claim and "verified" in claim for claim in claims)


def test_a_sentence_that_was_not_verified_is_not_shown_but_counted():
    page = render_report(PAPER_PLAN, [WAIT, FALSE])
    assert "furious" not in page
    assert "1 sentence could not be verified and is not shown." in words(page)


def test_a_verified_sentence_about_an_unknown_row_is_refused():
    with pytest.raises(PlanError, match="not in the plan"):
        render_report(PAPER_PLAN, [ReportSentence("Parking problems.", (99,), verified=True)])


def test_every_entry_lights_up_with_its_sentences_without_a_script():
    page = render_report(PAPER_PLAN, [WAIT])
    for entry in PAPER_PLAN.entries:
        selector = f'body:has(.claim[data-atoms~="{entry.atom_id}"]:is(:hover, :focus-within))'
        assert f'{selector} [data-atom="{entry.atom_id}"]' in page
    assert re.findall(r"<script[^>]*>", page) == ['<script type="application/json" id="plan">']


def test_the_embedded_plan_is_the_plan():
    page = render_report(PAPER_PLAN, [])
    (embedded,) = re.findall(r'<script type="application/json" id="plan">(.*?)</script>', page, flags=re.DOTALL)
    assert SemanticPlan.from_json(json.dumps(json.loads(embedded))) == PAPER_PLAN


def test_the_title_is_the_plans_or_the_dictionarys():
    assert "<h1><bdi>a test corpus</bdi></h1>" in render_report(PAPER_PLAN, [])
    untitled = PAPER_PLAN.model_copy(update={"title": ""})
    assert "<h1><bdi>restaurant themes</bdi></h1>" in render_report(untitled, [])


def test_the_sections_come_in_the_promised_order():
    page = render_report(PAPER_PLAN, [WAIT], atoms=PAPER_UNIVERSE)
    assert re.findall(r'<h2 id="([^"]*)"', page) == [
        "h-summary",
        "h-chart",
        "h-plan",
        "h-mapping",
        "h-privacy",
        "h-gaps",
        "h-reading",
        "h-technical",
    ]


def test_the_page_forbids_everything_but_its_own_style():
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', render_report(PAPER_PLAN, []))
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert "script-src" not in policy


def test_an_ordinary_report_names_no_address():
    assert not re.search(r"https?://|@import|url\(", render_report(PAPER_PLAN, [WAIT, PAIR], atoms=PAPER_UNIVERSE))


def test_an_empty_plan_says_that_nothing_stands_clear_of_the_noise():
    page = render_report(EMPTY_PLAN, [])
    assert "No theme stands clear of the noise." in words(page)
    assert "none is reported" in words(page)
    assert "<table" not in page


def test_a_simulation_is_marked_and_promises_nothing():
    text = words(render_report(simulated(PAPER_PLAN), [WAIT]))
    assert text.startswith("a test corpus SIMULATED, NOT PRIVATE.")
    assert "of 100" not in text
    assert "SIMULATED, NOT PRIVATE" not in words(render_report(PAPER_PLAN, [WAIT]))


def test_themes_that_did_not_clear_the_noise_are_named_when_the_dictionary_is_given():
    page = render_report(PAPER_PLAN, [], atoms=PAPER_UNIVERSE)
    assert "1 theme of the dictionary did not stand clear of the noise" in words(page)
    assert "parking problems" in page
    assert "parking problems" not in render_report(PAPER_PLAN, [])


def test_another_dictionary_is_refused_by_the_page():
    with pytest.raises(DictionaryError):
        render_report(PAPER_PLAN, [], atoms=universe_of([Atom(id=17, label="something else")]))


def test_coverage_and_detection_limit_follow_from_the_plan():
    text = words(render_report(PAPER_PLAN, []))
    assert "all 4 noisy masses together come to 41.8% of the most that 2,000 records can add" in text
    assert "(standard deviation of the noise: 0.14 points)" in text
    assert "A theme below about 0.18% of the denominator cannot be told from zero." in text


def test_a_theme_listed_in_spite_of_the_noise_is_said_to_be_unclear():
    fixed = plan_of(PAPER_UNIVERSE, [318.4, 2.0, -1.0, 0.4], admission="fixed", size=2)
    text = words(render_report(fixed, []))
    assert text.count("Does not stand clear of the noise.") == 1
    assert "may be noise alone" in text


def test_a_sum_that_is_noise_is_never_printed_as_a_share():
    text = words(render_report(plan_of(PAPER_UNIVERSE, [-60.0, -90.0, 1.0, -3.0], denominator=300), []))
    assert "the sum of all 4 noisy masses cannot be told from zero" in text
    assert "of the most that 300 records can add" in text
    assert not re.search(r"[-−]\d[\d.]*%", text)


def test_a_row_says_which_other_bins_its_interval_reaches_into():
    page = render_report(plan_of(PAPER_UNIVERSE, [318.4, 101.0, 244.7, 1.3]), [])
    rows = {key: words(row) for key, row in re.findall(r'<tr role="row" id="row-(\d+)"(.*?)</tr>', page, re.DOTALL)}
    assert "high interval reaches into moderate" in rows["42"]
    assert "reaches" not in rows["17"] + rows["81"]
    assert "A theme’s bin is that of its released value" in words(page)


@pytest.mark.parametrize("denominator", [1, 500, 10_000, 5_000_000, 10**9, 1_234_567_891])
def test_a_page_has_no_exponent_and_one_unit_at_any_denominator(denominator):
    page = render_report(plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], denominator=denominator), [WAIT])
    text = words(page.partition('id="h-technical"')[0])
    small = denominator > 10**6
    assert not re.search(r"\de[-+]?\d", text)
    assert ("Themes by support, per million" in text) == small
    assert ("Support, per million" in text) == small
    assert f"the public denominator of {denominator:,}" in text
    assert set(re.findall(r"[\d.]+%", text)) <= {"95%"} or not small


def test_numbers_of_the_chart_do_not_wrap():
    page = render_report(PAPER_PLAN, [])
    (value,) = re.findall(r"^\.value \{(.*?)\}", page, re.MULTILINE)
    (figure,) = re.findall(r"^figure \{(.*?)\}", page, re.MULTILINE)
    assert "white-space: nowrap" in value
    assert "minmax(0, 1fr) max-content" in figure


def mapped(fitted_on):
    contribution_map = PAPER_PLAN.statement.contribution_map.model_copy(update={"fitted_on": fitted_on})
    statement = PAPER_PLAN.statement.model_copy(update={"contribution_map": contribution_map})
    return PAPER_PLAN.model_copy(update={"statement": statement})


def test_the_page_speaks_of_themes_and_explains_a_mapping_that_speaks_of_atoms():
    plain_words = words(render_report(mapped("nothing"), [WAIT])).replace("[atom:", "")
    assert "atom" not in plain_words
    assert "(the mapping’s own words; its atoms are the themes)" in words(render_report(mapped("the atoms' text"), []))


def test_a_small_delta_is_written_as_it_is_typed():
    loss = PrivacyLoss(1.0, 1e-6)
    statement = PAPER_PLAN.statement.model_copy(update={"loss": loss, "mechanism": Gaussian()})
    assert "epsilon 1, delta 1e-6" in words(render_report(PAPER_PLAN.model_copy(update={"statement": statement}), []))


def test_what_is_uncovered_comes_before_everything_and_stands_apart_in_the_table():
    page = render_report(COVERED_PLAN, [WAIT])
    assert re.findall(r'<h2 id="([^"]*)"', page)[0] == "h-coverage"
    assert (
        "12.4% of the public denominator of 2,000 belongs to none of the 4 themes (certified interval 12.1% to 12.7%)"
        in (words(page))
    )
    (footer,) = re.findall(r"<tfoot.*?</tfoot>", page, flags=re.DOTALL)
    assert words(footer).startswith("– None of these")
    assert "12.4% 12.1% to 12.7% – 248.1 [none]" in words(footer)
    assert "Coverage, " not in words(page)  # it is measured: no estimate from the total


def test_a_plan_that_did_not_measure_it_does_not_speak_of_it():
    page = render_report(PAPER_PLAN, [WAIT], atoms=PAPER_UNIVERSE)
    assert "None of these" not in page
    assert "h-coverage" not in page
    assert "[data-none]" not in page
    assert "Coverage, an estimate" in words(page)


@pytest.mark.parametrize(
    ("plan", "link"), [(COVERED_PLAN, "#row-none"), (plan_of(PAPER_UNIVERSE, [0.0] * 4, none=1900.0), "#h-coverage")]
)
def test_a_sentence_on_what_is_uncovered_leads_to_it(plan, link):
    said = ReportSentence("Text that belongs to no theme.", (), verified=True, none=True)
    (claim,) = re.findall(r'<li class="claim".*?</li>', render_report(plan, [said]), flags=re.DOTALL)
    assert f'href="{link}"' in claim
    assert " data-none>" in claim
    with pytest.raises(PlanError, match="did not measure"):
        render_report(PAPER_PLAN, [said])
