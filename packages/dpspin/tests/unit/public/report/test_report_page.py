"""The page shows verified sentences only, leads each to its rows, and says what cannot be seen."""

import json
import re

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.mechanisms import Gaussian
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import About
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import PlanError, RequestError
from dpspin.public.report.finding import ReportSentence
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from pages import page_of, words

WAIT = ReportSentence("“Long wait” is listed.", (17,), verified=True)
PAIR = ReportSentence("“Friendly staff” and “food quality” are listed.", (81, 42), verified=True)
FALSE = ReportSentence("Guests are furious.", (17,), verified=False)
EMPTY_PLAN = plan_of(PAPER_UNIVERSE, [0.3, -1.0, 2.0, 1.0])


def simulated(plan):
    statement = plan.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})
    return plan.model_copy(update={"statement": statement})


def test_each_shown_sentence_lights_up_its_rows_and_the_detail_links_to_them():
    page = page_of(PAPER_PLAN, [WAIT, PAIR])
    claims = re.findall(r'<li class="claim".*?</li>', page, flags=re.DOTALL)
    assert [re.findall(r'data-atoms="([^"]*)"', claim) for claim in claims] == [["17"], ["81 42"]]
    assert all('tabindex="0"' in claim for claim in claims)
    (detail,) = re.findall(r'<ol class="evidence">.*?</ol>', page, flags=re.DOTALL)
    finding, doubt, wait, pair = re.findall(r"<li>.*?</li>", detail, flags=re.DOTALL)
    links = [re.findall(r'href="#row-(\d+)"', each) for each in (finding, doubt, wait, pair)]
    assert links == [["17"], [], ["17"], ["81", "42"]]


def test_a_sentence_that_was_not_verified_is_not_shown_but_counted():
    page = page_of(PAPER_PLAN, [WAIT, FALSE])
    assert "furious" not in page
    assert "3 of 3 sentences verified against the released numbers; 1 of the given text could not be" in words(page)
    assert "3 of 3 sentences verified against" in words(page_of(PAPER_PLAN, [WAIT]))


def test_a_verified_sentence_about_what_was_not_measured_is_refused():
    chosen = PAPER_PLAN.model_copy(update={"noisy_sketch": None})
    parking = ReportSentence("“Parking problems”.", (99,), verified=True)
    assert 'href="#row-99"' in page_of(PAPER_PLAN, [parking])  # not listed, and paid for
    with pytest.raises(PlanError, match="did not measure"):
        page_of(chosen, [parking])


def test_every_entry_lights_up_with_its_sentences_without_a_script():
    page = page_of(PAPER_PLAN, [WAIT])
    for entry in PAPER_PLAN.entries:
        selector = f'body:has(.claim[data-atoms~="{entry.atom_id}"]:is(:hover, :focus-within))'
        assert f'{selector} [data-atom="{entry.atom_id}"]' in page
    assert re.findall(r"<script[^>]*>", page) == ['<script type="application/json" id="plan">']


def test_the_embedded_plan_is_the_plan():
    page = page_of(PAPER_PLAN, [])
    (embedded,) = re.findall(r'<script type="application/json" id="plan">(.*?)</script>', page, flags=re.DOTALL)
    assert SemanticPlan.from_json(json.dumps(json.loads(embedded))) == PAPER_PLAN


def test_the_headline_is_the_finding_and_the_title_stands_above_it():
    page = page_of(PAPER_PLAN)
    (finding,) = re.findall(r"<h1[^>]*><bdi>(.*?)</bdi></h1>", page)
    assert finding == "“Long wait” has the largest share of all themes, as filed (15.9%)."
    assert '<p class="kicker"><bdi>a test corpus</bdi></p>' in page
    untitled = PAPER_PLAN.model_copy(update={"title": ""})
    assert '<p class="kicker"><bdi>restaurant themes</bdi></p>' in page_of(untitled)


def test_a_summary_that_begins_with_the_finding_does_not_repeat_it():
    finding = ReportSentence("“Long wait” has the largest share of all themes, as filed (15.9%).", (17,), verified=True)
    assert page_of(PAPER_PLAN, [finding, WAIT]) == page_of(PAPER_PLAN, [WAIT])


def test_what_was_declared_stands_under_the_headline_and_nothing_where_nothing_was():
    about = About(period="March 2026", source="guest book", owner="<b>Care</b>", date="2026-04-02")
    page = page_of(PAPER_PLAN.model_copy(update={"about": about}))
    (declared,) = re.findall(r'<dl class="about">.*?</dl>', page, flags=re.DOTALL)
    assert words(declared) == ("Period March 2026 Source guest book Owner &lt;b&gt;Care&lt;/b&gt; Released 2026-04-02")
    assert 'class="about"' not in page_of(PAPER_PLAN)


def test_six_sentences_are_shown_at_once_and_the_others_on_demand():
    said = [ReportSentence(f"Sentence {i}.", (), verified=True) for i in range(9)]
    page = page_of(PAPER_PLAN, said)
    lead, more = re.findall(r'<ol class="claims">.*?</ol>', page, flags=re.DOTALL)
    assert (lead.count("<li"), more.count("<li")) == (5, 4)  # the headline is the sixth
    assert "4 more sentences" in words(page)


def tiles(plan, atoms=PAPER_UNIVERSE):
    page = page_of(plan, atoms=atoms)
    return [words(tile) for tile in re.findall(r'<li class="tile">.*?</li>', page, flags=re.DOTALL)]


def test_the_tiles_say_what_is_largest_how_well_it_is_sorted_and_who_is_protected():
    theme, sorting, privacy = tiles(PAPER_PLAN)
    assert theme.startswith("Largest share of all themes, as filed 15.9% long wait")
    assert sorting.startswith("Sorted right unknown")
    assert privacy.startswith("Privacy of each record 50 → 74 of 100 at epsilon 1")


def test_a_first_place_that_the_noise_leaves_open_is_not_called_the_largest():
    close = plan_of(PAPER_UNIVERSE, [318.4, 318.3, 244.7, 1.3])
    assert tiles(close)[0].startswith("Highest released share of all themes 15.9% long wait")
    assert tiles(simulated(PAPER_PLAN))[-1].startswith("Privacy none simulated noise It protects nobody")


def test_the_sections_come_in_the_promised_order():
    page = page_of(PAPER_PLAN, [WAIT])
    assert re.findall(r'<h2 id="([^"]*)"', page) == [
        "h-chart",
        "h-summary",
        "h-plan",
        "h-sure",
        "h-privacy",
        "h-reading",
        "h-technical",
    ]


def test_the_page_forbids_everything_but_its_own_style():
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page_of(PAPER_PLAN, []))
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert "script-src" not in policy


def test_an_ordinary_report_names_no_address():
    assert not re.search(r"https?://|@import|url\(", page_of(PAPER_PLAN, [WAIT, PAIR], atoms=PAPER_UNIVERSE))


def test_an_empty_plan_says_that_nothing_stands_clear_of_the_noise():
    page = page_of(EMPTY_PLAN)
    assert "No theme stands clear of the noise." in words(page)
    assert "<h1" in page
    assert "none came out above the threshold for noise, so no theme is listed" in words(page)
    assert 'class="plan"' not in page


def test_a_simulation_is_marked_and_promises_nothing():
    text = words(page_of(simulated(PAPER_PLAN), [WAIT]))
    assert text.startswith("a test corpus SIMULATED, NOT PRIVATE.")
    assert "of 100" not in text
    assert "SIMULATED, NOT PRIVATE" not in words(page_of(PAPER_PLAN, [WAIT]))


def test_themes_that_are_not_listed_are_there_with_share_and_reason():
    page = page_of(PAPER_PLAN)
    assert "1 theme of the dictionary is not listed" in words(page)
    (row,) = re.findall(r'<tr id="row-99">.*?</tr>', page, flags=re.DOTALL)
    assert words(row) == "parking problems 0.1% 0.0% to 0.4% does not stand clear of the noise"
    chosen = page_of(PAPER_PLAN.model_copy(update={"noisy_sketch": None}))
    assert "parking problems not among the privately chosen ones" in words(chosen)
    two = page_of(plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], size=2))
    assert "food quality 12.2% 12.0% to 12.5% not among the 2 largest" in words(two)


def test_another_dictionary_is_refused_by_the_page():
    with pytest.raises(RequestError, match="not the dictionary"):
        page_of(PAPER_PLAN, [], atoms=universe_of([Atom(id=17, label="something else")]))


def test_coverage_and_detection_limit_follow_from_the_plan():
    text = words(page_of(PAPER_PLAN))
    assert "all 4 noisy masses together come to 41.8% of the most that 2,000 records can add" in text
    assert "(standard deviation of the noise: 0.14 points)" in text
    assert "A theme with less than about 0.18% cannot be told from one that nobody wrote of" in text


def test_a_theme_listed_in_spite_of_the_noise_is_said_to_be_unclear():
    fixed = plan_of(PAPER_UNIVERSE, [318.4, 2.0, -1.0, 0.4], admission="fixed", size=2)
    text = words(page_of(fixed, []))
    assert text.count("Does not stand clear of the noise.") == 1
    assert "may be noise alone" in text


def test_a_sum_that_is_noise_is_never_printed_as_a_share():
    text = words(page_of(plan_of(PAPER_UNIVERSE, [-60.0, -90.0, 1.0, -3.0], denominator=300), []))
    assert "the sum of all 4 noisy masses cannot be told from zero" in text
    assert "of the most that 300 records can add" in text
    assert not re.search(r"[-−]\d[\d.]*%", text)


def test_technical_values_stand_at_the_end_with_the_bins_that_an_interval_reaches_into():
    page = page_of(plan_of(PAPER_UNIVERSE, [318.4, 101.0, 244.7, 1.3]))
    readers, technical = page.split('id="h-technical"')
    assert "[atom:" not in words(readers)
    assert "Noisy mass" not in words(readers)
    rows = [words(row) for row in re.findall(r"<tr>.*?</tr>", technical, flags=re.DOTALL)]
    assert rows[1:4] == [
        "1 long wait high 318.4 [atom:17]",
        "2 food quality high 244.7 [atom:81]",
        "3 friendly staff high; its interval reaches into moderate 101.0 [atom:42]",
    ]


@pytest.mark.parametrize("denominator", [1, 500, 10_000, 5_000_000, 10**9, 1_234_567_891])
def test_a_page_has_no_exponent_at_any_denominator(denominator):
    page = page_of(plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], denominator=denominator), [WAIT])
    text = words(page.partition('id="h-technical"')[0])
    assert not re.search(r"\de[-+]?\d", text)
    assert f"a declared total of {denominator:,}" in text


def test_numbers_of_the_chart_do_not_wrap():
    page = page_of(PAPER_PLAN, [])
    (value,) = re.findall(r"^\.value \{(.*?)\}", page, re.MULTILINE)
    (figure,) = re.findall(r"^figure \{(.*?)\}", page, re.MULTILINE)
    assert "white-space: nowrap" in value
    assert "minmax(0, 1fr) max-content" in figure


def mapped(fitted_on):
    contribution_map = PAPER_PLAN.statement.contribution_map.model_copy(update={"fitted_on": fitted_on})
    statement = PAPER_PLAN.statement.model_copy(update={"contribution_map": contribution_map})
    return PAPER_PLAN.model_copy(update={"statement": statement})


def test_the_page_speaks_of_themes_and_explains_a_mapping_that_speaks_of_atoms():
    plain_words = words(page_of(mapped("nothing"), [WAIT])).replace("[atom:", "")
    assert "atom" not in plain_words
    assert "“ text of atoms ” (its atoms are the themes)" in words(page_of(mapped("text of atoms"), []))


def test_a_small_delta_is_written_as_it_is_typed():
    loss = PrivacyLoss(1.0, 1e-6)
    statement = PAPER_PLAN.statement.model_copy(update={"loss": loss, "mechanism": Gaussian()})
    assert "epsilon 1, delta 1e-6" in words(page_of(PAPER_PLAN.model_copy(update={"statement": statement}), []))


def test_what_is_uncovered_stands_in_the_chart_apart_in_the_table_and_in_how_sure():
    page = page_of(COVERED_PLAN, [WAIT])
    assert "What fits none of them holds 12.4% (12.1% to 12.7% without the privacy noise)." in words(page)
    (footer,) = re.findall(r"<tfoot.*?</tfoot>", page, flags=re.DOTALL)
    assert words(footer).startswith("None of these")
    assert words(footer).endswith("– 12.4% 12.1% to 12.7% – –")
    (bar,) = re.findall(r'<li class="bar-row beside" data-none>.*?</li>', page, flags=re.DOTALL)
    assert words(bar).startswith("none of these")
    assert "Coverage, " not in words(page)  # it is measured: no estimate from the total


def test_a_plan_that_did_not_measure_it_does_not_speak_of_it():
    page = page_of(PAPER_PLAN, [WAIT], atoms=PAPER_UNIVERSE)
    assert "None of these" not in page
    assert "[data-none]" not in page
    assert "Coverage, an estimate" in words(page)


@pytest.mark.parametrize("plan", [COVERED_PLAN, plan_of(PAPER_UNIVERSE, [0.0] * 4, none=1900.0)])
def test_a_sentence_on_what_is_uncovered_leads_to_it(plan):
    said = ReportSentence("Text that belongs to no theme.", (), verified=True, none=True)
    page = page_of(plan, [said])
    (claim,) = re.findall(r'<li class="claim".*?</li>', page, flags=re.DOTALL)
    assert " data-none>" in claim
    assert 'Rests on <a href="#row-none">' in page
    assert 'id="row-none"' in page
    with pytest.raises(PlanError, match="did not measure"):
        page_of(PAPER_PLAN, [said])
