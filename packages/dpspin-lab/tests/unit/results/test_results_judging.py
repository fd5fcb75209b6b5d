"""A judge's scores stand on the page only beside how well it tells true texts from spoiled ones."""

from dataclasses import replace

import pytest

from dpspin_lab.judge.validity import Spoiling
from dpspin_lab.results.claims import on_model_texts, on_texts
from dpspin_lab.results.claims.claim import judge
from dpspin_lab.results.evaluation_tables import Results
from dpspin_lab.results.judges import section_of_judges, why_not_believed
from dpspin_lab.results.page import page_of
from dpspin_lab.results.verdict import Verdict
from results_factories import RUNS, ideal_results, judged_known

OF_JUDGES = [claim for claim in on_texts.CLAIMS if claim.key.startswith("judge-")]


def section(results):
    return "\n".join(section_of_judges(results))


def failing(**fields):
    return replace(ideal_results(), judged_known={"cfpb": judged_known(right=5)}, **fields)


def test_a_judge_that_passes_is_shown_with_its_scores_and_preferences():
    told = section(ideal_results())
    assert "### The judge a model" in told
    assert "**believed**: they told true from spoiled in 100 % (96 to 100 %) of 100 cases" in told
    assert f"| cfpb | urania | 1 | {RUNS} | 0 |" in told
    assert "| cfpb | plan, gaussian | urania | 20 | 0.75 ± 0.00 | 18 | 21 of 40 | 0 |" in told
    assert "first in 51 % (" in told


def test_a_judge_that_fails_is_shown_without_scores():
    told = section(failing())
    assert "**not believed**, and not shown: they told true from spoiled in 25 % (17 to 35 %) of 100 cases" in told
    assert all(f"| {how.value} |" in told for how in Spoiling)
    assert "| cfpb |" not in told


@pytest.mark.parametrize("claim", OF_JUDGES, ids=lambda claim: claim.key)
def test_claims_are_not_tested_by_a_judge_that_fails(claim):
    found = judge(claim, failing())
    assert (found.verdict, found.cells) == (Verdict.UNTESTED, ())
    told = "The judge a model told a true text from a spoiled one by score in 25 % (17 to 35 %) of 100 cases"
    assert told in found.missing
    assert found.missing in page_of(failing())


def test_claims_rest_on_the_judges_that_pass():
    results = ideal_results()
    both = [*results.judged["cfpb"], *({**row, "judge": "bad", "coverage": 1.0} for row in results.judged["cfpb"])]
    known = [*judged_known(), *judged_known("bad", right=0)]
    mixed = replace(results, judged={"cfpb": both}, judged_known={"cfpb": known})
    claim = next(claim for claim in OF_JUDGES if claim.key == "judge-plans")
    assert judge(claim, mixed).cells == judge(claim, results).cells


def test_a_judge_that_passes_and_was_not_asked_about_models_texts_is_not_told_off():
    [claim] = [claim for claim in on_model_texts.CLAIMS if claim.key == "judge-model-plans"]
    unasked = replace(ideal_results(), judged_texts={}, judged_text_pairs={})
    found = judge(claim, unasked)
    assert found.verdict is Verdict.UNTESTED
    assert found.missing.startswith("Scores by a model are believed, but there are none of these texts: either nobody ")
    assert "told a true text" not in found.missing
    assert "- No judge was asked about these texts" in page_of(unasked)
    known = [*judged_known(), *judged_known("bad", right=0)]
    assert judge(claim, replace(unasked, judged_known={"cfpb": known})).missing == found.missing


def test_scores_without_known_answers_are_not_believed():
    untested = replace(ideal_results(), judged_known={})
    assert section(untested) == ""
    assert all(judge(claim, untested).verdict is Verdict.UNTESTED for claim in OF_JUDGES)


def test_kinds_that_a_judge_is_blind_to_are_named():
    rows = [{**row, "by_score": 0} if row["spoiled"] == Spoiling.BINS else row for row in judged_known()]
    blind = replace(ideal_results(), judged_known={"cfpb": rows})
    assert "80 % (71 to 87 %) of 100 cases (worst at: wrong bins)" in why_not_believed(blind)


def test_a_page_without_judges_says_what_would_be_needed():
    page = page_of(Results(grids=ideal_results().grids))
    assert "What language models say" not in page
    assert "--judge-url" in page


def test_where_nobody_was_asked_nothing_is_said_of_models_that_others_tried():
    assert why_not_believed(Results()).startswith("No judge was asked here.")
    assert "tried" not in why_not_believed(Results())
