"""From invented reviews to a draft dictionary that the tools read."""

import pytest

from dpspin.boundary.atoms import AuxiliaryText
from dpspin.public.atoms.build.suggestions import WARNING, draft, suggest
from dpspin.public.atoms.dictionary_files import load
from dpspin.public.atoms.lint import lint

KETTLES = AuxiliaryText(content="0" * 64, text="review: text")
REVIEWS = [
    *(
        f"Kettle with a fault: the lid hinge {word} after some weeks."
        for word in ("broke", "cracked", "jammed", "rusted")
    ),
    *(f"It is easy to clean, says my {word} aunt." for word in ("old", "young", "other", "dear")),
    *("Applies easily. A great product, great product!", "A great product and easy to clean.") * 2,
    'A strange "quote": {lid hinge} # yes',
]


def test_the_best_phrases_come_with_support_forms_and_sentences():
    found = suggest(REVIEWS, min_support=3)
    assert [(one.label, one.documents) for one in found.best] == [("easy to clean", 6), ("lid hinge", 5)]
    assert "It is easy to clean, says my dear aunt." in found.best[0].examples
    assert found.documents == len(REVIEWS)


def test_users_are_counted_where_they_are_named():
    users = ["u"] * 4 + ["a", "b", None, None] + ["c"] * 5
    found = suggest(REVIEWS, users=users, min_support=3)
    assert [(one.label, one.documents, one.users) for one in found.best] == [("easy to clean", 6, 5)]


def test_the_order_of_equal_runs_is_equal():
    assert suggest(REVIEWS, min_support=2) == suggest(list(REVIEWS), min_support=2)


def test_size_and_examples_are_limits():
    found = suggest(REVIEWS, min_support=3, size=1, most_examples=2)
    assert [len(one.examples) for one in found.best] == [2]


@pytest.mark.parametrize("texts", [[], [""], ["nothing"]])
def test_text_without_phrases_gives_none(texts):
    assert suggest(texts, min_support=2).best == ()


def test_the_draft_is_a_dictionary_with_the_warning_in_it(tmp_path):
    path = tmp_path / "draft.yaml"
    path.write_text(
        draft(suggest(REVIEWS, min_support=3), name="draft", origin="kettles.csv: yes # no", auxiliary=KETTLES)
    )
    universe = load(path)
    assert [atom.label for atom in universe.atoms] == ["easy to clean", "lid hinge"]
    assert universe.provenance.source == "auxiliary"
    assert universe.provenance.auxiliary == KETTLES
    assert "kettles.csv: yes # no; 13 documents" in path.read_text()
    assert "kettles" not in universe.provenance.note
    assert WARNING in path.read_text()
    assert "# 6 documents" in path.read_text()
    assert {finding.rule for finding in lint(universe)} == {
        "no-description",
        "few-examples",
        "few-counter-examples",
    }
