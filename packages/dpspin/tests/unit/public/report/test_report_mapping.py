"""The report says which map was used, how far it can be believed, and when nobody can say."""

import json
import re

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.label import label_json
from factories import PAPER_UNIVERSE, universe_of
from pages import page_of
from report_cards import PAPER_CARD, mapped_plan, untested, well_sorted
from shop_plans import SHOP, shop

COMPOSED = PAPER_CARD.model_copy(update={"real_text": False})


def section(plan, atoms=PAPER_UNIVERSE):
    (found,) = re.findall(r'<section aria-labelledby="h-sure".*?</section>', page_of(plan, atoms=atoms), re.DOTALL)
    return found


def words(plan):
    return " ".join(re.sub(r"<[^>]+>", " ", section(plan)).split())


def test_the_page_names_the_map_and_what_it_was_fitted_on():
    text = words(mapped_plan(None, name="hybrid", fitted_on="900 old letters"))
    assert (
        "by the map “ hybrid ”. Before any protected record was read, it was fitted on what its maker declares as "
        "“ 900 old letters ”."
    ) in text


def test_the_page_says_how_well_the_map_does_on_text_it_did_not_learn_from():
    text = words(mapped_plan(PAPER_CARD))
    assert "tested on what its maker declares as “ 500 labelled letters ”, none of which it learned from." in text
    assert "83% of what it filed under a theme belonged there" in text
    assert "it found 64% of the themes" in text
    assert "7.1% of the total lay on the wrong theme" in text


@pytest.mark.parametrize(
    ("plan", "larger"),
    [
        (mapped_plan(PAPER_CARD), True),
        (shop(), False),  # no mistake on test text
        (well_sorted(shop(epsilon=0.02, admission="fixed"), SHOP, 0.9), False),  # the noise moves themes by more
        (well_sorted(shop(), SHOP, 0.9), True),
    ],
)
def test_the_sorting_is_called_the_larger_error_only_where_it_is(plan, larger):
    page = section(plan, PAPER_UNIVERSE if plan.dictionary.digest == PAPER_UNIVERSE.digest else SHOP)
    assert ("The sorting is the larger error." in page) is larger
    assert ("The sorting errs as well." in page) is not larger


def rows_of(plan):
    return [" ".join(re.findall(r">([^<]+)<", row)) for row in re.findall(r"<tr><th.*?</tr>", section(plan))]


def test_each_reported_theme_has_its_own_precision_and_recall():
    _, *rows = rows_of(mapped_plan(COMPOSED))
    assert rows == ["long wait 90% 70%", "friendly staff 90% 70%", "food quality 90% 70%"]


def test_a_theme_that_was_not_tested_is_not_called_bad():
    _, first, second, _ = rows_of(mapped_plan(untested(PAPER_CARD)))
    assert first.startswith("long wait – – ")
    assert second.startswith("friendly staff 90% 70% ")


def test_without_a_card_the_page_says_that_nobody_knows():
    text = words(mapped_plan(None))
    assert "There is no report card" in text
    assert "belonged there" not in text
    assert rows_of(mapped_plan(None)) == []


def test_a_card_of_composed_records_comes_with_a_warning():
    warning = "text that people wrote is usually sorted less well than such test text"
    assert warning in words(mapped_plan(COMPOSED))
    assert warning not in words(mapped_plan(PAPER_CARD))


def test_corrected_shares_stand_with_their_intervals_beside_the_shares_as_mapped():
    plan = mapped_plan(PAPER_CARD)
    share = plan.quantified[0]
    corrected = f"{share.share:.1%} {share.low:.1%} to {share.high:.1%}"
    assert f"long wait 90% 70% 29.4% {corrected}" in words(plan)  # 318.4 of 1084.4


@pytest.mark.parametrize("plan", [mapped_plan(COMPOSED), mapped_plan(PAPER_CARD, none=None), mapped_plan(None)])
def test_a_plan_without_corrected_shares_shows_none(plan):
    assert "orrected share" not in section(plan)
    assert "interval</th>" not in section(plan)


def test_what_others_wrote_is_shown_as_text():
    hostile = "<b onclick='x'>&"
    universe = universe_of([Atom(id=atom.id, label=f"a & b {atom.id}") for atom in PAPER_UNIVERSE.atoms])
    card = PAPER_CARD.model_copy(update={"measured_on": hostile})
    shown = section(mapped_plan(card, universe=universe, name=hostile, fitted_on=hostile, trusts=hostile), universe)
    assert "<b" not in shown.replace("<bdi>", "")
    assert shown.count("&lt;b onclick=&#39;x&#39;&gt;&amp;") == 4  # map, source, trust, card
    assert shown.count("a &amp; b") == 3  # themes: signs that would end a tag are refused in names


def test_whom_the_mapping_trusts_is_said_in_the_page_and_in_the_label():
    trusts = "A language model on another machine read the records."
    plan = mapped_plan(PAPER_CARD, trusts=trusts)
    label = json.loads(label_json(plan))
    assert f"declares as “ nothing ”. {trusts}" in words(plan)
    assert label["map_trusts"] == trusts
    assert trusts in label["sentences"]
    assert trusts not in label_json(mapped_plan(PAPER_CARD))


def test_the_label_states_the_card_where_there_is_one():
    with_card, without = (json.loads(label_json(mapped_plan(card))) for card in (PAPER_CARD, None))
    assert (with_card["map_precision"], with_card["map_recall"]) == (0.83, 0.64)
    assert (without["map_precision"], without["map_recall"]) == (None, None)


def test_the_second_band_goes_from_what_was_rightly_filed_to_that_with_what_was_missed():
    facts = Facts(mapped_plan(PAPER_CARD), PAPER_UNIVERSE)
    low, high = facts.sorting_range((17,))
    share = facts.theme(17).share
    assert (low, high) == pytest.approx((0.9 * share, 0.9 / 0.7 * share))
    assert facts.sorting_range((17, 42)) == pytest.approx(
        tuple(map(sum, zip(facts.sorting_range((17,)), facts.sorting_range((42,)), strict=True)))
    )


def test_where_a_theme_was_not_tested_there_is_no_second_band():
    facts = Facts(mapped_plan(untested(PAPER_CARD)), PAPER_UNIVERSE)
    assert facts.sorting_range((PAPER_CARD.atoms[0].atom_id,)) is None
    assert facts.sorting_range(PAPER_UNIVERSE.ids) is None
    assert "What wrong sorting leaves open is not drawn" in page_of(mapped_plan(None))
    assert 'class="sorting"' not in page_of(mapped_plan(None))
