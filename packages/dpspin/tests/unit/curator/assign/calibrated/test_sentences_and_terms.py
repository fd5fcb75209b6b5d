import numpy as np
import pytest

from dpspin.curator.assign.calibrated_fits import fit_cues
from dpspin.curator.assign.dictionary_sentences import FEWEST_BACKGROUND, DictionarySentences
from dpspin.curator.assign.evidence_sources import NOTHING, best_of_each
from dpspin.curator.assign.fit_all_classes import fit_all_classes
from dpspin.curator.assign.sentence_evidence import ExampleEvidence
from dpspin.curator.assign.sentence_terms import (
    MOST_SENTENCES,
    flattened,
    is_courtesy,
    record_terms,
    sentence_terms,
    sentences_of,
)
from dpspin.curator.assign.term_classifier import GRID, Lesson, Linear, TermVectors, fit_linear
from dpspin.curator.assign.term_counts import TermCounts
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.errors import RequestError
from restaurant_dictionary import BACKGROUND, COLD, STAFF, UNIVERSE, WAIT, restaurant


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four; five", ["One.", "Two!", "Three?", "Four;", "five"]),
        ("line one\n\nline two", ["line one", "line two"]),
        ("first<br/>second<br >third", ["first", "second", "third"]),
        ("It ended.Then it began.", ["It ended.", "Then it began."]),
        ("costs 3.50 at shop.example", ["costs 3.50 at shop.example"]),
        ("   \n . ", ["."]),
        ("", []),
        (None, []),
    ],
)
def test_a_text_is_split_at_the_ends_of_sentences(text, sentences):
    assert sentences_of(text) == sentences


def test_an_absurd_record_has_bounded_sentences():
    assert len(sentences_of("Go! " * 2000)) == MOST_SENTENCES
    assert sentences_of("a" * (LONGEST_TEXT + 9)) == ["a" * LONGEST_TEXT]


def test_flattened_sentences_know_their_record():
    assert flattened(["One. Two.", None, "Three."]) == (["One.", "Two.", "Three."], [0, 0, 2])


@pytest.mark.parametrize(
    ("sentence", "courtesy"),
    [("Hello!", True), ("Best regards", True), ("Thanks, the soup was cold", False), ("---", True)],
)
def test_courtesy_is_told_from_content(sentence, courtesy):
    assert is_courtesy(sentence) is courtesy


def test_terms_of_a_sentence_survive_a_typo_and_an_inflection():
    whole = set(sentence_terms("waiting"))
    assert "#wait" in whole & set(sentence_terms("Waited"))
    assert {"~ wai", "~wait"} <= whole & set(sentence_terms("waitng"))
    assert sentence_terms("") == record_terms("...") == []


def test_a_record_is_read_up_to_its_bound():
    assert record_terms("x" * LONGEST_TEXT + " late")[0] == "x" * LONGEST_TEXT


def test_vectors_are_sublinear_and_of_length_one_or_zero():
    vectors = TermCounts.of(["cold soup", "cold pie"], "record").learned().vectors
    rows = vectors.scaled(vectors.parts(["cold cold cold soup", "zebra"])).toarray()
    assert np.sqrt((rows**2).sum(axis=1)).tolist() == pytest.approx([1, 0])
    cold, soup = (rows[0, vectors.terms.index(term)] for term in ("cold", "soup"))
    idf = dict(zip(vectors.terms, vectors.idf, strict=True))
    assert cold / soup == pytest.approx((1 + np.log(3)) * idf["cold"] / idf["soup"])


def test_texts_without_a_common_word_teach_nothing():
    with pytest.raises(RequestError, match="no words in common"):
        TermCounts.of(["alpha", "beta", "gamma"], "record").learned(fewest=2)


def test_what_is_learned_from_some_texts_is_as_if_there_were_no_others():
    texts = ["cold soup", "hot pie and pie", "cold pie", "", "a hot day"]
    counts, some = TermCounts.of(texts, "sentence"), np.array([4, 0, 2])
    learned, alone = counts.learned(some), TermCounts.of([texts[row] for row in some], "sentence").learned()
    assert learned.vectors.terms == alone.vectors.terms
    assert learned.vectors.digest == alone.vectors.digest
    assert (learned.rows.toarray() == alone.rows.toarray()).all()
    again = learned.vectors.scaled(learned.vectors.parts([texts[row] for row in some]))
    assert (learned.rows.toarray() == again.toarray()).all()


def test_a_digest_covers_every_number_of_a_classifier():
    vectors = TermVectors("record", ("cold", "soup"), np.array([1.0, 2.0]))
    others = (
        TermVectors("sentence", ("cold", "soup"), np.array([1.0, 2.0])),
        TermVectors("record", ("cold", "stew"), np.array([1.0, 2.0])),
        TermVectors("record", ("cold", "soup"), np.array([1.0, 2.0 + GRID])),
    )
    assert len({vectors.digest, *(other.digest for other in others)}) == 4
    model = Linear(np.zeros((2, 1)), np.zeros(1))
    assert model.digest == Linear(np.full((2, 1), -GRID / 9), np.zeros(1)).digest
    assert len({model.digest, Linear(np.full((2, 1), GRID), np.zeros(1)).digest}) == 2
    assert Linear(np.zeros((2, 1)), np.zeros(1)).digest != Linear(np.zeros((1, 2)), np.zeros(1)).digest


@pytest.mark.parametrize(("positive", "odds"), [([True] * 3, np.log(7)), ([False] * 3, -np.log(7))])
def test_a_class_without_a_contrast_gets_its_prior_only(positive, odds):
    rows = TermCounts.of(["cold soup", "cold pie", "pie"], "record").learned().rows
    lesson = Lesson(np.ones(3, dtype=bool), np.array(positive), np.ones(3))
    for fit in (fit_linear, fit_all_classes):
        model = fit(rows, [lesson], 1.0)
        assert not model.coefficients.any()
        assert model.offsets.tolist() == pytest.approx([odds], abs=GRID)


def test_a_record_counts_by_its_best_sentence():
    best = best_of_each(np.array([[1.0, -5.0], [-2.0, 3.0]]), [2, 2], records=3)
    assert best.tolist() == [[NOTHING, NOTHING], [NOTHING, NOTHING], [1.0, 3.0]]


def test_the_dictionary_says_what_each_sentence_teaches():
    sentences = DictionarySentences.of(UNIVERSE)
    near = sentences.texts.index("The cold beer was lovely.")
    assert sentences.near_miss[near].tolist() == [False, False, True]
    assert not sentences.expresses[near].any()
    assert not sentences.example[near]
    assert [text for text, none in zip(sentences.texts, sentences.background, strict=True) if none] == list(BACKGROUND)
    lessons = sentences.lessons(np.ones(len(sentences.texts), dtype=bool))
    assert [bool(lesson.rows[near]) for lesson in lessons] == [False, False, True]
    for place, lesson in enumerate(lessons):
        mine, of_none = lesson.weights[sentences.expresses[:, place]].sum(), lesson.weights[sentences.background].sum()
        assert mine == pytest.approx(of_none)


def test_any_theme_is_learned_from_what_says_something_and_what_says_nothing():
    sentences = DictionarySentences.of(UNIVERSE)
    lesson = sentences.theme_lesson(np.ones(len(sentences.texts), dtype=bool))
    near = sentences.texts.index("The cold beer was lovely.")
    assert not lesson.rows[near]
    assert lesson.weights[lesson.positive].sum() == pytest.approx(lesson.weights[sentences.background].sum())
    told = ExampleEvidence.fit(sentences)
    scores = told(["We waited an hour.", "There is a garden near the house.", "Hello! Thanks."])
    assert told.layers == ("examples", "examples, any theme")
    assert scores.shape == (2, 3, UNIVERSE.size)
    assert scores[1, 0, 0] > 0 > scores[1, 1, 0] > scores[1, 2, 0] == NOTHING


@pytest.mark.parametrize("count", [0, 1, FEWEST_BACKGROUND - 1])
def test_with_too_few_sentences_of_no_atom_any_theme_is_not_told(count):
    few = restaurant(background=BACKGROUND[:count])
    evidence = ExampleEvidence.fit(DictionarySentences.of(few))
    assert evidence.layers == ("examples",)
    assert evidence(["We waited an hour."]).shape == (1, 1, few.size)
    assert [len(source.layers) for source in fit_cues(few).sources] == [2, 1]


def test_example_evidence_prefers_the_atom_whose_words_are_said_and_skips_courtesy():
    evidence = ExampleEvidence.fit(DictionarySentences.of(UNIVERSE))
    scores = evidence(["We waited an hour.", "Such a rude waitress!", "Cold stew", "Hello! Thanks a lot.", ""])[0]
    assert scores[:3].argmax(axis=1).tolist() == [WAIT, STAFF, COLD]
    assert (scores[3:] == NOTHING).all()
    assert (evidence(["Hello! Such a rude waitress!"])[0] == scores[1]).all()
