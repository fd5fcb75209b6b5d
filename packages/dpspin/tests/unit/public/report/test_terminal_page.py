"""The terminal shows the finding, every area and listed theme with its share, and the sentences that lead."""

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.errors import DictionaryError
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.narrate import narrate
from dpspin.public.report.finding import shown_sentences
from dpspin.public.report.on_terminal import terminal_page
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from shop_plans import CLEAR, SHOP
from viewed_plans import BY_THREE

GROUPED = universe_of(
    [Atom(id=i, label=f"theme {i}", parent=area) for i, area in enumerate(["small", "large", "large"])]
)


def shown(plan, atoms=PAPER_UNIVERSE, width=80, **options):
    return terminal_page(Facts(plan, atoms), shown_sentences(narrate(plan, atoms).verdict), width, **options)


def test_title_finding_table_and_sentences_follow_each_other():
    title, finding, table, shares, *sentences, mark = shown(PAPER_PLAN).split("\n\n")
    assert title == "a test corpus"
    assert " ".join(finding.split()) == (
        "“Long wait” has the largest share of all themes, as filed (15.9%). "
        "The map is untested, so nobody knows how well it sorts these records."
    )
    assert [line.split()[:3] for line in table.splitlines()[1:]] == [
        ["long", "wait", "15.9%"],
        ["friendly", "staff", "13.6%"],
        ["food", "quality", "12.2%"],
    ]
    assert shares == "Shares of a declared total of 2,000."
    assert len(sentences) <= 5
    assert mark.endswith("more in summary.txt)")


def test_what_leads_each_view_is_told_with_how_sure_it_is():
    told = " ".join(shown(BY_THREE, SHOP).split())
    assert told.count("Where “channel” is “") == 3
    assert told.count("All that is said by “channel” holds together") == 1
    assert "than elsewhere" not in shown(CLEAR, SHOP)


def test_a_bar_is_as_long_as_its_share():
    lines = shown(PAPER_PLAN, plain=True).split("\n\n")[2].splitlines()[1:]
    bars = [line.count("#") for line in lines]
    assert bars == sorted(bars, reverse=True)
    assert bars[0] / bars[1] == pytest.approx(318.4 / 271.9, rel=0.1)


def test_themes_are_indented_under_their_areas():
    table = shown(plan_of(GROUPED, [100.0, 80.0, 70.0]), GROUPED).split("\n\n")[2]
    assert [line.partition("  ")[0] or line[:9] for line in table.splitlines()[1:]] == [
        "large",
        "  theme 1",
        "  theme 2",
        "small",
        "  theme 0",
    ]


@pytest.mark.parametrize("width", [10, 60, 80, 100, 500])
def test_no_line_is_wider_than_the_terminal(width):
    plan = plan_of(universe_of([Atom(id=1, label="late " * 30), Atom(id=2, label="wait")]), [300.0, 200.0])
    atoms = universe_of([Atom(id=1, label="late " * 30), Atom(id=2, label="wait")])
    assert max(map(len, shown(plan, atoms, width).splitlines())) <= min(100, max(60, width))


def test_what_fits_none_and_what_is_unclear_is_in_the_table():
    assert "none of these   12.4%" in shown(COVERED_PLAN)
    unclear = plan_of(PAPER_UNIVERSE, [318.4, 2.0, -1.0, 0.4], admission="fixed", size=2)
    assert "friendly staff (unclear)" in shown(unclear)


def test_a_plan_that_lists_nothing_has_no_table():
    empty = shown(plan_of(PAPER_UNIVERSE, [0.3, -1.0, 2.0, 1.0]))
    assert "share" not in empty.split("\n\n")[2]
    assert "none came out above the threshold for noise" in " ".join(empty.split())


def test_without_a_known_denominator_no_bar_is_drawn():
    few = plan_of(PAPER_UNIVERSE, [30.0, -20.0, -9.0, 1.3], size=3)
    unknown = reread(few, PAPER_UNIVERSE, reading_of(few).model_copy(update={"denominator": TotalMass()}))
    known, text = shown(few, plain=True), shown(unknown, plain=True)
    assert "long wait" in text
    assert text.count("unknown") == 2  # its share and its interval
    assert ("#" in known, "#" in text) == (True, False)
    assert ("Shares of " in known, "Shares of " in text) == (True, False)


def test_hostile_words_are_shown_and_not_obeyed():
    titled = PAPER_PLAN.model_copy(update={"title": "a\u202eb\x1b[2J"})
    assert shown(titled).splitlines()[0] == "a\\u202eb\\u001b[2J"
    atoms = universe_of([Atom(id=1, label="a\u202eb"), Atom(id=2, label="wait")])
    with pytest.raises(DictionaryError, match="u202e"):
        shown(plan_of(atoms, [300.0, 200.0]), atoms)


def test_a_name_is_not_cut_at_its_hyphen():
    atoms = universe_of([Atom(id=i, label=f"sign-in-{'again-' * i}failed") for i in range(1, 6)])
    for width in range(60, 100):
        lines = shown(plan_of(atoms, [300.0, 250.0, 200.0, 150.0, 100.0]), atoms, width).splitlines()
        assert not any(line.endswith("-") for line in lines)
