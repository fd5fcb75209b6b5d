"""What reports, labels, tables and texts say of the denominator and of the public baseline."""

import csv
import io
import json
import re

import pytest

from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.denominator import CountShare, TotalMass, loss_of_themes
from dpspin.boundary.mechanisms import PrivateTopL, noise_of
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, UserUnit, sensitivity_of
from dpspin.boundary.read_plan import ReaderChoices, read_noise, reading_of, reread
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import verify
from dpspin.public.report.csv_tables import plan_csv
from dpspin.public.report.folder import report
from dpspin.public.report.how_sure import coverage
from dpspin.public.report.label import baseline_sentence, label_json
from dpspin.public.wording.quantities import denominator_explained, denominator_words
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of

EQUAL = baseline_of(PAPER_UNIVERSE, {17: 318, 42: 272, 81: 245, 99: 1}, source="last year's survey")
OTHER = baseline_of(PAPER_UNIVERSE, {17: 245, 42: 272, 81: 318, 99: 1}, source="last year's survey")


def read(plan, **changes):
    return reread(plan, PAPER_UNIVERSE, reading_of(plan).model_copy(update=changes))


def chosen(denominator, baseline=None):
    """A private_topL plan of users."""
    loss, unit, mechanism = PrivacyLoss(1.0, 1e-6), UserUnit(2.0), PrivateTopL()
    sensitivity = sensitivity_of(unit, Adjacency.ADD_DROP)
    statement = PrivacyStatement(
        unit=unit,
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(mechanism, loss_of_themes(loss, denominator), sensitivity, atoms=4, size=2),
        randomness="os-csprng",
        separation=NO_TEXTS,
        contribution_map=MapStatement(name="m", fitted_on="nothing", atoms_per_record=3, digest="sha256:0"),
    )
    reading = ReaderChoices(denominator=denominator, size=2, baseline=baseline)
    return read_noise(
        NoisyMasses([800.0, 300.0], None, 2004, positions=[0, 2]), statement, PAPER_UNIVERSE, reading, software="t"
    )


COUNTED = chosen(CountShare(share=0.1))
TOTAL, TOTAL_WITH_NONE = read(PAPER_PLAN, denominator=TotalMass()), read(COVERED_PLAN, denominator=TotalMass())
WORDS = {
    "public": (PAPER_PLAN, "a declared total of 2,000"),
    "count": (COUNTED, "a noisy count of about 2,004 users"),
    "total": (TOTAL, "the total of all masses, about 836.3"),
    "total with none": (TOTAL_WITH_NONE, "the total of all masses, about 1,084.4"),
}


@pytest.mark.parametrize("name", WORDS)
def test_every_artifact_names_the_denominator_as_what_it_is(name):
    plan, words = WORDS[name]
    assert denominator_words(plan) == words
    page = re.sub(r"\s+", " ", report(plan, PAPER_UNIVERSE))
    assert f"over {words}." in page
    assert ("declared total" in page.partition('id="plan"')[0]) == (name == "public")
    label = json.loads(label_json(plan))
    assert label["denominator"]["kind"] == plan.denominator.kind
    assert label["denominator_words"] == words
    assert denominator_explained(plan) in label["sentences"]
    narration = narrate(plan, PAPER_UNIVERSE)
    assert words in narration.text
    assert not narration.used_fallback
    assert narration.verdict.accepted


def test_the_label_says_what_the_count_cost_and_what_one_user_changes():
    label = json.loads(label_json(COUNTED))
    assert label["mechanism"].endswith("on the number of users discrete Laplace noise, which takes 10% of epsilon")
    assert label["epsilon"] == 1.0
    assert any("one user changes it by one" in sentence for sentence in label["sentences"])


def test_a_total_is_said_to_be_no_number_of_records():
    assert "at most the number of records, and not that number" in denominator_explained(TOTAL)
    assert coverage(TOTAL) is None


def test_coverage_of_a_counted_collection_knows_the_counts_noise():
    bare = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], denominator=2004)
    exact = coverage(bare)
    counted = coverage(bare.model_copy(update={"denominator": COUNTED.denominator}))
    assert exact.share.startswith("41.7")
    assert counted.share == exact.share
    assert (exact.std, counted.std) == ("0.14 points", "0.33 points")


def test_the_csv_has_the_interval_of_the_support_with_the_denominators_noise():
    rows = list(csv.DictReader(io.StringIO(plan_csv(TOTAL, PAPER_UNIVERSE))))
    support = next(row for row in rows if row["variable"] == "support")
    entry = TOTAL.entries[0]
    assert (float(support["low"]), float(support["high"])) == (entry.support_low, entry.support_high)
    assert entry.support_low < entry.low / TOTAL.denominator.value


FALSE = {
    "another count": (COUNTED, "Shares refer to a noisy count of about 2,010 users."),
    "the end for the value": (COUNTED, f"Shares refer to a noisy count of about {COUNTED.denominator.low:,} users."),
    "another total": (TOTAL, "Shares refer to the total of all masses, about 900.0."),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_text_with_another_denominator_is_rejected(name):
    plan, text = FALSE[name]
    assert verify(plan, f"Shares refer to {denominator_words(plan)}.", "display", PAPER_UNIVERSE).verified
    assert not verify(plan, text, "display", PAPER_UNIVERSE).verified


def test_a_release_that_differs_from_its_baseline_says_in_how_many_themes():
    plan = read(PAPER_PLAN, baseline=OTHER)
    assert baseline_sentence(plan) == (
        "Of the 4 themes in the public dictionary, 2 are told apart from the public baseline under the noise."
    )
    page = report(plan, PAPER_UNIVERSE)
    assert "Beside the public baseline" in page
    assert page.count("yes: it differs") == 2
    assert "Not certified." in page
    assert "last year&#39;s survey" in page
    assert "does not beat" not in page


def test_the_best_guess_marks_a_theme_that_stands_out_above_the_baseline_and_only_such_a_one():
    survey = baseline_of(PAPER_UNIVERSE, {17: 40, 42: 35, 81: 25}, source="last year's survey")
    emerging = plan_of(PAPER_UNIVERSE, [400.0, 330.0, 170.0, 180.0], epsilon=0.02, size=3)
    assert report(read(emerging, baseline=survey), PAPER_UNIVERSE).count("Novelty slot") == 1
    familiar = plan_of(PAPER_UNIVERSE, [400.0, 330.0, 230.0, 40.0], epsilon=0.02, size=3)
    assert "Novelty slot" not in report(read(familiar, baseline=survey), PAPER_UNIVERSE)


def test_a_release_that_shows_no_more_than_its_baseline_says_so_plainly():
    plan = read(PAPER_PLAN, baseline=EQUAL)
    assert baseline_sentence(plan).endswith("so this release shows no more than the public baseline.")
    assert "It does not beat the public-only plan." in report(plan, PAPER_UNIVERSE)
    label = json.loads(label_json(plan))["baseline"]
    assert (label["themes_that_differ"], label["words"]) == (0, baseline_sentence(plan))


def test_one_theme_and_no_entries_are_worded_too():
    one = plan_of(PAPER_UNIVERSE, [900.0, 10.0, 10.0, 10.0])
    moved = read(one, baseline=baseline_of(PAPER_UNIVERSE, {17: 900, 42: 10, 81: 10, 99: 22}, source="x"))
    assert ", 1 is told apart" in baseline_sentence(moved)
    empty = read(plan_of(PAPER_UNIVERSE, [0.1, 0.2, 0.0, 0.1]), baseline=EQUAL)
    assert not empty.entries
    assert "told apart from the public baseline under the noise" in narrate(empty, PAPER_UNIVERSE).text


def test_chosen_themes_are_not_compared_but_the_public_only_plan_is_shown():
    plan = chosen(CountShare(share=0.1), EQUAL)
    assert baseline_sentence(plan) == ""
    assert plan.denoised == ()
    page = report(plan, PAPER_UNIVERSE)
    assert "has no total of all masses" in page
    assert json.loads(label_json(plan))["baseline"]["themes_that_differ"] is None
    assert "baseline_share" in plan_csv(plan, PAPER_UNIVERSE)
    assert "share_of_total" not in plan_csv(plan, PAPER_UNIVERSE)


def test_the_csv_has_baseline_share_and_best_guess():
    plan = read(PAPER_PLAN, baseline=OTHER)
    rows = list(csv.DictReader(io.StringIO(plan_csv(plan, PAPER_UNIVERSE))))
    by_variable = {name: [row for row in rows if row["variable"] == name] for name in {row["variable"] for row in rows}}
    assert [row["label"] for row in by_variable["baseline_share"]] == [atom.label for atom in PAPER_UNIVERSE.atoms]
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in by_variable["share_of_total"])
    assert len(by_variable["best_guess_share"]) == len(plan.denoised)


LISTED = "“Long wait” is listed. The map is untested, so nobody knows how well it sorts these records."
SAID = "Of the 4 themes in the dictionary, 2 are told apart from the public baseline under the noise."
REJECTED = {
    "another number": SAID.replace("2 are", "3 are"),
    "a theme": "“Long wait” is told apart from the public baseline.",
    "a denial": "No theme is told apart from the public baseline.",
    "in passing": "The public base-line is listed.",
    "the other plan": "The public-only plan lists 3 themes.",
}


@pytest.mark.parametrize("name", REJECTED)
def test_of_the_baseline_a_text_says_the_plans_own_sentence_or_nothing(name):
    plan = read(PAPER_PLAN, baseline=OTHER)
    assert verify(plan, f"{LISTED} {SAID}", "display", PAPER_UNIVERSE).accepted
    assert not verify(plan, f"{LISTED} {REJECTED[name]}", "display", PAPER_UNIVERSE).accepted
    bare = verify(PAPER_PLAN, f"{LISTED} {SAID}", "display", PAPER_UNIVERSE)
    assert bare.rules() == ("unsupported-baseline",)
