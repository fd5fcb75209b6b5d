"""On the terminal a card begins with the whole and goes on with what is measured worst."""

import re

from dpspin.boundary.atoms import Atom
from dpspin.boundary.report_card import AtomCard
from dpspin.cli.atoms import WORST, card_lines
from factories import PAPER_UNIVERSE, universe_of
from report_cards import PAPER_CARD, card_of, identity, stated_with, untested


def lines(card, universe=PAPER_UNIVERSE, **changes):
    return list(card_lines(stated_with(card, **changes).contribution_map, universe))


def atom_lines(card, universe=PAPER_UNIVERSE):
    found = lines(card, universe)
    start = next(place for place, line in enumerate(found) if "measured worst" in line)
    return found[start], found[start + 1 :]


def test_the_map_is_named_first_with_its_source_and_digest():
    first, second, *_ = lines(PAPER_CARD, name="hybrid", fitted_on="900 old letters", digest="sha256:12")
    assert (first, second) == ("map: hybrid, fitted on 900 old letters", "digest: sha256:12")


def test_without_a_card_the_reason_is_given_and_no_number():
    *_, last = found = lines(None)
    assert len(found) == 3
    assert last.startswith("no report card:")
    assert "%" not in last


def test_the_whole_card_is_put_into_words():
    text = "\n".join(lines(PAPER_CARD))
    assert "measured on 500 labelled letters, none of which the map learned from:" in text
    assert "83% is on themes that the text expresses" in text
    assert "it finds 64%" in text
    assert "7.1% of the total lies on the wrong theme" in text
    assert "75% by the map, 80% in truth" in text


def test_the_worst_measured_atom_comes_first():
    worst = AtomCard(atom_id=99, expressed=12.0, precision=None, recall=0.0)
    bad = AtomCard(atom_id=81, expressed=30.0, precision=0.5, recall=0.25)
    card = PAPER_CARD.model_copy(update={"atoms": (*PAPER_CARD.atoms[:2], bad, worst)})
    _, (first, second, *_) = atom_lines(card)
    assert first.split() == ["parking", "problems", "–", "0%", "12"]
    assert second.split() == ["food", "quality", "50%", "25%", "30"]


def test_an_untested_atom_is_not_listed_as_bad():
    head, listed = atom_lines(untested(PAPER_CARD))
    assert "(3 of 4)" in head
    assert not any("long wait" in line for line in listed)


def test_a_large_dictionary_lists_only_the_worst_and_keeps_its_columns():
    universe = universe_of([Atom(id=place, label=f"theme {place} " + "x" * 50) for place in range(20)])
    head, listed = atom_lines(card_of(identity(21)), universe)
    assert f"({WORST} of 20)" in head
    assert len(listed) == WORST
    assert {re.search(r" +90% +70% +40$", line).start() for line in listed} == {2 + 32}
