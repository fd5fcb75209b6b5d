"""A map that looks at more than one record at a time is refused before anything is charged; an honest one never is."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.privacy import Adjacency, PoissonSample, RecordUnit
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.shards import sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.calibrated_fits import fit_cues, fit_embedding
from dpspin.curator.assign.calibrated_map import as_if_new
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.assign.dictionary_learners import embedding_learner, learn_from_words
from dpspin.curator.assign.embedders import StaticEmbedder
from dpspin.curator.assign.llm.kept_answers import Answers, AnswersOfThisRun
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.llm.llm_map import LlmMap
from dpspin.curator.assign.llm.trusted_endpoint import Endpoint
from dpspin.curator.assign.map_trust import PUBLIC, SAMPLE, ConsistencyChecked, is_ours
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import BoundViolation
from factories import PAPER_UNIVERSE
from fake_llm import FakeModel, themes
from restaurant_dictionary import MAP_KINDS, UNIVERSE, fitted, several_texts

STATEMENT = MapStatement(name="test", fitted_on="nothing", atoms_per_record=1, digest="sha256:test")
ORIGIN = SketchOrigin("sha256:two", 2, STATEMENT, RecordUnit(), Adjacency.ADD_DROP)
TEXTS = [f"letter number {number}" for number in range(1_000)]
TEXTS[617] = "the one that changes everything"
RUNS, FEWEST = 100, 99


def one_atom_each(atoms):
    atoms = np.asarray(atoms, np.int64)
    offsets = np.arange(len(atoms) + 1, dtype=np.int64)
    return Contributions.from_weights(offsets, atoms, np.ones(len(atoms)), universe_size=2, atoms_per_record=1)


class Honest:
    """The base of the others: each record by its own length."""

    statement = STATEMENT

    def __call__(self, texts):
        return one_atom_each(self.answers(texts.to_pylist()))

    def answers(self, texts):
        return [len(text) % 2 for text in texts]


class LooksAtItsBatch(Honest):
    """One record in twenty depends on who else is there: one record moves 50 of 1,000. Missed with .95^300 = 2e-7."""

    def answers(self, texts):
        changed = any("changes everything" in text for text in texts)
        return [int(changed and text.endswith(("07", "27", "47", "67", "87"))) for text in texts]


class RanksItsBatch(Honest):
    """Every record is compared with the mean of its batch: about half of them differ alone."""

    def answers(self, texts):
        lengths = [sum(map(ord, text)) for text in texts]
        return [length > np.mean(lengths) for length in lengths]


class LooksBack(Honest):
    """A record depends on the one before it: about half of them differ behind another one."""

    def answers(self, texts):
        before = ["", *texts][: len(texts)]
        return [sum(map(ord, one)) % 2 for one in before]


class Counts(Honest):
    """Every 25th record that it was ever asked about: of 300, twelve were special, and others are the next time."""

    asked = 0

    def answers(self, texts):
        numbers = range(self.asked, self.asked + len(texts))
        self.asked += len(texts)
        return [number % 25 == 24 for number in numbers]


class NthOfItsBatch(Honest):
    """The 100th record of a batch, and no other: it is one of 1,000, but a batch of the 300 has a 100th too."""

    def answers(self, texts):
        return [number == 99 for number in range(len(texts))]


class ChangesItsMind(Honest):
    """Every call has another answer."""

    calls = 0

    def answers(self, texts):
        self.calls += 1
        return [self.calls % 2] * len(texts)


class KeepsItsAnswers(LooksAtItsBatch):
    """The same, but every text has one answer, the first: asked again, it says what it said."""

    def __init__(self):
        self.kept = {}

    def answers(self, texts):
        found = super().answers(texts)
        return [self.kept.setdefault(text, answer) for text, answer in zip(texts, found, strict=True)]


class Learns(Honest):
    """From the record that changes everything on, it gives all texts another answer: what it learns, it keeps."""

    learned = False

    def answers(self, texts):
        self.learned |= any("changes everything" in text for text in texts)
        return [int(self.learned)] * len(texts)


DISHONEST = [LooksAtItsBatch, RanksItsBatch, LooksBack, Counts, NthOfItsBatch, ChangesItsMind, KeepsItsAnswers, Learns]


def corpus(texts=TEXTS):
    return open_corpus(pa.table({"text": pa.array(texts, pa.large_string())}), Columns("text"))


def is_refused(contribution_map, texts=TEXTS):
    try:
        aggregate(corpus(texts), contribution_map, ORIGIN)
    except BoundViolation:
        return True
    return False


def test_the_refusal_says_what_is_wrong_and_nothing_of_the_records():
    with pytest.raises(BoundViolation, match=r"must look at each record by itself.* Nothing was charged") as refused:
        aggregate(corpus(), RanksItsBatch(), ORIGIN)
    assert not any(word in str(refused.value) for word in ("letter", "everything", "617", "1000", "300"))


@pytest.mark.parametrize("kind", DISHONEST)
def test_a_map_that_does_not_look_at_each_record_alone_is_refused(kind):
    assert sum(is_refused(kind()) for _ in range(RUNS)) >= FEWEST


@pytest.mark.parametrize("kind", DISHONEST)
def test_and_so_it_is_where_few_records_are_all_of_them(kind):
    few = TEXTS[517:637]  # more than a hundred, with the one that changes everything: all are mapped again
    assert all(is_refused(kind(), few) for _ in range(10))


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[:3], []])
def test_an_honest_map_passes_whatever_its_batches(texts):
    assert not any(is_refused(Honest(), texts) for _ in range(20))


def test_a_shard_of_such_a_map_is_not_written(tmp_path):
    with pytest.raises(BoundViolation, match="asked again"):
        sketch_shard(tmp_path / "a.sketch", Records(corpus(), LooksAtItsBatch(), ORIGIN))
    assert not list(tmp_path.iterdir())


def test_a_secret_sample_is_asked_about_again_too():
    sampled = replace(ORIGIN, sampling=PoissonSample(rate=0.5))
    with pytest.raises(BoundViolation, match="asked again"):
        aggregate(corpus(), RanksItsBatch(), sampled)


def test_what_is_no_contribution_is_refused():
    class Loose(Honest):
        def __call__(self, texts):
            given = super().__call__(texts)
            return type("Given", (), {name: getattr(given, name) for name in ("records", "universe_size", "offsets")})

    with pytest.raises(BoundViolation, match="must return Contributions"):
        aggregate(corpus(), Loose(), ORIGIN)


def test_every_record_is_remembered_with_the_same_chance():
    """1,200 records in four batches, 300 of them remembered, 200 times: each in 50 of them but for 6.1 on average.

    Six standard deviations above or below are met with a chance of 1,200 · 2e-9 < 1e-5.
    """
    times = np.zeros(1_200)
    for _ in range(200):
        checked = ConsistencyChecked(Honest(), trusted=True)
        for start in range(0, 1_200, 300):
            checked(pa.array([str(number) for number in range(start, start + 300)], pa.large_string()))
        times[[int(text) for text in checked._texts.to_pylist()]] += 1
    assert times.sum() == 200 * SAMPLE
    assert np.abs(times - 50).max() < 6 * np.sqrt(200 * 0.25 * 0.75)


def test_a_map_is_asked_for_a_bounded_number_of_answers():
    class Counting(Honest):
        heard = 0

        def answers(self, texts):
            self.heard += len(texts)
            return super().answers(texts)

    many = Counting()
    aggregate(corpus([f"letter number {number}" for number in range(20_000)]), many, ORIGIN)
    assert many.heard == 20_000 + 2 * SAMPLE + 2 * len(PUBLIC)
    assert 2 * SAMPLE <= 0.03 * 20_000


RECORDS = [
    *("We waited forty minutes for a table.", "the waiter was rude, and the soup arrived cold", "", " ", "thanks"),
    *("never again!!! " * 40, "crème brûlée 東京 \N{PILE OF POO}", "Nobody was rude. No wait at all.", "x"),
    *several_texts().texts[:60],
]


def assert_never_refused(contribution_map, times=3):
    assert is_ours(contribution_map)
    texts = pa.array([*RECORDS, None, *RECORDS[::-1], None], pa.large_string())
    for _ in range(times):
        checked = ConsistencyChecked(contribution_map, trusted=False)
        for start, size in ((0, 50), (50, 1), (51, len(texts))):
            checked(texts.slice(start, size))
        checked.require_the_same_again()


@pytest.mark.parametrize("most", [None, 1, 2])
@pytest.mark.parametrize("kind", MAP_KINDS)
def test_calibrated_maps_pass(kind, most, tmp_path):
    assert_never_refused(fitted(kind, most))
    assert_never_refused(as_if_new(fitted(kind, most)))
    save_map(fitted(kind, most), tmp_path / "a.map")
    assert_never_refused(load_map(tmp_path / "a.map"), times=1)


def test_maps_over_embeddings_pass():  # for the slower model the law itself is tested: test_embedding_laws.py
    assert_never_refused(fit_embedding(UNIVERSE, StaticEmbedder.installed(), 2), times=1)
    learners = (learn_from_words, embedding_learner(StaticEmbedder.installed()))
    assert_never_refused(fit_cues(UNIVERSE, None, learners), times=1)


@pytest.mark.parametrize("most", [None, 1, 3])
def test_the_papers_map_passes(most, tmp_path):
    paper = NgramMap.fit(UNIVERSE, PublicWordIdf(), most)
    assert_never_refused(paper)
    save_map(paper, tmp_path / "a.map")
    assert_never_refused(load_map(tmp_path / "a.map"), times=1)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("kept", [True, False])
def test_a_language_models_map_passes_and_asks_about_no_text_twice(kept, tmp_path):
    fickle = iter(["long wait", "friendly staff", "food quality"] * 400)
    with FakeModel(lambda text: themes(next(fickle))) as model:
        answers = Answers(tmp_path) if kept else AnswersOfThisRun()
        llm = LlmMap(Labeller(PAPER_UNIVERSE, Endpoint(model.url, "tiny", retries=0), answers, most=2))
        checked = ConsistencyChecked(llm, trusted=is_ours(llm))
        checked(pa.array(RECORDS, pa.large_string()))
        told = llm.labeller.tally.asked
        checked.require_the_same_again()
        assert is_ours(llm)
        assert llm.labeller.tally.asked == told == len({text for text in RECORDS if text.strip()})
