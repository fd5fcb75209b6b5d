"""The workbook carries the release whole: numbers are numbers, words are only words, and equal plans give one file."""

import io
import sys
import zipfile
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from python_calamine import CalamineWorkbook

from dpspin.boundary.atoms import Atom
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.errors import MissingExtra
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.csv_tables import theme_rows
from dpspin.public.report.workbook import LONGEST_CELL, workbook
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from random_plans import plans
from report_cards import card_of, identity
from shop_plans import SHOP
from viewed_plans import BY_THREE

NAMES = ("=1+1", "@x", "=HYPERLINK(0)", "http://a.b", "_x0041_", "12")
DESCRIPTIONS = (*NAMES, "<b>&", "\uffff", "{=1}", "\u202e")  # what a name may not hold


def sheets_of(content):
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def parts_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist() if "xml" in name}


def tags_of(content):
    return {node.tag.rpartition("}")[2] for part in parts_of(content).values() for node in part.iter()}


def test_views_have_a_sheet_and_so_have_their_pairs():
    sheets = sheets_of(workbook(BY_THREE, SHOP))
    assert list(sheets) == ["themes", "areas", "views", "pairs of values", "tidy values", "about"]
    heading, first, *_ = sheets["pairs of values"]
    assert heading[:4] == ["view", "value", "other value", "theme"]
    assert first[:4] == ["channel", "app", "web", "app crashes"]
    assert 0 < first[heading.index("difference low")] < first[heading.index("difference high")] < 1
    assert 1 < first[heading.index("times low")] < first[heading.index("times high")]


def test_the_sheets_are_themes_areas_values_and_what_they_mean():
    sheets = sheets_of(workbook(COVERED_PLAN, PAPER_UNIVERSE))
    assert list(sheets) == ["themes", "areas", "tidy values", "about"]
    heading, *rows = sheets["themes"]
    assert heading[:6] == ["theme", "area", "listed", "share", "low", "high"]
    assert [row[0] for row in rows] == ["long wait", "friendly staff", "food quality", "parking problems"]
    assert [row[2] for row in rows] == ["yes", "yes", "yes", "no"]
    assert sheets["areas"] == [["area", "share", "low", "high", "themes", "listed themes"]]
    assert ["", "none of these", "", "", "noisy_mass", 248.1, "", ""] in sheets["tidy values"]


def test_shares_are_numbers_shown_as_percentages():
    content = workbook(PAPER_PLAN, PAPER_UNIVERSE)
    rows = sheets_of(content)["themes"][1:]
    for row, expected in zip(rows, theme_rows(Facts(PAPER_PLAN, PAPER_UNIVERSE)), strict=True):
        assert row[3:6] == [
            pytest.approx(float(each) / 100)
            for each in (expected.share_percent, expected.low_percent, expected.high_percent)
        ]
    formats = [node.get("formatCode") for node in parts_of(content)["xl/styles.xml"].iter() if "numFmt" in node.tag]
    assert "0.0%" in formats


def test_headers_are_frozen_and_filtered():
    sheet = parts_of(workbook(PAPER_PLAN, PAPER_UNIVERSE))["xl/worksheets/sheet1.xml"]
    found = {node.tag.rpartition("}")[2]: node.attrib for node in sheet.iter()}
    assert found["pane"]["state"] == "frozen"
    assert found["autoFilter"]["ref"] == "A1:L5"


def test_about_says_whom_it_protects_and_what_a_share_is():
    about = {row[0]: row[1] for row in sheets_of(workbook(COVERED_PLAN, PAPER_UNIVERSE))["about"]}
    assert about["title"] == "a test corpus"
    assert about["epsilon"] == 1.0
    assert "50 of 100 sure" in about["privacy"]
    measure = "A share is a bounded noisy measure, not a count of records or users."
    assert about["what a share means"] == f"{measure} Shares refer to a declared total of 2,000."
    assert "public number" in about["what shares refer to"]
    assert "noise alone" in about["low and high"]
    assert "was filed under none of the themes" in about["the whole"]
    assert about["how well it is sorted"] == "The map is untested, so nobody knows how well it sorts these records."


def test_about_says_that_no_share_is_given_where_nothing_is_known_of_what_they_refer_to():
    few = plan_of(PAPER_UNIVERSE, [30.0, -20.0, -9.0, 1.3], size=3)
    unknown = reread(few, PAPER_UNIVERSE, reading_of(few).model_copy(update={"denominator": TotalMass()}))
    sheets = sheets_of(workbook(unknown, PAPER_UNIVERSE))
    about = {row[0]: row[1] for row in sheets["about"]}
    assert about["what shares refer to"].startswith("No share is given: ")
    assert about["what a share means"] == about["low and high"] == ""
    assert [row[4:] for row in sheets["tidy values"] if row[4] == "support"] == [["support", "", "", ""]]


def test_about_says_how_well_the_map_sorts_where_it_is_known():
    known = COVERED_PLAN.statement.contribution_map.model_copy(
        update={"card": card_of(identity(5), ids=PAPER_UNIVERSE.ids)}
    )
    statement = COVERED_PLAN.statement.model_copy(update={"contribution_map": known})
    plan = COVERED_PLAN.model_copy(update={"statement": statement})
    about = {row[0]: row[1] for row in sheets_of(workbook(plan, PAPER_UNIVERSE))["about"]}
    assert "83% of what was filed under a theme belonged there" in about["how well it is sorted"]


@pytest.mark.parametrize("place", ["label", "parent", "description"])
def test_words_are_never_formulas_links_or_numbers(place):
    hostile = DESCRIPTIONS if place == "description" else NAMES
    universe = universe_of([Atom(**{"id": i, "label": f"theme {i}", place: words}) for i, words in enumerate(hostile)])
    plan = plan_of(universe, [500.0 - i for i in range(len(hostile))])
    content = workbook(plan, universe)
    assert not {"f", "hyperlink"} & tags_of(content)
    column = {"label": 0, "parent": 1, "description": 9}[place]
    cells = [row[column] for row in sheets_of(content)["themes"][1:]]
    assert [cells[i] for i in (0, 1, 2, 3, 5)] == [hostile[i] for i in (0, 1, 2, 3, 5)]
    assert cells[6:] == (["<b>&", "_xFFFF_", "{=1}", "\\u202e"] if place == "description" else [])
    stored = [
        "".join(node.itertext())
        for node in parts_of(content)["xl/sharedStrings.xml"].iter()
        if node.tag.endswith("}si")
    ]
    assert "_x005F_x0041_" in stored  # as the format escapes it: Excel shows _x0041_


@settings(max_examples=30)
@given(plans())
def test_every_plan_becomes_a_workbook_that_can_be_read(released):
    content = workbook(released.plan, released.universe)
    assert "f" not in tags_of(content)
    assert len(sheets_of(content)) == 4
    assert all(name.startswith("SIMULATED ") is not released.plan.is_private for name in sheets_of(content))


def test_long_words_and_large_ids_stay_cells():
    universe = universe_of([Atom(id=10**400, label="a", description="long " * 10_000)])
    row = sheets_of(workbook(plan_of(universe, [500.0]), universe))["themes"][1]
    assert row[9].endswith("…")
    assert len(row[9]) == LONGEST_CELL + 1
    assert row[11] == str(10**400)


def test_equal_plans_give_equal_files():
    assert workbook(PAPER_PLAN, PAPER_UNIVERSE) == workbook(PAPER_PLAN, PAPER_UNIVERSE)


def test_without_the_extra_the_install_line_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(MissingExtra, match=r"dpspin\[excel\]"):
        workbook(PAPER_PLAN, PAPER_UNIVERSE)
