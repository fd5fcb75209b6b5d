"""One name, one map: what a recipe, a dictionary and auxiliary text are fitted to, and what is refused."""

from dataclasses import replace

import pyarrow as pa
import pytest

import dpspin
from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.embedders import installed
from dpspin.curator.assign.paper_map import AuxiliaryIdf, NgramMap
from dpspin.curator.assign.recipes import MapKind, Recipe, examine, examine_in_parts, fit_by_recipe
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.records.auxiliary import Auxiliary
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import DictionaryError, RequestError
from restaurant_dictionary import (
    ATOMS,
    COLD,
    STAFF,
    UNIVERSE,
    WAIT,
    dense,
    exclusive_texts,
    fitted,
    restaurant,
    several_texts,
)

BARE = restaurant(tuple(Atom(id=atom.id, label=atom.label) for atom in ATOMS), background=())
RUDE = "The waiter was rude to us."
LEARNED = {
    MapKind.HYBRID: several_texts,
    MapKind.TAUGHT: several_texts,
    MapKind.SUPERVISED: exclusive_texts,
}


def auxiliary(labelled=None, *, labels=None, label="atoms"):
    """Return labelled texts as a corpus, with other labels or without any."""
    labelled = labelled or exclusive_texts()
    if labels is None:
        labels = [";".join(ATOMS[place].label for place in sorted(atoms)) for atoms in labelled.atoms]
    return open_corpus(pa.table({"words": list(labelled.texts), "atoms": labels}), Columns("words", None, label))


def mass(fitted_map, text, place):
    return dense(fitted_map(pa.array([text], pa.large_string())))[0, place]


@pytest.fixture(scope="module")
def static():
    return installed("static")


@pytest.mark.parametrize("kind", MapKind)
def test_every_kind_finds_a_plain_theme_and_brings_a_report_card(kind):
    aux = auxiliary(LEARNED[kind]()) if kind in LEARNED else None
    made = fit_by_recipe(Recipe(kind), UNIVERSE, aux)
    assert made.statement.name == ("ngram" if kind is MapKind.PAPER else kind)
    assert made.statement.answers_none is (kind is not MapKind.PAPER)
    assert made.statement.card.real_text is (kind in LEARNED)
    assert [atom.atom_id for atom in made.statement.card.atoms] == [17, 42, 81]
    assert mass(made, RUDE, STAFF) > max(mass(made, RUDE, WAIT), mass(made, RUDE, COLD))


@pytest.mark.parametrize(("kind", "most"), [(MapKind.PAPER, 3), (MapKind.CUES, None)])
def test_the_number_of_atoms_is_the_maps_own_choice_unless_it_is_given(kind, most):
    assert fit_by_recipe(Recipe(kind), UNIVERSE, None).statement.atoms_per_record == most
    assert fit_by_recipe(Recipe(kind, atoms_per_record=1), UNIVERSE, None).statement.atoms_per_record == 1


def test_hybrid_is_the_default_and_learns_from_examples_where_there_are_some():
    made = fit_by_recipe(Recipe(), UNIVERSE, None)
    assert isinstance(made, CalibratedMap)
    assert made.statement.name == "hybrid"
    assert len(made.sources) == len(fitted("cues").sources) + 1  # which subject the record is on


def test_a_program_that_asks_again_gets_the_map_that_was_fitted_on_the_dictionary():
    made = fit_by_recipe(Recipe(), UNIVERSE, None)
    assert fit_by_recipe(Recipe(), restaurant(), None) is made
    assert fit_by_recipe(Recipe(), restaurant(version="2"), None).statement.digest != made.statement.digest


def test_hybrid_goes_by_names_alone_where_labels_are_bare():
    made = fit_by_recipe(Recipe(), BARE, None)
    assert made.statement == fit_by_recipe(Recipe(MapKind.NAMES), BARE, None).statement
    assert made.statement.answers_none
    assert made.statement.card is None


def test_one_atom_with_too_few_examples_makes_hybrid_go_by_names():
    poor = restaurant((*ATOMS[:2], ATOMS[2].model_copy(update={"examples": ATOMS[2].examples[:2]})))
    assert fit_by_recipe(Recipe(), poor, None).statement.name == "names"
    with pytest.raises(DictionaryError, match="at least 3 `examples`"):
        fit_by_recipe(Recipe(MapKind.CUES), poor, None)


def test_hybrid_learns_bare_labels_from_labelled_text():
    made = fit_by_recipe(Recipe(), BARE, auxiliary())
    assert isinstance(made, CalibratedMap)
    assert mass(made, RUDE, STAFF) > 0.5


@pytest.mark.parametrize(
    ("texts", "like"), [(exclusive_texts, "supervised with examples"), (several_texts, "taught with examples")]
)
def test_hybrid_treats_one_label_per_text_as_classes_and_several_as_themes(texts, like):
    made = fit_by_recipe(Recipe(), UNIVERSE, auxiliary(texts()))
    assert made.statement.name == "hybrid"
    assert made.allocation == fitted(like).allocation
    assert len(made.sources) == len(fitted(like).sources)
    assert made.statement.card == fitted(like).statement.card


def test_labels_may_be_ids_and_are_read_by_the_same_rules():
    ids = ["|".join(str(ATOMS[place].id) for place in sorted(atoms)) for atoms in several_texts().atoms]
    by_id = fit_by_recipe(Recipe(MapKind.TAUGHT, languages=()), UNIVERSE, auxiliary(several_texts(), labels=ids))
    assert by_id.statement == fitted("taught").statement


def taught_by(*names):
    """Return labelled texts as a file of `dpspin atoms teach` holds them: the names take turns."""
    labels = [";".join(ATOMS[place].label for place in sorted(atoms)) for atoms in exclusive_texts().atoms]
    teachers = [names[row % len(names)] for row in range(len(labels))]
    return pa.table({"words": list(exclusive_texts().texts), "atoms": labels, "dpspin_teacher": teachers})


@pytest.mark.parametrize("kind", [MapKind.SUPERVISED, MapKind.TAUGHT, MapKind.HYBRID])
def test_who_labelled_is_stated_by_the_map_and_its_card_and_survives_saving(kind, tmp_path):
    made = dpspin.fit_map(
        UNIVERSE, recipe=Recipe(kind), auxiliary=Auxiliary(taught_by("model x"), "words", None, "atoms")
    )
    save_map(made, tmp_path / "taught.map")
    stated = load_map(tmp_path / "taught.map", UNIVERSE).statement
    assert stated.fitted_on.startswith("about 100 auxiliary texts, labelled by model x")
    assert stated.card.measured_on == "about 100 auxiliary texts, labelled by model x"
    assert "labelled by model x" in stated.trusts
    assert stated.digest != fit_by_recipe(Recipe(kind), UNIVERSE, auxiliary()).statement.digest


def test_the_card_of_the_papers_map_states_who_labelled():
    aux = Auxiliary(taught_by("model x", None), "words", None, "atoms")
    made = dpspin.fit_map(UNIVERSE, recipe=Recipe(MapKind.PAPER), auxiliary=aux)
    assert made.card.measured_on == "about 100 auxiliary texts, labelled in part by model x"


@pytest.mark.parametrize("names", [("a", "b", "c", "d"), ("x" * 301,), ("one\nline",)])
def test_a_teacher_column_that_holds_no_names_is_refused_before_it_is_published(names):
    with pytest.raises(RequestError, match="teacher column"):
        dpspin.fit_map(UNIVERSE, auxiliary=Auxiliary(taught_by(*names), "words", None, "atoms"))


def test_supervised_refuses_texts_with_two_atoms():
    with pytest.raises(RequestError, match="one label per auxiliary record"):
        fit_by_recipe(Recipe(MapKind.SUPERVISED), UNIVERSE, auxiliary(several_texts()))


@pytest.mark.parametrize("kind", [MapKind.TAUGHT, MapKind.SUPERVISED])
def test_a_map_that_learns_from_labels_refuses_to_go_without(kind):
    with pytest.raises(RequestError, match=r"`records.auxiliary.label`"):
        fit_by_recipe(Recipe(kind), UNIVERSE, None)


@pytest.mark.parametrize("kind", [MapKind.HYBRID, MapKind.TAUGHT, MapKind.SUPERVISED])
def test_auxiliary_text_without_labels_is_refused_where_it_would_teach_nothing(kind):
    with pytest.raises(RequestError, match="where it is labelled"):
        fit_by_recipe(Recipe(kind), UNIVERSE, auxiliary(label=None))


@pytest.mark.parametrize("kind", [MapKind.CUES, MapKind.EMBEDDING])
@pytest.mark.parametrize("label", ["atoms", None])
def test_maps_of_the_dictionary_alone_refuse_auxiliary_text(kind, label):
    with pytest.raises(RequestError, match="leave it out"):
        fit_by_recipe(Recipe(kind), UNIVERSE, auxiliary(label=label))


@pytest.mark.parametrize("kind", [MapKind.PAPER, MapKind.TAUGHT, MapKind.SUPERVISED])
def test_an_embedding_model_is_refused_by_maps_that_would_not_use_it(kind, static):
    with pytest.raises(RequestError, match=r"leave `records.map.embedder` out"):
        Recipe(kind, embedder=static)


@pytest.mark.parametrize("kind", [MapKind.HYBRID, MapKind.CUES])
def test_an_embedding_model_adds_a_source_of_evidence(kind, static):
    with_vectors = fit_by_recipe(Recipe(kind, embedder=static), UNIVERSE, None)
    assert len(with_vectors.sources) == len(fit_by_recipe(Recipe(kind), UNIVERSE, None).sources) + 1


@pytest.mark.parametrize("most", [0, -1])
def test_a_record_must_be_allowed_an_atom(most):
    with pytest.raises(RequestError, match="at least one atom"):
        Recipe(atoms_per_record=most)


@pytest.mark.parametrize("nothing", [pa.nulls(96), pa.nulls(96, pa.string()), [""] * 96, ["weather"] * 96])
@pytest.mark.parametrize("kind", [MapKind.HYBRID, MapKind.PAPER, MapKind.TAUGHT])
def test_a_label_column_that_names_no_atom_is_refused(kind, nothing):
    with pytest.raises(RequestError, match="no label of the auxiliary data"):
        fit_by_recipe(Recipe(kind), UNIVERSE, auxiliary(labels=nothing))


def test_a_null_label_is_the_label_none_of_these():
    labels = [ATOMS[min(atoms)].label if atoms else None for atoms in exclusive_texts().atoms]
    made = fit_by_recipe(Recipe(MapKind.SUPERVISED, languages=()), UNIVERSE, auxiliary(labels=labels))
    assert made.statement == fitted("supervised").statement


def test_the_papers_map_takes_word_frequencies_from_text_and_its_card_from_labels():
    plain = fit_by_recipe(Recipe(MapKind.PAPER), UNIVERSE, auxiliary(label=None))
    labelled = fit_by_recipe(Recipe(MapKind.PAPER), UNIVERSE, auxiliary())
    assert (plain.weights != labelled.weights).nnz == 0
    assert plain.statement.digest != fit_by_recipe(Recipe(MapKind.PAPER), UNIVERSE, None).statement.digest
    assert labelled.statement.card.measured_on == "about 100 labelled auxiliary texts"
    assert plain.statement.card.measured_on.endswith("records composed of the dictionary's examples")


def test_the_digest_of_the_papers_map_covers_its_card_and_its_dictionary():
    carded = fit_by_recipe(Recipe(MapKind.PAPER), UNIVERSE, None)
    bare, elsewhere = replace(carded, card=None), replace(carded, universe_digest="sha256:other")
    assert carded.statement.card is not None
    assert bare.statement.card is None
    assert len({each.statement.digest for each in (carded, bare, elsewhere)}) == 3


def test_labelled_texts_are_tested_by_a_map_that_has_no_word_frequencies_of_them():
    tested = []

    def fit(texts):
        tested.append(set(exclusive_texts().texts) - set(texts))
        return fit_by_recipe(Recipe(MapKind.PAPER), UNIVERSE, None)

    card = examine_in_parts(fit, UNIVERSE, exclusive_texts())
    assert card.real_text
    assert set.union(*tested) == set(exclusive_texts().texts)
    assert sum(map(len, tested)) == len(exclusive_texts().texts)


def test_the_card_of_the_papers_map_depends_on_word_frequencies_of_other_texts_only():
    labelled = fit_by_recipe(Recipe(MapKind.PAPER), UNIVERSE, auxiliary())
    assert labelled.card == examine_in_parts(
        lambda texts: NgramMap.fit(UNIVERSE, AuxiliaryIdf([pa.array(texts)])), UNIVERSE, exclusive_texts()
    )


def test_an_examination_gives_none_of_these_the_mass_that_no_atom_got():
    paper = fit_by_recipe(Recipe(MapKind.PAPER), UNIVERSE, None)
    labelled = exclusive_texts()
    card = examine_in_parts(lambda _: paper, UNIVERSE, labelled)
    given = dense(paper(pa.array(labelled.texts, pa.large_string())))
    assert (card.texts, len(labelled.texts)) == (100, 96)
    assert card.covered_in_truth == 0.75
    assert card.covered_by_map == pytest.approx(given.sum() / len(given), abs=0.005)
    assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in card.confusion)


def test_an_examination_leaves_the_own_none_of_a_calibrated_map_where_it_is():
    card = examine_in_parts(lambda _: fitted("supervised"), UNIVERSE, exclusive_texts())
    assert card.covered_by_map < 1
    assert card.precision > 0.9
    assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in card.confusion)


def test_without_labels_or_examples_there_is_nothing_to_examine_on():
    paper = fit_by_recipe(Recipe(MapKind.PAPER), BARE, None)
    assert examine(paper, BARE) is None
