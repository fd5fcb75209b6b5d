"""The wide table has one row per theme, with the figures of the sentences, and no spreadsheet runs it."""

import csv
import io

import pytest
from hypothesis import given, settings

from dpspin.boundary.atoms import Atom
from dpspin.boundary.read_plan import ReaderChoices, reread
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.csv_tables import area_rows, theme_rows, themes_csv
from dpspin.public.report.folder import write_release
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from random_plans import plans

AREAS = universe_of(
    [
        Atom(id=1, label="late delivery", parent="delivery", description="It comes\nlater than promised."),
        Atom(id=2, label="slow refund", parent="billing"),
        Atom(id=3, label="lost parcel", parent="delivery"),
        Atom(id=4, label="rude driver"),
    ]
)
PLAN = plan_of(AREAS, [300.0, 500.0, 2.0, -1.0])


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_plain_headings_come_first_and_technical_ones_last():
    first, *_ = csv.reader(io.StringIO(themes_csv(PLAN, AREAS)))
    assert first[:6] == ["theme", "area", "listed", "share_percent", "low_percent", "high_percent"]
    assert first[-2:] == ["noisy_mass", "atom_id"]


def test_every_theme_has_a_row_the_largest_first_listed_or_not():
    rows = rows_of(themes_csv(PLAN, AREAS))
    assert [(row["theme"], row["listed"], row["rank"]) for row in rows] == [
        ("slow refund", "yes", "1"),
        ("late delivery", "yes", "2"),
        ("lost parcel", "no", ""),
        ("rude driver", "no", ""),
    ]
    assert [row["area"] for row in rows] == ["billing", "delivery", "delivery", ""]
    assert rows[0]["share_percent"] == "25.0"
    assert rows[1]["description"] == "It comes later than promised."
    assert [row["noisy_mass"] for row in rows][2:] == ["2.0", "-1.0"]


@settings(max_examples=60)
@given(plans())
def test_shares_and_intervals_are_those_of_the_facts(released):
    facts = Facts(released.plan, released.universe)
    rows = theme_rows(facts)
    assert {row.atom_id for row in rows} == set(facts.masses)
    assert [row.atom_id for row in rows if row.listed] == list(facts.ranked)
    for row in rows:
        estimate = facts.theme(row.atom_id)
        known = facts.percent(estimate.share), *facts.outward(estimate)
        told = row.share_percent, row.low_percent, row.high_percent
        assert told == (known if facts.has_shares else (None, None, None))
        admitted = row.atom_id in facts.listed
        assert row.listed is (row.rank is not None)
        assert admitted is (row.clear_of_noise is not None)
        assert bool(row.bin) is (admitted and facts.has_shares)
        if facts.read is not None:
            read = facts.read.outward(facts.read.theme(row.atom_id)) if facts.has_shares else (None, None)
            assert (row.reader_low_percent, row.reader_high_percent) == read
            assert (row.best_guess_percent is not None) is (row.listed and facts.has_shares)


def test_a_private_choice_gives_a_row_to_what_it_released_only():
    chosen = PAPER_PLAN.model_copy(update={"noisy_sketch": None})
    assert [row["listed"] for row in rows_of(themes_csv(chosen, PAPER_UNIVERSE))] == ["yes"] * 3


def test_areas_are_sums_over_all_of_their_themes():
    facts = Facts(PLAN, AREAS)
    billing, delivery = area_rows(facts)
    assert (billing.area, billing.themes, billing.listed_themes) == ("billing", 1, 1)
    assert (delivery.area, delivery.themes, delivery.listed_themes) == ("delivery", 2, 1)
    assert delivery.share_percent == facts.percent(302 / 2000)
    assert delivery.low_percent < delivery.share_percent < delivery.high_percent


def test_areas_without_a_sum_have_no_share():
    facts = Facts(PLAN.model_copy(update={"noisy_sketch": None}), AREAS)
    assert [(row.area, row.share_percent, row.low_percent) for row in area_rows(facts)] == [
        ("delivery", None, None),
        ("billing", None, None),
    ]


def is_inert(cell, words):
    return not cell.startswith(("=", "+", "-", "@", "＝")) and cell.removeprefix("'") == words


@pytest.mark.parametrize("words", ["=1+1", "+41", "-cmd", "@sum"])
def test_no_name_begins_like_a_formula(words):
    universe = universe_of([Atom(id=0, label=words, parent=words)])
    (row,) = rows_of(themes_csv(plan_of(universe, [500.0]), universe))
    assert is_inert(row["theme"], words)
    assert is_inert(row["area"], words)


@pytest.mark.parametrize("words", ["=1+1", "+41", "-cmd", "@sum", "'quoted", "＝1"])
def test_no_description_begins_like_a_formula(words):
    universe = universe_of([Atom(id=0, label="late", description=words)])
    (row,) = rows_of(themes_csv(plan_of(universe, [500.0]), universe))
    assert is_inert(row["description"], words)


def test_a_description_hides_nothing_and_a_name_that_would_is_refused():
    universe = universe_of([Atom(id=0, label="late", description="\u202e=1")])
    (row,) = rows_of(themes_csv(plan_of(universe, [500.0]), universe))
    assert row["description"].removeprefix("'") == "\\u202e=1"
    hidden = universe_of([Atom(id=0, label="\u202e=1")])
    with pytest.raises(DictionaryError, match="u202e"):
        themes_csv(plan_of(hidden, [500.0]), hidden)


def test_another_reading_gives_other_shares_and_another_dictionary_none():
    half = reread(PLAN, AREAS, ReaderChoices(denominator=4000, size=2))
    assert rows_of(themes_csv(half, AREAS))[0]["share_percent"] == "12.5"
    with pytest.raises(RequestError, match="not the dictionary"):
        themes_csv(PLAN, PAPER_UNIVERSE)


def test_a_release_folder_has_both_tables(tmp_path):
    write_release(tmp_path, PLAN, AREAS)
    assert (tmp_path / "themes.csv").read_bytes().decode() == themes_csv(PLAN, AREAS)
    assert (tmp_path / "plan.csv").is_file()
