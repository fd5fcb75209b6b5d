"""Every built atom is described by its own public words, and the paper's map does not notice."""

import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.dictionary_sentences import DictionarySentences
from dpspin.curator.assign.paper_map import AuxiliaryIdf, NgramMap
from dpspin.curator.assign.sentence_terms import telling
from dpspin.public.atoms.build.phrases import build_phrases
from dpspin.public.atoms.build.profile import read_profile
from dpspin.public.atoms.build.taxonomy import build_taxonomy
from dpspin.public.atoms.lint import lint
from factories import universe_of

PATHS = ["card / late fee / fee not waived"] * 3 + ["card / late fee"] * 2 + ["Mortgage"]
SAID = ["My dry skin."] * 4 + ["Skin is dry and the skin dries."] + ["Sensitive skin, dry skin."] * 3
BUILT = {
    "taxonomy": build_taxonomy(PATHS, 9, name="t"),
    "amazon-beauty": build_phrases(SAID, read_profile("amazon-beauty"), min_support=2),
    "generic": build_phrases([*SAID, "A line of credit."] * 2, read_profile("generic"), min_support=2),
}


def test_a_path_is_said_from_its_narrowest_level_whatever_levels_it_has():
    assert [atom.description for atom in BUILT["taxonomy"].universe.atoms] == [
        "Anything about “fee not waived”, part of “late fee”, part of “card”.",
        "Anything about “late fee”, part of “card”.",
        "Anything about “Mortgage”.",
    ]


def test_a_phrase_names_only_variants_that_have_the_support_by_themselves():
    rare, common = ["Dry skin."] * 9 + ["Skin dries."] * 2, ["Dry skin."] * 9 + ["Skin dries."] * 3
    for texts, described in (
        (rare, "Anything about “dry skin”."),
        (common, "Anything about “dry skin”, also as “skin dries”."),
    ):
        (atom,) = build_phrases(texts, read_profile("amazon-beauty"), min_support=3).universe.atoms
        assert (atom.description, atom.cues) == (described, ("skin dries",))


def test_a_variant_of_one_user_is_none_where_users_are_counted():
    texts, users = ["Dry skin."] * 3 + ["Skin dries."] * 3, [*"abc", *"ddd"]
    (atom,) = build_phrases(texts, read_profile("amazon-beauty"), min_support=3, users=users).universe.atoms
    assert atom.description == "Anything about “dry skin”."


@pytest.mark.parametrize("kind", BUILT)
def test_lint_misses_no_description_of_ours(kind):
    assert not [finding for finding in lint(BUILT[kind].universe) if finding.rule == "no-description"]
    assert "minimum support" in BUILT[kind].manifest.descriptions or kind == "taxonomy"


@pytest.mark.parametrize("kind", BUILT)
def test_the_papers_map_compares_with_labels_and_cues_alone(kind):
    universe = BUILT[kind].universe
    bare = universe.model_copy(
        update={"atoms": tuple(atom.model_copy(update={"description": ""}) for atom in universe.atoms)}
    )
    ours, without = (NgramMap.fit(each, AuxiliaryIdf([pa.array(SAID)])) for each in (universe, bare))
    assert ours.terms == without.terms
    assert (ours.weights != without.weights).nnz == 0


@pytest.mark.parametrize("kind", BUILT)
def test_no_map_learns_from_a_sentence_that_nobody_writes(kind):
    assert not any(text.startswith("Anything about") for text in DictionarySentences.of(BUILT[kind].universe).texts)


def test_a_description_that_says_more_counts():
    atom = Atom(id=1, label="long queue", description="Guests wait at the till.", cues=("stood in line",))
    assert telling(atom) is atom
    assert atom.description in DictionarySentences.of(universe_of([atom])).texts
