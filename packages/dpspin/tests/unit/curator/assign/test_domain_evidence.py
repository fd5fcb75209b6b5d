"""What a map learns of other subjects, and when it must not."""

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.calibrated_fits import fit_cues, fit_hybrid
from dpspin.curator.assign.domain_evidence import DomainEvidence, Elsewhere, everyday, shortness
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.public.atoms import packs
from factories import universe_of
from restaurant_dictionary import UNIVERSE

ON_BANKS = (
    "The bank charged my card twice and nobody at the branch could explain the fee.",
    "My loan was sold to a collector. They call every day, and my credit report still shows the old balance.",
)
ODD_TEXTS = ["", None, "Café “très” bon", "x", "The soup was cold. " * 40, ON_BANKS[0]]


@pytest.fixture(scope="module")
def restaurants():
    return fit_hybrid(UNIVERSE, None)


@pytest.mark.parametrize(
    ("pack", "subject"),
    [
        ("restaurant-reviews", "eating out and takeaways"),
        ("bank-complaints", "banking and cards"),
        ("employee-survey", "work and colleagues"),
        ("product-reviews", "beauty and cosmetics"),
    ],
)
def test_the_subject_of_a_dictionary_teaches_it_nothing(pack, subject):
    walks = Elsewhere.of(packs.load(pack)).walks
    assert subject not in walks
    assert "public transport" in walks
    assert len(walks) > len(everyday()) * 0.8
    assert not [name for name in walks if name.startswith(pack)]  # its own areas are no other subject


def test_a_dictionary_that_took_a_packs_sentences_is_of_its_subject():
    """The name does not matter, and a few sentences that were edited do not either."""
    whole = packs.load("restaurant-reviews")
    taken = whole.model_copy(update={"name": "ours", "atoms": whole.atoms[3:]})
    assert not [name for name in Elsewhere.of(taken).walks if name.startswith("restaurant-reviews")]


def test_a_dictionary_in_another_language_learns_nothing_of_english_sentences():
    cold = ("Die Suppe wurde leider völlig kalt serviert.", "Unser Essen kam schon wieder kalt an den Tisch.")
    slow = ("Wir haben über eine Stunde auf die Getränke gewartet.", "Das lange Warten auf den Kellner nahm kein Ende.")
    more = ("Auch der Braten war nicht mehr warm.", "Niemand hat sich um unsere Bestellung gekümmert.")
    german = universe_of(
        [
            Atom(id=1, label="kaltes Essen", examples=(*cold, more[0])),
            Atom(id=2, label="lange Wartezeit", examples=(*slow, more[1])),
        ]
    )
    assert german.languages == ("de",)
    assert Elsewhere.of(german).walks == {}
    assert len(fit_hybrid(german, None).sources) == len(fit_cues(german).sources)


@pytest.mark.long
def test_a_pack_answers_none_of_these_to_another_subject():
    """Without everyday sentences the second text was a tenth on none."""
    staff = fit_by_recipe(Recipe(), packs.load("employee-survey"), None)
    assert staff.weights(ON_BANKS)[:, -1].min() > 0.8
    assert staff.weights(["My manager never listens and the pay is far too low for these hours."])[0, -1] < 0.2


def test_compiled_and_reference_agree_bit_for_bit(restaurants):
    texts = pa.array(ODD_TEXTS, pa.large_string())
    fast, slow = restaurants(texts), restaurants.reference(texts)
    assert (fast.offsets.tolist(), fast.atoms.tolist(), fast.ticks.tolist()) == (
        slow.offsets.tolist(),
        slow.atoms.tolist(),
        slow.ticks.tolist(),
    )


def test_a_record_gets_the_same_numbers_in_any_company(restaurants):
    evidence = restaurants.sources[-1]
    assert isinstance(evidence, DomainEvidence)
    texts = [text or "" for text in ODD_TEXTS]
    alone = np.concatenate([evidence([text]) for text in texts], axis=1)
    assert (evidence(texts) == alone).all()


def test_a_saved_map_answers_the_same(restaurants, tmp_path):
    save_map(restaurants, tmp_path / "restaurants.map")
    loaded = load_map(tmp_path / "restaurants.map", UNIVERSE)
    assert loaded.statement == restaurants.statement
    assert (loaded.weights(ON_BANKS) == restaurants.weights(ON_BANKS)).all()


def test_records_from_elsewhere_hold_whole_sentences_and_never_more_than_asked():
    elsewhere = Elsewhere({"one": ("A b.", "C d.", "E f."), "two": ("G h.",)})
    assert elsewhere.records(("one", "two"), 9) == ("A b.", "C d. E f.", "G h.")
    assert elsewhere.records(("one", "two"), 2) == ("A b.", "G h.")
    assert elsewhere.records((), 2) == ()


def test_folds_part_the_walks_of_life():
    elsewhere = Elsewhere({name: (name,) for name in "abcde"})
    for fold in range(3):
        held, known = elsewhere.held(fold, 3), elsewhere.known(fold, 3)
        assert {*held, *known} == set("abcde")
        assert not {*held} & {*known}


def test_shortness_is_nothing_up_to_a_sentence_and_ends_with_the_longest_record_tried():
    table = shortness()
    assert (table[:81] == 0).all()
    assert (np.diff(table[80:]) < 0).all()
    assert len(table) == 481
