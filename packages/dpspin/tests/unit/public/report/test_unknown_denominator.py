"""Where nothing is known of what shares refer to, no page, label or table speaks of parts of it."""

import csv
import io
import json
import re

import pytest

from dpspin.boundary.denominator import CountShare, TotalMass, loss_of_themes
from dpspin.boundary.mechanisms import Laplace, noise_of
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import sensitivity_of
from dpspin.boundary.read_plan import read_noise
from dpspin.public.report.csv_tables import plan_csv, themes_csv
from dpspin.public.report.folder import report
from dpspin.public.report.how_sure import coverage
from dpspin.public.report.label import label_json
from dpspin.public.wording.numbers import plain
from dpspin.public.wording.quantities import denominator_explained
from factories import PAPER_UNIVERSE
from pages import page_of, words
from report_cards import MASSES, PAPER_CARD, READING, mapped_plan, stated_with


def tiles(plan):
    return [words(tile) for tile in re.findall(r'<li class="tile">.*?</li>', page_of(plan), flags=re.DOTALL)]


def unknown_total(card=None, masses=(30.0, -20.0, -9.0, 1.3)):
    """Return a plan that lists a theme, and whose total may be noise alone."""
    total = READING.model_copy(update={"denominator": TotalMass()})
    noisy = NoisyMasses(masses, None)
    return read_noise(noisy, stated_with(card, none=False), PAPER_UNIVERSE, total, software="dpspin test")


def unknown_count():
    """Return a plan with a count of records that may be noise alone."""
    bought = READING.model_copy(update={"denominator": CountShare(share=0.1)})
    noisy = NoisyMasses((30.0, -20.0, -9.0, 1.3), None, 3)
    known = mapped_plan(None, none=None).statement
    themes = noise_of(
        Laplace(),
        loss_of_themes(known.loss, bought.denominator),
        sensitivity_of(known.unit, known.adjacency),
        atoms=4,
        size=3,
    )
    return read_noise(noisy, known.model_copy(update={"noise": themes}), PAPER_UNIVERSE, bought, software="t")


UNKNOWN = {"total": unknown_total, "count": unknown_count}


@pytest.mark.parametrize("card", [None, PAPER_CARD])
def test_without_a_known_denominator_shares_are_unknown_and_nothing_is_drawn(card):
    plan = unknown_total(card)
    page = report(plan, PAPER_UNIVERSE)
    assert plan.entries
    assert 'id="h-chart"' not in page
    assert "in the chart" not in words(page)
    (row,) = re.findall(r'<tr role="row" id="row-17".*?</tr>', page, flags=re.DOTALL)
    (other,) = re.findall(r'<tr id="row-99">.*?</tr>', page, flags=re.DOTALL)
    about = "–" if card is None else "unknown"
    assert f"– unknown unknown {about} " in words(row)
    assert "unknown unknown" in words(other)
    (summary,) = re.findall(r'<section aria-labelledby="h-summary".*?</section>', page, flags=re.DOTALL)
    assert "No share is given, because what shares would refer to is too noisy." in words(summary)
    told = words(f"{page.partition('<main')[0]}{summary}")
    assert set(re.findall(r"[\d.,]+%", told)) == (set() if card is None else {"83%", "64%", "90%"})  # of the card


def test_without_a_known_denominator_no_tile_says_what_the_noise_leaves_open():
    sorting, privacy = tiles(unknown_total())
    assert sorting.startswith("Sorted right")
    assert privacy.startswith("Privacy of each record")


def test_a_total_that_stands_clear_is_a_denominator():
    page = report(unknown_total(masses=(318.4, 271.9, 244.7, 1.3)), PAPER_UNIVERSE)
    assert 'id="h-chart"' in page
    assert "No share is given" not in words(page)
    assert tiles(unknown_total(masses=(318.4, 271.9, 244.7, 1.3)))[0].startswith(
        "Largest share of all themes, as filed 38.1%"
    )


SECTIONS = ("h-sure", "h-reading", "h-privacy", "h-technical")


def sections(page):
    found = (re.findall(rf'<section aria-labelledby="{name}".*?</section>', page, flags=re.DOTALL) for name in SECTIONS)
    return {name: words("".join(parts)) for name, parts in zip(SECTIONS, found, strict=True)}


@pytest.mark.parametrize("name", UNKNOWN)
def test_no_section_speaks_of_parts_of_what_is_not_known(name):
    plan = UNKNOWN[name]()
    assert plan.entries
    told = sections(report(plan, PAPER_UNIVERSE))
    limit = f"a mass of {plain(plan.rules.certificates.admission_threshold)}"
    assert f"A theme with less than about {limit} cannot be told" in told["h-sure"]
    assert "all listed shares" not in told["h-sure"]
    assert "Coverage" not in told["h-sure"]
    assert f"above the detection limit of {limit}." in told["h-reading"]
    assert "None is given: what shares would refer to is too noisy" in told["h-reading"]
    assert "Bins" not in told["h-reading"]
    assert [each for each in told.values() if "points" in each or "of the denominator" in each] == []
    of_the_release = {"95%"} | ({"10%"} if name == "count" else set())  # a confidence, and a part of epsilon
    assert {each for text in told.values() for each in re.findall(r"[\d.,]+%", text)} == of_the_release
    assert not re.search(r"\b(high|moderate|low)\b", told["h-technical"])


@pytest.mark.parametrize("name", UNKNOWN)
def test_the_label_gives_masses_and_no_points(name):
    plan = UNKNOWN[name]()
    label = json.loads(label_json(plan))
    amounts = [label[key] for key in ("one_unit_changes", "one_unit_changes_per_theme", "noise_std")]
    assert [each["points"] for each in amounts] == [None] * 3
    assert all(each["mass"] > 0 for each in amounts)
    assert label["denominator_words"] == "unknown"
    assert "No share is given: " in denominator_explained(plan)
    assert denominator_explained(plan) in label["sentences"]
    known = json.loads(label_json(mapped_plan(PAPER_CARD)))
    assert known["noise_std"]["points"] == 100 * known["noise_std"]["mass"] / 2000


@pytest.mark.parametrize("denominator", [TotalMass(), READING.denominator])
def test_the_label_gives_supports_beside_the_themes_only_where_shares_are_known(denominator):
    noisy = NoisyMasses((30.0, -20.0, -9.0, 1.3), 1.0)
    reading = READING.model_copy(update={"denominator": denominator})
    plan = read_noise(noisy, stated_with(PAPER_CARD), PAPER_UNIVERSE, reading, software="t")
    told = json.loads(label_json(plan))["uncovered"]
    supports = {"support", "support_low", "support_high"}
    assert told == plan.uncovered.model_dump() | ({} if plan.has_shares else dict.fromkeys(supports))
    assert plan.has_shares is (denominator == READING.denominator)


@pytest.mark.parametrize("name", UNKNOWN)
def test_tables_leave_supports_and_bins_open(name):
    plan = UNKNOWN[name]()
    rows = list(csv.DictReader(io.StringIO(plan_csv(plan, PAPER_UNIVERSE))))
    supports = [row for row in rows if row["variable"] == "support"]
    assert len(supports) == len(plan.entries) > 0
    assert {row[key] for row in supports for key in ("value", "low", "high")} == {""}
    assert all(row["value"] for row in rows if row["variable"] != "support")
    wide = list(csv.DictReader(io.StringIO(themes_csv(plan, PAPER_UNIVERSE))))
    assert {row["bin"] for row in (*rows, *wide)} == {""}


def test_a_count_that_may_be_noise_alone_gives_no_coverage():
    plan = unknown_count()
    assert coverage(plan) is None
    assert coverage(plan.model_copy(update={"denominator": mapped_plan(None).denominator})) is not None


def test_corrected_shares_of_a_total_that_is_not_known_are_not_shown():
    total = READING.model_copy(update={"denominator": TotalMass()})
    noisy = NoisyMasses((30.0, -20.0, -9.0, 1.3), 1.0)
    unknown = read_noise(noisy, stated_with(PAPER_CARD), PAPER_UNIVERSE, total, software="dpspin test")
    known = read_noise(NoisyMasses(MASSES, 248.1), stated_with(PAPER_CARD), PAPER_UNIVERSE, total, software="t")
    assert unknown.quantified
    assert ["Corrected share" in page_of(plan) for plan in (unknown, known)] == [False, True]
    assert "What fits none of them" not in page_of(unknown)
