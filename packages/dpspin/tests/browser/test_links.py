"""Sentences and rows belong together: a sentence lights up its rows, and the detail under the mark leads to them."""

import pytest

from browsing import DESK, PHONE, open_details, seen

LIT = "it => getComputedStyle(it).boxShadow !== 'none'"


def rows_of(page, atom):
    return page.locator(f".bar-row[data-atom='{atom}'], .plan tr[data-atom='{atom}']")


def grounds(rows):
    return [row.evaluate("it => seen.background(it)") for row in rows.all()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("point", ["hover", "focus"])
@pytest.mark.parametrize("sentence", ["h1", ".claims .claim[data-atoms]"])
def test_a_sentence_that_is_pointed_at_lights_up_its_rows_and_no_others(show, sentence, point, scheme):
    page = show("rich", color_scheme=scheme)
    open_details(page)  # the sentences that lead may be about no theme
    claim = page.locator(sentence).first
    spoken_of = claim.get_attribute("data-atoms").split()
    listed = [each.get_attribute("data-atom") for each in page.locator(".plan tr[data-atom]").all()]
    before = {atom: grounds(rows_of(page, atom)) for atom in listed}
    getattr(claim, point)()
    changed = {atom for atom in listed if grounds(rows_of(page, atom)) != before[atom]}
    assert changed == set(spoken_of) & set(listed)
    assert changed
    for atom in changed:
        assert all(old != new for old, new in zip(before[atom], grounds(rows_of(page, atom)), strict=True))


def test_a_row_that_is_pointed_at_lights_up_its_sentences(show):
    page = show("rich")
    page.locator(".claims").first.evaluate("it => it.scrollIntoView()")
    claim = page.locator(".claims .claim[data-atoms]").first
    before = claim.evaluate("it => seen.background(it)")
    atom = claim.get_attribute("data-atoms").split()[0]
    page.locator(f".bar-row[data-atom='{atom}']").hover()
    assert claim.evaluate("it => seen.background(it)") != before


def test_a_sentence_about_what_fits_none_lights_up_its_rows(show):
    page = show("our sentences")
    rows = page.locator(".bar-row[data-none], tr[data-none]")
    before = grounds(rows)
    page.locator(".claim[data-none]").first.hover()
    assert len(before) == 2
    assert all(old != new for old, new in zip(before, grounds(rows), strict=True))


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("name", ["rich", "our sentences", "private choice", "hostile"])
def test_every_link_under_the_mark_leads_to_its_row_even_a_folded_one(show, name, screen):
    page = show(name, screen)
    addresses = {link.get_attribute("href") for link in page.locator(".evidence a").all()}
    folded = {address for address in addresses if page.locator(f".others {address}").count()}
    assert addresses
    assert bool(folded) == (name == "our sentences")
    for address in sorted(addresses):
        page.evaluate("document.querySelectorAll('details').forEach(it => (it.open = it.matches('.mark')))")
        page.locator(f".evidence a[href='{address}']").first.click()
        row = page.locator(address)
        assert row.evaluate("it => it.matches(':target') && it.checkVisibility()"), address
        box = row.bounding_box()
        assert box["y"] < screen.height, address
        assert box["y"] + box["height"] > 0, address
        assert row.evaluate(LIT), address
    others = page.locator("tr:not(:target)")
    assert not others.first.evaluate(LIT)


def test_the_chart_leads_to_the_table(show):
    page = show("rich")
    link = page.locator(".bar-row a").first
    link.click()
    assert page.locator("tr:target").get_attribute("id") == link.get_attribute("href").removeprefix("#")


def test_a_link_jumps_smoothly_only_where_motion_is_welcome(show):
    behaviour = "getComputedStyle(document.documentElement).scrollBehavior"
    assert show("rich").evaluate(behaviour) == "auto"
    assert show("rich", reduced_motion="no-preference").evaluate(behaviour) == "smooth"


def test_where_nothing_stands_clear_there_is_still_a_finding_and_no_dead_link(show):
    page = show("nothing clear")
    assert page.locator(".plan tr[data-atom]").count() == 0
    assert seen(page, "words")
    dead = "[...document.querySelectorAll('a[href^=\"#\"]')].filter(it => !document.querySelector(it.hash)).length"
    assert page.evaluate(dead) == 0
